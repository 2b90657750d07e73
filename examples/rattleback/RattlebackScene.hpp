// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <memory>
#include <numbers>

#include "RollingStone.hpp"

namespace delassus {

/// The stone as a rigid body with an EllipsoidShape, and beside it the equations of pure rolling. What it stands on, at
/// z = 0, is for the caller to insert into `contacts`.
struct RattlebackScene {
  RattlebackParameters parameters;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> contacts;
  std::shared_ptr<NewtonEulerDS> stone;
  RollingStone reference;

  RattlebackScene(const RattlebackParameters& p, double friction, double end)
      : parameters(p),
        model(0., end),
        contacts(std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., friction))),
        reference(parameters, {}, {}) {
    const double angle = p.tilt / 180. * std::numbers::pi;
    const Quaternion orientation = rotations::exponential({angle, angle, 0.});
    const Matrix3 R = rotations::rotationMatrix(orientation);
    reference = RollingStone(parameters, multiplyTransposed(R, Vector3{0., 0., 1.}), {0., 0., p.spin});
    const Vector3 r = multiply(R, reference.contact());
    const Vector3 v = -cross(multiply(R, reference.omega()), r);
    Matrix inertia(3, 3);
    for (std::size_t k = 0; k < 9; ++k) inertia.data()[k] = p.inertia[k];
    stone = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., -r[2]}, orientation),
                                            makeVector({v[0], v[1], v[2], 0., 0., p.spin}), p.mass, inertia);
    model.setGravity({0., 0., -p.gravity});
    model.insert("stone", stone);
    contacts->insert(stone, EllipsoidShape(p.half[0], p.half[1], p.half[2]), Placement::at({0., 0., p.below}));
  }
  RattlebackScene(const RattlebackScene&) = delete;
  RattlebackScene& operator=(const RattlebackScene&) = delete;

  double energy() const { return stone->kineticEnergy() + parameters.mass * parameters.gravity * stone->q()(2); }
};

}  // namespace delassus
