// SPDX-License-Identifier: Apache-2.0
//
// The discrete equations of Schatzman-Paoli's scheme, written a second time.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

// Systems of two and three coordinates with stiffness, damping and forces in time; contacts with several coefficients
// of restitution on one of them and between them, and an equality.
struct RandomModel {
  explicit RandomModel(unsigned seed, double end = 1.) : model(0., end) {
    Generator generator(seed);
    for (const std::size_t n : {2U, 3U}) {
      mass.push_back(randomSemidefinite(generator, n, n, 1.));
      stiffness.push_back(randomSemidefinite(generator, n, n, 4.));
      damping.push_back(randomMatrix(generator, n, n));
      amplitude.push_back(randomVector(generator, n));
      const Vector q0 = randomVector(generator, n);
      systems.push_back(std::make_shared<LagrangianLinearTIDS>(q0, randomVector(generator, n), mass.back(),
                                                               stiffness.back(), damping.back()));
      const Vector a = amplitude.back();
      systems.back()->setExternalForces([a](double t, Vector& f) {
        for (std::size_t i = 0; i < f.size(); ++i) f(i) = 8. * a(i) * std::cos(3. * t + static_cast<double>(i));
      });
      model.insert(systems.back());
    }
    for (const double e : {0.9, 0.}) add(generator, NewtonImpactNSL(e), e, {0, 1}, 2);
    add(generator, NewtonImpactNSL(0.4), 0.4, {1}, 1);
    add(generator, ComplementarityConditionNSL(), 0., {0}, 1);
  }

  template <class Law>
  void add(Generator& generator, Law law, double e, std::vector<std::size_t> linked, std::size_t rows) {
    std::size_t columns = 0;
    for (const std::size_t s : linked) columns += systems[s]->dimension();
    H.push_back(randomMatrix(generator, rows, columns));
    // Open at the start.
    Vector q(columns);
    std::size_t at = 0;
    for (const std::size_t s : linked) {
      for (const double x : systems[s]->q()) q(at++) = x;
    }
    Vector offset(rows);
    multiply(-1., H.back(), q, 0., offset);
    for (double& x : offset.data()) x += 0.02;
    b.push_back(offset);
    restitution.push_back(e);
    links.push_back(linked);
    interactions.push_back(std::make_shared<Interaction>(std::move(law), LagrangianLinearTIR(H.back(), b.back())));
    if (linked.size() == 2) {
      model.link(interactions.back(), systems[linked[0]], systems[linked[1]]);
    } else {
      model.link(interactions.back(), systems[linked[0]]);
    }
  }

  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> systems;
  std::vector<Matrix> mass, stiffness, damping;
  std::vector<Vector> amplitude;
  std::vector<Matrix> H;
  std::vector<Vector> b;
  std::vector<double> restitution;
  std::vector<std::vector<std::size_t>> links;
  std::vector<std::shared_ptr<Interaction>> interactions;
};

// Positions of all systems in the last steps.
using Positions = std::vector<Vector>;

Positions positionsOf(const RandomModel& random) {
  Positions q;
  for (const auto& system : random.systems) q.push_back(system->q());
  return q;
}

// What is left of M (q⁺ − 2q + q⁻) − h² (F_ext(t_θ) − K q_θ − C v_θ) − Σ Hᵀ λ, largest entry over all systems.
double dynamicsLeft(const RandomModel& random, const Positions& before, const Positions& now,
                    const std::vector<Vector>& velocityBefore, double theta, double t, double h) {
  double worst = 0.;
  for (std::size_t s = 0; s < random.systems.size(); ++s) {
    const Vector& q = random.systems[s]->q();
    const std::size_t n = q.size();
    Vector second(n), place(n), velocity(n), left(n);
    for (std::size_t i = 0; i < n; ++i) {
      second(i) = q(i) - 2. * now[s](i) + before[s](i);
      place(i) = theta * q(i) + (1. - theta) * now[s](i);
      velocity(i) = theta * (q(i) - before[s](i)) / (2. * h) + (1. - theta) * velocityBefore[s](i);
      left(i) = -h * h * 8. * random.amplitude[s](i) * std::cos(3. * (t + theta * h) + static_cast<double>(i));
    }
    multiply(1., random.mass[s], second, 1., left);
    multiply(h * h, random.stiffness[s], place, 1., left);
    multiply(h * h, random.damping[s], velocity, 1., left);
    for (std::size_t k = 0; k < random.interactions.size(); ++k) {
      std::size_t column = 0;
      for (const std::size_t linked : random.links[k]) {
        for (std::size_t i = 0; linked == s && i < n; ++i) {
          for (std::size_t row = 0; row < random.H[k].size1(); ++row) {
            left(i) -= random.H[k](row, column + i) * h * random.interactions[k]->lambda(1)(row);
          }
        }
        column += random.systems[linked]->dimension();
      }
    }
    worst = std::max(worst, normInf(left));
  }
  return worst;
}

// Largest violation of 0 ≤ H q̄ + b ⟂ λ ≥ 0.
double lawsLeft(const RandomModel& random, const Positions& before, double h) {
  double worst = 0.;
  for (std::size_t k = 0; k < random.interactions.size(); ++k) {
    Vector y = random.b[k];
    const double e = random.restitution[k];
    std::size_t column = 0;
    for (const std::size_t s : random.links[k]) {
      for (std::size_t i = 0; i < before[s].size(); ++i) {
        const double mean = (random.systems[s]->q()(i) + e * before[s](i)) / (1. + e);
        for (std::size_t row = 0; row < y.size(); ++row) y(row) += random.H[k](row, column + i) * mean;
      }
      column += before[s].size();
    }
    for (std::size_t row = 0; row < y.size(); ++row) {
      const double lambda = h * random.interactions[k]->lambda(1)(row);
      worst = std::max({worst, -y(row), -lambda, std::min(std::abs(y(row)), std::abs(lambda))});
    }
  }
  return worst;
}

TEST(SchatzmanPaoliEquations, SatisfiesItsDiscreteEquationsOnRandomModels) {
  const double h = 1e-2;
  for (const double theta : {0., 0.5, 1.}) {
    for (const unsigned seed : {1U, 2U, 3U}) {
      RandomModel random(seed);
      TimeStepping simulation(random.model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(theta), LCP());
      Positions before = positionsOf(random), now = before;
      std::vector<Vector> velocity(2);
      std::size_t active = 0;
      while (simulation.hasNextStep()) {
        for (std::size_t s = 0; s < 2; ++s) velocity[s] = random.systems[s]->velocity();
        const double t = simulation.time();
        before = now;
        now = positionsOf(random);
        simulation.step();
        if (simulation.stepIndex() == 1) continue;  // its q⁻ is another test
        // Terms are of the order of 1, and LCP is certified to 1e-8 of its free outputs, about 1e-2.
        ASSERT_LE(dynamicsLeft(random, before, now, velocity, theta, t, h), 1e-14);
        ASSERT_LE(lawsLeft(random, before, h), 1e-12);
        for (std::size_t s = 0; s < 2; ++s) {
          for (std::size_t i = 0; i < now[s].size(); ++i) {
            ASSERT_NEAR(random.systems[s]->velocity()(i), (random.systems[s]->q()(i) - before[s](i)) / (2. * h), 1e-12);
          }
        }
        for (const auto& interaction : random.interactions) active += interaction->isActive() ? 1 : 0;
      }
      EXPECT_GT(active, 5U) << "theta = " << theta << ", seed = " << seed;
    }
  }
}

TEST(SchatzmanPaoliEquations, StartsWithTheBackwardTaylorPositionOfSecondOrder) {
  const double h = 1e-2;
  const double theta = 0.5;
  RandomModel random(4);
  const Positions now = positionsOf(random);
  Positions before = now;
  std::vector<Vector> velocity;
  for (std::size_t s = 0; s < 2; ++s) {
    velocity.push_back(random.systems[s]->velocity());
    Vector force(now[s].size());
    random.systems[s]->forces(0., now[s], velocity[s], force);
    LUFactorization mass;
    mass.factor(random.mass[s], "M");
    mass.solve(force);
    for (std::size_t i = 0; i < force.size(); ++i) before[s](i) += 0.5 * h * h * force(i) - h * velocity[s](i);
  }
  TimeStepping simulation(random.model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(theta), LCP());
  simulation.step();
  EXPECT_LE(dynamicsLeft(random, before, now, velocity, theta, 0., h), 1e-15);
}

// The residual of the discrete equations as a function of q⁺, for W by differences.
TEST(SchatzmanPaoliEquations, HasTheDerivativeOfItsResidualAsIterationMatrix) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto arm = std::make_shared<LagrangianDS>(makeVector({0.3, -0.5}), makeVector({1., 2.}));
  const auto massOf = [](const Vector& q, Matrix& M) {
    M(0, 0) = 3. + std::cos(q(1));
    M(0, 1) = M(1, 0) = 1. + 0.5 * std::cos(q(1));
    M(1, 1) = 1.;
  };
  arm->setMass(massOf);
  const auto inertia = [](const auto& q, const auto& v, auto& N) {
    using std::sin;
    N(0) = -sin(q(1)) * v(1) * (v(0) + v(1));
    N(1) = sin(q(1)) * v(0) * v(0);
  };
  const auto force = [](const auto& t, const auto& q, const auto& v, auto& F) {
    using std::sin;
    F(0) = 20. * sin(q(0)) + v(0) * v(1);
    F(1) = 5. * q(1) * q(1) + 3. * v(1) + t;
  };
  arm->setNNL(automatic(inertia));
  arm->setInternalForces(automatic(force));
  model.insert(arm);
  const double h = 0.05;
  for (const double theta : {0., 0.5, 1.}) {
    SchatzmanPaoliOSI scheme(theta);
    scheme.bind(model, 0.);
    scheme.beginStep({0., h, h});
    scheme.computeFreeState();
    const Matrix W = toDense(*scheme.equations().nodes()[0].matrix);
    // d₋ of the start, and the trial displacement, which begins there.
    const Vector& q = arm->q();
    const Vector& v = arm->velocity();
    Matrix M(2, 2);
    massOf(q, M);
    Vector start(2);
    arm->forces(0., q, v, start);
    LUFactorization factor;
    factor.factor(M, "M");
    factor.solve(start);
    for (std::size_t i = 0; i < 2; ++i) start(i) = h * v(i) - 0.5 * h * h * start(i);
    const auto residualOf = [&](const Vector& d) {
      Vector place(2), velocity(2), change(2), residual(2);
      for (std::size_t i = 0; i < 2; ++i) {
        place(i) = q(i) + theta * d(i);
        velocity(i) = theta * (d(i) + start(i)) / (2. * h) + (1. - theta) * v(i);
        change(i) = d(i) - start(i);
      }
      arm->forces(theta * h, place, velocity, residual);
      for (double& x : residual.data()) x *= -h * h;
      multiply(1., M, change, 1., residual);
      return residual;
    };
    const double step = 1e-5;
    for (std::size_t j = 0; j < 2; ++j) {
      Vector plus = start, minus = start;
      plus(j) += step;
      minus(j) -= step;
      const Vector up = residualOf(plus), down = residualOf(minus);
      for (std::size_t i = 0; i < 2; ++i) {
        // Rounding in the residual over the step, and its third derivatives.
        EXPECT_NEAR((up(i) - down(i)) / (2. * step), W(i, j), 1e-9) << "theta = " << theta;
      }
    }
  }
}

// A constant mass that changes in the run, of a system that is not linear: the factors and M are those of the new one.
TEST(SchatzmanPaoliEquations, HaveAnotherMassOnceItIsSet) {
  for (const double theta : {0., 0.5}) {
    const auto run = [theta](double h) {
      NonSmoothDynamicalSystem model(0., 2.);
      const auto mass = std::make_shared<LagrangianDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}));
      mass->setInternalForces(automatic([](auto, const auto& q, const auto&, auto& F) { F(0) = 4. * q(0); }));
      model.insert(mass);
      TimeStepping simulation(model, TimeDiscretisation(0., h), SchatzmanPaoliOSI(theta), LCP());
      while (simulation.time() < 1. - 0.5 * h) simulation.step();
      mass->setMass(makeMatrix({{4.}}));
      simulation.run();
      // q = cos 2t up to t = 1, then of frequency 1 from there.
      return mass->q()(0) - std::cos(2.) * std::cos(1.) + 2. * std::sin(2.) * std::sin(1.);
    };
    EXPECT_LT(std::abs(run(1e-3)), 5e-3) << theta;
    EXPECT_NEAR(run(2e-3) / run(1e-3), 2., 0.3) << "the step of the change costs an order";
  }
}

}  // namespace
