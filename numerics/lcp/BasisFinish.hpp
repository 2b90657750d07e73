// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/lcp/BoxBasis.hpp>
#include <vector>

namespace delassus::numerics {

/// Finishes exactly a method that converges to a solution only in the limit: once two iterates agree on which z of the
/// pairs are positive, the complementary basis of that guess is a candidate; each guess is made once.
class BasisFinish {
 public:
  /// At the start of a solve.
  void reset();

  /// True if z gives a new candidate.
  bool propose(const BoxView& view, const Vector& z);

  /// The point of a propose() that gave true; negative z of the pairs are cut to 0.
  const Vector& candidate() const { return candidate_; }

 private:
  BoxBasis basis_;
  std::vector<BoxBasis::Side> tried_;
  Vector candidate_;
};

}  // namespace delassus::numerics
