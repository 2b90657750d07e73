// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/SecondOrderDS.hpp>

#include <algorithm>
#include <delassus/kernel/functions/NamedErrors.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

SecondOrderDS::SecondOrderDS(const Vector& q0, const Vector& v0, std::string_view className)
    : q0_(q0), v0_(v0), q_(q0), v_(v0), p_(v0.size()) {
  const std::string label(className);
  requireFinite(q0, label + ": initial position q0");
  requireFinite(v0, label + ": initial velocity v0");
  if (v0.size() == 0) throw Error(label, "the initial state is empty.");
}

double SecondOrderDS::kineticEnergy() {
  SquareMatrix M;
  storeMass(q_, M);
  requireFinite(M, label() + ": mass M");
  return 0.5 * quadraticForm(M, v_);
}

void SecondOrderDS::setState(const Vector& q, const Vector& v) {
  requireSize(q, q_.size(), label() + ": position");
  requireSize(v, v_.size(), label() + ": velocity");
  requireFinite(q, label() + ": position");
  requireFinite(v, label() + ": velocity");
  Vector configuration = q;
  requireConfiguration(configuration, label() + ": position");
  q_ = configuration;
  v_ = v;
  accelerationFrom_.forget();
  stateWasReset();
}

const Vector& SecondOrderDS::acceleration() const {
  if (accelerationFrom_.isCurrent(parameterChanges())) return acceleration_;
  throw Error(label(),
              "its acceleration is not known: that of a state which an event-driven simulation has reached is, "
              "not that of a state which was set, whose parameters were, or which time stepping has reached.");
}

void SecondOrderDS::setAcceleration(const Vector& acceleration) {
  assign(acceleration, acceleration_);
  accelerationFrom_.take(parameterChanges());
}

void SecondOrderDS::requireConfiguration(Vector&, const std::string&) const {
}

void SecondOrderDS::accept(double before, Vector& q, Vector& v, Vector& p) {
  if (State* const slot = history_.push()) {
    slot->time = before;
    assign(q_, slot->q);
    assign(v_, slot->v);
  }
  q_.swap(q);
  v_.swap(v);
  p_.swap(p);
  accelerationFrom_.forget();
}

void SecondOrderDS::takeGravity(const Vector3& g) {
  if (g == Vector3{0., 0., 0.}) return;
  throw Error(label(), "the model has gravity, but the generalised coordinates of a " + std::string(className()) +
                           " do not say which way its weight acts: give the weight among its external forces, as that "
                           "of the other bodies, and set no gravity.");
}

Settings SecondOrderDS::settings() const {
  Settings settings;
  settings.add("coordinates", q_.size());
  settings.add("velocities", v_.size());
  settings.add("q0", q0_);
  settings.add("v0", v0_);
  return settings;
}

void SecondOrderDS::serializeState(StateArchive& archive) {
  DynamicalSystem::serializeState(archive);
  archive.fixedSize("q", q_);
  archive.fixedSize("v", v_);
  archive.fixedSize("p", p_);
  archive.value("acceleration", acceleration_);
  accelerationFrom_.serializeState(archive, "accelerationFrom");
  history_.serializeState(archive, [&](State& state) {
    archive.value("time", state.time);
    archive.value("q", state.q);
    archive.value("v", state.v);
  });
}

void SecondOrderDS::mass(double t, const Vector& q, SquareMatrix& mass) {
  evaluateNamed([this] { return label(); }, [&] { storeMass(q, mass); });
  requireMatrix(mass, "mass M", t);
}

void SecondOrderDS::mass(double t, const Vector& q, Matrix& mass) {
  SquareMatrix stored;
  stored.dense().swap(mass);
  this->mass(t, q, stored);
  if (stored.isSparse()) stored = toDense(stored);
  stored.dense().swap(mass);
}

void SecondOrderDS::storeMass(const Vector& q, SquareMatrix& mass) {
  computeMass(q, mass.makeDense(dimension()));
}

void SecondOrderDS::forces(double t, const Vector& q, const Vector& v, Vector& force) {
  assignZero(force, dimension());
  evaluateNamed([this] { return label(); }, [&] { computeForces(t, q, v, force); });
  if (force.size() == dimension() && allFinite(force)) return;
  requireFiniteForces(t, q, v);
  const std::string name = label() + ": total force at t = " + toText(t);
  requireSize(force, dimension(), name);
  requireFinite(force, name);
}

void SecondOrderDS::requireFiniteForces(double, const Vector&, const Vector&) {
}

void SecondOrderDS::forceJacobians(double t, const Vector& q, const Vector& v, SquareMatrix& byQ, SquareMatrix& byV) {
  evaluateNamed([this] { return label(); }, [&] { storeForceJacobians(t, q, v, byQ, byV); });
  requireMatrix(byQ, "Jacobian of the forces with respect to q", t);
  requireMatrix(byV, "Jacobian of the forces with respect to v", t);
}

void SecondOrderDS::forceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) {
  SquareMatrix first, second;
  forceJacobians(t, q, v, first, second);
  byQ = toDense(first);
  byV = toDense(second);
}

void SecondOrderDS::storeForceJacobians(double t, const Vector& q, const Vector& v, SquareMatrix& byQ,
                                        SquareMatrix& byV) {
  computeForceJacobians(t, q, v, byQ.makeDense(dimension()), byV.makeDense(dimension()));
}

void SecondOrderDS::requireMatrix(const SquareMatrix& a, const char* what, double t) const {
  // The message is composed only if there is an error, since this runs in every step.
  if (a.size1() == dimension() && a.size2() == dimension() && allFinite(a)) return;
  const std::string name = label() + ": " + what + " at t = " + toText(t);
  requireSize(a, dimension(), dimension(), name);
  requireFinite(a, name);
}

void SecondOrderDS::inertialForces(const Vector&, const Vector&, Vector& force) {
  assignZero(force, dimension());
}

void SecondOrderDS::move(const Vector& q, const Vector& displacement, Vector& moved) const {
  for (std::size_t i = 0; i < q.size(); ++i) moved(i) = q(i) + displacement(i);
}

void SecondOrderDS::computeRate(const Vector& q, const Vector& v, Vector& rate) const {
  if (q.size() == v.size()) return assign(v, rate);
  static thread_local Matrix T;
  rates(q, T);
  multiply(1., T, v, 0., rate);
}

bool SecondOrderDS::hasRatesAsVelocities() const {
  if (q_.size() != v_.size()) return false;
  Vector v(v_.size()), rate(q_.size());
  for (const double factor : {1., -0.6180339887498949}) {
    // No entry is the multiple of another one by a ratio that a transformation is likely to have.
    for (std::size_t i = 0; i < v.size(); ++i) v(i) = 1. + factor / (static_cast<double>(i) + 2.3);
    setZero(rate);
    computeRate(q_, v, rate);
    if (!std::equal(rate.begin(), rate.end(), v.begin())) return false;
  }
  return true;
}

void SecondOrderDS::rates(const Vector& q, Matrix& T) const {
  assignZero(T, q.size(), dimension());
  for (std::size_t i = 0; i < dimension(); ++i) T(i, i) = 1.;
}

double SecondOrderDS::configurationConstraint(std::size_t, const Vector& q, Vector& gradient) const {
  assignZero(gradient, q.size());
  return 0.;
}

void SecondOrderDS::checkJacobians(double, const JacobianCheck&) {
}

void SecondOrderDS::requireDefiniteMass(double t, const SquareMatrix& mass) {
  if (isPositiveDefinite(mass)) return;
  requirePositiveDefinite(mass, label() + ": mass M at t = " + toText(t));
}

}  // namespace delassus
