// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <delassus/kernel/problems/SolverList.hpp>
#include <limits>

#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <string>

namespace delassus {

using numerics::SolveReport;
using numerics::SolveStatus;

template <class Problem>
void SolverList<Problem>::add(std::string_view solverName) {
  numerics::SolverSettings settings;
  if (!members_.empty()) settings.tolerance = first().tolerance();
  add(numerics::solverNamed<Problem>(solverName, settings));
  names_.emplace_back(solverName);
}

template <class Problem>
bool SolverList<Problem>::setTolerance(double tolerance) {
  if (!hasDefaults()) return false;
  SolverList list;
  defaults_(list, tolerance);
  for (const std::string& each : names_) list.add(each);
  members_ = std::move(list.members_);
  return true;
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

template <class Problem>
OneStepNSProblem::Attempt SolverList<Problem>::solve(const Problem& problem, std::size_t begin, const Vector& start,
                                                     Vector& unknown, double timeLimit) {
  using Verdict = numerics::Trials::Verdict;
  using Clock = std::chrono::steady_clock;
  const bool isLimited = timeLimit < std::numeric_limits<double>::infinity();
  const Clock::time_point begun = isLimited ? Clock::now() : Clock::time_point();
  const auto left = [&] { return timeLimit - std::chrono::duration<double>(Clock::now() - begun).count(); };
  OneStepNSProblem::Attempt attempt;
  const auto next = [&](std::size_t k, const numerics::SolveReport&, numerics::SolveReport& report) {
    Member& member = members_[begin + k];
    // The last one is always tried, so that its report explains what is wrong.
    if (member.refused == problem.stamp() && &member != &members_.back()) return Verdict::goOn;
    if (isLimited || wasLimited_) {
      const double rest = isLimited ? left() : timeLimit;
      if (k > 0 && !(rest > 0.)) return Verdict::ended;
      member.solver->setTimeLimit(std::min(member.timeLimit, std::max(rest, leastTime)));
    }
    assign(start, trials_.unknown());
    report = member.solver->solve(problem, trials_.unknown(), trials_.dual());
    if (report.converged()) return Verdict::accepted;
    if (report.status == numerics::SolveStatus::unsupported) {
      member.refused = problem.stamp();
    } else {
      ++attempt.failedSolvers;
    }
    return Verdict::goOn;
  };
  attempt.report = trials_.inTurn(members_.size() - begin, unknown, next);
  wasLimited_ = isLimited;
  if (!(attempt.report.error < std::numeric_limits<double>::infinity())) assign(start, unknown);
  return attempt;
}

template class SolverList<numerics::FrictionContactProblem>;
template class SolverList<numerics::GenericMechanicalProblem>;
template class SolverList<numerics::GlobalFrictionContactProblem>;
template class SolverList<numerics::GlobalMechanicalProblem>;
template class SolverList<numerics::LinearComplementarityProblem>;
template class SolverList<numerics::MixedLinearComplementarityProblem>;
template class SolverList<numerics::RelayProblem>;

}  // namespace delassus
