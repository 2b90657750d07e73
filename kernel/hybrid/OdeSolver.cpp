// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/BdfSolver.hpp>
#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <delassus/kernel/hybrid/RungeKuttaSolver.hpp>

namespace delassus {

std::unique_ptr<OdeSolver> OdeSolver::make(OdeEquations& equations, const OdeOptions& options, bool withRoots) {
  if (options.method == OdeMethod::bdf) return std::make_unique<BdfSolver>(equations, options, withRoots);
  return std::make_unique<RungeKuttaSolver>(equations, options, withRoots);
}

}  // namespace delassus
