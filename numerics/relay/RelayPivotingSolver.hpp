// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BoxPivoting.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>

namespace delassus::numerics {

/// Options of RelayPivotingSolver.
struct RelayPivotingOptions {
  double tolerance = 1e-8;           ///< for the certificate; the answer itself is exact to rounding
  std::size_t maxIterations = 1000;  ///< factorisations; 2 to 10 are usual
  std::size_t patience = 10;         ///< block exchanges without progress before single exchanges
  std::size_t denseSize = 4000;      ///< up to this size an M that is not sparse is copied if it has no Cholesky factor

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "factorisations"},
            {"patience", &patience, range::notNegative, "block exchanges without progress before single ones"},
            {"denseSize", &denseSize, range::notNegative,
             "up to this size an M that is not sparse is copied if it has no Cholesky factor"}};
  }
};

/// BoxPivoting for a relay problem. A symmetric M that is not definite is factored by LU too; a full M that has no
/// Cholesky factor only up to `denseSize`.
class RelayPivotingSolver final : public WithOptions<BoxPivoting<RelayProblem>, RelayPivotingOptions> {
 public:
  /// Throws Error on options out of range.
  explicit RelayPivotingSolver(RelayPivotingOptions options = {})
      : WithOptions("RelayPivotingSolver", options,
                    Rules{.maxIterations = options.maxIterations,
                          .patience = options.patience,
                          .denseSize = options.denseSize}) {}

  std::string_view name() const override { return "RelayPivotingSolver"; }
};

}  // namespace delassus::numerics
