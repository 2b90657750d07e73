// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/hybrid/ModeRows.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// The multipliers x of held rows, which bring friction along where contacts slip, from accelerations a = K λ + b:
///
///     a = 0 in the held rows,     λ = Ĵ x.
///
/// The matrix in x is not symmetric where contacts slip, and singular where rows depend on each other (a table on four
/// legs). Then x is one of many. Mostly the motion is the same with all of them; where contacts slip in different
/// directions or with different μ it is not, since the friction that comes with x differs. So there is one choice: the
/// balanced x (MultiplierBalance), a continuous function of the state that does not depend on the order of the rows and
/// has no force that contacts cannot bear as long as there is such an x.
class HeldRowSystem {
 public:
  /// Factors the matrix of `held` with its present directions. K is symmetric, n x n by columns; row `places[k]` of it
  /// is that of held row k, followed by those of its friction.
  void assemble(const double* K, std::size_t n, const std::vector<HeldRow>& held,
                const std::vector<std::size_t>& places);

  /// Whether the rows that were assembled depend on each other.
  bool isRedundant() const { return factor_.rank() < factor_.size(); }

  /// x from the accelerations b of all rows of K without it: balanced if the motion depends on the choice. With rows
  /// that contradict each other, some a remain nonzero.
  void solve(const double* b, const std::vector<HeldRow>& held, std::vector<double>& x);

  /// Replaces x by the balanced one, which makes the same accelerations in the held rows. Allocates.
  void balance(const std::vector<HeldRow>& held, std::vector<double>& x);
  /// Whether the last solve has balanced x, or rows do not depend on each other.
  bool isBalanced() const { return balanced_; }

 private:
  void findNullSpace();
  bool movesBodies(const double* K, std::size_t n, const std::vector<HeldRow>& held);

  std::vector<std::size_t> places_;
  std::vector<double> scales_;  // K_ii^−½
  Matrix matrix_;
  RankRevealingLU factor_;
  std::vector<Vector> nullSpace_;  // an orthonormal basis, where the rows depend on each other
  bool isChoice_ = false;          // the motion depends on x
  bool balanced_ = false;
  Vector xi_;  // x / scales
  std::vector<double> force_;
  MultiplierBalance balance_;
};

}  // namespace delassus
