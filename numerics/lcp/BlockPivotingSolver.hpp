// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BoxPivoting.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>

namespace delassus::numerics {

/// Options of BlockPivotingSolver.
struct BlockPivotingOptions {
  double tolerance = 1e-8;           ///< for the certificate; the answer itself is exact to rounding
  std::size_t maxIterations = 1000;  ///< factorisations; 2 to 10 are usual
  std::size_t patience = 10;         ///< block exchanges without progress before single exchanges
  bool symmetricOnly = true;         ///< an M that is not symmetric is `unsupported`; otherwise it is factored by LU

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "factorisations"},
            {"patience", &patience, range::notNegative, "block exchanges without progress before single ones"},
            {"symmetricOnly", &symmetricOnly, {}, "refuse an M that is not symmetric"}};
  }
};

/// BoxPivoting for an LCP with a positive definite M or a P-matrix, symmetric or not, dense or sparse. M_FF is factored
/// by Cholesky, or by LU if M is not symmetric and the options allow it.
class BlockPivotingSolver final : public WithOptions<BoxPivoting<LinearComplementarityProblem>, BlockPivotingOptions> {
 public:
  /// Throws Error on options out of range.
  explicit BlockPivotingSolver(BlockPivotingOptions options = {})
      : WithOptions("BlockPivotingSolver", options,
                    Rules{.maxIterations = options.maxIterations,
                          .patience = options.patience,
                          .symmetricOnly = options.symmetricOnly,
                          .definiteOnly = true}) {}

  std::string_view name() const override { return "BlockPivotingSolver"; }
};

}  // namespace delassus::numerics
