// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/FallbackChain.hpp>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of AutomaticMlcpSolver.
struct AutomaticMlcpOptions {
  double tolerance = 1e-8;          ///< for the certificate
  std::size_t enumeratePairs = 16;  ///< up to this many pairs all bases are tried as a last resort
  std::size_t maxIterations = 0;    ///< of the iterative methods, Newton's and the sweeps; 0: their own default

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"enumeratePairs", &enumeratePairs, range::fromTo(0., 30.),
             "pairs up to which all bases are tried as a last resort"},
            {"maxIterations", &maxIterations, range::notNegative, "of the iterative methods; 0: their own"}};
  }
};

/// Chooses by shape, and falls back until an answer is certified. Square problems: MlcpDirectSolver (remembered active
/// sets, then elimination to an LCP), MlcpLeastNormSolver, MlcpFischerBurmeisterSolver, MlcpGaussSeidelSolver, and
/// MlcpEnumerationSolver up to `enumeratePairs`. Problems that are not square, as with redundant equality rows,
/// start with MlcpLeastNormSolver. It says `infeasible` where equality rows contradict each other, where the LCP after
/// elimination has a proof, or where all bases were tried.
class AutomaticMlcpSolver final
    : public WithOptions<FallbackChain<MixedLinearComplementarityProblem>, AutomaticMlcpOptions> {
 public:
  /// Throws Error on options out of range.
  explicit AutomaticMlcpSolver(AutomaticMlcpOptions options = {});

 private:
  void plan(const MixedLinearComplementarityProblem& problem, std::vector<std::size_t>& order) override;
  Member make(std::size_t number) override;
  bool proves(std::size_t number, const MixedLinearComplementarityProblem& problem, const SolveReport& report) override;
};

}  // namespace delassus::numerics
