// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <string>

namespace delassus {
namespace {

constexpr std::size_t stepsAfterReset = 2;  // that take their input from their end

}  // namespace

EulerMoreauOSI::EulerMoreauOSI(double theta, double weight, double place)
    : theta_(theta), weight_(weight), place_(place), stepWeight_(weight) {
  if (theta >= 0. && theta <= 1. && weight > 0. && weight <= 1. && place > 0. && place <= 1.) return;
  throw Error("EulerMoreauOSI", "theta must be in [0, 1] and gamma in (0, 1], got theta = " + toText(theta) +
                                    " and gamma = " + toText(place == 1. ? weight : place) + ".");
}

EulerMoreauOSI::EulerMoreauOSI(double theta) : EulerMoreauOSI(theta, 1., 1.) {
}

EulerMoreauOSI::EulerMoreauOSI(double theta, double gamma) : EulerMoreauOSI(theta, gamma, 1.) {
}

EulerMoreauOSI EulerMoreauOSI::fullThetaGamma(double theta, double gamma) {
  return {theta, 1., gamma};
}

void EulerMoreauOSI::bind(const NonSmoothDynamicalSystem& model, double t) {
  work_.bind(model, t, name());
  stepsToKnowInput_ = stepsAfterReset;
  for (InteractionStep& step : work_.interactions) {
    requireFit(step);
    FirstOrderWorkspace::computeOutput(step, t, work_.stacked(step, &SystemStep::x), step.multiplier, step.y);
  }
  for (InteractionStep& step : work_.interactions) {
    assign(step.y, step.interaction->output(0));
    for (std::size_t block = 0; block < step.interaction->blocks(); ++block) step.interaction->setActive(block, true);
  }
}

void EulerMoreauOSI::beginStep(const TimeStep& timeStep) {
  begin_ = timeStep.begin;
  end_ = timeStep.end;
  step_ = timeStep.size;
  relationTime_ = place_ < 1. ? begin_ + place_ * step_ : end_;
  evaluated_ = false;
  refreshModel();
  chooseWeight();
  for (SystemStep& step : work_.systems) {
    assign(step.system->x(), step.x);
    place(step, step.x, step.xPlace);
    if (theta_ < 1. && step_ > 0. && !step.system->dependsOnRate()) {
      step.system->vectorField(begin_, step.system->x(), step.xDot, step.fBefore);
    }
    evaluate(step);
    if (!step.system->hasConstantMass()) step.system->requireRegularMass(begin_ + theta_ * step_, step.mass);
  }
  std::size_t k = 0;
  for (InteractionStep& step : work_.interactions) {
    assign(step.interaction->lambda(0), step.multiplier);
    assign(step.multiplier, work_.equations.multiplier(k++));
  }
}

// r at the beginning is known from the step before, if there is one and the state has not been reset since. Otherwise
// the step takes its input from its end: one step of first order costs no order, while a wrong r might never decay. The
// next step does so too, since the state may have jumped to where the laws allow it, by an r that is not a rate.
void EulerMoreauOSI::chooseWeight() {
  for (const SystemStep& step : work_.systems) {
    if (step.stateResets != step.system->stateResets()) stepsToKnowInput_ = stepsAfterReset;
  }
  const double weight = stepsToKnowInput_ == 0 ? weight_ : 1.;
  if (weight == stepWeight_) return;
  stepWeight_ = weight;
  for (InteractionStep& step : work_.interactions) step.blocksFactors = FirstOrderWorkspace::never;
}

// Updates what users may have replaced since the last step.
void EulerMoreauOSI::refreshModel() {
  work_.linear = true;
  for (SystemStep& step : work_.systems) {
    refreshCoefficients(step);
    work_.linear = work_.linear && step.linear;
  }
  for (std::size_t k = 0; k < work_.interactions.size(); ++k) {
    InteractionStep& step = work_.interactions[k];
    if (step.parameterChanges != step.relation->parameterChanges()) {
      requireFit(step);
      work_.setFeedthrough(k);
      step.parameterChanges = step.relation->parameterChanges();
      step.blocksFactors = FirstOrderWorkspace::never;
      step.linear = step.relation->isLinear();
    }
    work_.linear = work_.linear && step.linear;
  }
}

void EulerMoreauOSI::refreshCoefficients(SystemStep& step) {
  FirstOrderDS& system = *step.system;
  if (step.parameterChanges == system.parameterChanges()) return;
  system.mass(begin_, system.x(), step.mass);
  system.requireRegularMass(begin_, step.mass);
  step.linear = system.isLinear();
  step.timeInvariant = system.isTimeInvariant();
  step.autonomous = system.isAutonomous();
  work_.nodes[step.node].factoredStep = -1.;
  step.parameterChanges = system.parameterChanges();
}

// Where a relation sees the state x of the end of the step.
void EulerMoreauOSI::place(const SystemStep& step, const Vector& x, Vector& placed) const {
  if (place_ == 1.) return;
  const Vector& before = step.system->x();
  for (std::size_t i = 0; i < x.size(); ++i) placed(i) = (1. - place_) * before(i) + place_ * x(i);
}

// Vector field and residual M (x − x_k) − hθ F − h(1 − θ) F_k at the trial state.
void EulerMoreauOSI::evaluate(SystemStep& step) {
  FirstOrderDS& system = *step.system;
  const Vector& before = system.x();
  if (step_ == 0.) {
    setZero(step.residual);
    return;
  }
  if (system.dependsOnRate()) {
    for (std::size_t i = 0; i < before.size(); ++i) step.xDot(i) = (step.x(i) - before(i)) / step_;
    if (theta_ < 1.) system.vectorField(begin_, before, step.xDot, step.fBefore);
  }
  if (work_.linear && step.autonomous && theta_ < 1.) {
    assign(step.fBefore, step.f);  // a linear model starts from x = x_k
  } else if (theta_ > 0.) {
    system.vectorField(end_, step.x, step.xDot, step.f);
  }
  if (!system.hasConstantMass()) {
    for (std::size_t i = 0; i < before.size(); ++i) step.xMass(i) = (1. - theta_) * before(i) + theta_ * step.x(i);
    system.mass(begin_ + theta_ * step_, step.xMass, step.mass);
  }
  const double after = step_ * theta_;
  const double first = step_ * (1. - theta_);
  for (std::size_t i = 0; i < before.size(); ++i) {
    step.residual(i) = -after * step.f(i) - first * step.fBefore(i);
  }
  // In its only pass a linear model starts from x = x_k.
  if (work_.linear) return;
  for (std::size_t i = 0; i < before.size(); ++i) step.xFree(i) = step.x(i) - before(i);
  multiply(1., step.mass, step.xFree, 1., step.residual);
}

void EulerMoreauOSI::computeFreeState() {
  for (InteractionStep& step : work_.interactions) linearise(step);
  computeIterationMatrices();
  // The residual becomes W (x − x_p) for the linearised equations without the new multipliers.
  for (SystemStep& step : work_.systems) {
    assign(step.residual, step.xFree);
    if (stepWeight_ < 1.) addScaled(-step_ * (1. - stepWeight_), step.system->r(), step.xFree);
  }
  for (InteractionStep& step : work_.interactions) {
    if (step.linear) continue;
    multiply(-1., step.B, step.multiplier, 1., step.input);
    work_.addToSystems(step, -step_ * stepWeight_, step.input, &SystemStep::xFree);
  }
  for (Node& node : work_.nodes) work_.solve(node, &SystemStep::xFree);
  for (SystemStep& step : work_.systems) {
    for (std::size_t i = 0; i < step.x.size(); ++i) step.xFree(i) = step.x(i) - step.xFree(i);
    place(step, step.xFree, step.xFreePlace);
  }
  for (InteractionStep& step : work_.interactions) {
    computeBlocks(step);
    computeFreeOutput(step);
  }
  writeEquations();
}

void EulerMoreauOSI::computeIterationMatrices() {
  for (Node& node : work_.nodes) {
    node.factored = work_.isTimeInvariant(node) && node.factoredStep == step_;
    if (node.factored) continue;
    setZero(node.W);
    for (const std::size_t i : node.systems) addSystemMatrix(work_.systems[i], node.W);
  }
  for (const InteractionStep& step : work_.interactions) {
    if (step.relation->inputDependsOnState()) work_.subtractInputJacobian(step, step_ * stepWeight_ * place_);
  }
  for (Node& node : work_.nodes) {
    if (!node.factored) factor(node);
  }
}

// M − hθ ∂F/∂x, and, since (x⁺ − x)/h stands for ẋ in both terms of F, − θ ∂F/∂ẋ − (1 − θ) ∂F_k/∂ẋ.
void EulerMoreauOSI::addSystemMatrix(SystemStep& step, Matrix& W) {
  FirstOrderDS& system = *step.system;
  const std::size_t n = step.x.size();
  const bool rate = step_ > 0. && system.dependsOnRate();
  // byX of the beginning is not needed; that of the end overwrites it.
  if (rate && theta_ < 1.) {
    system.vectorFieldJacobians(begin_, system.x(), step.xDot, step.byX, step.byRateBefore);
  }
  if (step_ > 0. && theta_ > 0.) system.vectorFieldJacobians(end_, step.x, step.xDot, step.byX, step.byRate);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      double entry = step.mass(i, j) - step_ * theta_ * step.byX(i, j);
      if (rate) entry -= theta_ * step.byRate(i, j) + (1. - theta_) * step.byRateBefore(i, j);
      W(step.offset + i, step.offset + j) += entry;
    }
  }
}

void EulerMoreauOSI::factor(Node& node) {
  node.factoredStep = -1.;
  if (node.factor.tryFactor(node.W)) {
    node.factoredStep = step_;
    ++node.factorVersion;
    work_.equations.touchBlocks();
    return;
  }
  std::string names, ties;
  for (const std::size_t i : node.systems) {
    names += (names.empty() ? "'" : ", '") + work_.systems[i].system->name() + "'";
  }
  for (const InteractionStep& step : work_.interactions) {
    if (!step.relation->inputDependsOnState() || &work_.nodeOf(step) != &node) continue;
    ties += (ties.empty() ? ", K that of '" : ", '") + step.interaction->name() + "'";
  }
  node.factor.factor(node.W, "System " + names + ": iteration matrix W = M - h theta A - h gamma K" + ties +
                                 ", at t = " + toText(end_) + " with h = " + toText(step_));
}

void EulerMoreauOSI::updateState() {
  evaluated_ = false;
  for (SystemStep& step : work_.systems) {
    assign(step.xFree, step.x);
    setZero(step.r);
  }
  std::size_t k = 0;
  for (InteractionStep& step : work_.interactions) {
    assign(work_.equations.multiplier(k++), step.multiplier);
    for (std::size_t c = step.couplingBegin; c < step.couplingEnd; ++c) {
      Node& node = work_.nodes[work_.equations.couplings()[c].node];
      work_.addToNode(node, work_.blocks[c].right, step.multiplier, &SystemStep::x);
    }
  }
  for (SystemStep& step : work_.systems) place(step, step.x, step.xPlace);
  if (work_.linear) return;
  // Outputs of the linearised relations, to be compared with the relations themselves.
  for (InteractionStep& step : work_.interactions) {
    if (step.linear) continue;
    assign(step.freeOutput, step.yLinear);
    if (step.relation->hasFeedthrough()) multiply(1., step.D, step.multiplier, 1., step.yLinear);
    work_.addOutputChange(step, place_, &SystemStep::xFree, &SystemStep::x, step.yLinear);
  }
}

StepResidual EulerMoreauOSI::residual() {
  StepResidual worst;
  for (SystemStep& step : work_.systems) {
    // Taking maxima would get lost in the maxima.
    if (!allFinite(step.x)) return {std::numeric_limits<double>::infinity(), 0., step.system->name()};
    evaluate(step);
    setZero(step.r);
    setZero(step.inputTerms);
  }
  for (InteractionStep& step : work_.interactions) {
    const Vector& x = work_.stacked(step, placed());
    FirstOrderWorkspace::computeInput(step, relationTime_, x, step.multiplier);
    work_.addToSystems(step, 1., step.input, &SystemStep::r);
    work_.addInputTerms(step);
    if (!step.linear) worst.include(residualOf(step), 0., step.interaction->name());
  }
  for (const SystemStep& step : work_.systems) worst.include(residualOf(step), 0., step.system->name());
  evaluated_ = true;
  return worst;
}

// Row by row, since rows may have different units; an error counts relative to the largest term of its row, beyond what
// rounding does to the sums in it.
double EulerMoreauOSI::residualOf(const SystemStep& step) const {
  const Vector& before = step.system->x();
  const Vector& inputBefore = step.system->r();
  double worst = 0.;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double input = step_ * (stepWeight_ * step.r(i) + (1. - stepWeight_) * inputBefore(i));
    const double scale = std::max(
        {std::abs(step.residual(i)), std::abs(input), step_ * std::abs(step.f(i)), step_ * std::abs(step.fBefore(i))});
    double terms = step_ * step.inputTerms(i);
    for (std::size_t j = 0; j < before.size(); ++j) {
      terms +=
          (std::abs(step.mass(i, j)) + step_ * std::abs(step.byX(i, j))) * (std::abs(step.x(j)) + std::abs(before(j)));
    }
    const double left = std::abs(step.residual(i) - input) - residualRounding * terms;
    if (left > 0.) worst = std::max(worst, left / scale);
  }
  return worst;
}

// What the residual has evaluated is that of the state which is accepted.
void EulerMoreauOSI::prepareAccept() {
  for (SystemStep& step : work_.systems) {
    if (!evaluated_) setZero(step.r);
  }
  for (InteractionStep& step : work_.interactions) {
    const Vector& x = work_.stacked(step, placed());
    if (!evaluated_ || step.linear) {
      FirstOrderWorkspace::computeOutput(step, relationTime_, x, step.multiplier, step.y);
    }
    if (evaluated_) continue;
    FirstOrderWorkspace::computeInput(step, relationTime_, x, step.multiplier);
    work_.addToSystems(step, 1., step.input, &SystemStep::r);
  }
}

void EulerMoreauOSI::accept() {
  for (InteractionStep& step : work_.interactions) {
    step.interaction->output(0).swap(step.y);
    assign(step.multiplier, step.interaction->multiplier(0));
  }
  for (SystemStep& step : work_.systems) {
    step.stateResets = step.system->stateResets();
    if (step_ > 0.) {
      step.system->accept(begin_, step.x, step.r);
    } else {
      step.system->setInput(step.r);
    }
  }
  if (step_ > 0. && stepsToKnowInput_ > 0) --stepsToKnowInput_;
}

}  // namespace delassus
