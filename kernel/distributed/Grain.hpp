// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/distributed/GhostExchange.hpp>
#include <memory>
#include <string>

namespace delassus::distributed {

/// A rigid body that moves under gravity and contacts alone: all that another rank must know of it.
struct Grain {
  std::uint64_t number = 0;           ///< its own among those of all ranks; below 2⁵³
  CollisionManager::Group group = 0;  ///< by which laws are chosen
  std::shared_ptr<const Shape> shape = std::make_shared<const SphereShape>(1.);  ///< convex, of the library
  double mass = 1.;                                                              ///< kg
  Matrix inertia;                              ///< about the centre of mass in the body's frame, 3 x 3, kg m²
  Vector q = NewtonEulerDS::at({0., 0., 0.});  ///< position and unit quaternion, see NewtonEulerDS
  Vector v = Vector(6);                        ///< twist, see NewtonEulerDS

  /// A homogeneous ball of that density (kg/m³) at rest. Throws Error unless numbers are positive and finite.
  static Grain ball(std::uint64_t number, double radius, double density, const Vector3& x);
  /// A homogeneous box with those edges. Throws Error unless numbers are positive and finite.
  static Grain box(std::uint64_t number, double lx, double ly, double lz, double density, const Vector3& x,
                   const Quaternion& p = {1., 0., 0., 0.});

  /// A homogeneous body of that density (kg/m³) at rest, x and p those of the shape's centre of mass and frame. Throws
  /// Error unless the density is positive and finite and the shape convex, with the centre of mass at its origin.
  static Grain of(std::uint64_t number, std::shared_ptr<const Shape> shape, double density, const Vector3& x,
                  const Quaternion& p = {1., 0., 0., 0.});

  /// "grain 7", in messages.
  std::string name() const { return "grain " + std::to_string(number); }
  /// The body, in this state. Throws Error, beginning with the grain, if mass, inertia or state are not those of a
  /// body, or the shape is not convex.
  std::shared_ptr<NewtonEulerDS> body() const;

  /// Appends the grain to a packet.
  void write(Packet& packet) const;
  /// Reads what write() has written. Throws Error if it is not that of a grain.
  static Grain read(PacketReader& packet);
};

/// Collective. Throws AgreedError if two of the grains of all ranks have the same number.
void requireDistinctNumbers(const Ranks& ranks, const std::vector<Grain>& own);

}  // namespace delassus::distributed
