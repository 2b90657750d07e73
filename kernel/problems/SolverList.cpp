// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/SolverList.hpp>

#include <delassus/numerics/SolverCatalogue.hpp>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <delassus/numerics/mechanical/GenericMechanicalProblem.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>
#include <string>

namespace delassus {

using numerics::SolveReport;
using numerics::SolveStatus;

template <class Problem>
void SolverList<Problem>::add(std::string_view solverName) {
  numerics::SolverSettings settings;
  if (!members_.empty()) settings.tolerance = first().tolerance();
  add(numerics::solverNamed<Problem>(solverName, settings));
}

template <class Problem>
SolveReport SolverList<Problem>::reportOn(double error) const {
  SolveReport report;
  report.solver = first().name();
  report.error = error;
  report.tolerance = first().tolerance();
  report.status = error <= report.tolerance ? SolveStatus::converged : SolveStatus::inaccurate;
  return report;
}

template <class Problem>
void SolverList<Problem>::addSettings(Settings& settings) const {
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const std::string number = members_.size() == 1 ? "solver" : "solver " + std::to_string(k + 1);
    settings.add(number, members_[k].solver->name());
    settings.add(number, numerics::settingsOf(*members_[k].solver));
  }
}

template <class Problem>
void SolverList<Problem>::serializeState(StateArchive& archive) {
  for (Member& member : members_) {
    archive.section("solver " + std::string(member.solver->name()));
    archive.stamp("refused", member.refused);
    member.solver->serializeState(archive);
  }
}

template class SolverList<numerics::FrictionContactProblem>;
template class SolverList<numerics::GenericMechanicalProblem>;
template class SolverList<numerics::GlobalFrictionContactProblem>;
template class SolverList<numerics::LinearComplementarityProblem>;
template class SolverList<numerics::MixedLinearComplementarityProblem>;
template class SolverList<numerics::RelayProblem>;

}  // namespace delassus
