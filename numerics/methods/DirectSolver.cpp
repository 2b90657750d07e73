// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/DirectSolver.hpp>

#include <algorithm>
#include <delassus/numerics/problem/NaturalMapError.hpp>

namespace delassus::numerics {
namespace {

// Up to this size a factorisation costs little more than a solve.
constexpr std::size_t cheapRows = 16;
// Errors up to this may be lowered by one step of refinement.
constexpr double refinedError = 1e-13;
// No wrong set has an error this small.
constexpr double exactError = 1e-12;

}  // namespace

ActiveSetMemory::ActiveSetMemory(std::size_t capacity) : entries_(capacity) {
  order_.reserve(capacity);
}

bool ActiveSetMemory::isUsable(const Judge& judge, Entry& entry, bool mayFactor) {
  const bool hasSize = entry.basis.sides().size() == judge.view.size();
  if (hasSize && entry.stamp == judge.problem.stamp()) {
    if (entry.regular && !entry.factored) entry.regular = factor(judge, entry);
    return entry.regular;
  }
  if (!mayFactor || !hasSize) return false;
  entry.regular = factor(judge, entry);
  entry.stamp = judge.problem.stamp();
  return entry.regular;
}

// Another matrix may turn a set.
bool ActiveSetMemory::factor(const Judge& judge, Entry& entry) {
  entry.factored = entry.basis.factor(judge.view);
  return entry.factored && !turnsBack(judge, entry.basis);
}

bool ActiveSetMemory::turnsBack(const Judge& judge, const BoxBasis& basis) {
  equalities_.reserve(judge.view.size());
  if (equalities_.holdAll(judge.view)) equalitySignFrom_.forget();
  equalitySignFrom_.renew(judge.problem.stamp(),
                          [&] { equalitySign_ = equalities_.factor(judge.view) ? equalities_.determinantSign() : 0; });
  return basis.determinantSign() * equalitySign_ < 0;
}

bool ActiveSetMemory::turnsBack(const Judge& judge, const Vector& z, const Vector& w) {
  guessed_.reserve(judge.view.size());
  guessed_.guess(judge.view, z, w, BoxBasis::Ties::held);
  return guessed_.factor(judge.view) && turnsBack(judge, guessed_);
}

// Leaves the answer in trial_.
bool ActiveSetMemory::solves(const Judge& judge, BoxBasis& basis) {
  if (!basis.apply(judge.view, trial_)) return false;
  const double closeError = std::min(exactError, 1e-4 * judge.tolerance);
  bool signsHold = basis.enterBox(judge.view, trial_);
  error_ = errorOf(judge.problem, judge.measure, trial_, w_, judge.tolerance);
  signsHold = signsHold && basis.signsHold(judge.view, trial_, w_);
  if (signsHold && error_ > refinedError) {
    basis.refine(judge.view, trial_);
    signsHold = basis.enterBox(judge.view, trial_);
    error_ = errorOf(judge.problem, judge.measure, trial_, w_, judge.tolerance);
    signsHold = signsHold && basis.signsHold(judge.view, trial_, w_);
  }
  return error_ <= closeError || (signsHold && error_ <= judge.tolerance);
}

void ActiveSetMemory::promote(std::size_t place) {
  if (place == 0) return;
  const auto begin = order_.begin();
  std::rotate(begin, begin + static_cast<std::ptrdiff_t>(place), begin + static_cast<std::ptrdiff_t>(place) + 1);
}

bool ActiveSetMemory::recall(const Judge& judge, Vector& z, std::size_t most) {
  tried_ = 0;
  if (trial_.size() != z.size()) trial_.resize(z.size(), false);
  const std::size_t sets = std::min(most, order_.size());
  for (std::size_t place = 0; place < sets; ++place) {
    Entry& entry = entries_[order_[place]];
    const bool mayFactor = place == 0 || judge.view.size() <= cheapRows;
    if (!isUsable(judge, entry, mayFactor)) continue;
    ++tried_;
    if (!solves(judge, entry.basis)) continue;
    assign(trial_, z);
    promote(place);
    return true;
  }
  return false;
}

void ActiveSetMemory::learn(const Judge& judge, Vector& z) {
  if (entries_.empty()) return;
  if (trial_.size() != z.size()) trial_.resize(z.size(), false);
  const bool isFull = order_.size() == entries_.size();
  const std::size_t index = isFull ? order_.back() : order_.size();
  Entry& entry = entries_[index];
  entry.basis.reserve(judge.view.size());
  entry.stamp = judge.problem.stamp();
  for (const BoxBasis::Ties ties : {BoxBasis::Ties::held, BoxBasis::Ties::free}) {
    errorOf(judge.problem, judge.measure, z, w_, judge.tolerance);
    entry.basis.guess(judge.view, z, w_, ties);
    entry.regular = factor(judge, entry) && solves(judge, entry.basis);
    if (!entry.regular) continue;
    assign(trial_, z);
    if (!isFull) order_.push_back(index);
    promote(order_.size() - 1);
    return;
  }
}

void ActiveSetMemory::serializeState(StateArchive& archive) {
  archive.value("order", order_);
  for (const std::size_t index : order_) {
    if (index >= entries_.size()) archive.refuse("it remembers more active sets than this solver.");
    Entry& entry = entries_[index];
    entry.basis.serializeState(archive);
    archive.stamp("stamp", entry.stamp);
    archive.value("regular", entry.regular);
    if (archive.restores()) entry.factored = false;
  }
}

namespace {

BlockPivotingOptions exchangesOf(const DirectOptions& options) {
  BlockPivotingOptions exchanges{.tolerance = options.tolerance};
  if (options.maxIterations > 0) exchanges.maxIterations = options.maxIterations;
  return exchanges;
}

bool drivesItself(const BoxView& view) {
  return hasPositiveFeedback(
      view.size(), [&](std::size_t i) { return view.M(i, i); }, view.lower, view.upper);
}

}  // namespace

DirectSolver::DirectSolver(DirectOptions options)
    : WithOptions("DirectSolver", options),
      memory_(options.memory),
      lemke_(LemkeOptions{.tolerance = options.tolerance, .maxPivots = options.maxIterations}),
      pivoting_(exchangesOf(options)),
      path_(BranchPathOptions{.tolerance = options.tolerance, .maxPivots = options.maxIterations}),
      enumeration_(EnumerationOptions{options.tolerance, options.enumerateSize}) {
}

LcpFormSolver& DirectSolver::form() {
  if (!form_) form_ = std::make_unique<LcpFormSolver>(LcpFormOptions{options_.tolerance, options_.maxIterations});
  return *form_;
}

// In the order in which they are tried.
DirectSolver::Methods DirectSolver::methodsFor(const Intervals& intervals, const BoxView* view) {
  SolverOverSets* const last = hasFewBases(intervals, options_.enumerateSize) ? &enumeration_ : nullptr;
  if (intervals.areHalfLines()) return {&lemke_, last, nullptr, nullptr};
  // Of large problems M may be sparse, and pivoting keeps it so.
  const bool isSmall = intervals.lower().size() <= options_.rememberSize;
  if (isSmall && intervals.areMixed()) return {&form(), last, nullptr, nullptr};
  if (view == nullptr) return {&pivoting_, &form(), last, nullptr};
  if (drivesItself(*view)) return {&path_, &pivoting_, &form(), last};
  return {&pivoting_, &path_, &form(), last};
}

// `view` is that of the problem where sets are remembered.
DirectSolver::Outcome DirectSolver::search(const ProblemOverSets& problem, const Intervals& intervals,
                                           const BoxView* view, std::size_t tried, Vector& z) {
  using Verdict = Trials::Verdict;
  const Methods methods = methodsFor(intervals, view);
  Outcome proof;
  assign(z, start_);
  const auto next = [&](std::size_t turn, const SolveReport&, SolveReport& report) {
    SolverOverSets* const solver = methods[turn];
    if (solver == nullptr) return Verdict::ended;
    assign(start_, trials_.unknown());
    solver->setMeasure(measure());
    solver->setTimeLimit(remainingTime());
    report = solver->solve(problem, trials_.unknown(), trials_.dual());
    observe(tried + report.iterations, report.error);
    if (report.converged()) {
      const bool mayTurnBack = solver == &pivoting_ && view != nullptr;
      const bool turnsBack =
          mayTurnBack && memory_.turnsBack({problem, *view, measure(), tolerance()}, trials_.unknown(), trials_.dual());
      return turnsBack && !timeIsUp() ? Verdict::goOn : Verdict::accepted;
    }
    // These methods say `infeasible` where they have proved it.
    if (report.status == SolveStatus::infeasible) proof = {report.status, tried + report.iterations, report.reason};
    return report.status == SolveStatus::infeasible || timeIsUp() ? Verdict::ended : Verdict::goOn;
  };
  const SolveReport best = trials_.inTurn(methods.size(), z, next);
  if (proof.status == SolveStatus::infeasible) return proof;
  return {best.status, tried + best.iterations, best.reason};
}

DirectSolver::Outcome DirectSolver::compute(const ProblemOverSets& problem, Vector& z) {
  if (problem.size() > options_.rememberSize) {
    if (!intervals_.take(problem)) return {SolveStatus::unsupported, 0, Intervals::whyNotTaken};
    return search(problem, intervals_, nullptr, 0, z);
  }
  const std::optional<BoxView> view = box_.view(problem);
  if (!view) return {SolveStatus::unsupported, 0, Intervals::whyNotTaken};
  const ActiveSetMemory::Judge judge{problem, *view, measure(), tolerance()};
  const std::size_t sets = drivesItself(*view) ? 1 : options_.memory;
  if (memory_.recall(judge, z, sets)) {
    adoptCertificate(memory_.error(), memory_.dual());
    return {SolveStatus::converged, memory_.tried(), {}};
  }
  const Outcome outcome = search(problem, box_.intervals(), &*view, memory_.tried(), z);
  if (outcome.status == SolveStatus::converged) memory_.learn(judge, z);
  return outcome;
}

void DirectSolver::serializeState(StateArchive& archive) {
  memory_.serializeState(archive);
  bool isMade = form_ != nullptr;
  archive.value("isMade", isMade);
  if (archive.restores()) form_.reset();
  if (isMade) form().serializeState(archive);
}

}  // namespace delassus::numerics
