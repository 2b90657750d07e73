// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <delassus/kernel/systems/DynamicalSystem.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace delassus {

/// What a link names: a system, or some of its coordinates (first order: states) alone, those of a node of a mesh or of
/// a circuit say. A relation sees q and v, or x, of these, and its multipliers act on these.
///
///     model.link("foot", law, LagrangianLinearTIR(makeMatrix({{0., 1.}})), SystemPart(block, 2 * node, 2));
class SystemPart {
 public:
  /// The number of coordinates that stands for a whole system.
  static constexpr std::size_t all = static_cast<std::size_t>(-1);

  /// The whole system.
  template <std::derived_from<DynamicalSystem> System>
  SystemPart(std::shared_ptr<System> system) : system_(std::move(system)) {}  // NOLINT: by intention
  /// The states first … first + count − 1 of x, or coordinates of q with their rates in v. Throws Error if the system
  /// is null, is a mechanical one in which q̇ is not v (a body in space), or has not all of these coordinates.
  SystemPart(std::shared_ptr<DynamicalSystem> system, std::size_t first, std::size_t count);

  const std::shared_ptr<DynamicalSystem>& system() const { return system_; }  ///< of which this is a part
  bool isWhole() const { return count_ == all; }                              ///< whether it is all of the system
  std::size_t first() const { return first_; }                                ///< number of its first coordinate
  std::size_t count() const { return count_; }  ///< of coordinates; `all` of a whole system
  /// The system's name in quotes, and which coordinates, for messages.
  std::string label() const;

  /// Of a mechanical system, its part of the present configuration and velocity; of one of first order nothing and its
  /// part of x, which force elements see as velocities.
  ///@{
  std::span<const double> q() const;
  std::span<const double> velocity() const;
  ///@}
  /// Its part of any vector of the system.
  std::span<const double> of(const Vector& whole) const {
    return isWhole() ? std::span<const double>(data(whole), whole.size()) : std::span(data(whole) + first_, count_);
  }

 private:
  std::shared_ptr<DynamicalSystem> system_;
  std::size_t first_ = 0;
  std::size_t count_ = all;
};

/// The present states of parts as a relation sees them, one after another: q of mechanical systems, x of first order.
Vector stackedStates(std::span<const SystemPart> parts);

}  // namespace delassus
