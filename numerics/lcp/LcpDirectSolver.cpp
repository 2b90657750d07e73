// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/LcpDirectSolver.hpp>

namespace delassus::numerics {

LcpDirectSolver::LcpDirectSolver(LcpDirectOptions options)
    : WithOptions("LcpDirectSolver", options, options.memory, options.rememberSize),
      lemke_(LemkeOptions{.tolerance = options.tolerance, .maxPivots = options.maxIterations}),
      enumeration_(EnumerationOptions{options.tolerance, options.enumerateSize}) {
}

LcpSolver* LcpDirectSolver::method(std::size_t earlier, const LinearComplementarityProblem& problem) {
  if (earlier == 0) return &lemke_;
  return earlier == 1 && problem.size() <= options_.enumerateSize ? &enumeration_ : nullptr;
}

}  // namespace delassus::numerics
