// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/FirstOrderDS.hpp>

#include <delassus/kernel/functions/NamedErrors.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <utility>

namespace delassus {

FirstOrderDS::FirstOrderDS(const Vector& x0, std::string_view className) : x0_(x0), x_(x0), r_(x0.size()) {
  const std::string name(className);
  if (x0.size() == 0) throw Error(name, "the initial state x0 is empty.");
  requireFinite(x0, name + ": initial state x0");
  setZero(r_);
}

void FirstOrderDS::setZ(const Vector& z) {
  requireFinite(z, label() + ": parameters z");
  z_ = z;
  parametersChanged();
}

void FirstOrderDS::setState(const Vector& x) {
  requireSize(x, dimension(), label() + ": state");
  requireFinite(x, label() + ": state");
  x_ = x;
  stateWasReset();
}

void FirstOrderDS::setM(const SquareMatrix& constant) {
  requireSize(constant, dimension(), dimension(), label() + ": M");
  requireFinite(constant, label() + ": M");
  requireNoControl(constant.isSparse());
  algebraicPart_ = leftNullProjector(constant, label() + ": M");
  mass_ = constant;
  massFunction_ = nullptr;
  hasMass_ = true;
  parametersChanged();
}

void FirstOrderDS::setMassFunction(MassFunction f) {
  massFunction_ = std::move(f);
  mass_ = SquareMatrix();
  algebraicPart_ = SparseMatrix();
  hasMass_ = true;
  parametersChanged();
}

void FirstOrderDS::takeControl(ControlTerm control) {
  if (isSparse()) refuseControl();
  control_ = std::move(control);
  parametersChanged();
}

void FirstOrderDS::requireNoControl(bool isSparse) const {
  if (isSparse && control_.isGiven()) refuseControl();
}

void FirstOrderDS::refuseControl() const {
  throw Error(label(),
              "a system with sparse matrices takes no control term; write the control as an interaction with "
              "EqualityConditionNSL, or as a part of b(t).");
}

void FirstOrderDS::requireControlGain(const Matrix& T) const {
  requireControls(T.size2(), true);
  requireSize(T, dimension(), T.size2(), label() + ": control gain T (a row a state)");
  requireFinite(T, label() + ": control gain T");
}

void FirstOrderDS::requireControls(std::size_t controls, bool hasGain) const {
  if (controls == 0) throw Error(label(), "the control u must have at least one component.");
  if (!hasGain) throw Error(label(), "the function of the control gain T is empty.");
}

void FirstOrderDS::accept(double before, Vector& x, Vector& r) {
  if (State* const slot = history_.push()) {
    slot->time = before;
    assign(x_, slot->x);
  }
  x_.swap(x);
  r_.swap(r);
}

Settings FirstOrderDS::settings() const {
  Settings settings;
  settings.add("states", x_.size());
  settings.add("x0", x0_);
  if (hasMass_ && !massFunction_) settings.add("M", mass_);
  return settings;
}

void FirstOrderDS::serializeState(StateArchive& archive) {
  DynamicalSystem::serializeState(archive);
  archive.fixedSize("x", x_);
  archive.fixedSize("r", r_);
  archive.value("z", z_);
  history_.serializeState(archive, [&](State& state) {
    archive.value("time", state.time);
    archive.value("x", state.x);
  });
}

void FirstOrderDS::setStart(const Vector& x, const Vector& r) {
  assign(x, x_);
  assign(r, r_);
}

void FirstOrderDS::mass(double t, const Vector& x, SquareMatrix& mass) {
  const std::size_t n = dimension();
  if (hasMass_ && !massFunction_) {
    mass = mass_;
  } else if (isSparse() && !hasMass_) {
    std::vector<Triplet> ones(n);
    for (std::size_t i = 0; i < n; ++i) ones[i] = {i, i, 1.};
    mass = sparseFromTriplets(n, n, std::move(ones));
  } else {
    this->mass(t, x, mass.makeDense(n));
  }
  if (isSparse() && !mass.isSparse()) mass = sparseFromDense(mass.dense());
}

void FirstOrderDS::mass(double t, const Vector& x, Matrix& mass) {
  const std::size_t n = dimension();
  assignZero(mass, n, n);
  if (massFunction_) {
    evaluateNamed([this] { return label(); }, [&] { massFunction_(t, x, mass); });
    requireJacobian(t, mass, "M");
  } else if (hasMass_) {
    mass = toDense(mass_);
  } else {
    for (std::size_t i = 0; i < n; ++i) mass(i, i) = 1.;
  }
}

void FirstOrderDS::requireRegularMass(double t, const SquareMatrix& mass) {
  if (massFactor_.tryFactor(mass)) return;
  massFactor_.factor(mass, label() + ": M at t = " + toText(t));
}

void FirstOrderDS::vectorField(double t, const Vector& x, const Vector& xDot, Vector& f) {
  assignZero(f, dimension());
  evaluateNamed([this] { return label(); }, [&] { computeF(t, x, f); });
  requireField(t, f, "vector field f");
  if (!control_.isGiven()) return;
  evaluateNamed([this] { return label(); }, [&] { control_.add(t, x, xDot, f); });
  requireField(t, f, "control term T u");
}

void FirstOrderDS::storeJacobianFx(double t, const Vector& x, SquareMatrix& jacobian) {
  computeJacobianFx(t, x, jacobian.makeDense(dimension()));
  if (isSparse()) jacobian = sparseFromDense(jacobian.dense());
}

void FirstOrderDS::vectorFieldJacobians(double t, const Vector& x, const Vector& xDot, SquareMatrix& byX,
                                        SquareMatrix& byRate) {
  const std::size_t n = dimension();
  if (control_.isGiven()) return vectorFieldJacobians(t, x, xDot, byX.makeDense(n), byRate.makeDense(n));
  evaluateNamed([this] { return label(); }, [&] { storeJacobianFx(t, x, byX); });
  requireJacobian(t, byX, "Jacobian of f with respect to x");
  if (byX.isSparse()) {
    byRate = SquareMatrix::zeros(byX);
  } else {
    byRate.makeDense(n);
  }
}

void FirstOrderDS::vectorFieldJacobians(double t, const Vector& x, const Vector& xDot, Matrix& byX, Matrix& byRate) {
  const std::size_t n = dimension();
  assignZero(byX, n, n);
  assignZero(byRate, n, n);
  evaluateNamed([this] { return label(); }, [&] { computeJacobianFx(t, x, byX); });
  requireJacobian(t, byX, "Jacobian of f with respect to x");
  if (!control_.isGiven()) return;
  evaluateNamed([this] { return label(); }, [&] { control_.addJacobians(t, x, xDot, byX, byRate); });
  requireJacobian(t, byX, "Jacobian of the control term T u with respect to x");
  requireJacobian(t, byRate, "Jacobian of the control term T u with respect to the rate of x");
}

// Messages are composed only if there is an error, since this runs in every step.
void FirstOrderDS::requireField(double t, const Vector& f, const char* what) const {
  if (f.size() == dimension() && allFinite(f)) return;
  const std::string name = label() + ": " + what + " at t = " + toText(t);
  requireSize(f, dimension(), name);
  requireFinite(f, name);
}

void FirstOrderDS::requireJacobian(double t, const SquareMatrix& jacobian, const char* what) const {
  if (!jacobian.isSparse()) return requireJacobian(t, jacobian.dense(), what);
  const std::size_t n = dimension();
  if (jacobian.size1() == n && jacobian.size2() == n && allFinite(jacobian)) return;
  const std::string name = label() + ": " + what + " at t = " + toText(t);
  requireSize(jacobian, n, n, name);
  requireFinite(jacobian, name);
}

void FirstOrderDS::requireJacobian(double t, const Matrix& jacobian, const char* what) const {
  const std::size_t n = dimension();
  if (jacobian.size1() == n && jacobian.size2() == n && allFinite(jacobian)) return;
  const std::string name = label() + ": " + what + " at t = " + toText(t);
  requireSize(jacobian, n, n, name);
  requireFinite(jacobian, name);
}

void FirstOrderDS::checkJacobians(double t, const JacobianCheck& check) {
  const std::size_t n = dimension();
  const Matrix sized(n, n);
  Matrix other(n, n);
  const auto field = [this](double at, const Vector& x, const Vector& xDot, Vector& f) { vectorField(at, x, xDot, f); };
  const auto byX = [&](double at, const Vector& x, const Vector& xDot, Matrix& J) {
    vectorFieldJacobians(at, x, xDot, J, other);
  };
  const auto byRate = [&](double at, const Vector& x, const Vector& xDot, Matrix& J) {
    vectorFieldJacobians(at, x, xDot, other, J);
  };
  Vector xDot(n);
  setZero(xDot);
  checkJacobian<1>(field, byX, sized, check, label() + ": Jacobian of f + T u with respect to x", t, x(), xDot);
  if (dependsOnRate()) {
    checkJacobian<2>(field, byRate, sized, check, label() + ": Jacobian of T u with respect to the rate of x", t, x(),
                     xDot);
  }
}

}  // namespace delassus
