// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/AutomaticOdeSolver.hpp>
#include <delassus/kernel/hybrid/BdfSolver.hpp>
#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <delassus/kernel/hybrid/RungeKuttaSolver.hpp>

namespace delassus {

std::unique_ptr<OdeSolver> OdeSolver::make(OdeEquations& equations, const OdeOptions& options, bool withRoots) {
  switch (options.method) {
    case OdeMethod::rungeKutta:
      return std::make_unique<RungeKuttaSolver>(equations, options, withRoots);
    case OdeMethod::bdf:
      return std::make_unique<BdfSolver>(equations, options, withRoots);
    case OdeMethod::automatic:
      break;
  }
  return std::make_unique<AutomaticOdeSolver>(equations, options, withRoots);
}

}  // namespace delassus
