// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

// Contact geometries of all kinds, and how matter moves there, by differences and by itself.
namespace delassus::test {

struct ContactCase {
  std::string name;
  std::shared_ptr<ContactGeometry> geometry;
  /// Place of the obstacle at t, (x, p): that which the geometry was made with; empty if it is at rest.
  std::function<void(double, Vector&)> motion;
};

std::vector<ContactCase> contactCases();

/// Bodies near the origin, turned in any way; two are apart.
Vector randomConfiguration(std::size_t bodies, std::mt19937& random);
inline Vector randomConfiguration(const ContactCase& contact, std::mt19937& random) {
  return randomConfiguration(contact.geometry->bodies(), random);
}

/// Velocity of the matter of a body with twist v that is at `point`, and its ω.
Vector3 matterVelocity(const Vector& q, const Vector& v, std::size_t body, const Vector3& point);
Vector3 inertialRotation(const Vector& q, const Vector& v, std::size_t body);
/// The same of the obstacle.
Vector3 obstacleVelocity(const ContactCase& contact, double t, const Vector3& point);
Vector3 obstacleRotation(const ContactCase& contact, double t);

inline Vector vectorOf(const Vector3& x) {
  return makeVector({x[0], x[1], x[2]});
}

}  // namespace delassus::test
