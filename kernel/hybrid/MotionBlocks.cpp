// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/hybrid/MotionBlocks.hpp>
#include <delassus/kernel/hybrid/PieceDifferences.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <utility>

namespace delassus {

void MotionBlocks::bind(const NonSmoothDynamicalSystem& model, double t) {
  work_.bind(model, t, "EventDriven");
  size_ = 0;
  for (SystemWork& step : work_.systems) size_ += step.q.size() + step.v.size();
  takeParameters(t);
  loadSystems();
  biases_.clear();
  increments_.clear();
  needed_.clear();
  std::size_t k = 0;
  for (InteractionWork& step : work_.interactions) {
    const std::size_t m = step.interaction->size();
    biases_.emplace_back(m);
    increments_.push_back(differenceTime_);
    needed_.push_back(differenceTime_);
    step.interaction->requireConfiguration(t, work_.stacked(step, &SystemWork::q));
    computeOutputs(k++, t);
  }
}

// Masses, and that relations are some that are taken.
void MotionBlocks::takeParameters(double t) {
  constantMasses_ = true;
  for (SystemWork& step : work_.systems) {
    constantMasses_ = constantMasses_ && step.system->hasConstantMass();
    step.system->mass(t, step.system->q(), step.mass);
    step.factor.factor(step.mass, "System '" + step.system->name() + "': mass M at t = " + toText(t));
  }
  for (InteractionWork& step : work_.interactions) {
    SecondOrderWorkspace::takeRelation(step);
    refuseCompliant(step);
    step.holdsJacobian = false;
  }
  changes_ = changes();
}

void MotionBlocks::refresh(double t) {
  if (hasChanged()) takeParameters(t);
}

std::size_t MotionBlocks::changes() const {
  std::size_t sum = 0;
  for (const SystemWork& step : work_.systems) sum += step.system->parameterChanges();
  for (const InteractionWork& step : work_.interactions) sum += step.relation->parameterChanges();
  return sum;
}

void MotionBlocks::refuseCompliant(const InteractionWork& step) const {
  if (!step.compliant) return;
  throw Error("Interaction '" + step.interaction->name() + "'",
              "the event-driven simulation takes rigid contacts and joints, but " +
                  std::string(step.relation->className()) +
                  " is compliant; put its force into the internal forces of the system.");
}

void MotionBlocks::loadSystems() {
  for (SystemWork& step : work_.systems) {
    assign(step.system->q(), step.q);
    assign(step.system->velocity(), step.v);
  }
}

void MotionBlocks::load(const double* z) {
  for (SystemWork& step : work_.systems) {
    std::copy_n(z, step.q.size(), data(step.q));
    z += step.q.size();
    std::copy_n(z, step.v.size(), data(step.v));
    z += step.v.size();
  }
}

void MotionBlocks::store(double* z) const {
  for (const SystemWork& step : work_.systems) {
    z = std::copy(step.q.data().begin(), step.q.data().end(), z);
    z = std::copy(step.v.data().begin(), step.v.data().end(), z);
  }
}

void MotionBlocks::storeRates(double* zDot) const {
  for (SystemWork& step : work_.systems) {
    if (step.q.size() == step.v.size()) {
      zDot = std::copy(step.v.data().begin(), step.v.data().end(), zDot);
    } else {
      // W has no other use here.
      step.system->rates(step.q, step.W);
      multiply(1., step.W, data(step.v), 0., zDot);
      zDot += step.q.size();
    }
    zDot = std::copy(step.vChange.data().begin(), step.vChange.data().end(), zDot);
  }
}

// target += M⁻¹Gᵀ λ.
void MotionBlocks::spread(Vector SystemWork::*target) {
  for (const InteractionWork& step : work_.interactions) {
    const double* const lambda = multiplier(step.number);
    if (std::all_of(lambda, lambda + step.y.size(), [](double entry) { return entry == 0.; })) continue;
    for (std::size_t c = step.begin; c < step.end; ++c) {
      work_.equations.couplings()[c].addState(lambda, data(work_.systemOf(c).*target));
    }
  }
}

void MotionBlocks::addDisplacement() {
  for (SystemWork& step : work_.systems) setZero(step.displacement);
  spread(&SystemWork::displacement);
  for (SystemWork& step : work_.systems) {
    step.system->move(step.q, step.displacement, step.qStar);
    assign(step.qStar, step.q);
  }
}

void MotionBlocks::addVelocity() {
  spread(&SystemWork::v);
}

void MotionBlocks::addAcceleration() {
  spread(&SystemWork::vChange);
}

void MotionBlocks::computeMasses(double t) {
  if (constantMasses_) return;
  for (SystemWork& step : work_.systems) {
    if (step.system->hasConstantMass()) continue;
    step.system->mass(t, step.q, step.mass);
    step.system->requireDefiniteMass(t, step.mass);
    step.factor.factor(step.mass, step.system->name());
  }
}

void MotionBlocks::computeFreeAccelerations(double t) {
  for (SystemWork& step : work_.systems) {
    step.system->forces(t, step.q, step.v, step.forces);
    assign(step.forces, step.vChange);
    step.factor.solve(step.vChange);
  }
}

void MotionBlocks::computeOutput(std::size_t interaction, double t) {
  InteractionWork& step = work_.interactions[interaction];
  work_.computeOutput(step, t, &SystemWork::q, step.y);
}

void MotionBlocks::computeOutputs(std::size_t interaction, double t) {
  InteractionWork& step = work_.interactions[interaction];
  work_.computeOutput(step, t, &SystemWork::q, step.y);
  work_.computeDrift(step, t, &SystemWork::q, step.yDot);
  const bool fixed = isFixed(interaction) && step.holdsJacobian;
  if (!fixed) {
    step.holdsJacobian = false;
    work_.computeJacobian(step, t, &SystemWork::q, step.G);
    work_.solveForRight(step);
    step.holdsJacobian = true;
  }
  work_.addRate(step, &SystemWork::v, data(step.yDot));
}

void MotionBlocks::computeBias(std::size_t interaction, double t) {
  InteractionWork& step = work_.interactions[interaction];
  Vector& bias = biases_[interaction];
  setZero(bias);
  if (step.linear && !step.timeDependent) return;
  // The stack holds one member at a time.
  assign(work_.stacked(step, &SystemWork::q), configuration_);
  if (step.relation->computeBias(t, configuration_, work_.stacked(step, &SystemWork::v), bias)) {
    if (bias.size() == step.interaction->size() && allFinite(bias)) return;
    const std::string label = "Interaction '" + step.interaction->name() + "': bias at t = " + toText(t);
    requireSize(bias, step.interaction->size(), label);
    requireFinite(bias, label);
  }
  double scale = 0.;
  for (std::size_t row = 0; row < bias.size(); ++row) scale = std::max(scale, speedScale(interaction, row));
  double increment = increments_[interaction];
  while (!differenceBias(step, t, bias, increment, scale)) increment *= 0.25;
  needed_[interaction] = std::min(needed_[interaction], increment);
}

bool MotionBlocks::adoptIncrements() {
  if (needed_ == increments_) return false;
  increments_ = needed_;
  return true;
}

void MotionBlocks::serializeState(StateArchive& archive) {
  archive.value("increments", increments_);
  archive.value("needed increments", needed_);
  bool changed = hasChanged();
  archive.value("changed", changed);
  if (archive.restores()) changes_ = changes() - (changed ? 1 : 0);
  // From blocks, active rows and their versions the impact problem determines whether its matrix is unchanged.
  work_.equations.serializeState(archive);
  for (InteractionWork& step : work_.interactions) {
    archive.value("holdsJacobian", step.holdsJacobian);
    archive.values("G", data(step.G), step.G.data().size());
    archive.values("right", step.right.data(), step.right.size());
  }
}

// The bias by differences of order 6 with this `increment`; returns false if differences of order 4 on the same values
// show that it is too long. `scale` is the magnitude that measures the rounding of a rate.
bool MotionBlocks::differenceBias(InteractionWork& step, double t, Vector& bias, double increment, double scale) {
  constexpr double good = 1e-9;
  constexpr double rounding = 1e-14;
  constexpr std::array<double, PieceDifferences::nodes> lower = {0., 1. / 12., -2. / 3., 0., 2. / 3., -1. / 12., 0.};
  // Functions of time alone may jump at the ends of the piece; configurations are continuous.
  constexpr double far = std::numeric_limits<double>::max() / 4.;
  const bool timed = step.timeDependent;
  const PieceDifferences differences(t, increment, timed ? pieceBegin_ : -far, timed ? pieceEnd_ : far);
  setZero(bias);
  assignZero(lowerBias_, bias.size());
  for (std::size_t j = 0; j < PieceDifferences::nodes; ++j) {
    if (differences.weight(j) == 0.) continue;
    computeRate(step, t, differences.offset(j), rate_);
    addScaled(differences.weight(j), rate_, bias);
    addScaled(lower[j] / increment, rate_, lowerBias_);
  }
  if (!differences.isCentral()) return true;
  addScaled(-1., bias, lowerBias_);
  return normInf(lowerBias_) <= std::max(good * normInf(bias), rounding * scale / increment);
}

// ẏ at t + shift and the configurations moved there, with the present velocities.
void MotionBlocks::computeRate(InteractionWork& step, double t, double shift, Vector& rate) {
  for (std::size_t c = step.begin; c < step.end; ++c) {
    SystemWork& system = work_.systems[systemOf(c)];
    for (std::size_t i = 0; i < system.v.size(); ++i) system.displacement(i) = shift * system.v(i);
    system.system->move(system.q, system.displacement, system.qStar);
  }
  work_.computeDrift(step, t + shift, &SystemWork::qStar, rate);
  work_.addRateAt(step, t + shift, &SystemWork::qStar, &SystemWork::v, rate);
}

double MotionBlocks::acceleration(std::size_t interaction, std::size_t row) const {
  const InteractionWork& step = work_.interactions[interaction];
  double sum = biases_[interaction](row);
  std::size_t column = 0;
  for (std::size_t c = step.begin; c < step.end; ++c) {
    for (const double a : work_.systemOf(c).vChange) sum += step.G(row, column++) * a;
  }
  return sum;
}

double MotionBlocks::delassus(std::size_t interaction, std::size_t row, std::size_t otherInteraction,
                              std::size_t otherRow) const {
  const InteractionWork& one = work_.interactions[interaction];
  const InteractionWork& two = work_.interactions[otherInteraction];
  double sum = 0.;
  for (std::size_t c = one.begin; c < one.end; ++c) {
    for (std::size_t d = two.begin; d < two.end; ++d) {
      if (systemOf(c) != systemOf(d)) continue;
      const StepEquations::Coupling& left = work_.equations.couplings()[c];
      const double* const right = work_.equations.couplings()[d].right + otherRow * left.columns;
      for (std::size_t j = 0; j < left.columns; ++j) sum += left.left[row + j * left.rows] * right[j];
    }
  }
  return sum;
}

double MotionBlocks::speedScale(std::size_t interaction, std::size_t row) const {
  const InteractionWork& step = work_.interactions[interaction];
  double sum = 0.;
  double own = step.yDot(row);
  std::size_t column = 0;
  for (std::size_t c = step.begin; c < step.end; ++c) {
    for (const double v : work_.systemOf(c).v) {
      const double part = step.G(row, column++) * v;
      sum += std::abs(part);
      own -= part;
    }
  }
  return sum + std::abs(own);
}

double MotionBlocks::accelerationScale(std::size_t interaction, std::size_t row) const {
  const InteractionWork& step = work_.interactions[interaction];
  double sum = std::abs(biases_[interaction](row));
  std::size_t column = 0;
  for (std::size_t c = step.begin; c < step.end; ++c) {
    for (const double a : work_.systemOf(c).vChange) sum += std::abs(step.G(row, column++) * a);
  }
  return sum;
}

double MotionBlocks::loadScale(std::size_t interaction, std::size_t row) const {
  double sum = 0.;
  double rest = acceleration(interaction, row);
  for (std::size_t other = 0; other < work_.interactions.size(); ++other) {
    for (std::size_t i = 0; i < work_.interactions[other].yDot.size(); ++i) {
      const double force = multiplier(other)[i];
      if (force == 0.) continue;
      const double part = delassus(interaction, row, other, i) * force;
      sum += std::abs(part);
      rest -= part;
    }
  }
  return sum + std::abs(rest);
}

void MotionBlocks::clearMultipliers() {
  std::vector<double>& all = work_.equations.multipliers();
  std::fill(all.begin(), all.end(), 0.);
}

double MotionBlocks::largestMultiplier() const {
  double largest = 0.;
  for (const double entry : work_.equations.multipliers()) largest = std::max(largest, std::abs(entry));
  return largest;
}

void MotionBlocks::beginImpact(bool plastic) {
  for (const InteractionWork& step : work_.interactions) {
    assign(step.yDot, work_.equations.freeOutput(step.number));
    double* const before = work_.equations.outputBefore(step.number);
    assign(step.yDot, before);
    if (plastic) std::fill_n(before, step.yDot.size(), 0.);
  }
}

}  // namespace delassus
