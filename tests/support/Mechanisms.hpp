// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/relations/NewtonEulerR.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <memory>
#include <vector>

// Mechanisms with joints that are written as functions h(q) of configurations.
namespace delassus::test {

/// y(row + k) += sign · component k of x + R r, with (x, p) at q(first).
template <class Q, class Y>
void addPoint(const Q& q, std::size_t first, const Vector3& r, double sign, std::size_t row, Y& y) {
  const auto p0 = q(first + 3), p1 = q(first + 4), p2 = q(first + 5), p3 = q(first + 6);
  const auto along = p1 * r[0] + p2 * r[1] + p3 * r[2];
  const auto scale = p0 * p0 - p1 * p1 - p2 * p2 - p3 * p3;
  y(row) += sign * (q(first) + scale * r[0] + 2. * p0 * (p2 * r[2] - p3 * r[1]) + 2. * along * p1);
  y(row + 1) += sign * (q(first + 1) + scale * r[1] + 2. * p0 * (p3 * r[0] - p1 * r[2]) + 2. * along * p2);
  y(row + 2) += sign * (q(first + 2) + scale * r[2] + 2. * p0 * (p1 * r[1] - p2 * r[0]) + 2. * along * p3);
}

/// y(row), y(row + 1) = x and y components of R e_z: zero where the axis z of the body stands along z.
template <class Q, class Y>
void addAxis(const Q& q, std::size_t first, double sign, std::size_t row, Y& y) {
  const auto p0 = q(first + 3), p1 = q(first + 4), p2 = q(first + 5), p3 = q(first + 6);
  y(row) += sign * 2. * (p1 * p3 + p0 * p2);
  y(row + 1) += sign * 2. * (p2 * p3 - p0 * p1);
}

/// The point r of a body is held at the origin.
inline NewtonEulerR sphericalJoint(const Vector3& r) {
  return {3, automatic([=](const auto& q, auto& y) { addPoint(q, 0, r, 1., 0, y); })};
}

/// Potential and kinetic energy of a body in a field g, J.
inline double energyOf(const NewtonEulerDS& body, const Vector3& g) {
  return body.kineticEnergy() - body.scalarMass() * dot(g, body.position());
}

/// A box that spins about its long axis and swings about a spherical joint at its end, the origin.
struct SpinningPendulum {
  explicit SpinningPendulum(double end) : model(0., end) {
    const Quaternion p = rotations::exponential({0., 0.8, 0.});
    const Vector3 Omega{0.3, 0.5, 12.};
    const Vector3 centre = -rotations::rotate(p, anchor);
    const Vector3 velocity = rotations::rotate(p, cross(anchor, Omega));
    Vector v(6);
    for (std::size_t i = 0; i < 3; ++i) {
      v(i) = velocity[i];
      v(3 + i) = Omega[i];
    }
    body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(centre, p), v, 1.,
                                           NewtonEulerDS::boxInertia(1., 0.1, 0.2, 0.6));
    body->setExternalForces(makeVector({0., 0., gravity[2]}));
    joint = std::make_shared<Interaction>(EqualityConditionNSL(3), sphericalJoint(anchor));
    model.insert(body);
    model.link(joint, body);
  }

  double energy() const { return energyOf(*body, gravity); }

  static constexpr Vector3 anchor{0., 0., 0.3};
  static constexpr Vector3 gravity{0., 0., -9.81};
  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> body;
  std::shared_ptr<Interaction> joint;
};

/// A planar four-bar loop of three bars and the ground in space, with four pivots about z: 20 constraints, of which
/// three are superfluous, on 18 degrees of freedom. It falls from rest; the field has a part out of the plane.
struct FourBar {
  explicit FourBar(double end) : model(0., end) {
    const Vector3 A{}, D{1., 0., 0.};
    const Vector3 B{0.4 * std::cos(1.), 0.4 * std::sin(1.), 0.};
    // C is at 0.9 of B and 0.7 of D.
    const Vector3 base = D - B;
    const double length = norm(base);
    const double along = (0.81 - 0.49 + length * length) / (2. * length);
    const double height = std::sqrt(0.81 - along * along);
    const Vector3 C{B[0] + (along * base[0] - height * base[1]) / length,
                    B[1] + (along * base[1] + height * base[0]) / length, 0.};
    addBar(A, B);
    addBar(B, C);
    addBar(D, C);
    pivotToGround(0, A);
    pivot(0, 1, 0.5, -0.5);
    pivot(1, 2, 0.5, 0.5);
    pivotToGround(2, D);
  }

  double energy() const {
    double sum = 0.;
    for (const auto& bar : bars) sum += energyOf(*bar, gravity);
    return sum;
  }
  double drift() const {
    double worst = 0.;
    for (const auto& joint : joints) {
      for (const double y : joint->y(0).data()) worst = std::max(worst, std::abs(y));
    }
    return worst;
  }

  static constexpr Vector3 gravity{1., -9., 3.};
  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<NewtonEulerDS>> bars;
  std::vector<double> lengths;
  std::vector<std::shared_ptr<Interaction>> joints;

 private:
  void addBar(const Vector3& from, const Vector3& to) {
    const Vector3 d = to - from;
    lengths.push_back(norm(d));
    const Quaternion p = rotations::exponential({0., 0., std::atan2(d[1], d[0])});
    bars.push_back(std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(0.5 * (from + to), p), Vector(6), 1.,
                                                   NewtonEulerDS::boxInertia(1., lengths.back(), 0.05, 0.05)));
    bars.back()->setExternalForces(makeVector({gravity[0], gravity[1], gravity[2]}));
    model.insert(bars.back());
  }
  void pivotToGround(std::size_t bar, const Vector3& point) {
    const Vector3 r{-0.5 * lengths[bar], 0., 0.};
    add5(NewtonEulerR(5, automatic([=](const auto& q, auto& y) {
                        addPoint(q, 0, r, 1., 0, y);
                        for (std::size_t i = 0; i < 3; ++i) y(i) -= point[i];
                        addAxis(q, 0, 1., 3, y);
                      })),
         bars[bar]);
  }
  /// At the points `first` and `second` (−0.5 … 0.5) along the two bars.
  void pivot(std::size_t bar, std::size_t other, double first, double second) {
    const Vector3 r{first * lengths[bar], 0., 0.}, s{second * lengths[other], 0., 0.};
    add5(NewtonEulerR(5, automatic([=](const auto& q, auto& y) {
                        addPoint(q, 0, r, 1., 0, y);
                        addPoint(q, 7, s, -1., 0, y);
                        addAxis(q, 0, 1., 3, y);
                        addAxis(q, 7, -1., 3, y);
                      })),
         bars[bar], bars[other]);
  }
  template <class... Bars>
  void add5(NewtonEulerR relation, const Bars&... linked) {
    joints.push_back(std::make_shared<Interaction>(EqualityConditionNSL(5), std::move(relation)));
    model.link(joints.back(), linked...);
  }
};

/// A point mass on a massless rod of length 1 about the origin, in coordinates (x, y): ‖q‖ = 1. It starts at rest on
/// the height of the pivot.
struct PlanarPendulum {
  explicit PlanarPendulum(double end) : model(0., end) {
    ball = std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.}), Vector(2), identityMatrix(2));
    ball->setExternalForces(makeVector({0., -gravity}));
    rod = std::make_shared<Interaction>(EqualityConditionNSL(),
                                        LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                                  using std::sqrt;
                                                                  y(0) = sqrt(q(0) * q(0) + q(1) * q(1)) - 1.;
                                                                })));
    model.insert(ball);
    model.link(rod, ball);
  }

  double energy() const {
    const Vector& v = ball->velocity();
    return 0.5 * (v(0) * v(0) + v(1) * v(1)) + gravity * ball->q()(1);
  }

  static constexpr double gravity = 9.81;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> ball;
  std::shared_ptr<Interaction> rod;
};

}  // namespace delassus::test
