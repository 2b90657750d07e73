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

void SchatzmanPaoliOSI::refuseUnsupported(const InteractionStep& step) {
  const std::string label = "Interaction '" + step.interaction->name() + "'";
  const NonSmoothLaw& law = step.interaction->law();
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
  if (step.compliant) {
    throw Error(
        label,
        "SchatzmanPaoliOSI does not take compliant relations: its multiplier is an impulse where bodies collide, "
        "and not the force that such a relation asks for. Use MoreauJeanOSI.");
  }
}

// q̄ of the systems of an interaction into qStar, with q⁻ as the contact sees it; returns t̄.
double SchatzmanPaoliOSI::placeContact(const InteractionStep& step, const Contact& contact) const {
  const double e = contact.restitution;
  const double after = 1. / (1. + e);
  double back = step_;  // t − t⁻
  for (std::size_t c = step.begin; c < step.end; ++c) {
    const std::size_t number = work_.equations.couplings()[c].node;
    SystemStep& system = work_.systems[number];
    const Memory& memory = memory_[number];
    const Vector& q = system.system->q();
    if (memory.isStart) {
      const Vector& v = system.system->velocity();
      for (std::size_t i = 0; i < q.size(); ++i) {
        system.qStar(i) = q(i) + after * (system.displacement(i) - e * step_ * v(i));
      }
    } else if (contact.pushes > 0 && step_ != memory.step) {
      // The steps of an impact are measured from the motion before it; a contact that continues to push is at rest.
      const bool rests = contact.pushes > longestImpact;
      const double beyond = rests ? 0. : (step_ - memory.step) / memory.stepEarlier;
      for (std::size_t i = 0; i < q.size(); ++i) {
        const double before = memory.displacement(i) - beyond * memory.earlier(i);
        system.qStar(i) = q(i) + after * (system.displacement(i) - e * before);
      }
      back = rests ? memory.step : 2. * memory.step - step_;
    } else {
      const double ratio = step_ / memory.step;
      for (std::size_t i = 0; i < q.size(); ++i) {
        system.qStar(i) = q(i) + after * (system.displacement(i) - e * ratio * memory.displacement(i));
      }
    }
  }
  return e == 0. ? end_ : end_ - e * after * (step_ + back);
}

// G and W⁻¹Gᵀ, unless they are still valid.
void SchatzmanPaoliOSI::computeBlocks(InteractionStep& step, double time) {
  std::uint64_t factors = 0;
  for (std::size_t c = step.begin; c < step.end; ++c) {
    factors += work_.systemOf(c).factorVersion;
  }
  if (step.linear && factors == step.blocksFactors) return;
  work_.computeJacobian(step, time, &SystemStep::qStar, step.G);
  work_.solveForRight(step);
  step.blocksFactors = factors;
}

// (1 + e) h(q̄), linearised about the trial state: its derivative by q⁺ is G.
void SchatzmanPaoliOSI::computeFreeOutput(InteractionStep& step, const Contact& contact, double time) {
  work_.computeOutput(step, time, &SystemStep::qStar, output_);
  for (double& entry : output_) entry *= 1. + contact.restitution;
  for (std::size_t c = step.begin; c < step.end; ++c) {
    SystemStep& system = work_.systemOf(c);
    for (std::size_t i = 0; i < system.vChange.size(); ++i) {
      system.vChange(i) = system.vFree(i) - system.displacement(i);
    }
  }
  work_.addRate(step, &SystemStep::vChange, data(output_));
  assign(output_, work_.equations.freeOutput(step.number));
}

// The duration over which a force adds up to the impulse of a step: half of both steps next to t, of which there is
// only one at the start.
double SchatzmanPaoliOSI::duration(const InteractionStep& step) const {
  const Memory& memory = memory_[work_.equations.couplings()[step.begin].node];
  return 0.5 * (step_ + (memory.isStart ? 0. : memory.step));
}

bool SchatzmanPaoliOSI::pushes(const InteractionStep& step, std::size_t block) const {
  const NonSmoothLaw& law = step.interaction->law();
  if (law.set()->isFree()) return true;
  const std::size_t first = block * law.size();
  for (std::size_t i = first; i < first + law.size(); ++i) {
    if (work_.equations.multiplier(step.number)[i] != 0.) return true;
  }
  return false;
}

void SchatzmanPaoliOSI::computeOutputs(InteractionStep& step, double t) {
  work_.computeOutput(step, t, &SystemStep::q, step.y);
  work_.computeDrift(step, t, &SystemStep::q, step.yDot);
  if (step.linear && step.blocksFactors != SecondOrderWorkspace::never) {
    work_.addRate(step, &SystemStep::v, data(step.yDot));
    return;
  }
  work_.addRateAt(step, t, &SystemStep::q, &SystemStep::v, step.yDot);
}

}  // namespace delassus
