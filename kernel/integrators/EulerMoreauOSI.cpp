// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <string>
#include <vector>

namespace delassus {
namespace {

constexpr std::size_t stepsAfterReset = 2;  // that take their input from their end

}  // namespace

EulerMoreauOSI::EulerMoreauOSI(double theta, double weight, double place)
    : theta_(theta), weight_(weight), place_(place), stepWeight_(weight), stepTheta_(theta) {
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
  isInputKnown_ = false;
  for (const SystemWork& work : work_.systems) requireTaken(*work.system);
  for (InteractionWork& work : work_.interactions) {
    requireFit(work);
    FirstOrderWorkspace::computeOutput(work, t, work_.stacked(work, &SystemWork::x), work.multiplier, work.y);
  }
  for (InteractionWork& work : work_.interactions) {
    assign(work.y, work.interaction->output(0));
    for (std::size_t block = 0; block < work.interaction->blocks(); ++block) work.interaction->setActive(block, true);
  }
}

void EulerMoreauOSI::beginStep(const TimeStep& timeStep) {
  begin_ = timeStep.begin;
  end_ = timeStep.end;
  h_ = timeStep.size;
  relationTime_ = place_ < 1. ? begin_ + place_ * h_ : end_;
  evaluated_ = false;
  refreshModel();
  for (SystemWork& work : work_.systems) {
    if (work.isReset()) setZero(work.termsBefore);
  }
  chooseWeight();
  for (SystemWork& work : work_.systems) {
    assign(work.system->x(), work.x);
    place(work, work.x, work.xPlace);
    if (theta_ < 1. && h_ > 0. && !work.system->dependsOnRate()) {
      work.system->vectorField(begin_, work.system->x(), work.xDot, work.fBefore);
    }
    scaleInput(work);
  }
  if (work_.anyAlgebraic) {
    for (Node& node : work_.nodes) work_.filterInput(node, h_ == 0.);
  }
  std::size_t k = 0;
  for (InteractionWork& work : work_.interactions) {
    assign(work.interaction->lambda(0), work.multiplier);
    assign(work.multiplier, work_.equations.multiplier(k++));
  }
  chooseTheta();
  for (SystemWork& work : work_.systems) {
    evaluate(work);
    if (!work.system->hasConstantMass()) work.system->requireRegularMass(begin_ + theta_ * h_, work.mass);
  }
}

// r at the beginning is known from the step before, if there is one and the state has not been reset since. Otherwise
// the step takes its input from its end: one step of first order costs no order, while a wrong r might never decay. The
// next step does so too, since the state may have jumped to where the laws allow it, by an r that is not a rate.
void EulerMoreauOSI::chooseWeight() {
  for (const SystemWork& work : work_.systems) {
    if (work.isReset()) stepsToKnowInput_ = stepsAfterReset;
  }
  const double weight = stepsToKnowInput_ == 0 ? weight_ : 1.;
  if (weight == stepWeight_) return;
  stepWeight_ = weight;
  for (InteractionWork& work : work_.interactions) work.blocksFrom.forget();
}

// Updates what users may have replaced since the last step.
void EulerMoreauOSI::refreshModel() {
  work_.linear = true;
  for (SystemWork& work : work_.systems) {
    refreshCoefficients(work);
    work_.linear = work_.linear && work.linear;
  }
  for (std::size_t k = 0; k < work_.interactions.size(); ++k) {
    InteractionWork& work = work_.interactions[k];
    if (!work.linearFrom.isCurrent(work.relation->parameterChanges())) {
      requireFit(work);
      work_.setFeedthrough(k);
      work.linearFrom.take(work.relation->parameterChanges());
      work.blocksFrom.forget();
      work.linear = work.relation->isLinear();
      isInputKnown_ = false;
    }
    work_.linear = work_.linear && work.linear;
  }
}

void EulerMoreauOSI::refreshCoefficients(SystemWork& work) {
  FirstOrderDS& system = *work.system;
  if (work.massFrom.isCurrent(system.parameterChanges())) return;
  if (system.isSparse() != work.mass.isSparse()) {
    throw Error("System '" + system.name() + "'",
                "its matrices have become " + std::string(system.isSparse() ? "sparse" : "dense") +
                    " since the simulation was initialised; expected them to be stored as they were.");
  }
  requireTaken(system);
  const bool keepsFactors = hasSameMatrices(work);
  system.mass(begin_, system.x(), work.mass);
  if (!keepsFactors && !system.hasConstantMass()) system.requireRegularMass(begin_, work.mass);
  work.linear = system.isLinear();
  work.timeInvariant = system.isTimeInvariant();
  work.autonomous = system.isAutonomous();
  work.isAlgebraic = system.hasAlgebraicPart();
  work_.anyAlgebraic = work_.anyAlgebraic || work.isAlgebraic;
  if (!keepsFactors) work_.nodes[work.node].forgetFactors();
  work.massFrom.take(system.parameterChanges());
}

// Whether the parameters that have changed are in b or z alone, as where a switch sets the source of a circuit.
bool EulerMoreauOSI::hasSameMatrices(const SystemWork& work) const {
  FirstOrderDS& system = *work.system;
  if (!(work.timeInvariant && system.isTimeInvariant()) || !work_.nodes[work.node].hasFactors()) return false;
  static thread_local SquareMatrix mass, byX, byRate;
  static thread_local Vector rest;
  assignZero(rest, work.x.size());
  system.mass(begin_, system.x(), mass);
  system.vectorFieldJacobians(begin_, system.x(), rest, byX, byRate);
  return areEqual(mass, work.mass) && areEqual(byX, work.byX) && areEqual(byRate, work.byRate);
}

// Vector field and residual M (x − x_k) − hθ F − h(1 − θ) F_k − h(1 − θ) D (F − F_k) at the trial state; in the step of
// size zero M (x − x_k) − D F, times what scales the input there.
void EulerMoreauOSI::evaluate(SystemWork& work) {
  FirstOrderDS& system = *work.system;
  const Vector& before = system.x();
  if (h_ == 0. && !work.isAlgebraic) {
    setZero(work.residual);
    return;
  }
  if (system.dependsOnRate()) {
    for (std::size_t i = 0; i < before.size(); ++i) work.xDot(i) = (work.x(i) - before(i)) / h_;
    if (stepTheta_ < 1.) system.vectorField(begin_, before, work.xDot, work.fBefore);
  }
  if (h_ > 0. && work_.linear && work.autonomous && stepTheta_ < 1.) {
    assign(work.fBefore, work.f);  // a linear model starts from x = x_k
  } else if (stepTheta_ > 0. || work.isAlgebraic) {
    system.vectorField(end_, work.x, work.xDot, work.f);
  }
  if (!system.hasConstantMass()) {
    for (std::size_t i = 0; i < before.size(); ++i) work.xMass(i) = (1. - theta_) * before(i) + theta_ * work.x(i);
    system.mass(begin_ + theta_ * h_, work.xMass, work.mass);
  }
  const double after = h_ * stepTheta_;
  const double first = h_ * (1. - stepTheta_);
  for (std::size_t i = 0; i < before.size(); ++i) {
    work.residual(i) = -after * work.f(i) - first * work.fBefore(i);
  }
  if (work.isAlgebraic) addAlgebraicPart(work);
  // In its only pass a linear model starts from x = x_k.
  if (work_.linear) return;
  for (std::size_t i = 0; i < before.size(); ++i) work.xFree(i) = work.x(i) - before(i);
  multiply(1., work.mass, work.xFree, 1., work.residual);
}

void EulerMoreauOSI::computeFreeState() {
  for (InteractionWork& work : work_.interactions) linearise(work);
  computeIterationMatrices();
  // The residual becomes W (x − x_p) for the linearised equations without the new multipliers.
  for (SystemWork& work : work_.systems) {
    assign(work.residual, work.xFree);
    if (stepWeight_ < 1.) addScaled(-h_ * (1. - stepWeight_), work.system->r(), work.xFree);
  }
  subtractKnownInput();
  for (Node& node : work_.nodes) work_.solve(node, &SystemWork::xFree);
  for (SystemWork& work : work_.systems) {
    for (std::size_t i = 0; i < work.x.size(); ++i) work.xFree(i) = work.x(i) - work.xFree(i);
    place(work, work.xFree, work.xFreePlace);
  }
  for (InteractionWork& work : work_.interactions) {
    computeBlocks(work);
    computeFreeOutput(work);
  }
  writeEquations();
}

// The part of the input that does not follow the new multipliers, of relations that are not linear.
void EulerMoreauOSI::subtractKnownInput() {
  if (work_.linear) return;
  for (SystemWork& work : work_.systems) setZero(work.inputTerms);
  for (InteractionWork& work : work_.interactions) {
    if (work.linear) continue;
    multiply(-1., work.B, work.multiplier, 1., work.input);
    work_.addToSystems(work, work.input, &SystemWork::inputTerms);
  }
  for (SystemWork& work : work_.systems) {
    if (h_ > 0.) {
      addScaled(-work.inputScale, work.inputTerms, work.xFree);
    } else if (work.isAlgebraic) {
      multiply(-work.inputScale, work.system->algebraicPart(), work.inputTerms, 1., work.xFree);
    }
  }
}

void EulerMoreauOSI::computeIterationMatrices() {
  for (Node& node : work_.nodes) {
    node.factored = hasFactors(node);
    if (node.factored) continue;
    work_.makeMatrix(node, place_, [this](SystemWork& work, SquareMatrix& W) { computeMatrix(work, W); });
    factor(node);
  }
}

// M − hθ ∂F/∂x, and, since (x⁺ − x)/h stands for ẋ in both terms of F, − θ ∂F/∂ẋ − (1 − θ) ∂F_k/∂ẋ.
void EulerMoreauOSI::computeMatrix(SystemWork& work, SquareMatrix& W) {
  FirstOrderDS& system = *work.system;
  const bool rate = h_ > 0. && system.dependsOnRate();
  // byX of the beginning is not needed; that of the end overwrites it.
  if (rate && stepTheta_ < 1.) {
    system.vectorFieldJacobians(begin_, system.x(), work.xDot, work.byX, work.byRateBefore);
  }
  if ((h_ > 0. && stepTheta_ > 0.) || work.isAlgebraic) {
    system.vectorFieldJacobians(end_, work.x, work.xDot, work.byX, work.byRate);
  }
  W.setDifference(work.mass, h_ * stepTheta_, work.byX, rate ? stepTheta_ : 0., work.byRate);
  if (rate && stepTheta_ < 1.) W.setDifference(W, 1. - stepTheta_, work.byRateBefore, 0., work.byRateBefore);
  if (work.isAlgebraic) addAlgebraicPart(work, W);
}

// Whether those of W are there, or were kept.
bool EulerMoreauOSI::hasFactors(Node& node) {
  const IterationNode::Step step{h_, stepTheta_};
  if (!work_.isTimeInvariant(node)) return false;
  if (node.isFactored(step)) return true;
  if (!node.recall(step)) return false;
  work_.equations.touchBlocks();
  return true;
}

void EulerMoreauOSI::factor(Node& node) {
  if (node.tryFactor({h_, stepTheta_})) return work_.equations.touchBlocks();
  std::string names, ties;
  for (const std::size_t i : node.systems) {
    names += (names.empty() ? "'" : ", '") + work_.systems[i].system->name() + "'";
  }
  bool isAlgebraic = false;
  for (const std::size_t i : node.systems) isAlgebraic = isAlgebraic || work_.systems[i].isAlgebraic;
  for (const std::size_t k : node.ties) {
    ties += (ties.empty() ? ", K that of '" : ", '") + work_.interactions[k].interaction->name() + "'";
  }
  const char* const hint =
      isAlgebraic ? " (M is singular, and its algebraic equations must determine the states that M leaves free)" : "";
  node.factor.factor(node.W, "System " + names + ": iteration matrix W = M - h theta A - h gamma K" + ties +
                                 ", at t = " + toText(end_) + " with h = " + toText(h_) + hint);
}

void EulerMoreauOSI::updateState() {
  evaluated_ = false;
  for (SystemWork& work : work_.systems) {
    assign(work.x, work.xLast);
    assign(work.xFree, work.x);
    setZero(work.r);
  }
  std::size_t k = 0;
  for (InteractionWork& work : work_.interactions) assign(work_.equations.multiplier(k++), work.multiplier);
  for (std::size_t node = 0; node < work_.nodes.size(); ++node) work_.addMultipliers(node, &SystemWork::x);
  for (SystemWork& work : work_.systems) place(work, work.x, work.xPlace);
  if (work_.linear) return;
  // Outputs of the linearised relations, to be compared with the relations themselves.
  for (InteractionWork& work : work_.interactions) {
    if (work.linear) continue;
    assign(work.freeOutput, work.yLinear);
    if (work.relation->hasFeedthrough()) multiply(1., work.D, work.multiplier, 1., work.yLinear);
    work_.addOutputChange(work, place_, &SystemWork::xFree, &SystemWork::x, work.yLinear);
  }
}

// What the residual has evaluated is that of the state which is accepted.
void EulerMoreauOSI::prepareAccept() {
  for (SystemWork& work : work_.systems) {
    if (!evaluated_) setZero(work.r);
  }
  for (InteractionWork& work : work_.interactions) {
    if (evaluated_) break;
    FirstOrderWorkspace::computeInput(work, relationTime_, work_.stacked(work, placed()), work.multiplier);
    work_.addToSystems(work, work.input, &SystemWork::r);
  }
  for (InteractionWork& work : work_.interactions) {
    if (evaluated_ && !work.linear) continue;
    FirstOrderWorkspace::computeOutput(work, relationTime_, work_.stacked(work, placed()), work.multiplier, work.y);
  }
}

void EulerMoreauOSI::accept() {
  isInputKnown_ = true;
  for (InteractionWork& work : work_.interactions) {
    work.interaction->output(0).swap(work.y);
    assign(work.multiplier, work.interaction->multiplier(0));
  }
  for (SystemWork& work : work_.systems) {
    work.inputFrom.take(work.system->stateResets());
    if (evaluated_) work.terms.swap(work.termsBefore);
    if (h_ > 0.) {
      work.system->accept(begin_, work.x, work.r);
    } else {
      work.system->setStart(work.x, work.r);
    }
  }
  if (h_ > 0. && stepsToKnowInput_ > 0) --stepsToKnowInput_;
}

}  // namespace delassus
