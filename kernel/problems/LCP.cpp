// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/LCP.hpp>

#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {

LCP::LCP() : LCP(BlockPivotingSolver(), LemkeSolver()) {
}

void LCP::bind(const NonSmoothDynamicalSystem& model) {
  for (const auto& interaction : model.topology().interactions()) {
    const NonSmoothLaw& law = interaction->law();
    if (law.multiplierSet() == MultiplierSet::nonNegative) continue;
    throw Error("Interaction '" + interaction->name() + "'",
                "LCP takes laws of " + std::string(toString(MultiplierSet::nonNegative)) + ", but " +
                    std::string(law.className()) + " is one of " + std::string(toString(law.multiplierSet())) + ".");
  }
  assembly_.bind(model.topology());
}

SolveReport LCP::solve(OneStepIntegrator& integrator) {
  assembly_.assembleMatrix(integrator, problem_.M());
  if (assembly_.size() == 0) {
    SolveReport report;
    report.status = SolveStatus::converged;
    report.solver = solvers_.front()->name();
    report.tolerance = solvers_.front()->tolerance();
    return report;
  }
  assembly_.assembleVector(integrator, problem_.q());
  assembly_.gatherMultipliers(integrator, start_);

  SolveReport best;
  for (std::size_t k = 0; k < solvers_.size(); ++k) {
    assign(start_, z_);
    const SolveReport report = solvers_[k]->solve(problem_, z_, w_);
    if (k == 0 || report.converged() || report.error < best.error) {
      best = report;
      best_.swap(z_);
    }
    if (report.converged()) break;
  }
  assembly_.scatterMultipliers(integrator, best_);
  return best;
}

}  // namespace delassus
