// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/ContactElement.hpp>
#include <delassus/kernel/hybrid/HeldRowSystem.hpp>
#include <delassus/kernel/hybrid/ModeRows.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// Multipliers λ and accelerations a = K λ + b of contacts in given modes, ignoring inequalities:
///
///     a_N = 0                      of closed contacts and of equalities,
///     a_T = 0                      where they stick, and of boxes that are held,
///     λ_T = −s μ λ_N               where they slip, s = ±1 the direction,
///     λ = l or u                   of boxes that slip forward or backward,
///     λ = 0                        of open contacts and of rows that belong to no element.
///
/// The system in the remaining λ_N and λ_T is a HeldRowSystem; where it is singular (a table on four legs), see there.
class ContactModeSystem {
 public:
  /// K is n x n; `modes` has one mode an element, admissible for it; λ and a get the size n. `headings` has the
  /// direction of slip of each element; where it creeps, a first guess that is replaced.
  void solve(const Matrix& K, const Vector& b, const std::vector<ContactElement>& elements,
             const std::vector<ContactMode>& modes, std::vector<SlipDirection>& headings, Vector& lambda, Vector& a);

  /// Whether the rows that were held in the last solve depend on each other: λ is then one of many.
  bool redundant() const { return system_.isRedundant(); }

  /// After a solve with redundant rows: the λ whose smallest margin λ_N, μ λ_N ∓ λ_T, λ − l, u − λ is greatest
  /// (MultiplierBalance), so that a guard reaches zero only when the contacts can bear no λ any more. Accelerations
  /// stay as they are.
  void balance(const Matrix& K, const Vector& b, Vector& lambda, Vector& a);

 private:
  void collect(const std::vector<ContactElement>& elements, const std::vector<ContactMode>& modes,
               const std::vector<SlipDirection>& headings);
  void solveRows(const Matrix& K);
  void finish(const Matrix& K, const Vector& b, Vector& lambda, Vector& a) const;

  ModeRows rows_;
  std::vector<std::size_t> owners_;  // elements of the held rows
  std::vector<std::size_t> places_;  // their rows
  HeldRowSystem system_;
  std::vector<double> solution_;
  Vector known_, free_;  // λ of the known forces, and a with them
  CreepingDirections creeping_;
};

}  // namespace delassus
