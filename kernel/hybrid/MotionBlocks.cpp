// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cmath>
#include <delassus/kernel/hybrid/MotionBlocks.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <utility>

namespace delassus {

void MotionBlocks::bind(const NonSmoothDynamicalSystem& model, double t) {
  work_.bind(model, t, "EventDriven");
  size_ = 0;
  for (SystemWork& work : work_.systems) size_ += work.q.size() + work.v.size();
  takeParameters(t);
  loadSystems();
  biases_.clear();
  increments_.clear();
  needed_.clear();
  renewed_.clear();
  std::size_t k = 0;
  for (InteractionWork& work : work_.interactions) {
    const std::size_t m = work.interaction->size();
    biases_.emplace_back(m);
    increments_.push_back(differenceTime_);
    needed_.push_back(differenceTime_);
    renewed_.push_back(0);
    work.interaction->requireConfiguration(t, work_.configurations(work, &SystemWork::q));
    computeOutputs(k++, t);
  }
}

// Masses, and that relations are some that are taken.
void MotionBlocks::takeParameters(double t) {
  constantMasses_ = true;
  for (SystemWork& work : work_.systems) {
    constantMasses_ = constantMasses_ && work.system->hasConstantMass();
    work.system->mass(t, work.system->q(), work.mass);
    work.factor.factor(work.mass, "System '" + work.system->name() + "': mass M at t = " + toText(t));
    ++work.factorVersion;
  }
  for (InteractionWork& work : work_.interactions) {
    SecondOrderWorkspace::takeRelation(work);
    refuseCompliant(work);
    work.holdsJacobian = false;
  }
  parametersFrom_.take(changes());
}

void MotionBlocks::refresh(double t) {
  if (hasChanged()) takeParameters(t);
}

std::size_t MotionBlocks::changes() const {
  work_.nodes.takeParts();
  std::size_t sum = 0;
  for (const SystemWork& work : work_.systems) sum += work.system->parameterChanges();
  for (const InteractionWork& work : work_.interactions) sum += work.relation->parameterChanges();
  return sum;
}

void MotionBlocks::refuseCompliant(const InteractionWork& work) const {
  if (!work.compliant) return;
  throw Error("Interaction '" + work.interaction->name() + "'",
              "the event-driven simulation takes rigid contacts and joints, but " +
                  std::string(work.relation->className()) +
                  " is compliant; put its force into the internal forces of the system.");
}

void MotionBlocks::loadSystems() {
  work_.nodes.takeParts();
  for (SystemWork& work : work_.systems) {
    assign(work.system->q(), work.q);
    assign(work.system->velocity(), work.v);
  }
}

void MotionBlocks::load(const double* z) {
  for (SystemWork& work : work_.systems) {
    std::copy_n(z, work.q.size(), data(work.q));
    z += work.q.size();
    std::copy_n(z, work.v.size(), data(work.v));
    z += work.v.size();
  }
}

void MotionBlocks::store(double* z) const {
  for (const SystemWork& work : work_.systems) {
    z = std::copy(work.q.data().begin(), work.q.data().end(), z);
    z = std::copy(work.v.data().begin(), work.v.data().end(), z);
  }
}

void MotionBlocks::storeRates(double* zDot) const {
  for (SystemWork& work : work_.systems) {
    work.system->computeRate(work.q, work.v, work.qStar);
    zDot = std::copy(work.qStar.data().begin(), work.qStar.data().end(), zDot);
    zDot = std::copy(work.acceleration.data().begin(), work.acceleration.data().end(), zDot);
  }
}

// target += M⁻¹Gᵀ λ.
void MotionBlocks::spread(Vector SystemWork::*target) {
  for (SystemWork& work : work_.systems) {
    StateSum sum(work, work.*target);
    for (const std::uint32_t c : work_.equations.couplingsAt(work.number)) {
      const StepEquations::Coupling& coupling = work_.equations.couplings()[c];
      const double* const lambda = multiplier(coupling.interaction);
      if (std::any_of(lambda, lambda + coupling.rows, [](double entry) { return entry != 0.; })) {
        sum.add(coupling, lambda);
      }
    }
    sum.finish();
  }
}

void MotionBlocks::addDisplacement() {
  for (SystemWork& work : work_.systems) setZero(work.displacement);
  spread(&SystemWork::displacement);
  for (SystemWork& work : work_.systems) {
    work.system->move(work.q, work.displacement, work.qStar);
    assign(work.qStar, work.q);
  }
}

void MotionBlocks::addVelocity() {
  spread(&SystemWork::v);
}

void MotionBlocks::addAcceleration() {
  spread(&SystemWork::acceleration);
}

void MotionBlocks::computeMasses(double t) {
  if (constantMasses_) return;
  for (SystemWork& work : work_.systems) {
    if (work.system->hasConstantMass()) continue;
    work.system->mass(t, work.q, work.mass);
    work.system->requireDefiniteMass(t, work.mass);
    work.factor.factor(work.mass, work.system->name());
    ++work.factorVersion;
  }
}

void MotionBlocks::computeFreeAccelerations(double t) {
  for (SystemWork& work : work_.systems) {
    work.system->forces(t, work.q, work.v, work.forces);
    assign(work.forces, work.acceleration);
    work.factor.solve(work.acceleration);
  }
}

void MotionBlocks::computeOutput(std::size_t interaction, double t) {
  InteractionWork& work = work_.interactions[interaction];
  work_.computeOutput(work, t, &SystemWork::q, work.y);
}

void MotionBlocks::computeOutputs(std::size_t interaction, double t) {
  InteractionWork& work = work_.interactions[interaction];
  work_.computeOutput(work, t, &SystemWork::q, work.y);
  work_.computeDrift(work, t, &SystemWork::q, work.yDot);
  const bool fixed = isFixed(interaction) && work.holdsJacobian;
  if (!fixed) {
    work.holdsJacobian = false;
    work_.computeJacobian(work, t, &SystemWork::q, work.G);
    work_.solveForRight(work);
    work.holdsJacobian = true;
  }
  work_.addRate(work, &SystemWork::v, data(work.yDot));
}

void MotionBlocks::computeBias(std::size_t interaction, double t) {
  InteractionWork& work = work_.interactions[interaction];
  Vector& bias = biases_[interaction];
  setZero(bias);
  if (work.linear && !work.timeDependent) return;
  // The stack holds one member at a time.
  assign(work_.configurations(work, &SystemWork::q), configuration_);
  if (work.relation->computeBias(t, configuration_, work_.velocities(work, &SystemWork::v), bias)) {
    if (bias.size() == work.interaction->size() && allFinite(bias)) return;
    const std::string label = "Interaction '" + work.interaction->name() + "': bias at t = " + toText(t);
    requireSize(bias, work.interaction->size(), label);
    requireFinite(bias, label);
  }
  differenceBias(interaction, t, bias);
}

void MotionBlocks::renewIncrements() {
  for (std::size_t k = 0; k < renewed_.size(); ++k) renewed_[k] = work_.interactions[k].timeDependent ? 1 : 0;
}

bool MotionBlocks::adoptIncrements() {
  if (needed_ == increments_) return false;
  increments_ = needed_;
  return true;
}

// Quaternions as the integration has them: where a mode holds something, those of the systems are normalised.
void MotionBlocks::show(const double* z, MotionAudit& audit) {
  for (SystemWork& work : work_.systems) {
    std::copy_n(z, work.q.size(), data(work.qStar));
    z += work.q.size() + work.v.size();
  }
  audit.observePositions(work_);
  audit.observeNorms(work_, &SystemWork::qStar);
}

// The pull |F| in the norm of 1/diag M: free accelerations are not kept.
void MotionBlocks::showImpacts(const std::vector<Vector>& before, MotionAudit& audit) {
  for (SystemWork& work : work_.systems) {
    double square = 0.;
    for (std::size_t i = 0; i < work.forces.size(); ++i) {
      square += work.forces(i) * work.forces(i) / work.mass.diagonal(i);
    }
    work.pull = std::sqrt(square);
  }
  audit.observeImpacts(work_, before);
}

void MotionBlocks::serializeState(StateArchive& archive) {
  work_.nodes.serializeState(archive);
  archive.value("increments", increments_);
  archive.value("needed increments", needed_);
  bool changed = hasChanged();
  archive.value("changed", changed);
  if (archive.restores()) parametersFrom_.take(changes());
  if (changed) parametersFrom_.forget();
  // From blocks, active rows and their versions the impact problem determines whether its matrix is unchanged.
  work_.equations.serializeState(archive);
  for (SystemWork& work : work_.systems) {
    if (work.interface != nullptr) work.interface->serializeState(archive);
  }
  for (InteractionWork& work : work_.interactions) {
    archive.value("holdsJacobian", work.holdsJacobian);
    archive.values("G", data(work.G), work.G.data().size());
  }
}

// Configurations are smooth; functions of time alone may jump at the ends of the piece, and be fast.
void MotionBlocks::differenceBias(std::size_t interaction, double t, Vector& bias) {
  InteractionWork& work = work_.interactions[interaction];
  double scale = 0.;
  for (std::size_t row = 0; row < bias.size(); ++row) scale = std::max(scale, speedScale(interaction, row));
  terms_.resize(bias.size(), false);
  std::fill(terms_.begin(), terms_.end(), scale);
  TimeDifferences::Place place;
  place.longest = differenceTime_;
  if (work.timeDependent) {
    place.room = {std::max(0., t - pieceBegin_), std::max(0., pieceEnd_ - t)};
    place.resolution = std::numeric_limits<double>::epsilon() * std::abs(t);
  }
  const auto rate = [&](double shift, Vector& result) { computeRate(work, t, shift, result); };
  double& increment = increments_[interaction];
  if (renewed_[interaction] != 0) {
    needed_[interaction] = increment = differences_.choose(rate, place, terms_);
    renewed_[interaction] = 0;
  }
  double used = differences_.compute(rate, place, terms_, increment, bias);
  if (used == 0. && scale < speedAtRest(interaction)) {
    std::fill(terms_.begin(), terms_.end(), speedAtRest(interaction));
    used = differences_.compute(rate, place, terms_, increment, bias);
  }
  if (used > 0.) {
    needed_[interaction] = std::min(needed_[interaction], used);
    return;
  }
  throw Error("Interaction '" + work.interaction->name() + "'",
              "the bias of its output's second derivative is not found by differences in time at t = " + toText(t) +
                  ": the relation is not smooth there. Jumps and kinks belong to time events; a relation may know its "
                  "bias (setBias).");
}

// Below this a rate is only what rounding leaves of forces.
double MotionBlocks::speedAtRest(std::size_t interaction) const {
  constexpr double part = 1e-6;  // of what forces make in the time of a difference
  const InteractionWork& work = work_.interactions[interaction];
  double largest = 0.;
  for (std::size_t row = 0; row < work.G.size1(); ++row) {
    double sum = 0.;
    std::size_t column = 0;
    for (std::size_t c = work.begin; c < work.end; ++c) {
      const SystemWork& system = work_.systems[systemOf(c)];
      const StepEquations::Coupling& coupling = work_.equations.couplings()[c];
      double lever = 0., pull = 0.;
      for (std::size_t j = coupling.first; j < coupling.first + coupling.columns; ++j, ++column) {
        lever += work.G(row, column) * work.G(row, column) / system.mass.diagonal(j);
        pull += system.forces(j) * system.forces(j) / system.mass.diagonal(j);
      }
      sum += std::sqrt(lever * pull);
    }
    largest = std::max(largest, sum);
  }
  return part * differenceTime_ * largest;
}

// ẏ at t + shift and the configurations moved there, with the present velocities.
void MotionBlocks::computeRate(InteractionWork& work, double t, double shift, Vector& rate) {
  for (std::size_t c = work.begin; c < work.end; ++c) {
    SystemWork& system = work_.systems[systemOf(c)];
    for (std::size_t i = 0; i < system.v.size(); ++i) system.displacement(i) = shift * system.v(i);
    system.system->move(system.q, system.displacement, system.qStar);
  }
  work_.computeDrift(work, t + shift, &SystemWork::qStar, rate);
  work_.addRateAt(work, t + shift, &SystemWork::qStar, &SystemWork::v, rate);
}

double MotionBlocks::acceleration(std::size_t interaction, std::size_t row) const {
  const InteractionWork& work = work_.interactions[interaction];
  double sum = biases_[interaction](row);
  std::size_t column = 0;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    for (const double a : work_.partOf(c, &SystemWork::acceleration)) sum += work.G(row, column++) * a;
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
      const StepEquations::Coupling& other = work_.equations.couplings()[d];
      const auto addProduct = [&](const double* x) {
        for (std::size_t j = 0; j < left.columns; ++j) sum += left.left[row + j * left.rows] * x[j];
      };
      if (other.right != nullptr) addProduct(other.right + otherRow * left.unknowns + left.first);
      if (other.interface == nullptr) continue;
      boost::container::small_vector<double, 12> response(left.columns, 0.);
      other.addResponse(left, otherRow, response.data());
      addProduct(response.data());
    }
  }
  return sum;
}

double MotionBlocks::speedScale(std::size_t interaction, std::size_t row) const {
  const InteractionWork& work = work_.interactions[interaction];
  double sum = 0.;
  double own = work.yDot(row);
  std::size_t column = 0;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    for (const double v : work_.partOf(c, &SystemWork::v)) {
      const double part = work.G(row, column++) * v;
      sum += std::abs(part);
      own -= part;
    }
  }
  return sum + std::abs(own);
}

double MotionBlocks::accelerationScale(std::size_t interaction, std::size_t row) const {
  const InteractionWork& work = work_.interactions[interaction];
  double sum = std::abs(biases_[interaction](row));
  std::size_t column = 0;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    for (const double a : work_.partOf(c, &SystemWork::acceleration)) sum += std::abs(work.G(row, column++) * a);
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
  for (const InteractionWork& work : work_.interactions) {
    assign(work.yDot, work_.equations.freeOutput(work.number));
    double* const before = work_.equations.outputBefore(work.number);
    assign(work.yDot, before);
    if (plastic) std::fill_n(before, work.yDot.size(), 0.);
  }
}

}  // namespace delassus
