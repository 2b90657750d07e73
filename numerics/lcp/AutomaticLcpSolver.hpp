// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/FallbackChain.hpp>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/lcp/LcpDirectSolver.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>

namespace delassus::numerics {

/// Options of AutomaticLcpSolver.
struct AutomaticLcpOptions {
  double tolerance = 1e-8;       ///< for the certificate
  std::size_t denseSize = 3000;  ///< up to this size methods on a dense copy of M are tried
  std::size_t enumerateSize =
      20;  ///< up to this size all bases are tried as a last resort: minutes at 20, without a time limit
  std::size_t maxIterations = 0;  ///< of each method except enumeration; 0: its own default

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {
        {"tolerance", &tolerance, range::positive, "for the certificate"},
        {"denseSize", &denseSize, range::notNegative, "up to this size methods on a dense copy of M are tried"},
        {"enumerateSize", &enumerateSize, range::fromTo(0., 30.),
         "up to this size all bases are tried as a last resort, up to 2^n solves"},
        {"maxIterations", &maxIterations, range::notNegative, "of each method except enumeration; 0: its own default"}};
  }
};

/// Chooses by size and symmetry of M, and falls back until an answer is certified:
///
/// - symmetric: BlockPivotingSolver (definite M, dense or sparse, a few factorisations), LcpActiveSetSolver
///   (semidefinite; it also proves that there is no solution), LemkeSolver, LcpInteriorPointSolver;
/// - not symmetric: BlockPivotingSolver where M has more than 100 rows and is less than a quarter full; LcpDirectSolver
///   (remembered active sets, then Lemke's method), LcpInteriorPointSolver, NewtonSolver after some sweeps;
/// - then, for either: FischerBurmeisterSolver; up to 64 unknowns FischerBurmeisterSolver again, from up to 300 random
///   starts, the same in each solve; and EnumerationSolver up to `enumerateSize` (before those up to 10 unknowns);
/// - above `denseSize` only what keeps M sparse: BlockPivotingSolver (unless M is neither symmetric nor sparse),
///   LcpProximalSolver (symmetric semidefinite), then BlockGaussSeidelSolver.
///
/// It says `infeasible` only with a proof: Farkas' certificate, checked on the data, or all bases tried.
///
/// Weak on problems that are neither monotone nor small: above `enumerateSize` unknowns it may find no solution
/// although there is one, and a problem that is feasible but has no solution ends as `numericalFailure` since there is
/// no proof.
class AutomaticLcpSolver final : public WithOptions<FallbackChain<LinearComplementarityProblem>, AutomaticLcpOptions> {
 public:
  /// Throws Error on options out of range.
  explicit AutomaticLcpSolver(AutomaticLcpOptions options = {});

 private:
  void plan(const LinearComplementarityProblem& problem, std::vector<std::size_t>& order) override;
  Member make(std::size_t number) override;
  bool proves(std::size_t number, const LinearComplementarityProblem& problem, const SolveReport& report) override;

  LemkeSolver* lemke_ = nullptr;  // these two are the chain's, once made
  LcpDirectSolver* direct_ = nullptr;
  MadeFrom<std::uint64_t> symmetricFrom_;
  bool symmetric_ = false;
};

}  // namespace delassus::numerics
