// SPDX-License-Identifier: Apache-2.0
//
// The part of SchatzmanPaoliOSI that evaluates relations: which it accepts, blocks, free outputs and outputs.
#include <algorithm>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>

namespace delassus {
namespace {

constexpr std::size_t longestImpact = 2;  // steps that an impact pushes in

}  // namespace

void SchatzmanPaoliOSI::refuseUnsupported(const InteractionWork& work) {
  const std::string label = "Interaction '" + work.interaction->name() + "'";
  const NonSmoothLaw& law = work.interaction->law();
  const std::string what = "SchatzmanPaoliOSI imposes laws on positions, but " + std::string(law.className()) +
                           " has " + law.multipliersInWords();
  if (law.set()->isContact()) {
    throw Error(label, what + ": friction is a law between velocities and impulses. Use MoreauJeanOSI.");
  }
  if (law.relatesRates() && !law.set()->isFree()) {
    throw Error(label, what + ": between mechanical systems its output is a velocity. Use MoreauJeanOSI.");
  }
  if (!law.isMixedComplementarity() || law.unknowns() > law.size())
    throw Error(label, what + ", which it does not take.");
  if (work.compliant) {
    throw Error(
        label,
        "SchatzmanPaoliOSI does not take compliant relations: its multiplier is an impulse where bodies collide, "
        "and not the force that such a relation asks for. Use MoreauJeanOSI.");
  }
}

// The longest step since a contact was entered; 0 for one that is not.
double SchatzmanPaoliOSI::entryOf(const InteractionWork& work, const Contact& contact) const {
  // Without restitution, and of joints, the step to the surface is that of positions.
  const Vector& y = work.interaction->output(0);
  if (contact.restitution == 0. || std::none_of(y.begin(), y.end(), [](double gap) { return gap < 0.; })) return 0.;
  double entry = contact.entry;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const Memory& memory = memory_[work_.equations.couplings()[c].node];
    if (memory.isStart) return 0.;
    entry = std::max(entry, memory.h);
  }
  return entry;
}

// Whether a contact that was entered in a longer step leaves by rates in this one. (The second step of an impact is
// measured from the motion before it.)
bool SchatzmanPaoliOSI::leavesByRate(const InteractionWork& work, const Contact& contact) const {
  return contact.wasShortened ? entryOf(work, contact) > 0. : contact.pushes != 1 && entryOf(work, contact) > h_;
}

// The way out of a contact that was entered in a longer step, in place of that of positions: y⁺ − y ≥ −e (h/h₋) (y −
// y⁻), and to the surface in some of the longest steps h_e since then, y⁺ − y ≥ −(h/h_e) y/5.
void SchatzmanPaoliOSI::leaveByRate(const InteractionWork& work, const Contact& contact, double* free) const {
  constexpr double recovery = 0.2;
  const double e = contact.restitution;
  const double ratio = h_ / memory_[work_.equations.couplings()[work.begin].node].h;
  const double part = recovery * h_ / entryOf(work, contact);
  const Vector& y = work.interaction->output(0);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y(i) >= 0.) continue;
    const double change = e * ratio * (y(i) - contact.before(i));
    free[i] += change - (1. + e) * y(i) + std::min(change, part * y(i));
  }
}

// q̄ of the systems of an interaction into qStar, with q⁻ as the contact sees it; returns t̄.
double SchatzmanPaoliOSI::placeContact(const InteractionWork& work, const Contact& contact, bool byRate) const {
  const double e = contact.restitution;
  const double after = 1. / (1. + e);
  double back = h_;  // t − t⁻
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const std::size_t number = work_.equations.couplings()[c].node;
    SystemWork& system = work_.systems[number];
    const Memory& memory = memory_[number];
    const Vector& q = system.system->q();
    // The contact reads only these coordinates of the node.
    const std::size_t begin = work_.places[c].firstQ, end = begin + work_.places[c].count;
    if (memory.isStart) {
      const Vector& v = system.system->velocity();
      for (std::size_t i = begin; i < end; ++i) {
        system.qStar(i) = q(i) + after * (system.displacement(i) - e * h_ * v(i));
      }
    } else if (contact.pushes > 0 && !byRate && h_ != memory.h) {
      // The steps of an impact are measured from the motion before it; a contact that continues to push is at rest.
      const bool rests = contact.pushes > longestImpact;
      const double beyond = rests ? 0. : (h_ - memory.h) / memory.hEarlier;
      for (std::size_t i = begin; i < end; ++i) {
        const double before = memory.displacement(i) - beyond * memory.earlier(i);
        system.qStar(i) = q(i) + after * (system.displacement(i) - e * before);
      }
      back = rests ? memory.h : 2. * memory.h - h_;
    } else {
      const double ratio = h_ / memory.h;
      for (std::size_t i = begin; i < end; ++i) {
        system.qStar(i) = q(i) + after * (system.displacement(i) - e * ratio * memory.displacement(i));
      }
    }
  }
  return e == 0. ? end_ : end_ - e * after * (h_ + back);
}

// G and W⁻¹Gᵀ, unless they are still valid.
void SchatzmanPaoliOSI::computeBlocks(InteractionWork& work, double time) {
  std::uint64_t factors = 0;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    factors += work_.systemOf(c).factorVersion;
  }
  if (work.linear && work.blocksFrom.isCurrent(factors)) return;
  work.blocksFrom.forget();
  work_.computeJacobian(work, time, &SystemWork::qStar, work.G);
  work_.solveForRight(work);
  work.blocksFrom.take(factors);
}

// (1 + e) h(q̄), linearised about the trial state: its derivative by q⁺ is G.
void SchatzmanPaoliOSI::computeFreeOutput(InteractionWork& work, const Contact& contact, double time) {
  work_.computeOutput(work, time, &SystemWork::qStar, output_);
  for (double& entry : output_) entry *= 1. + contact.restitution;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    SystemWork& system = work_.systemOf(c);
    const StepEquations::Coupling& coupling = work_.equations.couplings()[c];
    for (std::size_t i = coupling.first; i < coupling.first + coupling.columns; ++i) {
      system.vChange(i) = system.vFree(i) - system.displacement(i);
    }
  }
  work_.addRate(work, &SystemWork::vChange, data(output_));
  assign(output_, work_.equations.freeOutput(work.number));
}

// The duration over which a force adds up to the impulse of a step: half of both steps next to t, of which there is
// only one at the start.
double SchatzmanPaoliOSI::duration(const InteractionWork& work) const {
  const Memory& memory = memory_[work_.equations.couplings()[work.begin].node];
  return 0.5 * (h_ + (memory.isStart ? 0. : memory.h));
}

bool SchatzmanPaoliOSI::pushes(const InteractionWork& work, std::size_t block) const {
  const NonSmoothLaw& law = work.interaction->law();
  if (law.set()->isFree()) return true;
  const std::size_t first = block * law.size();
  for (std::size_t i = first; i < first + law.size(); ++i) {
    if (work_.equations.multiplier(work.number)[i] != 0.) return true;
  }
  return false;
}

void SchatzmanPaoliOSI::computeOutputs(InteractionWork& work, double t) {
  work_.computeOutput(work, t, &SystemWork::q, work.y);
  work_.computeDrift(work, t, &SystemWork::q, work.yDot);
  if (work.linear && work.blocksFrom.isMade()) {
    work_.addRate(work, &SystemWork::v, data(work.yDot));
    return;
  }
  work_.addRateAt(work, t, &SystemWork::q, &SystemWork::v, work.yDot);
}

}  // namespace delassus
