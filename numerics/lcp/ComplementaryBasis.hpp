// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/lcp/BasisSystem.hpp>
#include <delassus/numerics/lcp/MixedView.hpp>
#include <vector>

namespace delassus::numerics {

/// A guess of the positive member of each pair, and the resulting point: w = 0 on the equality rows and the active
/// pairs, z = 0 on the others. A solution is such a point with z, w ≥ 0; methods that converge only in the limit use it
/// to finish exactly.
class ComplementaryBasis {
 public:
  /// Pair k is active where z_k, in the unit of w, exceeds w_k; false if that changes nothing.
  bool guess(const MixedView& view, const Vector& z);

  /// By pairs: 1 where z is free and w = 0, 0 where z = 0.
  ///@{
  const std::vector<char>& active() const { return active_; }
  void setActive(const std::vector<char>& active) { active_ = active; }
  ///@}
  void setActive(std::size_t pairs, std::size_t bits);  ///< bit k of `bits` for pair k

  /// Factors the basis (LU); false if it is not square or singular.
  bool factor(const MixedView& view);
  /// Computes z, which may have any size before, by the factor; the view may have a new q.
  void apply(const MixedView& view, Vector& z);
  /// Both; false, leaving z, without a factor.
  bool solve(const MixedView& view, Vector& z);

  /// Gives z of least norm by least squares, whatever the basis. Allocates.
  void solveLeastNorm(const MixedView& view, Vector& z);

 private:
  void collect(const MixedView& view);

  std::vector<char> active_;
  std::vector<std::size_t> rows_, columns_;
  BasisSystem system_;
  Vector w_;
};

/// Sets negative z of the pairs to zero.
void cutNegative(const MixedView& view, Vector& z);

}  // namespace delassus::numerics
