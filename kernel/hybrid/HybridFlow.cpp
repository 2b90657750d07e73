// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/HybridFlow.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {
namespace {

// Tolerances relative to the terms of an output: for the user's initial state, as in EulerMoreauOSI, and for computed
// states.
constexpr double givenTolerance = 1e-8;
constexpr double computedTolerance = 1e-11;
constexpr double smallestSlope = 1e-30;  // 1/s
constexpr std::size_t remembered = 6;    // instants of switchings
constexpr double partOfRun = 1e-9;       // that a dwell may be at most: a run of a microsecond has its own scale

}  // namespace

HybridFlow::HybridFlow(HybridFlowOptions options) : options_(options), mode_(model_), search_(model_) {
  if (options.minimalDwell > 0. && std::isfinite(options.minimalDwell)) return;
  throw Error("HybridFlow", "the minimal dwell must be positive and finite, got " + toText(options.minimalDwell) + ".");
}

void HybridFlow::setPiece(const TimePiece& piece) {
  piece_ = piece;
  model_.setPiece(piece.first, piece.last);
}

void HybridFlow::bind(const NonSmoothDynamicalSystem& model, double t) {
  model_.bind(model, t);
  mode_.forget();
  present_.clear();
  switchings_.clear();
  acceptedTime_ = t;
  dwell_ = std::min(options_.minimalDwell, partOfRun * (model.T() - model.t0()));
}

std::string HybridFlow::guardName(std::size_t guard) const {
  return "law of " + model_.rowName(guard / 2);
}

std::optional<HybridSystem::StatePlace> HybridFlow::placeOf(const DynamicalSystem& system) const {
  return model_.placeOf(system);
}

void HybridFlow::start(double t, bool initial, double* z) {
  if (model_.refresh(t)) mode_.forget();
  model_.load(z, lambda_);
  present_.clear();
  switchings_.clear();
  acceptedTime_ = t;
  Vector x(size());
  std::copy_n(z, size(), data(x));
  model_.chooseIncrements(t, x, lambda_);
  step_ = stepFor(t, z);
  impulse_.resize(0, false);
  decide(t, z, {instantOf(t), givenTolerance}, step_, !(initial && options_.requireConsistentStart));
  std::copy(mode_.x().begin(), mode_.x().end(), z);
  present_.clear();
}

// A time in which rates change little: 10⁻³ of the time constant given by the norm of A, limited by the time scale that
// the minimal dwell implies.
double HybridFlow::stepFor(double t, const double* z) {
  Vector x(size()), xDot(size());
  std::copy_n(z, size(), data(x));
  Vector lambda = lambda_;
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    lambda(i) = std::clamp(lambda(i), model_.lower()(i), model_.upper()(i));
  }
  model_.rates(t, x, lambda, xDot);
  model_.stateJacobian(t, x, lambda, A_);
  timeConstant_ = 1. / normInf(A_);
  return std::min(1e3 * dwell_, 1e-3 * timeConstant_);
}

// Takes the state of the last solve at t, and what has flowed through it in the mode, into the sizes of states: what
// flows in and out through diodes leaves its rounding, also in a capacitor whose voltage is always zero. Rounding that
// is older than a time constant has relaxed.
void HybridFlow::measure(double t) {
  mode_.stateRates(throughput_);
  throughput_ *= std::min(t - beginTime_, timeConstant_);
  model_.measure(data(mode_.x()));
  model_.measure(data(throughput_));
}

// Instants that count as equal: they differ insignificantly, or by the last bits of a time.
double HybridFlow::instantOf(double t) const {
  constexpr double dwellPart = 1e-3;
  constexpr double bits = 16.;
  return std::max(dwellPart * dwell_, bits * std::numeric_limits<double>::epsilon() * std::abs(t));
}

void HybridFlow::decide(double t, const double* z, const FlowModeSearch::Allowance& allowance, double step,
                        bool mayJump) {
  model_.measure(z);
  if (!search_.find(mode_, t, z, lambda_, step, allowance, mayJump)) {
    std::string text = "no mode goes on: " + search_.reason();
    if (!mayJump && search_.find(mode_, t, z, lambda_, step, allowance, true)) {
      text += ". A jump would make the state consistent: the option modes.requireConsistentStart = false lets it";
    }
    throw Error("HybridFlow at t = " + toText(piece_.instant(t)), text + ".");
  }
  if (search_.impulse().size() > 0) {
    impulse_ = search_.impulse();
    jumpedFrom_.resize(size(), false);
    std::copy_n(z, size(), data(jumpedFrom_));
  }
  begin(t);
}

// One event an interaction that has an impulse.
void HybridFlow::reportJump(double t, std::vector<Event>& events) {
  for (std::size_t k = 0; k < model_.interactions() && impulse_.size() > 0; ++k) {
    const std::size_t first = model_.rowsBegin(k), end = model_.rowsEnd(k);
    if (std::all_of(data(impulse_) + first, data(impulse_) + end, [](double p) { return p == 0.; })) continue;
    Event event;
    event.t = t;
    event.kind = EventKind::stateJump;
    event.source = model_.interactionName(k);
    event.before = model_.statesOf(first, data(jumpedFrom_));
    event.after = model_.statesOf(first, data(mode_.x()));
    event.impulse.resize(end - first, false);
    std::copy(data(impulse_) + first, data(impulse_) + end, data(event.impulse));
    events.push_back(std::move(event));
  }
  impulse_.resize(0, false);
}

// Data fixed during the mode: the start of Newton's method, and how far below zero rounding may take a guard.
void HybridFlow::begin(double t) {
  present_ = mode_.branches();
  const Vector x = mode_.x();
  beginState_ = x;
  beginTime_ = t;
  lambda_ = mode_.lambda();
  resume();
  mode_.solve(t, data(x));
  // Guards scaled by their terms, now and a little later.
  std::vector<double> values(guards()), ahead(guards());
  scales_.assign(guards(), 0.);
  mode_.guards(values.data());
  mode_.guardScales(step_, scales_.data(), FlowMode::Sizes::ofMoment);
  Vector next = x;
  addScaled(step_, mode_.xDot(), next);
  mode_.solve(model_.clamped(t + step_), data(next));
  mode_.guards(ahead.data());
  mode_.solve(t, data(x));
  offsets_.assign(guards(), 0.);
  for (std::size_t i = 0; i < guards(); ++i) {
    const bool unused = values[i] == 1. && ahead[i] == 1.;
    scales_[i] = std::max(scales_[i], std::abs(ahead[i]));
    if (scales_[i] == 0. || unused) scales_[i] = 1.;
    if (!unused) offsets_[i] = guardRounding * scales_[i] + 2. * std::max(0., -values[i]);
  }
}

void HybridFlow::resume() {
  mode_.select(present_, beginTime_, data(beginState_), lambda_);
}

void HybridFlow::enter(double t, double* z, std::vector<Event>& events) {
  if (model_.refresh(t)) mode_.forget();
  const FlowMode::Branches before = present_;
  Vector x(size());
  std::copy_n(z, size(), data(x));
  model_.chooseIncrements(t, x, lambda_);
  step_ = stepFor(t, z);
  decide(t, z, {instantOf(t), before.empty() ? givenTolerance : computedTolerance}, step_, true);
  std::copy(mode_.x().begin(), mode_.x().end(), z);
  switchings_.clear();
  reportJump(t, events);
  if (!before.empty()) report(t, before, data(x), events);
}

void HybridFlow::rates(double t, const double* z, double* zDot) {
  mode_.solve(t, z);
  std::copy(mode_.xDot().begin(), mode_.xDot().end(), zDot);
}

void HybridFlow::computeGuards(double t, const double* z, double* g, double* gDot) {
  mode_.solve(t, z);
  mode_.guards(g);
  if (gDot != nullptr) {
    // A difference along the motion, inside of the piece.
    const double step = t + step_ <= model_.pieceEnd() ? step_ : -step_;
    Vector ahead(size());
    std::copy_n(z, size(), data(ahead));
    addScaled(step, mode_.xDot(), ahead);
    mode_.solve(model_.clamped(t + step), data(ahead));
    mode_.guards(gDot);
    mode_.solve(t, z);
    for (std::size_t i = 0; i < guards(); ++i) gDot[i] = slopeOf(i, g[i], gDot[i], step);
  }
  for (std::size_t i = 0; i < guards(); ++i) g[i] = (g[i] + offsets_[i]) / scales_[i];
}

// Guards that are not used are 1. A difference that is only rounding counts as a rise, so that its sign does not
// suggest minima.
double HybridFlow::slopeOf(std::size_t guard, double now, double ahead, double step) const {
  if (now == 1. && ahead == 1.) return 1.;
  const double change = (ahead - now) / scales_[guard];
  if (std::abs(change) <= guardRounding * std::max(1., std::abs(now) / scales_[guard])) return smallestSlope;
  return change / step;
}

// The time for which switchings would continue if their intervals kept shrinking as the last ones did (compared two by
// two, since rows may alternate); negative if they are not shorter than the minimal dwell.
double HybridFlow::accumulating() const {
  if (switchings_.size() < remembered) return -1.;
  const double* const s = switchings_.data() + (switchings_.size() - 5);
  const double last = s[4] - s[2];
  const double before = s[2] - s[0];
  if (!(last < before) || last > 2. * dwell_) return -1.;
  return last * last / (before - last);
}

void HybridFlow::cross(double t, double* z, const std::vector<std::size_t>&, std::vector<Event>& events) {
  const FlowMode::Branches before = present_;
  const Vector beforeState = [&] {
    mode_.solve(t, z);
    return mode_.x();
  }();
  measure(t);
  lambda_ = mode_.lambda();
  step_ = stepFor(t, z);
  switchings_.push_back(t);
  if (switchings_.size() > remembered) switchings_.erase(switchings_.begin());
  const double left = accumulating();
  bool gathered = false;
  if (left >= 0.) {
    // Holds the rows together if possible, with increasing steps and increasing freedom for the state.
    for (double step = 2. * dwell_; !gathered && step < 1e3 * dwell_; step *= 4.) {
      const double allowed = std::min(step, step_ * 1e3);
      gathered = search_.find(mode_, t, data(beforeState), lambda_, allowed, {4. * left + allowed, computedTolerance});
      gathered = gathered && mode_.mismatch().output != 0.;
    }
  }
  if (gathered) {
    begin(t);
    switchings_.clear();
  } else {
    decide(t, data(beforeState), {instantOf(t), computedTolerance}, step_, true);
  }
  std::copy(mode_.x().begin(), mode_.x().end(), z);
  reportJump(t, events);
  const std::size_t first = events.size();
  report(t, before, data(beforeState), events);
  for (std::size_t i = first; gathered && i < events.size(); ++i) {
    events[i].kind = EventKind::accumulation;
    events[i].duration = left;
  }
}

void HybridFlow::report(double t, const FlowMode::Branches& before, const double* z, std::vector<Event>& events) const {
  for (std::size_t i = 0; i < present_.size(); ++i) {
    if (present_[i] == before[i]) continue;
    Event event;
    event.t = t;
    const bool slides = present_[i] == FlowBranch::held && mode_.factors().isDifferentiated(i);
    event.kind = slides ? EventKind::sliding : EventKind::modeSwitch;
    event.source = model_.sourceName(i);
    event.before = model_.statesOf(i, z);
    event.after = model_.statesOf(i, data(mode_.x()));
    events.push_back(std::move(event));
  }
}

void HybridFlow::accept(double t, const double* z) {
  mode_.solve(t, z);
  measure(t);
  model_.accept(acceptedTime_, t, mode_.x(), mode_.lambda(), mode_.y());
  acceptedTime_ = t;
}

void HybridFlow::serializeState(StateArchive& archive) {
  if (archive.count("rows", model_.rows()) != model_.rows()) {
    archive.refuse("The run that was saved has another number of rows of laws in first-order systems.");
  }
  std::vector<char> mode;
  for (const FlowBranch branch : present_) mode.push_back(static_cast<char>(branch));
  archive.value("mode", mode);
  present_.clear();
  for (const char branch : mode) present_.push_back(static_cast<FlowBranch>(branch));
  archive.value("begin of the mode", beginTime_);
  archive.value("state there", beginState_);
  archive.value("multipliers there", lambda_);
  archive.value("guard offsets", offsets_);
  archive.value("guard scales", scales_);
  archive.value("switchings", switchings_);
  archive.value("time of the state", acceptedTime_);
  archive.value("step", step_);
  archive.value("time constant", timeConstant_);
  model_.serializeState(archive);
}

}  // namespace delassus
