// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/NewtonSolver.hpp>

#include <algorithm>

namespace delassus::numerics {
namespace {

constexpr std::string_view nameOf(NewtonFunction function) {
  return function == NewtonFunction::alartCurnier ? "AlartCurnierNewtonSolver" : "NewtonSolver";
}

MechanicalGaussSeidelOptions sweepsOf(const NewtonOptions& options) {
  MechanicalGaussSeidelOptions sweeps;
  sweeps.tolerance = options.tolerance;
  sweeps.maxIterations = std::max<std::size_t>(1, options.startSweeps);
  return sweeps;
}

}  // namespace

NewtonSolver::NewtonSolver(NewtonOptions options)
    : SemismoothNewtonSolver(nameOf(options.function), options),
      sweeps_(sweepsOf(options_)),
      system_(options.denseSize) {
}

std::string_view NewtonSolver::name() const {
  return nameOf(options_.function);
}

// Returns the merit of the chosen start.
double NewtonSolver::start(Vector& lambda) {
  const bool isZero = std::all_of(lambda.begin(), lambda.end(), [](double x) { return x == 0.; });
  if (!options_.remember || !isZero || last_.size() != lambda.size()) return map_.evaluate(lambda);
  const double atZero = map_.evaluate(lambda);
  const double atLast = map_.evaluate(last_);
  if (!(atLast < atZero)) return map_.evaluate(lambda);
  assign(last_, lambda);
  return atLast;
}

double NewtonSolver::evaluate(const ProblemOverSets&, const Vector& lambda) {
  return map_.evaluate(lambda);
}

bool NewtonSolver::direction(const ProblemOverSets& problem, double shift, Vector& step) {
  map_.fill(problem.matrix(), shift, system_);
  if (!system_.factor()) return false;
  assign(map_.value(), step);
  system_.solve(data(step));
  return true;
}

// Returns the merit after sweeps, or that of before, at its λ, where they have not led on.
double NewtonSolver::sweep(const ProblemOverSets& problem, double before, Vector& lambda) {
  assign(lambda, trial_);
  sweeps_.setTimeLimit(remainingTime());
  sweeps_.setMeasure(measure());
  sweeps_.setObserver(observer());
  sweeps_.solve(problem, trial_, dual_);
  const double merit = map_.evaluate(trial_);
  if (!(merit < before)) return map_.evaluate(lambda);
  assign(trial_, lambda);
  return merit;
}

// An answer may leave intervals by rounding: it is moved into them where the certificate holds there too.
void NewtonSolver::enterIntervals(const ProblemOverSets& problem, Vector& lambda) {
  assign(lambda, trial_);
  bool moved = false;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    if (problem.set(part).couplesRows()) continue;
    const std::size_t first = problem.offset(part), end = first + problem.rows(part);
    problem.set(part).project(map_.scales().rows(problem, part), data(trial_) + first);
    for (std::size_t i = first; i < end; ++i) moved = moved || trial_(i) != lambda(i);
  }
  if (!moved) return;
  if (certifiedError(problem, trial_) <= options_.tolerance) {
    assign(trial_, lambda);
  } else {
    certifiedError(problem, lambda);
  }
  adoptCertificate();
}

NewtonSolver::Outcome NewtonSolver::compute(const ProblemOverSets& problem, Vector& lambda) {
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, ProblemOverSets::whyNoMatrix};
  map_.begin(problem, options_.function);
  double merit = start(lambda);
  if (options_.startSweeps > 0 && !(merit <= options_.tolerance)) merit = sweep(problem, merit, lambda);
  const Outcome outcome = iterate(problem, lambda, merit, options_.proximal);
  if (outcome.status == SolveStatus::converged) enterIntervals(problem, lambda);
  if (options_.remember && outcome.status == SolveStatus::converged) assign(lambda, last_);
  return outcome;
}

void NewtonSolver::serializeState(StateArchive& archive) {
  archive.value("last", last_);
}

}  // namespace delassus::numerics
