// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <memory>
#include <random>
#include <vector>

namespace delassus::testing {

constexpr double gravity = 9.81;

inline std::shared_ptr<NewtonEulerDS> makeBall(const Vector3& x, double radius, double density = 1000.) {
  const double mass = 4. / 3. * 3.14159265358979 * radius * radius * radius * density;
  return std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x), Vector(6), mass,
                                         NewtonEulerDS::ballInertia(mass, radius));
}

inline std::shared_ptr<NewtonEulerDS> makeBox(const Vector3& x, const Vector3& edges, double density = 1000.,
                                              const Quaternion& p = {1., 0., 0., 0.}) {
  const double mass = edges[0] * edges[1] * edges[2] * density;
  return std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x, p), Vector(6), mass,
                                         NewtonEulerDS::boxInertia(mass, edges[0], edges[1], edges[2]));
}

/// The shape of a body, as a CollisionManager has it.
template <ShapeOrPlane S>
Collider collider(std::shared_ptr<NewtonEulerDS> body, S shape, const Placement& at = {}) {
  return Collider(std::move(body), shareShape(std::move(shape)), at, 0);
}

/// The shape of an obstacle.
template <ShapeOrPlane S>
Collider obstacle(S shape, const Placement& at, std::string label) {
  return Collider(shareShape(std::move(shape)), at, ObstacleMotion(), 0, std::move(label));
}

inline void letFall(NewtonEulerDS& body) {
  body.setExternalForces(makeVector({0., 0., -gravity * body.scalarMass()}));
}

inline Vector3 randomVector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> entry(-size, size);
  return {entry(random), entry(random), entry(random)};
}

inline Quaternion randomRotation(std::mt19937& random) {
  std::normal_distribution<double> entry;
  return rotations::normalised({entry(random), entry(random), entry(random), entry(random)});
}

inline std::size_t interactionsOf(const NonSmoothDynamicalSystem& model) {
  return model.topology().interactions().size();
}

}  // namespace delassus::testing
