// SPDX-License-Identifier: Apache-2.0
#include "EquationModels.hpp"

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/RandomProblems.hpp>

namespace delassus::test {

std::unique_ptr<EquationsModel> linearModel(unsigned seed) {
  Generator generator(seed);
  auto m = std::make_unique<EquationsModel>(1.);
  for (const std::size_t n : {2U, 3U}) {
    const Matrix M = randomSemidefinite(generator, n, n, 1.), K = randomSemidefinite(generator, n, n, 4.);
    const Matrix C = randomMatrix(generator, n, n);
    const Vector amplitude = randomVector(generator, n), q0 = randomVector(generator, n);
    const auto load = [amplitude](double t) {
      Vector f(amplitude.size());
      for (std::size_t i = 0; i < f.size(); ++i) f(i) = 8. * amplitude(i) * std::cos(3. * t + static_cast<double>(i));
      return f;
    };
    const auto system = std::make_shared<LagrangianLinearTIDS>(q0, randomVector(generator, n),
                                                               LagrangianLinearTIDS::Matrices{.M = M, .C = C, .K = K});
    system->setExternalForces([load](double t, Vector& f) { f = load(t); });
    m->add({system, [M](const Vector&) { return M; },
            [load, K, C](double t, const Vector& q, const Vector& v) {
              Vector f = load(t);
              multiply(-1., K, q, 1., f);
              multiply(-1., C, v, 1., f);
              return f;
            }});
  }
  // Contacts are open by 0.02 m at the start; the equality holds there.
  const auto addLinear = [&](auto law, std::vector<std::size_t> bodies, std::size_t rows, bool isContact, double e,
                             double mu) {
    Vector q;
    for (const std::size_t b : bodies) append(m->bodies[b].system->q(), q);
    const Matrix H = randomMatrix(generator, rows, q.size());
    Vector offset(rows);
    multiply(-1., H, q, 0., offset);
    if (isContact) offset(0) += 0.02;
    Link link;
    link.bodies = bodies;
    link.output = [H, offset](double, const Vector& at) {
      Vector y = offset;
      multiply(1., H, at, 1., y);
      return y;
    };
    link.jacobian = [H](double, const Vector&) { return H; };
    link.isContact = isContact;
    link.e = e;
    link.mu = mu;
    link.isLinear = true;
    m->add(std::move(link), std::move(law), LagrangianLinearTIR(H, offset));
  };
  addLinear(EqualityConditionNSL(1), {0, 1}, 1, false, 0., 0.);
  addLinear(NewtonImpactNSL(0.7), {0, 1}, 1, true, 0.7, 0.);
  addLinear(NewtonImpactNSL(0.), {1}, 1, true, 0., 0.);
  addLinear(NewtonImpactFrictionNSL(0.3, 0., 0.4, 2), {0, 1}, 2, true, 0.3, 0.4);
  return m;
}

std::unique_ptr<EquationsModel> turningModel(bool isJoined) {
  auto m = std::make_unique<EquationsModel>(1.);
  const auto massOf = [](const Vector& q, Matrix& M) {
    M(0, 0) = 3. + std::cos(q(1));
    M(0, 1) = M(1, 0) = 0.7 + 0.5 * std::cos(q(1));
    M(1, 1) = 1.5;
    M(1, 2) = M(2, 1) = 0.1 * std::sin(q(0));
    M(2, 2) = 1.;
  };
  const auto gyroscopic = [](const auto& q, const auto& v, auto& N) {
    using std::sin;
    N(0) = -sin(q(1)) * v(1) * (v(0) + v(1));
    N(1) = sin(q(1)) * v(0) * v(0);
    N(2) = 0.1 * v(2) * v(1);
  };
  const auto internal = [](const auto& t, const auto& q, const auto& v, auto& F) {
    using std::sin;
    F(0) = 20. * sin(q(0)) + v(0);
    F(1) = 5. * q(1) * q(1) * q(1) + 0.5 * v(1);
    F(2) = 9. * q(2) + q(0) + 8. + 2. * t;
  };
  const auto arm = std::make_shared<LagrangianDS>(makeVector({0.6, -0.5, 0.1}), makeVector({-1., 2., 0.5}));
  arm->setMass(massOf);
  arm->setNNL(automatic(gyroscopic));
  arm->setInternalForces(automatic(internal));
  m->add({arm,
          [massOf](const Vector& q) {
            Matrix M(3, 3);
            massOf(q, M);
            return M;
          },
          [gyroscopic, internal](double t, const Vector& q, const Vector& v) {
            Vector N(3), F(3);
            gyroscopic(q, v, N);
            internal(t, q, v, F);
            return Vector(-N - F);
          }});
  const auto slider = std::make_shared<LagrangianLinearTIDS>(makeVector({std::sin(0.6), 0.3}), makeVector({0., -1.}),
                                                             2. * identityMatrix(2));
  slider->setExternalForces(makeVector({0., -19.62}));
  m->add({slider, [](const Vector&) { return Matrix(2. * identityMatrix(2)); },
          [](double, const Vector&, const Vector&) {
            return makeVector({0., -19.62});
          }});

  if (isJoined) {  // the slider's first coordinate is the sine of the arm's: y = q₃ − sin q₀
    m->add({.bodies = {0, 1},
            .output = [](double, const Vector& q) { return makeVector({q(3) - std::sin(q(0))}); },
            .jacobian =
                [](double, const Vector& q) {
                  return makeMatrix({{-std::cos(q(0)), 0., 0., 1., 0.}});
                },
            .isContact = false},
           EqualityConditionNSL(1), LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                              using std::sin;
                                                              y(0) = q(3) - sin(q(0));
                                                            })));
  }
  m->add({.bodies = {0},
          .output = [](double, const Vector& q) { return makeVector({0.3 + std::sin(q(0)) + 0.2 * q(1) * q(1)}); },
          .jacobian =
              [](double, const Vector& q) {
                return makeMatrix({{std::cos(q(0)), 0.4 * q(1), 0.}});
              },
          .e = 0.6},
         NewtonImpactNSL(0.6), LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                         using std::sin;
                                                         y(0) = 0.3 + sin(q(0)) + 0.2 * q(1) * q(1);
                                                       })));
  m->add({.bodies = {0},
          .output =
              [](double, const Vector& q) {
                return makeVector({0.15 + std::sin(q(2)), 0.});
              },
          .jacobian =
              [](double, const Vector& q) {
                return makeMatrix({{0., 0., std::cos(q(2))}, {0.3, std::cos(q(1)), 0.2 * std::sin(q(2))}});
              },
          .e = 0.2,
          .mu = 0.1},
         NewtonImpactFrictionNSL(0.2, 0., 0.1, 2),
         LagrangianContactR(2, automatic([](const auto& q, auto& h) {
                              using std::sin;
                              h(0) = 0.15 + sin(q(2));
                            }),
                            [](double, const Vector& q, Matrix& rows) {
                              rows(0, 0) = 0.3;
                              rows(0, 1) = std::cos(q(1));
                              rows(0, 2) = 0.2 * std::sin(q(2));
                            }));
  m->add({.bodies = {1},
          .output = [](double t, const Vector& q) { return makeVector({q(1) - 0.1 * std::sin(5. * t) * (1. + q(0))}); },
          .jacobian =
              [](double t, const Vector&) {
                return makeMatrix({{-0.1 * std::sin(5. * t), 1.}});
              },
          .drift = [](double t, const Vector& q) { return makeVector({-0.5 * std::cos(5. * t) * (1. + q(0))}); }},
         NewtonImpactNSL(0.), LagrangianRheonomousR(1, automatic([](const auto& t, const auto& q, auto& y) {
                                                      using std::sin;
                                                      y(0) = q(1) - 0.1 * sin(5. * t) * (1. + q(0));
                                                    })));
  return m;
}

std::unique_ptr<EquationsModel> bodiesModel() {
  auto m = std::make_unique<EquationsModel>(1.);
  const auto addBody = [&](const Vector& q, const Vector& twist, double mass, const Vector& inertia) {
    Matrix I(3, 3);
    for (std::size_t i = 0; i < 3; ++i) I(i, i) = inertia(i);
    const auto body = std::make_shared<NewtonEulerDS>(q, twist, mass, I);
    body->setExternalForces(makeVector({0., 0., -9.81 * mass}));
    const auto gyroscopic = [=](const Vector& v) {
      const Vector3 omega{v(3), v(4), v(5)};
      const Vector3 spin{inertia(0) * v(3), inertia(1) * v(4), inertia(2) * v(5)};
      const Vector3 moment = cross(omega, spin);
      return makeVector({0., 0., 0., -moment[0], -moment[1], -moment[2]});
    };
    m->add({body,
            [=](const Vector&) {
              Matrix M(6, 6);
              for (std::size_t i = 0; i < 3; ++i) {
                M(i, i) = mass;
                M(3 + i, 3 + i) = inertia(i);
              }
              return M;
            },
            [=](double, const Vector&, const Vector& v) {
              Vector force = gyroscopic(v);
              force(2) -= 9.81 * mass;
              return force;
            },
            gyroscopic});
    return body;
  };
  const Quaternion turn = rotations::exponential({0.3, -0.4, 0.2});
  const Vector3 place{0., 0., 1.}, anchor{0.2, 0.1, 0.4}, spin{0.5, -1., 6.};
  Vector tilted(7), twist(6);
  const Vector3 velocity = cross(anchor - place, rotations::rotate(turn, spin));  // the anchor does not move
  for (std::size_t i = 0; i < 3; ++i) {
    tilted(i) = place[i];
    twist(i) = velocity[i];
    twist(3 + i) = spin[i];
  }
  for (std::size_t i = 0; i < 4; ++i) tilted(3 + i) = turn[i];
  const auto top = addBody(tilted, twist, 1.5, makeVector({0.1, 0.15, 0.05}));
  addBody(NewtonEulerDS::at({3., 0., 0.25}), makeVector({1.5, 0.3, -1., 1., -4., 2.}), 0.5,
          makeVector({0.002, 0.002, 0.002}));
  const auto addRelation = [&](std::size_t b, auto law, auto relation, bool isContact, double e, double mu) {
    const auto shared = std::make_shared<decltype(relation)>(std::move(relation));
    Link link;
    link.bodies = {b};
    link.output = [shared](double t, const Vector& q) {
      Vector y(shared->size());
      shared->computeOutput(t, q, Vector(shared->size()), y);
      return y;
    };
    link.jacobian = [shared](double t, const Vector& q) {
      Matrix G(shared->size(), 6);
      shared->computeJacobian(t, q, Vector(shared->size()), G);
      return G;
    };
    link.isContact = isContact;
    link.e = e;
    link.mu = mu;
    m->add(std::move(link), std::make_shared<decltype(law)>(law), shared);
  };
  addRelation(0, EqualityConditionNSL(3), SphericalJointR::at(anchor, top->q()), false, 0., 0.);
  addRelation(1, NewtonImpactFrictionNSL(0.5, 0., 0.1), NewtonEuler3DR(SpherePlane(0.1, Plane{})), true, 0.5, 0.1);
  return m;
}

}  // namespace delassus::test
