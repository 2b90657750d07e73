// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/BoxBasis.hpp>
#include <vector>

namespace delassus::numerics {

/// Finishes exactly a method that converges to a solution only in the limit: once two iterates agree on which z are
/// at which bounds, the basis of that guess is a candidate; each guess is made once.
class BasisFinish {
 public:
  /// At the start of a solve.
  void reset();

  /// True if z gives a new candidate.
  bool propose(const BoxView& view, const Vector& z);

  /// The point of a propose() that gave true; z outside of their bounds are moved to them.
  const Vector& candidate() const { return candidate_; }

 private:
  BoxBasis basis_;
  std::vector<BoxBasis::Side> tried_;
  Vector candidate_;
};

}  // namespace delassus::numerics
