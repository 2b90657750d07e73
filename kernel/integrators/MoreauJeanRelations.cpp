// SPDX-License-Identifier: Apache-2.0
//
// The part of MoreauJeanOSI that evaluates relations: blocks, free outputs and outputs.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>

namespace delassus {
namespace {

// A compliant contact of stiffness k on a mass m is resolved up to this k h²/m: its half oscillation takes six steps or
// more, and its exit speed is off by 1.6 % at most, whatever the phase in which it begins (worst case over phases,
// computed).
constexpr double resolvedStiffness = 0.3;

// Whether a contact sticks or rolls: it slides by no more than some steps change its tangential rates. (Without the
// mean rate, a contact that sticks slides by one such change.) In two dimensions there is no other tangent to choose.
bool rolls(const double* now, const double* before, std::size_t n) {
  constexpr double part = 2.;
  if (n < 2) return true;
  double change = 0., sliding = 0.;
  for (std::size_t i = 0; i < n; ++i) {
    change += (now[i] - before[i]) * (now[i] - before[i]);
    sliding += before[i] * before[i];
  }
  return sliding <= part * part * change;
}

}  // namespace

// G and drift do not change with the trial state.
bool MoreauJeanOSI::isFixed(const InteractionWork& work) const {
  return work.linear || work.flow || (relationGamma_ == 0. && !work.compliant);
}

void MoreauJeanOSI::refuseUnsupported(const InteractionWork& work) const {
  if (work.flow) return;
  const auto label = [&] { return "Interaction '" + work.interaction->name() + "'"; };
  const NonSmoothLaw& law = work.interaction->law();
  if (!law.actsOnVelocities() && !(law.relatesRates() && law.hasIntervals())) {
    if (work.compliant && law.isComplementarity()) {
      throw Error(label(),
                  "of a compliant relation MoreauJeanOSI imposes 0 <= y and 0 <= lambda on y itself by "
                  "NewtonImpactNSL(0.): take that law in the place of " +
                      std::string(law.className()) +
                      ", with LagrangianCompliantR or LagrangianLinearTIR and setD as here.");
    }
    throw Error(label(),
                "MoreauJeanOSI takes laws of impact, equalities and boxes (EqualityConditionNSL, RelayNSL) on "
                "velocities, but " +
                    std::string(law.className()) + " relates outputs and " + law.multipliersInWords() +
                    (law.hasIntervals() && !law.relatesRates()
                         ? "; a law of one's own that relates rates to forces says so by relatesRates()."
                         : "."));
  }
  if (!work.compliant) return;
  if (law.set()->isContact()) throw Error(label(), "a compliant relation is not taken with a law of friction.");
  if (work.interaction->law().hasRestitution()) {
    throw Error(label(),
                "a compliant relation stores and returns the energy of the contact by itself, so its law must have no "
                "restitution; use NewtonImpactNSL(0.).");
  }
  if (!(theta_ > 0.) || !(relationGamma_ > 0.)) {
    throw Error(label(), "a compliant relation needs theta > 0 and gamma > 0 in MoreauJeanOSI.");
  }
}

void MoreauJeanOSI::refreshOutputs(double t) {
  // First everything that can fail, then the rest: a failure leaves the outputs stale, to be computed again.
  bool linearSystems = true, anyCompliant = false;
  for (SystemWork& work : work_.systems) {
    assign(work.system->q(), work.q);
    assign(work.system->velocity(), work.v);
    const bool linear = isExact(work);
    // What is linear has constant matrices, whatever its parameters are.
    if (work.isReset() || (work.hasChanged() && linear != work.linear)) work.forgetFactors();
    if (work.isReset() || work.hasChanged()) work.linear = linear;
    linearSystems = linearSystems && work.linear;
  }
  work_.interactions.forEach([&](InteractionWork& work) {
    if (work_.isStale(work)) refresh(work, t);
  });
  for (const InteractionWork& work : work_.interactions) anyCompliant = anyCompliant || work.compliant;
  work_.linearSystems = linearSystems;
  work_.anyCompliant = anyCompliant;
  for (InteractionWork& work : work_.interactions) {
    if (!work_.isStale(work)) continue;
    assign(work.y, work.interaction->output(0));
    assign(work.yDot, work.interaction->output(1));
    work.holdsJacobian = !work.timeDependent;
  }
  work_.markFresh();
}

void MoreauJeanOSI::refresh(InteractionWork& work, double t) {
  if (!work.outputsFrom.isMade()) {
    work.interaction->requireConfiguration(t, work_.configurations(work, &SystemWork::q));
  }
  work.blocksFrom.forget();
  work.yFrom.forget();
  work.holdsJacobian = false;
  work.isReset = true;
  assign(work.interaction->lambda(0), work.force);
  refuseUnsupported(work);
  work.kept = keeps(work);
  if (work.linear) computeBlocks(work);
  computeOutputs(work, t);
  work.leversFrom.forget();  // masses may be others from the next step on
}

// Decides for this step where compliant relations are imposed: at q* if the step resolves the contact, at the end if
// not. The stiffness of a contact is measured against the mass that all compliant contacts of its systems leave it.
void MoreauJeanOSI::placeCompliantRelations() {
  placed_ = true;
  for (SystemWork& system : work_.systems) assignZero(system.vReach, system.v.size());
  for (const InteractionWork& work : work_.interactions) {
    if (work.compliant) work_.addMagnitudes(work);
  }
  for (InteractionWork& work : work_.interactions) {
    if (!work.compliant) continue;
    const double stiffness = stiffnessOf(work);
    const bool isResolved = stiffness <= resolvedStiffness;
    if (!isResolved) warnOfDamping(work, stiffness);
    if (isResolved == work.resolved) continue;
    work.resolved = isResolved;
    work.blocksFrom.forget();
    computeBlocks(work);
  }
}

// k h²/m of the stiffest row.
double MoreauJeanOSI::stiffnessOf(const InteractionWork& work) const {
  double stiffest = 0.;
  for (std::size_t i = 0; i < work.compliance.size1(); ++i) {
    double inverseMass = 0.;
    std::size_t column = 0;
    for (std::size_t c = work.begin; c < work.end; ++c) {
      for (const double reach : work_.partOf(c, &SystemWork::vReach))
        inverseMass += std::abs(work.G(i, column++)) * reach;
    }
    // compliance is D/(h²αθ) here; a row that moves nothing is resolved, whatever its compliance is.
    if (inverseMass == 0.) continue;
    stiffest = std::max(stiffest, inverseMass / (theta_ * fractionOf(work) * work.compliance(i, i)));
  }
  return stiffest;
}

// A contact that is shorter than a step has no rebound to keep. An equality always acts: it is a spring, whose
// oscillation would die away unseen.
void MoreauJeanOSI::warnOfDamping(const InteractionWork& work, double stiffness) {
  if (warnedOfDamping_ || !work.interaction->law().set()->isFree()) return;
  warnedOfDamping_ = true;
  Log::warning("Interaction '" + work.interaction->name() + "': the step h = " + toText(h_) +
               " does not resolve this compliant equality (k h^2 / m = " + toText(stiffness) + ", more than " +
               toText(resolvedStiffness) +
               "), so its oscillation is damped. A spring that keeps its energy is linked with SpringDamperLaw. "
               "This is said once, also where other equalities are damped.");
}

// G and W⁻¹Gᵀ, unless they are still valid.
void MoreauJeanOSI::computeBlocks(InteractionWork& work) {
  std::uint64_t factors = 0;
  bool factored = true;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const SystemWork& system = work_.systemOf(c);
    factors += system.factorVersion;
    factored = factored && system.hasFactors();
  }
  if (work.linear && work.blocksFrom.isCurrent(factors)) return;
  work.blocksFrom.forget();
  const auto place = placeOf(work);
  // Uses the Jacobian of the last accepted state, if it is still available.
  if (relationGamma_ > 0. || !work.holdsJacobian) work_.computeJacobian(work, timeOf(work), place, work.G);
  if (work.flow && factored) SecondOrderWorkspace::computeFlow(work, end_, h_);
  if (factored) work_.solveForRight(work);
  if (work.compliant && factored) {
    work_.computeCompliance(work, end_, place);
    for (double& entry : work.compliance.data()) entry /= h_ * h_ * theta_ * fractionOf(work);
  }
  if (factored) work.blocksFrom.take(factors);
}

void MoreauJeanOSI::computeFreeOutput(InteractionWork& work) {
  double* const free = work_.equations.freeOutput(work.number);
  double* const before = work_.equations.outputBefore(work.number);
  static thread_local Vector drift, rate;
  if (work.timeDependent) {
    work_.computeDrift(work, driftTimeOf(work, end_), &SystemWork::qStar, drift);
    assign(drift, free);
  } else {
    std::fill_n(free, work.y.size(), 0.);
  }
  work_.addRate(work, &SystemWork::vFree, free);
  if (takesFrameVelocity(work)) {
    computeRateBefore(work, rate);
    assign(rate, before);
  } else {
    assign(work.interaction->output(1), before);
  }
  if (work.interaction->law().actsAcrossGaps()) addGaps(work, free);
  if (work.kept) addLeastRates(work, free, before);
  if (isMean(work) && (work.kept || !(work.isReset && jolts(work)))) addVelocityBefore(work, free);
}

// Moves the bound −e ẏ of the law of each contact to the least rate of the forecast. Where the law is on the rate at
// the end alone, that of a rebound is e times the approach there: with that of the beginning, where another point may
// be the lowest, the impulse would give energy.
void MoreauJeanOSI::addLeastRates(const InteractionWork& work, double* free, const double* before) {
  static thread_local Vector inFrame;
  const bool isInFrame = simplified_ && work.restitution > 0.;
  if (isInFrame) computeRateBefore(work, inFrame);
  const NonSmoothLaw& law = work.interaction->law();
  for (std::size_t block = 0; block < work.least.size(); ++block) {
    const std::size_t row = block * law.size();
    double least = rests_ ? std::min(work.least[block], 0.) : work.least[block];
    if (isInFrame && least > 0.) {
      const bool isRaised = least > -work.restitution * work.interaction->output(1)(row);  // out of a depth
      least = std::max(work.restitution * std::max(-inFrame(row), 0.), isRaised ? least : 0.);
    }
    free[row] -= least + work.restitution * before[row];
  }
}

// The speed at which a gap would be closed within the step.
void MoreauJeanOSI::addGaps(const InteractionWork& work, double* free) const {
  const Vector& y = work.interaction->output(0);
  const std::size_t rows = work.interaction->law().size();
  for (std::size_t row = 0; row < y.size(); row += rows) free[row] += std::max(0., y(row)) / h_;
}

// G(q*) v + ∂h/∂t with v and t at the beginning of the step.
void MoreauJeanOSI::computeRateBefore(const InteractionWork& work, Vector& rate) {
  work_.computeDrift(work, driftTimeOf(work, begin_), &SystemWork::qStar, rate);
  for (std::size_t c = work.begin; c < work.end; ++c) {
    work_.equations.couplings()[c].addOutput(data(work_.systemOf(c).system->velocity()), data(rate));
  }
}

// The time t, at which ∂h/∂t is wanted at q*, or that of q*: what moves with time has moved past a body, where a
// contact is taken between that at one time and this at another.
double MoreauJeanOSI::driftTimeOf(const InteractionWork& work, double t) const {
  return work.kept && isMean(work) ? timeOf(work) : t;
}

// An equality or a contact whose G changes: with G at the middle of the step it constrains the mean velocity of the
// step.
bool MoreauJeanOSI::isMean(const InteractionWork& work) const {
  if (rests_ || relationGamma_ != 0.5 || !(theta_ > 0. && theta_ < 1.) || work.linear || work.flow) return false;
  if (work.kept) return !simplified_;
  return work.interaction->law().set()->isFree() && !work.interaction->law().actsOnVelocities();
}

// Σ |G v| of a row, with G as it is in the blocks.
double MoreauJeanOSI::reachOf(const InteractionWork& work, std::size_t row) const {
  double reach = 0.;
  std::size_t column = 0;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    for (const double v : work_.partOf(c, &SystemWork::v)) reach += std::abs(work.G(row, column++) * v);
  }
  return reach;
}

// Whether the rate of a row is more than rounding, of the speeds in all directions: in its own its systems may rest.
template <class VelocityOf>
bool MoreauJeanOSI::isRate(const InteractionWork& work, std::size_t row, const VelocityOf& velocityOf) const {
  constexpr double rounding = 1e-9;
  double speed = 0.;
  std::size_t column = 0;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const StepEquations::Coupling& coupling = work_.equations.couplings()[c];
    const SystemWork& system = work_.systemOf(c);
    double lever = 0.;
    for (std::size_t j = coupling.first; j < coupling.first + coupling.columns; ++j, ++column) {
      lever += work.G(row, column) * work.G(row, column) / system.mass.diagonal(j);
    }
    speed += std::sqrt(lever * SecondOrderWorkspace::squareInMass(system, velocityOf(system)));
  }
  return std::abs(work.yDot(row)) > rounding * speed;
}

// After a start or a reset velocities need not satisfy joints; the plain law then corrects them.
bool MoreauJeanOSI::jolts(const InteractionWork& work) const {
  const auto before = [](const SystemWork& system) -> const Vector& { return system.system->velocity(); };
  for (std::size_t i = 0; i < work.yDot.size(); ++i) {
    if (isRate(work, i, before)) return true;
  }
  return false;
}

// Whether the rates at the end of a joint are more than a part of the turn that separates them from the middle of the
// step, each row relative to the rates of its systems.
bool MoreauJeanOSI::leavesRate(const InteractionWork& work) const {
  constexpr double part = 0.25;  // it is 1 after a jump; of smooth motion it is of a higher order in h
  const auto after = [](const SystemWork& system) -> const Vector& { return system.v; };
  static thread_local Vector middle;
  work_.computeDrift(work, end_, &SystemWork::qStar, middle);
  work_.addRate(work, &SystemWork::v, data(middle));
  double rate = 0., turn = 0.;
  for (std::size_t i = 0; i < middle.size(); ++i) {
    const double reach = reachOf(work, i);
    if (reach == 0.) continue;
    if (isRate(work, i, after)) rate = std::max(rate, std::abs(work.yDot(i)) / reach);
    turn = std::max(turn, std::abs(work.yDot(i) - middle(i)) / reach);
  }
  return rate > part * turn;
}

// Adds (1 − ϑ)/ϑ (G(q*) v + ∂h/∂t − ẏ), with v, t and ẏ at the beginning of the step, so that a change of G within the
// step counts, but a nonzero rate from before does not change its sign. ϑ is the weight with which the systems move; of
// contacts it is θ, with which their energy is exact: for θ = ½ their impulse does the work ½ (1 − e) p ẏ. Of tangents
// only those of contacts that stick or roll: rates of sliding are in the frames of two configurations, the tangents of
// which are a choice.
void MoreauJeanOSI::addVelocityBefore(const InteractionWork& work, double* free) {
  static thread_local Vector inFrame;
  computeRateBefore(work, inFrame);
  const Vector& rate = work.interaction->output(1);
  const double weight = work.kept ? theta_ : work_.systemOf(work.begin).weight;
  const double factor = (1. - weight) / weight;
  // The whole displacement fits a joint after an impact (see ImpactIslands); else but for the rate from before.
  const bool isWhole = !work.kept && weight > theta_;
  const std::size_t rows = work.kept ? work.interaction->law().size() : rate.size();
  for (std::size_t row = 0; row < rate.size(); row += rows) {
    free[row] += factor * (inFrame(row) - (isWhole ? 0. : rate(row)));
    const std::size_t tangents = std::min<std::size_t>(rows - 1, 2);  // before rates of rolling, in other units
    if (work.kept && !rolls(data(inFrame) + row + 1, data(rate) + row + 1, tangents)) continue;
    for (std::size_t i = row + 1; i < row + rows; ++i) free[i] += factor * (inFrame(i) - (isWhole ? 0. : rate(i)));
  }
}

// Tangents of a contact are chosen again at each configuration: velocities before and after can only be added in one
// frame, that of q*.
bool MoreauJeanOSI::takesFrameVelocity(const InteractionWork& work) const {
  const NonSmoothLaw& law = work.interaction->law();
  return velocityBefore_ == VelocityBefore::inStepFrame && law.set()->isContact() && law.hasRestitution();
}

// y linearised about the trial state at its place (a fraction α of the step), divided by hαθ so that its block is again
// G W⁻¹ Gᵀ: with λ = p_old / h, h(q, λ)/(hαθ) + G (v⁺ − v) + D (p − p_old)/(h²αθ).
void MoreauJeanOSI::computeCompliantFreeOutput(InteractionWork& work) {
  static thread_local Vector output;
  work_.computeOutput(work, end_, placeOf(work), output);
  for (double& entry : output) entry /= h_ * theta_ * fractionOf(work);
  multiply(-1., work.compliance, work_.equations.multiplier(work.number), 1., data(output));
  for (std::size_t c = work.begin; c < work.end; ++c) {
    SystemWork& system = work_.systemOf(c);
    const StepEquations::Coupling& coupling = work_.equations.couplings()[c];
    for (std::size_t i = coupling.first; i < coupling.first + coupling.columns; ++i) {
      system.vChange(i) = system.vFree(i) - system.v(i);
    }
  }
  work_.addRate(work, &SystemWork::vChange, data(output));
  assign(output, work_.equations.freeOutput(work.number));
  assign(work.interaction->output(1), work_.equations.outputBefore(work.number));
}

// Of systems of first order y = C x + e + D λ, where C x + e is the rate.
void MoreauJeanOSI::computeFlowOutputs(InteractionWork& work, double t) {
  work_.computeDrift(work, t, &SystemWork::q, work.yDot);
  work_.addRateAt(work, t, &SystemWork::q, &SystemWork::v, work.yDot);
  assign(work.yDot, work.y);
  SecondOrderWorkspace::addFeedthrough(work, t, work.y);
}

void MoreauJeanOSI::computeOutputs(InteractionWork& work, double t) {
  if (work.flow) return computeFlowOutputs(work, t);
  const bool isKnown = work.yFrom.isCurrent(attempt_);
  work.yFrom.forget();
  if (work.linear) {
    if (!isKnown) work_.computeOutput(work, t, &SystemWork::q, work.y);
    work_.computeDrift(work, t, &SystemWork::q, work.yDot);
    work_.addRate(work, &SystemWork::v, data(work.yDot));
    if (work.kept) measureReach(work, work.G);
    return;
  }
  const Matrix& G = isKnown ? work_.jacobianAt(work, t, &SystemWork::q)
                            : work_.computeOutputAndJacobian(work, t, &SystemWork::q, work.y);
  if (relationGamma_ == 0.) {
    // The step that ends here needs its blocks no more, and the next one begins with this G.
    work.holdsJacobian = false;
    SecondOrderWorkspace::take(G, work.G);
  }
  work_.computeDrift(work, t, &SystemWork::q, work.yDot);
  multiply(1., G, work_.velocities(work, &SystemWork::v), 1., work.yDot);
  if (work.kept) measureReach(work, G);
}

}  // namespace delassus
