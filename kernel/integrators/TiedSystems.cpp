// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/TiedSystems.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {
namespace {

using Systems = std::vector<std::shared_ptr<DynamicalSystem>>;

Vector stackedCoordinates(const Systems& systems) {
  Vector all;
  for (const auto& system : systems) append(SystemPart(system).q(), all);
  return all;
}

Vector stackedVelocities(const Systems& systems) {
  Vector all;
  for (const auto& system : systems) append(SystemPart(system).velocity(), all);
  return all;
}

}  // namespace

TiedSystems::TiedSystems(Systems systems, std::vector<std::shared_ptr<ForceElement>> elements, double t)
    : SecondOrderDS(stackedCoordinates(systems), stackedVelocities(systems), "TiedSystems"), time_(t) {
  const std::size_t others = systems.size() - 1;
  const std::string tied = std::to_string(others) + (others == 1 ? " system" : " systems") + " tied to it";
  setName(systems.front()->name() + (others > 0 ? " and " + tied : ""));
  std::size_t firstQ = 0, firstV = 0;
  for (std::shared_ptr<DynamicalSystem>& owner : systems) {
    Part part;
    part.owner = std::move(owner);
    part.firstQ = firstQ;
    part.firstV = firstV;
    part.system = part.owner->secondOrder();
    if (part.system == nullptr) {
      part.flow = std::make_shared<FlowAsMotion>(*part.owner->firstOrder());
      part.system = part.flow.get();
    }
    part.q = part.moved = part.system->q();
    part.v = part.displacement = part.force = part.p = part.system->velocity();
    const std::size_t n = part.v.size();
    for (std::size_t i = 0; i < n; ++i) part.unknowns.push_back(firstV + i);
    for (std::size_t k = 0; k < part.system->configurationConstraints(); ++k) {
      constraints_.push_back({parts_.size(), k});
    }
    firstQ += part.q.size();
    firstV += n;
    parts_.push_back(std::move(part));
  }
  for (std::shared_ptr<ForceElement>& force : elements) addElement(std::move(force));
  makePattern();
  patternFrom_.take(changes());
  elementsFrom_.take(changesOfElements());
  takeStates();
}

void TiedSystems::addElement(std::shared_ptr<ForceElement> force) {
  Element element;
  for (const SystemPart& seen : force->parts()) {
    const auto part =
        std::find_if(parts_.begin(), parts_.end(), [&](const Part& each) { return each.owner == seen.system(); });
    const std::size_t firstV = part->firstV + seen.first();
    element.seen.push_back({part->firstQ + seen.first(), seen.q().size(), firstV, seen.velocity().size()});
    for (std::size_t i = 0; i < seen.velocity().size(); ++i) element.unknowns.push_back(firstV + i);
  }
  element.q = Vector(force->coordinates());
  element.v = element.p = Vector(force->velocities());
  element.force = std::move(force);
  elements_.push_back(std::move(element));
}

std::size_t TiedSystems::changes() const {
  std::size_t sum = 0;
  for (const Part& part : parts_) sum += part.system->parameterChanges();
  return sum + changesOfElements();
}

std::size_t TiedSystems::changesOfElements() const {
  std::size_t sum = 0;
  for (const Element& element : elements_) sum += element.force->relation().parameterChanges();
  return sum;
}

void TiedSystems::takeParts() {
  for (const Part& part : parts_) {
    if (part.flow) part.flow->takeState();
  }
  if (std::any_of(parts_.begin(), parts_.end(), [this](const Part& part) { return isOther(part); })) takeStates();
  patternFrom_.renew(changes(), [this] {
    if (hasSparseParts_) makePattern();  // whose parameters may have given them other entries
    // A relation or law with other parameters may have other matrices, though they are constant.
    elementsFrom_.renew(changesOfElements(), [this] { takeStates(); });
    parametersChanged();
  });
}

// Whether a part was reset, or restored.
bool TiedSystems::isOther(const Part& part) const {
  const Vector& partQ = part.system->q();
  const Vector& partV = part.system->velocity();
  return !part.stateFrom.isCurrent(part.system->stateResets()) ||
         !std::equal(partQ.begin(), partQ.end(), data(q()) + part.firstQ) ||
         !std::equal(partV.begin(), partV.end(), data(velocity()) + part.firstV);
}

void TiedSystems::takeStates() {
  Vector q(this->q().size()), v(dimension());
  for (Part& part : parts_) {
    part.stateFrom.take(part.system->stateResets());
    std::copy(part.system->q().begin(), part.system->q().end(), data(q) + part.firstQ);
    std::copy(part.system->velocity().begin(), part.system->velocity().end(), data(v) + part.firstV);
  }
  setState(q, v);
}

void TiedSystems::serializeState(StateArchive& archive) {
  SecondOrderDS::serializeState(archive);
  for (Part& part : parts_) {
    part.stateFrom.serializeState(archive, "stateFrom");
    if (part.flow) part.flow->serializeState(archive);
  }
  patternFrom_.serializeState(archive, "patternFrom");
  elementsFrom_.serializeState(archive, "elementsFrom");
  if (!hasSparseParts_) return;
  // Sums over one pattern and over another differ by rounding.
  SquareMatrix pattern(pattern_);
  pattern.serializeState(archive);
  pattern_ = pattern.sparse();
  placeBlocks();
}

const Vector& TiedSystems::coordinatesOf(const Part& part, const Vector& q) const {
  std::copy_n(data(q) + part.firstQ, part.q.size(), data(part.q));
  return part.q;
}

const Vector& TiedSystems::velocitiesOf(const Part& part, const Vector& v) const {
  std::copy_n(data(v) + part.firstV, part.v.size(), data(part.v));
  return part.v;
}

void TiedSystems::load(Element& element, const Vector& q, const Vector& v) const {
  double* toQ = data(element.q);
  double* toV = data(element.v);
  for (const Seen& seen : element.seen) {
    toQ = std::copy_n(data(q) + seen.firstQ, seen.coordinates, toQ);
    toV = std::copy_n(data(v) + seen.firstV, seen.velocities, toV);
  }
}

void TiedSystems::computeForces(double t, const Vector& q, const Vector& v, Vector& force) {
  time_ = t;
  for (Part& part : parts_) {
    part.system->forces(t, coordinatesOf(part, q), velocitiesOf(part, v), part.force);
    std::copy(part.force.begin(), part.force.end(), data(force) + part.firstV);
  }
  for (Element& element : elements_) {
    load(element, q, v);
    element.force->computeInput(t, element.q, element.v, element.p);
    for (std::size_t i = 0; i < element.p.size(); ++i) force(element.unknowns[i]) += element.p(i);
  }
}

bool TiedSystems::hasGyroscopicForces() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.system->hasGyroscopicForces(); });
}

// Lets each part with gyroscopic forces add its own, of its velocities alone, to the force of the node.
template <class Add>
void TiedSystems::addGyroscopic(const Vector& v, Vector& force, const Add& add) const {
  for (const Part& part : parts_) {
    if (!part.system->hasGyroscopicForces()) continue;
    assignZero(part.force, part.system->dimension());
    add(*part.system, velocitiesOf(part, v), part.force);
    for (std::size_t i = 0; i < part.force.size(); ++i) force(part.firstV + i) += part.force(i);
  }
}

void TiedSystems::addGyroscopicForces(double factor, const Vector& v, Vector& force) const {
  addGyroscopic(v, force, [factor](const SecondOrderDS& system, const Vector& own, Vector& ofPart) {
    system.addGyroscopicForces(factor, own, ofPart);
  });
}

void TiedSystems::addMeanGyroscopicForces(double h, double factor, const Vector& v, Vector& force) const {
  addGyroscopic(v, force, [h, factor](const SecondOrderDS& system, const Vector& own, Vector& ofPart) {
    system.addMeanGyroscopicForces(h, factor, own, ofPart);
  });
}

double TiedSystems::gyroscopicRate(const Vector& v) const {
  double rate = 0.;
  for (const Part& part : parts_) {
    if (part.system->hasGyroscopicForces()) rate = std::max(rate, part.system->gyroscopicRate(velocitiesOf(part, v)));
  }
  return rate;
}

void TiedSystems::move(const Vector& q, const Vector& displacement, Vector& moved) const {
  for (const Part& part : parts_) {
    std::copy_n(data(displacement) + part.firstV, part.displacement.size(), data(part.displacement));
    part.system->move(coordinatesOf(part, q), part.displacement, part.moved);
    std::copy(part.moved.begin(), part.moved.end(), data(moved) + part.firstQ);
  }
}

const TiedSystems::Part& TiedSystems::partOfVelocity(std::size_t i) const {
  return *std::prev(std::upper_bound(parts_.begin(), parts_.end(), i,
                                     [](std::size_t number, const Part& part) { return number < part.firstV; }));
}

void TiedSystems::computeRate(const Vector& q, const Vector& v, Vector& rate) const {
  for (const Part& part : parts_) {
    part.system->computeRate(coordinatesOf(part, q), velocitiesOf(part, v), part.moved);
    std::copy(part.moved.begin(), part.moved.end(), data(rate) + part.firstQ);
  }
}

double TiedSystems::inverseRateMetric(std::size_t i) const {
  const Part& part = partOfVelocity(i);
  return part.system->inverseRateMetric(i - part.firstV);
}

void TiedSystems::rates(const Vector& q, Matrix& T) const {
  assignZero(T, q.size(), dimension());
  for (const Part& part : parts_) {
    part.system->rates(coordinatesOf(part, q), part.rates);
    for (std::size_t j = 0; j < part.rates.size2(); ++j) {
      for (std::size_t i = 0; i < part.rates.size1(); ++i) T(part.firstQ + i, part.firstV + j) = part.rates(i, j);
    }
  }
}

double TiedSystems::configurationConstraint(std::size_t k, const Vector& q, Vector& gradient) const {
  const Part& part = parts_[constraints_[k].first];
  const double defect =
      part.system->configurationConstraint(constraints_[k].second, coordinatesOf(part, q), part.moved);
  assignZero(gradient, q.size());
  std::copy(part.moved.begin(), part.moved.end(), data(gradient) + part.firstQ);
  return defect;
}

void TiedSystems::normalise(Vector& q) const {
  for (const Part& part : parts_) {
    coordinatesOf(part, q);
    part.system->normalise(part.q);
    std::copy(part.q.begin(), part.q.end(), data(q) + part.firstQ);
  }
}

double TiedSystems::length() const {
  double smallest = 0.;
  for (const Part& part : parts_) {
    const double length = part.system->length();
    if (length > 0. && (smallest == 0. || length < smallest)) smallest = length;
  }
  return smallest;
}

bool TiedSystems::isLinear() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.system->isLinear(); }) &&
         std::all_of(elements_.begin(), elements_.end(),
                     [](const Element& element) { return element.force->isLinear(); });
}

bool TiedSystems::hasConstantMass() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.system->hasConstantMass(); });
}

bool TiedSystems::isSelfContained() const {
  return std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.system->isSelfContained(); }) &&
         std::all_of(elements_.begin(), elements_.end(),
                     [](const Element& element) { return element.force->isSelfContained(); });
}

void TiedSystems::accept(double before, Vector& q, Vector& v, Vector& p) {
  for (Part& part : parts_) {
    coordinatesOf(part, q);
    velocitiesOf(part, v);
    std::copy_n(data(p) + part.firstV, part.p.size(), data(part.p));
    part.system->accept(before, part.q, part.v, part.p);
  }
  SecondOrderDS::accept(before, q, v, p);
}

void TiedSystems::setAcceleration(const Vector& acceleration) {
  for (Part& part : parts_) part.system->setAcceleration(velocitiesOf(part, acceleration));
  SecondOrderDS::setAcceleration(acceleration);
}

}  // namespace delassus
