// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <vector>

namespace delassus::numerics {

/// The parts of a problem in ranges that threads take. They do not depend on the number of threads, so that sums over
/// ranges which are added in order have the same bits for any.
class PartRanges {
 public:
  /// Parts of a range: some microseconds of work.
  static constexpr std::size_t size = 512;

  /// Takes the parts of a problem, which may have any number of rows each.
  void take(const ProblemOverSets& problem) {
    parts_ = problem.partCount();
    firstRows_.clear();
    for (std::size_t part = 0, row = 0; part < parts_; row += problem.rows(part++)) {
      if (part % size == 0) firstRows_.push_back(row);
    }
  }
  /// Number of ranges.
  std::size_t count() const { return firstRows_.size(); }
  /// visit(range, begin, end, first) for all ranges, on all threads of the library: parts begin .. end − 1, the first
  /// of which begins with row `first`.
  template <class Visit>
  void forEach(const Visit& visit) const {
    forRanges(parts_, size, [&](std::size_t begin, std::size_t end) {
      const std::size_t range = begin / size;
      visit(range, begin, end, firstRows_[range]);
    });
  }

 private:
  std::size_t parts_ = 0;
  std::vector<std::size_t> firstRows_;
};

}  // namespace delassus::numerics
