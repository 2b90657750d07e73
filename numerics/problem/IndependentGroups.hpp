// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <span>
#include <vector>

namespace delassus::numerics {

/// The groups of parts into which a problem falls, since W does not couple them: islands.
class IndependentGroups {
 public:
  /// Finds those of a problem; one of all parts where W cannot be made a matrix.
  void find(const ProblemOverSets& problem);

  /// How many groups there are, in the order of their first parts.
  std::size_t count() const { return begins_.empty() ? 0 : begins_.size() - 1; }
  /// How many parts all groups have.
  std::size_t partCount() const { return parts_.size(); }
  /// The parts of a group, in their order.
  std::span<const std::size_t> parts(std::size_t group) const {
    return std::span(parts_).subspan(begins_[group], begins_[group + 1] - begins_[group]);
  }
  /// How many parts the groups before this one have.
  std::size_t partsBefore(std::size_t group) const { return begins_[group]; }
  /// The number of each part in its group.
  const std::vector<std::size_t>& local() const { return local_; }
  /// The share of all parts that the largest group has.
  double largestShare() const;

 private:
  std::vector<std::size_t> groupOf_;  // part
  std::vector<std::size_t> begins_;   // of groups in parts_, and the end
  std::vector<std::size_t> parts_;    // by groups
  std::vector<std::size_t> local_;
  std::vector<std::size_t> ends_;  // work space
};

}  // namespace delassus::numerics
