// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/BasisFinish.hpp>

namespace delassus::numerics {

void BasisFinish::reset() {
  tried_.clear();
}

bool BasisFinish::propose(const BoxView& view, const Vector& z) {
  const bool changed = basis_.guess(view, z);
  if (changed || basis_.sides() == tried_) return false;
  tried_ = basis_.sides();
  assign(z, candidate_);
  if (!basis_.solve(view, candidate_)) return false;
  view.enterBox(candidate_);
  return true;
}

}  // namespace delassus::numerics
