// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/IndependentGroups.hpp>

#include <algorithm>
#include <numeric>

namespace delassus::numerics {

void IndependentGroups::find(const ProblemOverSets& problem) {
  const std::size_t groups = problem.independentGroups(groupOf_), n = groupOf_.size();
  begins_.assign(groups + 1, 0);
  for (const std::size_t group : groupOf_) ++begins_[group + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  parts_.resize(n);
  local_.resize(n);
  ends_.assign(begins_.begin(), begins_.end() - 1);
  for (std::size_t part = 0; part < n; ++part) {
    const std::size_t group = groupOf_[part];
    local_[part] = ends_[group] - begins_[group];
    parts_[ends_[group]++] = part;
  }
}

double IndependentGroups::largestShare() const {
  std::size_t largest = 0;
  for (std::size_t k = 0; k < count(); ++k) largest = std::max(largest, begins_[k + 1] - begins_[k]);
  return parts_.empty() ? 1. : static_cast<double>(largest) / static_cast<double>(parts_.size());
}

}  // namespace delassus::numerics
