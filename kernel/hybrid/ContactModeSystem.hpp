// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/ContactElement.hpp>
#include <delassus/kernel/hybrid/ModeRows.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/RankRevealingLU.hpp>
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
/// The system in the remaining λ_N and λ_T, not symmetric where contacts slip, is solved by RankRevealingLU. Where it
/// is singular (a table on four legs), least squares give the solution of least Σ K_ii λ_i², which allocates; if the
/// rows contradict each other, their a remains nonzero.
class ContactModeSystem {
 public:
  /// K is n x n; `modes` has one mode an element, admissible for it; λ and a get the size n. `headings` has the
  /// direction of slip of each element; where it creeps, a first guess that is replaced.
  void solve(const Matrix& K, const Vector& b, const std::vector<ContactElement>& elements,
             const std::vector<ContactMode>& modes, std::vector<SlipDirection>& headings, Vector& lambda, Vector& a);

  /// Whether the rows that were held in the last solve depend on each other: λ is then one of many.
  bool redundant() const { return factor_.rank() < factor_.size(); }

  /// After a solve with redundant rows: the λ whose smallest margin λ_N, μ λ_N ∓ λ_T, λ − l, u − λ is greatest, instead
  /// of the smallest λ (MultiplierBalance), so that a guard reaches zero only when the contacts can bear no λ any more.
  /// Held rows keep their a = 0; a is that of the new λ, the same unless contacts slip with different μ.
  void balance(const Matrix& K, const Vector& b, Vector& lambda, Vector& a);

  /// Saves or restores what the solver of the balance remembers.
  void serializeState(StateArchive& archive) { balance_.serializeState(archive); }

 private:
  void collect(const std::vector<ContactElement>& elements, const std::vector<ContactMode>& modes,
               const std::vector<SlipDirection>& headings);
  void solveRows(const Matrix& K);
  void finish(const Matrix& K, const Vector& b, Vector& lambda, Vector& a) const;

  ModeRows rows_;
  std::vector<std::size_t> owners_;  // elements of the held rows
  Matrix system_;
  Vector solution_;
  std::vector<double> scales_;
  RankRevealingLU factor_;
  Vector known_, free_;  // λ of the known forces, and a with them
  CreepingDirections creeping_;
  MultiplierBalance balance_;
};

}  // namespace delassus
