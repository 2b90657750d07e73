// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BasisEnumeration.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>

namespace delassus::numerics {

/// Options of EnumerationSolver.
struct EnumerationOptions {
  double tolerance = 1e-10;  ///< on the error: a complementary basis is taken if it meets this
  std::size_t maxSize = 20;  ///< larger problems are refused: the work is up to 2ⁿ solves

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "error that a basis must meet"},
            {"maxSize", &maxSize, range::fromTo(0., 30.), "larger problems are refused: the work is up to 2^n solves"}};
  }
};

/// All 2ⁿ complementary bases (z_S free with w_S = 0, z = 0 elsewhere) of an LCP, in the order of the binary number of
/// S: see BasisEnumeration.
class EnumerationSolver final : public WithOptions<BasisEnumeration<LinearComplementarityProblem>, EnumerationOptions> {
 public:
  /// Throws Error on options out of range.
  explicit EnumerationSolver(EnumerationOptions options = {})
      : WithOptions("EnumerationSolver", options, options.maxSize) {}

  std::string_view name() const override { return "EnumerationSolver"; }
};

}  // namespace delassus::numerics
