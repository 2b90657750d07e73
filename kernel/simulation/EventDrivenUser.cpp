// SPDX-License-Identifier: Apache-2.0
//
// The part of EventDriven that is about events of the user.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/EventLocator.hpp>
#include <delassus/kernel/hybrid/HybridEquations.hpp>
#include <delassus/kernel/hybrid/HybridFlow.hpp>
#include <delassus/kernel/hybrid/HybridMotion.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {

void EventDriven::addStateEvent(std::string name, const std::shared_ptr<SecondOrderDS>& system,
                                std::function<double(double, const Vector&, const Vector&)> f, Crossing crossing,
                                Action action) {
  if (!system || !f) throw Error("EventDriven", "the system or the function of the event '" + name + "' is null.");
  Vector q = system->q();
  Vector v = system->velocity();
  const auto value = [f = std::move(f), q, v](double t, const double* coordinates, const double* velocities) mutable {
    std::copy_n(coordinates, q.size(), data(q));
    std::copy_n(velocities, v.size(), data(v));
    return f(t, q, v);
  };
  addStateEvent(StateEvent{std::move(name), system, crossing, value, std::move(action)});
}

void EventDriven::addStateEvent(std::string name, const std::shared_ptr<FirstOrderDS>& system,
                                std::function<double(double, const Vector&)> f, Crossing crossing, Action action) {
  addStateEvent(std::move(name), system, std::move(f), crossing, std::move(action), false);
}

void EventDriven::addStateSwitching(std::string name, const std::shared_ptr<FirstOrderDS>& system,
                                    std::function<double(double, const Vector&)> f, Crossing crossing, Action action) {
  addStateEvent(std::move(name), system, std::move(f), crossing, std::move(action), true);
}

void EventDriven::addStateEvent(std::string name, const std::shared_ptr<FirstOrderDS>& system,
                                std::function<double(double, const Vector&)> f, Crossing crossing, Action action,
                                bool isSwitching) {
  if (!system || !f) throw Error("EventDriven", "the system or the function of the event '" + name + "' is null.");
  Vector x = system->x();
  const auto value = [f = std::move(f), x](double t, const double*, const double* rates) mutable {
    std::copy_n(rates, x.size(), data(x));
    return f(t, x);
  };
  addStateEvent(StateEvent{std::move(name), system, crossing, value, std::move(action), isSwitching});
}

void EventDriven::addStateEvent(StateEvent event) {
  requireNotStarted(event.name);
  stateEvents_.push_back(std::move(event));
}

// Throws Error if state events of the user follow each other for long as fast as no contact does: a jump that an action
// does accumulates, or one that does not lead away from the event.
void EventDriven::countUserEvent() {
  const double flight = atOnce();
  const double interval = stateTime_ - lastUserEvent_;
  userEventsInARow_ = interval <= flight ? userEventsInARow_ + 1 : 0;
  lastUserEvent_ = stateTime_;
  requireProgress(interval);
  if (userEventsInARow_ <= options_.mostEventsAtOnce) return;
  throw Error("EventDriven", std::to_string(userEventsInARow_) + " state events of the user came in a row at t = " +
                                 toText(stateTime_) + ", each within " + toText(flight) +
                                 " s after the one before: they accumulate, and have to be ended by an action. "
                                 "(Where they are to be so fast: options minimalFlight and mostEventsAtOnce.)");
}

// Throws Error if the intervals of state events have shrunk to the last bits of time, compared two by two since two
// functions may alternate: beyond the instant to which they lead, no event would come any more.
void EventDriven::requireProgress(double interval) {
  constexpr std::size_t enough = 5;
  const double last = 16. * TimeEvents::resolution(stateTime_);
  const bool shorter = interval < 0.999 * userIntervals_[0] || interval <= last;
  shorterUserIntervals_ = shorter ? shorterUserIntervals_ + 1 : 0;
  const bool began = userIntervals_[0] > last;
  userIntervals_ = {userIntervals_[1], interval};
  if (shorterUserIntervals_ < enough || interval > last || !began) return;
  throw Error("EventDriven", std::to_string(shorterUserIntervals_) +
                                 " state events of the user came in a row, each sooner after the one before, down to " +
                                 toText(interval) + " s at t = " + toText(stateTime_) +
                                 ": they accumulate, and have to be ended by an action.");
}

// The functions whose root is at the instant that was located, and those that have crossed zero with it by less than
// the resolution of time: they would not be found after it.
std::vector<EventDriven::Crossed> EventDriven::findCrossed(const std::vector<std::size_t>& located) const {
  std::vector<Crossed> functions;
  functions.reserve(located.size());
  for (const std::size_t i : located) functions.push_back({i, sideOf(i)});
  for (std::size_t i = 0; i < stateEvents_.size(); ++i) {
    const std::size_t root = equations_->firstUserGuard() + i;
    const double before = values_[root];
    const double now = locator_->values()[root];
    const int direction = equations_->rootDirection(root);
    const bool crossed = (before > 0. && now <= 0. && direction <= 0) || (before < 0. && now >= 0. && direction >= 0);
    if (crossed && !isAmong(functions, i)) functions.push_back({i, sideOf(i)});
  }
  return functions;
}

bool EventDriven::isAmong(const std::vector<Crossed>& functions, std::size_t number) {
  return std::any_of(functions.begin(), functions.end(),
                     [number](const Crossed& function) { return function.number == number; });
}

double EventDriven::valueOf(std::size_t function) const {
  return equations_->userGuards()[function].value(equations_->inside(stateTime_), data(z_));
}

// ±1, the sign of a function before the event that was located.
double EventDriven::sideOf(std::size_t function) const {
  const std::size_t root = equations_->firstUserGuard() + function;
  const double now = locator_->values()[root];
  return now != 0. ? (now > 0. ? -1. : 1.) : (values_[root] > 0. ? 1. : -1.);
}

// The functions that have crossed zero at an event, and those that cross it with them in the direction that is no event
// of theirs. Of two equal ones, as of a switch that closes and opens at the same voltage, one does so.
std::vector<EventDriven::Crossed> EventDriven::findAtZero(const std::vector<Crossed>& crossed) {
  std::vector<Crossed> atZero = crossed;
  if (crossed.empty()) return atZero;
  const double* const now = locator_->values().data() + equations_->firstUserGuard();
  for (std::size_t i = 0; i < stateEvents_.size(); ++i) {
    const double before = values_[equations_->firstUserGuard() + i];
    const bool hasOtherSign = before * now[i] < 0. || (now[i] == 0. && before != 0.);
    if (hasOtherSign && !isAmong(crossed, i)) atZero.push_back({i, before > 0. ? 1. : -1.});
  }
  if (atZero.size() == crossed.size()) return atZero;
  // The others may have crossed earlier in the step: just before the event they then have their present sign.
  locator_->moveTo(stateTime_ - 4. * TimeEvents::resolution(stateTime_));
  const auto first = atZero.begin() + static_cast<std::ptrdiff_t>(crossed.size());
  const auto isEarlier = [now](const Crossed& other) { return !(other.side * now[other.number] > 0.); };
  atZero.erase(std::remove_if(first, atZero.end(), isEarlier), atZero.end());
  locator_->moveTo(stateTime_);
  return atZero;
}

// The change of a function along the motion in a small part of an output; 0 where rounding hides it.
double EventDriven::changeOf(std::size_t function) {
  constexpr double part = 1e-6, rounding = 0.1;
  const double ahead = part * (outputInstant(stepIndex_ + 1) - outputInstant(stepIndex_));
  const auto& value = equations_->userGuards()[function].value;
  Vector rates(z_.size());
  equations_->computeRates(stateTime_, data(z_), data(rates));
  const auto change = [&](double time) {
    Vector next = z_;
    addScaled(time, rates, next);
    return value(equations_->inside(stateTime_ + time), data(next)) - valueOf(function);
  };
  const double whole = change(ahead);
  return std::abs(whole - 2. * change(0.5 * ahead)) <= rounding * std::abs(whole) ? whole : 0.;
}

// Fires the events of functions; each function may be turned back by its own. Switchings of one instant are one event:
// a mode in between would be that of a model that never is, and its jumps would stay. True if an action has set a
// state.
bool EventDriven::fireFunctions(const std::vector<Crossed>& functions) {
  countUserEvent();
  bool anySet = false;
  std::size_t first = 0;  // of those after which no mode was found yet
  for (std::size_t k = 0; k < functions.size(); ++k) {
    if (k == first) acceptState();
    const StateEvent& event = stateEvents_[functions[k].number];
    fire(event.name, EventKind::user, event.action, event.system.get());
    const bool isJoined =
        k + 1 < functions.size() && event.isSwitching && stateEvents_[functions[k + 1].number].isSwitching;
    if (isJoined && startedFrom_.isCurrent(stateResets()) && boundTo_.isCurrent(model_.topology().version())) continue;
    anySet = anySet || !startedFrom_.isCurrent(stateResets());
    resume();
    for (; first <= k; ++first) {
      const auto [i, side] = functions[first];
      const bool turnsBack = side * valueOf(i) <= 0. && side * changeOf(i) > 0.;
      turned_[i] = turnsBack ? side : 0.;
    }
  }
  return anySet;
}

// An event turns a function back to the side that it came from. If another event turns it again before it has got
// there, by the last bits, it crosses zero here: no step would show that, and events that accumulate would end unseen.
void EventDriven::addOvertaken(std::vector<Crossed>& functions) {
  for (std::size_t i = 0; i < turned_.size(); ++i) {
    if (turned_[i] == 0.) continue;
    if (turned_[i] * valueOf(i) > 0.) {
      turned_[i] = 0.;
    } else if (turned_[i] * changeOf(i) < 0.) {
      functions.push_back({i, turned_[i]});
    }
  }
}

// Where an action has set no state, but rates that lead a function back, the function crosses zero again at the same
// instant: an event if it counts that direction.
void EventDriven::addTurnedBack(std::vector<Crossed>& atZero, std::vector<Crossed>& functions) {
  for (auto& [i, side] : atZero) {
    const double change = changeOf(i);
    // An impulse may have moved it away from zero.
    const bool isAtZero = std::abs(valueOf(i)) <= std::abs(change);
    if (!isAtZero || !(side * change > 0.)) continue;
    side = -side;
    const double direction = equations_->rootDirection(equations_->firstUserGuard() + i);
    if (side * direction <= 0. && !isAmong(functions, i)) functions.push_back({i, side});
  }
}

// Fires what follows at once from events of functions; those of `atZero` may cross zero again.
void EventDriven::fireOvertaken(std::vector<Crossed> atZero) {
  for (;;) {
    std::vector<Crossed> functions;
    addOvertaken(functions);
    addTurnedBack(atZero, functions);
    if (functions.empty()) return;
    if (fireFunctions(functions)) atZero.clear();
  }
}

std::vector<UserGuard> EventDriven::userGuards() const {
  std::vector<UserGuard> guards;
  for (const StateEvent& event : stateEvents_) {
    std::optional<HybridSystem::StatePlace> place;
    equations_->forEach([&](const HybridSystem& system, std::size_t offset, std::size_t) {
      if (const auto own = system.placeOf(*event.system)) place = {offset + own->first, offset + own->velocity};
    });
    if (!place && started_) {
      // The system was removed: its event no longer occurs, and may occur again if it returns.
      guards.push_back({event.name, event.crossing, [](double, const double*) { return 1.; }});
      continue;
    }
    if (!place) {
      throw Error("EventDriven", "the system of the event '" + event.name + "' is not in the model.");
    }
    guards.push_back({event.name, event.crossing, [f = event.value, place = *place](double t, const double* z) {
                        return f(t, z + place.first, z + place.velocity);
                      }});
  }
  return guards;
}

void EventDriven::nextPiece() {
  if (options_.integration.minimalStep > 0.) timeEvents_.requireSpacing(options_.integration.minimalStep);
  // What was moved to before now is due now.
  pieceEnd_ = std::max(timeEvents_.next(), stateTime_);
  // At the end no motion begins: what is evaluated there is that of the piece before.
  if (stateTime_ >= model_.T() && started_) return;
  // Events that are due at the start end no piece: a mode that begins there needs time after it. Nor do those that
  // come after it by a rounding of the whole run, as a pulse whose width is zero but for rounding does at t = 0: a
  // piece must have room for differences in time.
  const double margin = TimeEvents::resolution(std::max(std::abs(model_.t0()), std::abs(model_.T())));
  const double end = timeEvents_.nextAfter(stateTime_ + 4. * margin);
  equations_->setPiece(stateTime_, std::min(end, model_.T()), margin);
}

void EventDriven::fireTimeEvents() {
  showBeforeEvents();
  timeEvents_.pop(due_);
  nextPiece();
  firePending();
  fireOvertaken({});
  notifyAfterEvents();
}

// Fires the events that are due. Those after an action that throws are still due when the run goes on.
void EventDriven::firePending() {
  fireDue(stateTime_,
          [this](const TimeEvents::Series& series) { fire(series.name, series.kind, series.action, nullptr); });
  resume();
}

namespace {

void readState(DynamicalSystem& system, Vector& q, Vector& velocity) {
  if (const SecondOrderDS* const motion = system.secondOrder()) {
    append(motion->q(), q);
    append(motion->velocity(), velocity);
  } else if (const FirstOrderDS* const flow = system.firstOrder()) {
    append(flow->x(), velocity);
  }
}

}  // namespace

// Performs the action of an event and logs it, with the state of a system if it concerns one.
void EventDriven::fire(const std::string& name, EventKind kind, const Action& action, DynamicalSystem* system) {
  Event event;
  event.t = stateTime_;
  event.kind = kind;
  event.source = name;
  if (system != nullptr) readState(*system, event.q, event.before);
  if (action) action();
  Vector q;
  if (system != nullptr) readState(*system, q, event.after);
  ++statistics_.events;
  if (options_.keepEvents) events_.push_back(event);
  if (observer_) observer_(event);
  notifyEvent(event);
}

// After actions, which may have changed anything: the instants of switchings, too.
void EventDriven::resume() {
  if (timeEvents_.next() != pieceEnd_) nextPiece();
  if (!boundTo_.isCurrent(model_.topology().version()) && started_) {
    bind();
    return;
  }
  if (!startedFrom_.isCurrent(stateResets())) startSystems(false);
  enterMode();
}

bool EventDriven::parametersChanged() const {
  bool any = false;
  equations_->forEach([&](const HybridSystem& system, std::size_t, std::size_t) { any = any || system.hasChanged(); });
  return any;
}

std::size_t EventDriven::stateResets() const {
  std::size_t sum = 0;
  for (const auto& system : model_.topology().systems()) sum += system->stateResets();
  return sum;
}

}  // namespace delassus
