// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/RestartingSolver.hpp>
#include <delassus/numerics/nonlinear/VariationalInequality.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <utility>

namespace delassus::numerics {

template <class Problem>
RestartingSolver<Problem>::RestartingSolver(std::unique_ptr<AnySolver<Problem>> method, Draw draw, std::size_t starts)
    : method_(std::move(method)), draw_(draw), starts_(starts) {
  if (!method_ || draw_ == nullptr || starts == 0) {
    throw Error("RestartingSolver", "expected a method, a way to draw starts, and at least one start.");
  }
}

template <class Problem>
typename RestartingSolver<Problem>::Outcome RestartingSolver<Problem>::compute(const Problem& problem,
                                                                               Vector& unknown) {
  using Verdict = Trials::Verdict;
  RandomGenerator generator;
  method_->setMeasure(this->measure());
  method_->setLeniency(this->leniency());
  method_->setObserver(this->observer());
  Outcome outcome{SolveStatus::numericalFailure, 0, "no random start was found where the problem is finite"};
  assign(unknown, given_);
  assign(unknown, last_);
  trials_.inTurn(starts_, unknown, [&](std::size_t number, const SolveReport&, SolveReport& report) {
    assign(last_, trials_.unknown());
    draw_(problem, number, generator, given_, trials_.unknown());
    if (!allFinite(trials_.unknown())) return Verdict::goOn;
    outcome.reason = "the method finds no solution from any of its random starts";
    method_->setTimeLimit(this->remainingTime());
    report = method_->solve(problem, trials_.unknown(), trials_.dual());
    outcome.iterations += report.iterations;
    assign(trials_.unknown(), last_);
    const bool isGood = report.error <= this->leniency() * this->tolerance();
    if (report.converged() || isGood || report.status == SolveStatus::unsupported) {
      outcome = {report.status, outcome.iterations, report.reason};
    } else if (this->timeIsUp(problem)) {
      outcome = {SolveStatus::timeLimit, outcome.iterations, {}};
    } else {
      return Verdict::goOn;
    }
    return report.converged() ? Verdict::accepted : Verdict::ended;
  });
  return outcome;
}

template <class Problem>
Settings RestartingSolver<Problem>::settings() const {
  Settings settings;
  settings.add("starts", starts_);
  return settings;
}

template class RestartingSolver<FrictionContactProblem>;
template class RestartingSolver<ProblemOverSets>;
template class RestartingSolver<VariationalInequality>;

}  // namespace delassus::numerics
