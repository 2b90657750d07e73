// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

// Bodies in a plane on ground with friction, for event-driven simulations.
namespace delassus::test {

constexpr double g = 9.81;

inline std::vector<Event> eventsOf(const EventDriven& simulation, EventKind kind) {
  std::vector<Event> found;
  for (const Event& event : simulation.events()) {
    if (event.kind == kind) found.push_back(event);
  }
  return found;
}

inline LagrangianContactR onPlane(double radius = 0.) {
  return LagrangianContactR(2, automatic([](const auto& q, auto& h) { h(0) = q(1); }),
                            [=](double, const Vector&, Matrix& T) {
                              T(0, 0) = 1.;
                              if (T.size2() > 2) T(0, 2) = radius;
                            });
}

/// A block of mass m on y = 0 with friction, q = (x, y), under the force (f_x, f_y)(t, q, v) beside its weight.
struct Block {
  using Force = std::function<void(double t, const Vector& q, const Vector& v, Vector& force)>;
  static constexpr double m = 2.;

  Block(double mu, double speed, double end, const Force& force = {}, double beltSpeed = 0.) : model(0., end) {
    block = std::make_shared<LagrangianDS>(makeVector({0., 0.}), makeVector({speed, 0.}), diagonalMatrix({m, m}));
    block->setExternalForces(makeVector({0., -m * g}));
    if (force) {
      block->setInternalForces(differenced([=](double t, const Vector& q, const Vector& v, Vector& f) {
        setZero(f);
        force(t, q, v, f);
        for (double& x : f) x = -x;
      }));
    }
    block->setName("block");
    LagrangianContactR relation = onPlane();
    relation.setTangentialDrift([=](double, const Vector&, Vector& w) { w(0) = -beltSpeed; });
    floor = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 2), std::move(relation));
    floor->setName("floor");
    model.insert(block);
    model.link(floor, block);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> block;
  std::shared_ptr<Interaction> floor;
};

/// A disk or sphere of mass m, radius r and moment of inertia j m r² on y = 0; q = (x, height of the lowest point, φ).
struct Roller {
  static constexpr double m = 3.;
  static constexpr double r = 0.2;

  Roller(double j, double mu, double en, const Vector& q0, const Vector& v0, double end) : model(0., end) {
    body = std::make_shared<LagrangianDS>(q0, v0, diagonalMatrix({m, m, j * m * r * r}));
    body->setExternalForces(makeVector({0., -m * g, 0.}));
    floor = std::make_shared<Interaction>(NewtonImpactFrictionNSL(en, 0., mu, 2), onPlane(r));
    floor->setName("floor");
    model.insert(body);
    model.link(floor, body);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> body;
  std::shared_ptr<Interaction> floor;
};

/// A block of width 2 and height of the centre of mass `height` on two feet; q = (x, y, φ), small rotations.
struct TwoFeet {
  static constexpr double m = 2.;

  TwoFeet(double mu, double height, double speed, double end, const Block::Force& force = {}) : model(0., end) {
    block = std::make_shared<LagrangianDS>(makeVector({0., 0., 0.}), makeVector({speed, 0., 0.}),
                                           diagonalMatrix({m, m, 1.5}));
    block->setInternalForces(differenced([=](double t, const Vector& q, const Vector& v, Vector& f) {
      setZero(f);
      if (force) force(t, q, v, f);
      for (double& x : f) x = -x;
      f(1) += m * g;
    }));
    block->setName("block");
    const auto relation = [=](double side) {
      // The foot at (side, −height) from the centre.
      return LagrangianContactR(2, automatic([=](const auto& q, auto& h) {
                                  using std::cos;
                                  using std::sin;
                                  h(0) = q(1) + side * sin(q(2)) + height * (1. - cos(q(2)));
                                }),
                                [=](double, const Vector& q, Matrix& T) {
                                  T(0, 0) = 1.;
                                  T(0, 2) = height * std::cos(q(2)) - side * std::sin(q(2));
                                });
    };
    const NewtonImpactFrictionNSL law(0., 0., mu, 2);
    left = std::make_shared<Interaction>(law, relation(-1.));
    right = std::make_shared<Interaction>(law, relation(1.));
    left->setName("left");
    right->setName("right");
    model.insert(block);
    model.link(left, block);
    model.link(right, block);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> block;
  std::shared_ptr<Interaction> left, right;
};

/// A block of width 2 `halfWidth` and mass 1 that is let go tilted, on two feet; q = (x, y, φ).
struct RockingBlock {
  static constexpr double halfWidth = 0.25;
  static constexpr double tilt = 0.05;

  RockingBlock(double halfHeight, double mu, double end = 6.) : model(0., end) {
    const double inertia = (4. * halfHeight * halfHeight + 4. * halfWidth * halfWidth) / 12.;
    block =
        std::make_shared<LagrangianDS>(makeVector({0., halfWidth * std::sin(tilt) + halfHeight * std::cos(tilt), tilt}),
                                       makeVector({0., 0., 0.}), diagonalMatrix({1., 1., inertia}));
    block->setExternalForces(makeVector({0., -g, 0.}));
    model.insert(block);
    for (const double side : {-1., 1.}) {
      const LagrangianContactR foot(2, automatic([=](const auto& q, auto& h) {
                                      using std::cos;
                                      using std::sin;
                                      h(0) = q(1) + side * halfWidth * sin(q(2)) - halfHeight * cos(q(2));
                                    }),
                                    [=](double, const Vector& q, Matrix& T) {
                                      T(0, 0) = 1.;
                                      T(0, 2) = halfHeight * std::cos(q(2)) - side * halfWidth * std::sin(q(2));
                                    });
      feet.push_back(std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 2), foot));
      model.link(feet.back(), block);
    }
  }

  double energy(double halfHeight) const {
    const Vector& v = block->velocity();
    const double inertia = (4. * halfHeight * halfHeight + 4. * halfWidth * halfWidth) / 12.;
    return 0.5 * (v(0) * v(0) + v(1) * v(1) + inertia * v(2) * v(2)) + g * (block->q()(1) - halfHeight);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> block;
  std::vector<std::shared_ptr<Interaction>> feet;
};

}  // namespace delassus::test
