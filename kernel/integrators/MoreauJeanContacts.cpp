// SPDX-License-Identifier: Apache-2.0
//
// The part of MoreauJeanOSI that decides which contacts are in the problem of a step: the forecast, and what the motion
// closed unseen.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

void MoreauJeanOSI::forecastContacts(std::size_t repetition) {
  StepEquations& equations = work_.equations;
  equations.setMultiplierScale(h_);
  std::atomic<bool> areFixed = true;
  work_.interactions.forEach([&](InteractionWork& work) {
    Interaction& interaction = *work.interaction;
    if (!work.knowsReach && work.kept) measureReach(work, work_.jacobianAt(work, begin_, &SystemWork::q));
    work.anyActive = work.impacts = work.raises = false;
    for (std::size_t block = 0; block < work.demanded.size(); ++block) {
      const bool active = work.kept ? forecastKept(work, block, expectedOf(work, block)) : forecast(work, block);
      equations.setActive(work.number, block, active);
      work.anyActive = work.anyActive || active;
    }
    // A step that is made again starts from its last answer.
    if (repetition == 0) assign(interaction.multiplier(1), equations.multiplier(work.number));
    equations.setFeedthrough(work.number, work.compliant || work.flow ? &work.compliance : nullptr);
    if (work.anyActive && !isFixed(work)) areFixed.store(false, std::memory_order_relaxed);
  });
  linear_ = work_.linearSystems && areFixed;
}

// Whether the positions of these contacts are watched.
bool MoreauJeanOSI::keeps(const InteractionWork& work) const {
  const NonSmoothLaw& law = work.interaction->law();
  return contactRule_ == ContactRule::kept && law.actsOnVelocities() && !law.actsAcrossGaps() && !work.compliant;
}

// Whether a block of a law is in the problem of the step. The first row of a law of contact is the gap; a compliant
// relation decides itself whether it acts.
bool MoreauJeanOSI::forecast(InteractionWork& work, std::size_t block) const {
  const NonSmoothLaw& law = work.interaction->law();
  if (work.compliant || !law.actsOnVelocities() || law.actsAcrossGaps() || work.demanded[block] != 0) return true;
  const double gap = work.interaction->output(0)(block * law.size());
  const double change = h_ * work.interaction->output(1)(block * law.size());
  return gap + gamma_ * change <= 0. || rests(gap, change);
}

// A projection leaves a contact within its tolerance on either side.
bool MoreauJeanOSI::rests(double gap, double change) const {
  return std::max(std::abs(gap), std::abs(change)) <= work_.restTolerance;
}

bool MoreauJeanOSI::forecastKept(InteractionWork& work, std::size_t block, double unforeseen) const {
  const std::size_t row = block * work.interaction->law().size();
  ContactBegin begin{work.interaction->output(0)(row), work.interaction->output(1)(row), work.reach[block],
                     work.restitution};
  const bool carries = work.interaction->multiplier(1)(row) > 0. || rests(begin.gap, h_ * begin.rate);
  // What comes in to rebound was not pressed, whatever small impulse a solver has left on it; nor is what has just
  // rebounded: where another point of the body comes down within the step, that is an impact of its own.
  const bool rebounds = begin.restitution * std::abs(begin.rate) > h_ * begin.reach;
  // A point that its geometry has taken away leaves its load behind; it would be all that counts in the certificate.
  const bool isThere = begin.gap < 0.5 * ContactGeometry::absent;
  begin.unforeseen = isThere ? unforeseen : 0.;
  begin.isLoaded = (carries && !rebounds && isThere) || work.demanded[block] != 0 || work.missed[block] != 0;
  begin.keepsDepth = keepsDepths_ || work.keptDepth.isOn();
  const ContactForecast forecast = ContactForecast::of(begin, h_, theta_);
  work.least[block] = forecast.leastRate;
  work.expected[block] = forecast.expected ? 1 : 0;
  work.impacts = work.impacts || forecast.impacts;
  work.raises = work.raises || forecast.raises;
  return forecast.active;
}

// Measures by how much forces may accelerate the gap of each block, Σ |G| |M⁻¹F| over the systems, each in the norm of
// diag M: the directions of forces and gaps do not count, since other contacts may turn the motion of a body.
void MoreauJeanOSI::measureReach(InteractionWork& work, const Matrix& G) const {
  // Levers of a linear relation of linear systems depend on parameters alone.
  const std::optional<std::size_t> changes = changesOfLevers(work);
  if (!changes || !work.leversFrom.isCurrent(*changes)) {
    work.leversFrom.forget();
    measureLevers(work, G);
    if (changes) work.leversFrom.take(*changes);
  }
  work.knowsReach = true;
  std::fill(work.reach.begin(), work.reach.end(), 0.);
  const double* lever = work.levers.data();
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const double pull = work_.pullOf(c);
    work.knowsReach = work.knowsReach && pull >= 0.;
    for (double& reach : work.reach) reach += std::max(pull, 0.) * *lever++;
  }
}

// How often these parameters have changed; nothing where levers depend on the configuration.
std::optional<std::size_t> MoreauJeanOSI::changesOfLevers(const InteractionWork& work) const {
  if (!work.linear) return std::nullopt;
  std::size_t changes = work.relation->parameterChanges();
  for (std::size_t c = work.begin; c < work.end; ++c) {
    if (!work_.systemOf(c).linear) return std::nullopt;
    changes += work_.systemOf(c).system->parameterChanges();
  }
  return changes;
}

// What the steps before let expect of a contact: no more than the speeds of its systems give it.
double MoreauJeanOSI::expectedOf(const InteractionWork& work, std::size_t block) const {
  if (unforeseen_ == 0.) return 0.;
  double speed = 0.;
  const double* lever = work.levers.data() + block;
  for (std::size_t c = work.begin; c < work.end; ++c, lever += work.reach.size()) {
    speed += *lever * work_.systemOf(c).speed;
  }
  return std::min(unforeseen_, speed);
}

void MoreauJeanOSI::measureLevers(InteractionWork& work, const Matrix& G) const {
  const std::size_t rows = work.interaction->law().size();
  work.levers.clear();
  std::size_t first = 0;  // column of the coupling
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const SystemWork& system = work_.systemOf(c);
    const StepEquations::Coupling& coupling = work_.equations.couplings()[c];
    for (std::size_t block = 0; block < work.reach.size(); ++block) {
      double square = 0.;
      for (std::size_t i = 0; i < coupling.columns; ++i) {
        const double entry = G(block * rows, first + i);
        if (entry != 0.) square += entry * entry / system.mass.diagonal(coupling.first + i);
      }
      work.levers.push_back(std::sqrt(square));
    }
    first += coupling.columns;
  }
}

// By their energy, ½ λ² G M⁻¹ Gᵀ of one contact alone. What wedges add to forces, and light bodies between heavy ones
// to their energy, is less by orders of magnitude.
bool MoreauJeanOSI::multipliersRunAway() const {
  constexpr double most = 1e4;
  double square = 0.;
  for (const SystemWork& work : work_.systems) {
    square += SecondOrderWorkspace::squareInMass(work, work.system->velocity()) +
              SecondOrderWorkspace::squareInMass(work, work.vFree);
  }
  if (square == 0.) return false;
  const double bound = most * std::sqrt(square);
  return std::any_of(work_.interactions.begin(), work_.interactions.end(), [&](const InteractionWork& work) {
    if (!work.kept || !work.anyActive) return false;
    const double* const multiplier = work_.equations.multiplier(work.number);
    for (std::size_t k = 0; k < work.levers.size(); ++k) {
      if (work.levers[k] * multiplier[k % work.reach.size() * work.blockRows] > bound) return true;
    }
    return false;
  });
}

bool MoreauJeanOSI::takesDepthsBack() const {
  return !keepsDepths_ &&
         std::any_of(work_.interactions.begin(), work_.interactions.end(), [](const InteractionWork& work) {
           return work.anyActive && work.raises && !work.keptDepth.isOn();
         });
}

void MoreauJeanOSI::forgetMissed() {
  for (InteractionWork& work : work_.interactions.all()) std::fill(work.missed.begin(), work.missed.end(), 0);
}

bool MoreauJeanOSI::missesContact() {
  std::atomic<bool> any = false;
  work_.interactions.forEach([&](InteractionWork& work) {
    if (work.kept && hasOpenBlock(work) && findMissed(work)) any.store(true, std::memory_order_relaxed);
  });
  if (any) measureUnforeseen();
  return any;
}

// How much faster the contacts that were missed closed than their approach and the forces.
void MoreauJeanOSI::measureUnforeseen() {
  for (const InteractionWork& work : work_.interactions) {
    for (std::size_t block = 0; block < work.missed.size(); ++block) {
      const std::size_t row = block * work.blockRows;
      // A point that its geometry has brought in the step has come from nowhere.
      if (work.missed[block] == 0 || work.interaction->output(0)(row) > 0.5 * ContactGeometry::absent) continue;
      const double closing = (work.interaction->output(0)(row) - work.y(row)) / h_;
      unforeseen_ = std::max(unforeseen_, closing + work.interaction->output(1)(row) - h_ * work.reach[block]);
    }
  }
}

bool MoreauJeanOSI::hasOpenBlock(const InteractionWork& work) const {
  for (std::size_t block = 0; block < work.missed.size(); ++block) {
    if (!work_.equations.isActive(work.number, block)) return true;
  }
  return false;
}

// Marks what the trial motion closes. What forces alone close by the end of the step is left to the next one, and an
// impact that is to rebound is left whole: the next step begins with its approach. Reach and rates are those of the
// trial state; few contacts need them.
bool MoreauJeanOSI::findMissed(InteractionWork& work) {
  work_.computeOutput(work, end_, &SystemWork::q, work.y);
  work.yFrom.take(attempt_);
  bool any = false, areRatesKnown = false;
  for (std::size_t block = 0; block < work.missed.size(); ++block) {
    const std::size_t row = block * work.blockRows;
    const double before = std::min(work.interaction->output(0)(row), 0.);
    if (work_.equations.isActive(work.number, block) || !(work.y(row) < before)) continue;
    if (!areRatesKnown) computeRates(work);
    areRatesKnown = true;
    const bool rebounds = -work.yDot(row) * work.restitution > h_ * work.reach[block];
    if (rebounds || !(work.y(row) < before - h_ * h_ * work.reach[block])) continue;
    work.missed[block] = 1;
    any = true;
  }
  return any;
}

// Reach and rates of the trial state, at the end of the step.
void MoreauJeanOSI::computeRates(InteractionWork& work) const {
  const Matrix& G = work.linear ? work.G : work_.jacobianAt(work, end_, &SystemWork::q);
  measureReach(work, G);
  work_.computeDrift(work, end_, &SystemWork::q, work.yDot);
  multiply(1., G, work_.velocities(work, &SystemWork::v), 1., work.yDot);
}

// Puts what the last attempt missed into the problem, and leaves the rest of it as it is; false where that is not all
// that changes: in Newton's loop, where demands of a projection were dropped, or where the forecast of the last attempt
// did not know what forces do.
bool MoreauJeanOSI::addMissed() {
  added_.clear();
  if (!linear_ || work_.anyCompliant || work_.restTolerance > 0.) return false;
  for (InteractionWork& work : work_.interactions) {
    if (work.kept && !work.knowsReach) return false;
    bool joins = false;
    for (std::size_t block = 0; work.kept && block < work.missed.size(); ++block) {
      if (work_.equations.isActive(work.number, block) || !forecastKept(work, block, unforeseen_)) continue;
      work_.equations.setActive(work.number, block, true);
      joins = true;
    }
    if (!joins) continue;
    if (!isFixed(work)) return false;
    work.anyActive = true;
    added_.push_back(&work);
  }
  work_.systems.forEach([this](SystemWork& work) { work.weight = theta_ + work.excess; });
  return true;
}

// Without multipliers nothing has changed since the last attempt but for the contacts that it missed.
void MoreauJeanOSI::stateAdded() {
  for (InteractionWork* const work : added_) {
    computeBlocks(*work);
    computeFreeOutput(*work);
  }
}

}  // namespace delassus
