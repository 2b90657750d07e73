// SPDX-License-Identifier: Apache-2.0
//
// The part of TimeStepping that decides about steps without a certificate, and tells of them.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <sstream>

namespace delassus {
namespace {

constexpr double shareOfLoops = 0.1;  // of the relaxation, by which Newton's loops may miss their tolerance
constexpr double solverErrors = 10.;  // times the error of a one-step problem, which a residual may reach

}  // namespace

void TimeStepping::setFailurePolicy(FailureAction action) {
  policy_ = [action](const StepReport&, const TimeStepping&) { return action; };
}

// The largest number that is accepted in place of `tolerance` by a share of the relaxation; below zero where a policy
// decides, where the start is found (requireConsistentStart decides there), or where nothing is relaxed.
double TimeStepping::relaxed(double tolerance, double share) const {
  if (policy_ || findsStart_ || options_.relaxation == 1.) return -1.;
  return std::min(std::max(1., share * options_.relaxation) * tolerance, OneStepNSProblem::largestRelaxed);
}

// The largest error that counts as solved.
double TimeStepping::judgeSolve(const numerics::SolveReport& report) {
  report_.solve = report;
  report_.problemSize = problem_->size();
  const Failure before = report_.failure;
  report_.failure = report.converged() ? Failure::none : Failure::solve;
  solveAction_ = FailureAction::raise;
  const bool isProof = report.status == numerics::SolveStatus::infeasible;
  const bool mayRelax = !report.converged() && !isProof && std::isfinite(report.error);
  double accepted = 0.;
  if (policy_ && !findsStart_) {
    solveAction_ = policy_(report_, *this);
    if (mayRelax && solveAction_ == FailureAction::relax) accepted = report.error;
  } else if (const double bound = relaxed(report.tolerance); mayRelax && report.error <= bound) {
    whyRelaxed_ = report.summary();
    accepted = bound;
  }
  if (report.converged()) report_.failure = before;  // that of another pass
  return accepted;
}

// Why the last solve gave nothing to go on with; empty if it did. Problems without a solution are nearly met by
// multipliers that run away, or met, once depths are kept.
std::string TimeStepping::describeDoubt() const {
  if (!report_.solve.converged()) return report_.solve.summary();
  if (policy_ || !(problem_->relaxed() || keepsDepths_) || !integrator_->multipliersRunAway()) return {};
  const std::string solve = problem_->relaxed() ? whyRelaxed_ : report_.solve.summary();
  return solve + " Contacts press by orders of magnitude more than masses, velocities and forces give.";
}

// Where a policy decides, it tells.
void TimeStepping::acceptRelaxed() {
  isRelaxed_ = true;
  if (!policy_) tellRelaxed(time_, whyRelaxed_, report_.solve.tolerance);
  ++statistics_.relaxed;
}

// Whether what a loop has left is small enough to be accepted.
bool TimeStepping::meetsRelaxed(double residual) const {
  return residual <= relaxed(options_.newtonTolerance, shareOfLoops);
}

// The residual with which a loop ends: where multipliers are known only to some error, it cannot fall below that.
double TimeStepping::reachableResidual() const {
  if (!report_.solve.converged()) return options_.newtonTolerance;
  double known = solverErrors * report_.solve.error;
  if (problem_->relaxed()) known = std::min(known, relaxed(options_.newtonTolerance, shareOfLoops));
  return std::max(options_.newtonTolerance, known);
}

// A loop that does not settle may still have met the equations, with the Jacobians of its last pass.
void TimeStepping::acceptLoop(const TimeStep& timeStep, const std::string& why) {
  report_.failure = Failure::newtonLoop;
  tellRelaxed(timeStep.begin, why, relaxed(options_.newtonTolerance, shareOfLoops));
  ++statistics_.relaxed;
}

// What turns too far in a step for its loop to settle, or for its problem to have a solution, may not in half of it.
// True if the step is made again; what helped is told once it is done.
bool TimeStepping::divide(const TimeStep& timeStep, Failure failure, const std::string& why) {
  if (policy_ || findsStart_ || integrator_->isLinear() || timeStep.size <= 2. * shortest()) return false;
  if (!division_.revise()) return false;
  if (report_.failure == Failure::none) report_.failure = failure;
  if (whyDivided_.empty()) whyDivided_ = why;
  return true;
}

void TimeStepping::acceptDivision(const TimeStep& timeStep) {
  if (division_.isHalved()) {
    tellOnce(timeStep.begin, whyDivided_ + " It was made in halves, where need was in halves of these.",
             statistics_.divided);
  }
  whyDivided_.clear();
  const bool isDivided = division_.isDivided();
  division_.accept(report_.newtonIterations, !isInside_);
  if (isDivided && !isInside_) ++statistics_.divided;
}

// Those of a problem without a solution are no start for another one: they may be of any size, in balance with each
// other, and a method that begins with such finds others like them.
void TimeStepping::dropMultipliers() {
  std::vector<double>& multipliers = integrator_->equations().multipliers();
  std::fill(multipliers.begin(), multipliers.end(), 0.);
}

// Where contacts face each other, or jam, none of them can open: a problem that asks it of them has no solution, or
// one of a large error. True if the step is made again without.
bool TimeStepping::keepDepths(const TimeStep& timeStep, const std::string& doubt) {
  const bool isFailed = !doubt.empty();
  if (policy_ || findsStart_ || (!isFailed && !problem_->relaxed())) return false;
  if (report_.solve.status == numerics::SolveStatus::timeLimit) return false;
  if (!isFailed && (relaxedDepths_.isOn() || keepsDepths_)) return false;
  if (!integrator_->takesDepthsBack()) return false;
  keepsDepths_ = true;
  isRelaxed_ = false;
  tellOnce(timeStep.begin,
           (isFailed ? doubt : whyRelaxed_) + " It was made again with depths of contacts that stay as they are.",
           statistics_.keptDepths);
  ++statistics_.keptDepths;
  return true;
}

// Where a relaxed step was made again and has not become better, others are not for a while: in large piles depths are
// not to blame.
void TimeStepping::acceptDepths() {
  if (keepsDepths_) {
    isRelaxed_ ? relaxedDepths_.lengthen() : relaxedDepths_.end();
  } else if (isRelaxed_ && relaxedDepths_.isOn()) {
    relaxedDepths_.pass();
  }
}

// A loop that goes round since relations turn too much in a step, as where a disk falls flat, is done again with
// relations that stay: they then have an error of the order of the step. So is one whose problem has no solution, as
// where a body turns by radians in a step.
bool TimeStepping::holdRelations(const TimeStep& timeStep, Failure failure, const std::string& why) {
  if (!(relaxed(options_.newtonTolerance, shareOfLoops) > 0.) || timeStep.size == 0.) return false;
  const bool holds = integrator_->holdRelations();
  if (!holds && !(failure == Failure::solve && integrator_->askForRest())) return false;
  if (failure == Failure::solve) dropMultipliers();
  report_.failure = failure;
  const char* const how = holds ? " It begins again with relations that stay where the velocities of before lead."
                                : " It begins again with joints and contacts that ask for no more than rest.";
  tellOnce(timeStep.begin, why + how, statistics_.held);
  ++statistics_.held;
  guard_.begin();
  return true;
}

void TimeStepping::tellRelaxed(double time, const std::string& what, double bound) const {
  tellOnce(time, what + " Accepted at the relaxed tolerance " + toText(bound) + '.', statistics_.relaxed);
}

// The summary counts the others, of which there were so many before.
void TimeStepping::tellOnce(double time, const std::string& what, std::size_t before) const {
  const std::string text =
      "TimeStepping, step " + std::to_string(stepIndex_) + " from t = " + toText(time) + ": " + what;
  if (before > 0) {
    Log::debug(text);
  } else {
    Log::warning(text + " The summary counts how often; see TimeSteppingOptions::relaxation.");
  }
}

void TimeStepping::handleFailure(Failure failure, const TimeStep& timeStep, const std::string& what) {
  report_.failure = failure;
  handle(policy_ && timeStep.size > 0. ? policy_(report_, *this) : FailureAction::raise, timeStep, what);
}

void TimeStepping::handle(FailureAction action, const TimeStep& timeStep, const std::string& what) {
  if (timeStep.size == 0.) action = options_.requireConsistentStart ? FailureAction::raise : FailureAction::accept;
  if (action == FailureAction::raise) {
    ++statistics_.rejectedSteps;
    throw Error("TimeStepping", describeFailure(timeStep, what));
  }
  if (action == FailureAction::relax) {
    ++statistics_.relaxed;
  } else {
    failureAccepted_ = true;
  }
}

// y of the first few interactions, for messages.
std::string TimeStepping::describeOutputs() const {
  constexpr std::size_t interactionsShown = 3;
  constexpr std::size_t rowsShown = 4;
  std::ostringstream text;
  const auto& interactions = model_.topology().interactions();
  for (std::size_t k = 0; k < std::min(interactions.size(), interactionsShown); ++k) {
    const Vector& y = interactions[k]->y(0);
    text << (k == 0 ? "y of '" : ", of '") << interactions[k]->name() << "' is (";
    for (std::size_t i = 0; i < std::min(y.size(), rowsShown); ++i) text << (i == 0 ? "" : ", ") << y(i);
    text << (y.size() > rowsShown ? ", ...)" : ")");
  }
  return text.str();
}

std::string TimeStepping::describeFailure(const TimeStep& timeStep, const std::string& what) const {
  const std::string names = problem_->activeNames();
  std::ostringstream text;
  if (timeStep.size == 0.) {
    text << "the initial state at t = " << timeStep.begin
         << " is not consistent: no multipliers were found that satisfy the laws. " << what;
    if (!names.empty()) text << " Interactions: " << names << ". Without multipliers, " << describeOutputs() << '.';
    text << " Give another initial state or solver, or set the option requireConsistentStart to false.";
    return text.str();
  }
  text << "step " << stepIndex_ << " from t = " << timeStep.begin << " to " << timeStep.end << " with "
       << integrator_->name() << " and " << problem_->name() << " failed: " << what;
  if (!names.empty()) text << " Active interactions: " << names << '.';
  text << " The state is that of t = " << timeStep.begin << ". Give another solver, or a policy with setFailurePolicy.";
  return text.str();
}

}  // namespace delassus
