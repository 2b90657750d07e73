// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BasisEnumeration.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of MlcpEnumerationSolver.
struct MlcpEnumerationOptions {
  double tolerance = 1e-10;   ///< on the error: a complementary basis is taken if it meets this
  std::size_t maxPairs = 20;  ///< problems with more pairs are refused: the work is up to 2ᵐ solves

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "on the error of a basis"},
            {"maxPairs", &maxPairs, range::fromTo(0., 30.),
             "problems with more pairs are refused; the work is up to 2^m solves"}};
  }
};

/// All 2ᵐ complementary bases of the m pairs of an MLCP: see BasisEnumeration.
class MlcpEnumerationSolver final
    : public WithOptions<BasisEnumeration<MixedLinearComplementarityProblem>, MlcpEnumerationOptions> {
 public:
  /// Throws Error on options out of range.
  explicit MlcpEnumerationSolver(MlcpEnumerationOptions options = {})
      : WithOptions("MlcpEnumerationSolver", options, options.maxPairs) {}

  std::string_view name() const override { return "MlcpEnumerationSolver"; }
};

}  // namespace delassus::numerics
