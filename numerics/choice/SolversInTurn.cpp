// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/SolversInTurn.hpp>
#include <string>

namespace delassus::numerics {

SolversInTurn::SolversInTurn(std::vector<std::unique_ptr<SolverOverSets>> solvers) {
  if (solvers.empty()) throw Error("SolversInTurn", "the vector of solvers is empty; give one solver or more.");
  for (std::unique_ptr<SolverOverSets>& solver : solvers) add(std::move(solver));
}

void SolversInTurn::add(std::unique_ptr<SolverOverSets> solver) {
  if (!solver) throw Error("SolversInTurn", "solver " + std::to_string(solvers_.size()) + " is null.");
  const double limit = solver->timeLimit();
  if (solvers_.empty()) setMeasure(solver->measure());
  solvers_.push_back({std::move(solver), limit});
}

Settings SolversInTurn::settings() const {
  Settings settings;
  for (std::size_t k = 0; k < solvers_.size(); ++k) {
    const std::string number = "solver " + std::to_string(k + 1);
    settings.add(number, solvers_[k].solver->name());
    settings.add(number, settingsOf(*solvers_[k].solver));
  }
  return settings;
}

void SolversInTurn::serializeState(StateArchive& archive) {
  for (Given& given : solvers_) {
    archive.section("solver " + std::string(given.solver->name()));
    given.solver->serializeState(archive);
  }
}

SolversInTurn::Outcome SolversInTurn::compute(const ProblemOverSets& problem, Vector& unknown) {
  using Verdict = Trials::Verdict;
  assign(unknown, start_);
  bool isTried = false;
  std::size_t failed = 0;
  Outcome proof;
  const auto next = [&](std::size_t k, const SolveReport& best, SolveReport& report) {
    Given& given = solvers_[k];
    if (isTried && timeIsUp(problem)) return Verdict::ended;
    isTried = true;
    given.solver->setMeasure(measure());
    given.solver->setLeniency(leniency());
    given.solver->setTimeLimit(std::min(given.timeLimit, remainingTime()));
    if (observer() || given.isObserved) given.solver->setObserver(observer());
    given.isObserved = static_cast<bool>(observer());
    assign(start_, trials_.unknown());
    report = given.solver->solve(problem, trials_.unknown(), trials_.dual());
    if (report.converged()) return Verdict::accepted;
    if (report.status == SolveStatus::unsupported) return Verdict::goOn;
    ++failed;
    if (report.status != SolveStatus::infeasible) return Verdict::goOn;
    if (!Trials::isProof(report, best)) {
      report.status = SolveStatus::numericalFailure;
      return Verdict::goOn;
    }
    proof = {report.status, report.iterations, report.reason, report.solver};
    return Verdict::ended;
  };
  const SolveReport best = trials_.inTurn(solvers_.size(), unknown, next);
  if (best.converged()) {
    adoptCertificate(best.error, trials_.bestDual());
    return {best.status, best.iterations, {}, best.solver, best.tolerance, failed + best.failedSolvers};
  }
  proof.tolerance = best.tolerance;
  if (proof.status == SolveStatus::infeasible) return proof;
  return {best.status, best.iterations, best.reason, best.solver, best.tolerance};
}

}  // namespace delassus::numerics
