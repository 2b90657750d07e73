// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BasisEnumeration.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>

namespace delassus::numerics {

/// Options of RelayEnumerationSolver.
struct RelayEnumerationOptions {
  double tolerance = 1e-10;  ///< on the error: a basis is taken if it meets this
  std::size_t maxSize = 12;  ///< larger problems are refused: the work is up to 3ⁿ solves

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "error that a basis must meet"},
            {"maxSize", &maxSize, range::fromTo(0., 19.), "larger problems are refused: the work is up to 3^n solves"}};
  }
};

/// All bases of a relay problem, up to 3ⁿ: see BasisEnumeration.
class RelayEnumerationSolver final : public WithOptions<BasisEnumeration<RelayProblem>, RelayEnumerationOptions> {
 public:
  /// Throws Error on options out of range.
  explicit RelayEnumerationSolver(RelayEnumerationOptions options = {})
      : WithOptions("RelayEnumerationSolver", options, options.maxSize) {}

  std::string_view name() const override { return "RelayEnumerationSolver"; }
};

}  // namespace delassus::numerics
