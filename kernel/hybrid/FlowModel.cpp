// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/FlowModel.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

bool hasBounds(const NonSmoothLaw& law) {
  return !law.actsOnVelocities() && law.hasIntervals();
}

}  // namespace

void FlowModel::bind(const NonSmoothDynamicalSystem& model, double t) {
  const Topology& topology = model.topology();
  begin_ = model.t0();
  end_ = modelEnd_ = model.T();
  bindSystems(topology, t);
  std::vector<std::size_t> numbers(topology.systems().size(), systems_.size());
  for (std::size_t i = 0, k = 0; i < numbers.size(); ++i) {
    if (topology.systems()[i]->firstOrder() != nullptr) numbers[i] = k++;
  }
  interactions_.clear();
  rows_.clear();
  firstRows_.clear();
  increments_.clear();
  for (std::size_t k = 0; k < topology.interactions().size(); ++k) {
    if (topology.interactions()[k]->relation().firstOrder() != nullptr) bindInteraction(topology, k, numbers);
  }
  readBounds(lower_, upper_);
  boundChanges_ = NonSmoothLaw::boundChanges();
  classify();
  assignZero(C_, rows(), states_);
  assignZero(D_, rows(), rows());
  assignZero(B_, states_, rows());
  parametersFrom_.take(changes());
}

void FlowModel::bindSystems(const Topology& topology, double t) {
  systems_.clear();
  states_ = 0;
  for (const auto& owner : topology.systems()) {
    FirstOrderDS* const system = owner->firstOrder();
    if (system == nullptr) continue;
    System& s = systems_.emplace_back();
    s.owner = owner;
    s.system = system;
    s.offset = states_;
    s.x = system->x();
    const std::size_t n = s.x.size();
    for (Vector* v : {&s.xDot, &s.r, &s.f}) assignZero(*v, n);
    for (Matrix* m : {&s.mass, &s.byX, &s.byXDot}) assignZero(*m, n, n);
    states_ += n;
  }
  assignZero(sizes_, states_);
  factorMasses(t);
}

void FlowModel::bindInteraction(const Topology& topology, std::size_t k, const std::vector<std::size_t>& numbers) {
  InteractionWork& step = interactions_.emplace_back();
  step.interaction = topology.interactions()[k];
  Interaction& interaction = *step.interaction;
  const std::string label = "Interaction '" + interaction.name() + "'";
  const NonSmoothLaw& law = interaction.law();
  if (!hasBounds(law)) {
    throw Error(label,
                "event-driven simulation of first-order systems takes laws with bounds on each multiplier, but "
                "its law is " +
                    std::string(law.className()) + ", which has " + law.multipliersInWords() + ".");
  }
  step.relation = interaction.relation().firstOrder();
  step.linear = step.relation->isLinear();
  interaction.setLevels(1);
  for (std::size_t c = topology.couplingBegin(k); c < topology.couplingEnd(k); ++c) {
    const Coupling& coupling = topology.couplings()[c];
    const std::size_t system = numbers[coupling.system];
    if (system == systems_.size()) {
      throw Error(label,
                  "it links a system that is not of first order, " + topology.systems()[coupling.system]->name() + ".");
    }
    const std::size_t count = coupling.count == SystemPart::all ? systems_[system].x.size() : coupling.count;
    step.links.push_back({system, coupling.first, count, step.states});
    step.states += count;
  }
  const std::size_t m = interaction.size();
  for (Vector* v : {&step.y, &step.freeOutput, &step.noMultiplier, &step.yLinear}) assignZero(*v, m);
  step.multiplier = interaction.lambda(0);
  assignZero(step.input, step.states);
  assignZero(step.stack, step.states);
  assignZero(step.C, m, step.states);
  assignZero(step.D, m, m);
  assignZero(step.B, step.states, m);
  assignZero(step.K, step.states, step.states);
  firstRows_.push_back(rows_.size());
  increments_.push_back(1e-3);
  for (std::size_t i = 0; i < m; ++i) rows_.push_back({interactions_.size() - 1, i});
}

void FlowModel::readBounds(Vector& lower, Vector& upper) const {
  lower.resize(rows(), false);
  upper.resize(rows(), false);
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    const Interaction& interaction = *interactions_[k].interaction;
    const std::size_t size = interaction.law().size();
    for (std::size_t row = 0; row < interaction.size(); row += size) {
      interaction.law().bounds(data(lower) + firstRows_[k] + row, data(upper) + firstRows_[k] + row);
    }
  }
}

bool FlowModel::boundsHaveChanged() const {
  if (NonSmoothLaw::boundChanges() == boundChanges_) return false;
  Vector lower, upper;
  readBounds(lower, upper);
  return !std::equal(lower.begin(), lower.end(), lower_.begin()) ||
         !std::equal(upper.begin(), upper.end(), upper_.begin());
}

void FlowModel::classify() {
  timeInvariant_ = true;
  movingOutputs_ = false;
  for (const System& s : systems_) timeInvariant_ = timeInvariant_ && s.constantMass && !s.byRate;
  for (const InteractionWork& step : interactions_) {
    timeInvariant_ = timeInvariant_ && step.linear && step.relation->isTimeInvariant();
    movingOutputs_ = movingOutputs_ || step.relation->outputDependsOnTime();
  }
}

std::size_t FlowModel::changes() const {
  std::size_t sum = 0;
  for (const System& s : systems_) sum += s.system->parameterChanges();
  for (const InteractionWork& step : interactions_) sum += step.relation->parameterChanges();
  return sum;
}

bool FlowModel::refresh(double t) {
  if (!hasChanged()) return false;
  parametersFrom_.take(changes());
  readBounds(lower_, upper_);
  boundChanges_ = NonSmoothLaw::boundChanges();
  factorMasses(t);
  classify();
  return true;
}

void FlowModel::serializeState(StateArchive& archive) {
  archive.value("increments", increments_);
  archive.value("sizes of states", sizes_);
  bool changed = hasChanged();
  archive.value("changed", changed);
  if (archive.restores()) parametersFrom_.take(changes());
  if (changed) parametersFrom_.forget();
}

std::string FlowModel::systemName(std::size_t state) const {
  std::size_t k = 0;
  while (state >= systems_[k].offset + systems_[k].x.size()) ++k;
  return systems_[k].owner->name();
}

std::string FlowModel::rowName(std::size_t row) const {
  const Row& r = rows_[row];
  return "Interaction '" + interactions_[r.interaction].interaction->name() + "', row " + std::to_string(r.row);
}

std::string FlowModel::sourceName(std::size_t row) const {
  const Row& r = rows_[row];
  const Interaction& interaction = *interactions_[r.interaction].interaction;
  return interaction.size() == 1 ? interaction.name() : interaction.name() + ", row " + std::to_string(r.row);
}

Vector FlowModel::statesOf(std::size_t row, const double* x) const {
  const InteractionWork& step = interactions_[rows_[row].interaction];
  Vector result(step.states);
  for (const auto& link : step.links) {
    std::copy_n(x + systems_[link.system].offset + link.first, link.count, data(result) + link.column);
  }
  return result;
}

void FlowModel::setPiece(double begin, double end) {
  begin_ = begin;
  end_ = std::max(begin, std::min(end, modelEnd_));
}

std::optional<HybridSystem::StatePlace> FlowModel::placeOf(const DynamicalSystem& system) const {
  for (const System& s : systems_) {
    if (s.owner.get() == &system) return HybridSystem::StatePlace{s.offset, s.offset};
  }
  return std::nullopt;
}

double FlowModel::clamped(double t) const {
  return std::clamp(t, begin_, end_);
}

void FlowModel::load(double* x, Vector& lambda) const {
  for (const System& s : systems_) std::copy_n(data(s.system->x()), s.x.size(), x + s.offset);
  lambda.resize(rows(), false);
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    const Vector& part = interactions_[k].interaction->lambda(0);
    std::copy(part.begin(), part.end(), data(lambda) + firstRows_[k]);
  }
}

void FlowModel::measure(const double* x) {
  for (std::size_t k = 0; k < states_; ++k) sizes_(k) = std::max(sizes_(k), std::abs(x[k]));
}

void FlowModel::accept(double before, double t, const Vector& x, const Vector& lambda, const Vector& y) {
  Vector xDot(states_);
  rates(t, x, lambda, xDot);  // leaves the inputs in the systems
  for (System& s : systems_) s.system->accept(before, s.x, s.r);
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    Interaction& interaction = *interactions_[k].interaction;
    const std::size_t m = interaction.size();
    std::copy_n(data(y) + firstRows_[k], m, data(interaction.output(0)));
    std::copy_n(data(lambda) + firstRows_[k], m, data(interaction.multiplier(0)));
    for (std::size_t b = 0; b < interaction.blocks(); ++b) interaction.setActive(b, true);
  }
}

}  // namespace delassus
