// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/FallbackChain.hpp>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>

namespace delassus::numerics {

/// Options of AutomaticRelaySolver.
struct AutomaticRelayOptions {
  double tolerance = 1e-8;         ///< for the certificate
  std::size_t rememberSize = 60;   ///< up to this size active sets are remembered
  std::size_t denseSize = 1500;    ///< up to this size the LCP form, of twice the size, is tried
  std::size_t enumerateSize = 10;  ///< up to this size all bases are tried as a last resort
  std::size_t maxIterations = 0;   ///< of pivoting and of the sweeps, each; 0: their own default

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"rememberSize", &rememberSize, range::notNegative, "up to this size active sets are remembered"},
            {"denseSize", &denseSize, range::notNegative, "up to this size the LCP form, of twice the size, is tried"},
            {"enumerateSize", &enumerateSize, range::fromTo(0., 19.),
             "up to this size all bases are tried as a last resort, up to 3^n solves"},
            {"maxIterations", &maxIterations, range::notNegative,
             "of pivoting and of the sweeps, each; 0: their own default"}};
  }
};

/// Chooses by size, and falls back until an answer is certified: RelayDirectSolver (remembered active sets) up to
/// `rememberSize`, RelayPivotingSolver above; the LCP form
/// (RelayLemkeSolver with AutomaticLcpSolver for the LCP, which also proves that there is no solution);
/// RelayGaussSeidelSolver; RelayEnumerationSolver up to `enumerateSize`. Above `denseSize` an M that is
/// neither symmetric nor sparse has RelayGaussSeidelSolver first, since pivoting copies it. It says `infeasible` only
/// with a proof.
class AutomaticRelaySolver final : public WithOptions<FallbackChain<RelayProblem>, AutomaticRelayOptions> {
 public:
  /// Throws Error on options out of range.
  explicit AutomaticRelaySolver(AutomaticRelayOptions options = {});

 private:
  void plan(const RelayProblem& problem, std::vector<std::size_t>& order) override;
  Member make(std::size_t number) override;
  bool proves(std::size_t number, const RelayProblem& problem, const SolveReport& report) override;

  MadeFrom<std::uint64_t> symmetricFrom_;
  bool symmetric_ = false;
};

}  // namespace delassus::numerics
