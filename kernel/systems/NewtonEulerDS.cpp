// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/NewtonEulerDS.hpp>

#include <lapacke.h>
#include <algorithm>
#include <delassus/kernel/functions/NamedErrors.hpp>
#include <delassus/kernel/rotations/FreeSpin.hpp>
#include <delassus/kernel/rotations/Twists.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>

namespace delassus {
namespace {

const char* const className_ = "NewtonEulerDS";
const char* const externalForce = "external force";
const char* const externalMoment = "external moment";
const char* const inertialMoment = "external moment in the inertial frame";
constexpr double unitTolerance = 1e-8;     // the rounding in a file with ten digits
constexpr double inertiaTolerance = 1e-9;  // relative; thin plates are on the bound

Quaternion orientationIn(const Vector& q) {
  return {q(3), q(4), q(5), q(6)};
}

void requirePositive(double value, const char* what) {
  if (value > 0. && std::isfinite(value)) return;
  throw Error(className_, "the " + std::string(what) + " must be positive and finite, got " + toText(value) + ".");
}

void subtractFrom(Matrix& total, const Matrix& term) {
  for (std::size_t k = 0; k < total.data().size(); ++k) total.data()[k] -= term.data()[k];
}

std::array<double, 3> principalMoments(const Matrix& inertia) {
  Matrix copy = inertia;
  std::array<double, 3> moments{};
  LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', 3, data(copy), 3, moments.data());
  return moments;
}

void requireInertia(const Matrix& inertia) {
  requireSize(inertia, 3, 3, "NewtonEulerDS: inertia");
  requireFinite(inertia, "NewtonEulerDS: inertia");
  CholeskyFactorization().factor(inertia, "NewtonEulerDS: inertia");
  const auto moments = principalMoments(inertia);
  if (moments[2] <= (moments[0] + moments[1]) * (1. + inertiaTolerance)) return;
  throw Error(className_, "no body has this inertia: its principal moments are " + toText(moments[0]) + ", " +
                              toText(moments[1]) + " and " + toText(moments[2]) +
                              ", and the largest may be at most the sum of the others.");
}

}  // namespace

NewtonEulerDS::NewtonEulerDS(const Vector& q0, const Vector& v0, double mass, const Matrix& inertia)
    : SecondOrderDS(q0, v0, className_), scalarMass_(mass), inertia_(inertia) {
  requireSize(q0, 7, "NewtonEulerDS: initial configuration q0 = (x, p)");
  requireSize(v0, 6, "NewtonEulerDS: initial twist v0 = (v, Omega)");
  requirePositive(mass, "mass");
  requireInertia(inertia);
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) I_[i + 3 * j] = 0.5 * (inertia(i, j) + inertia(j, i));
  }
  isotropic_ = I_[0] == I_[4] && I_[4] == I_[8] && I_[1] == 0. && I_[2] == 0. && I_[5] == 0.;
  Vector q = q0;
  NewtonEulerDS::requireConfiguration(q, "NewtonEulerDS: initial configuration q0");
  setInitialConfiguration(q);
}

Vector NewtonEulerDS::at(const Vector3& x, const Quaternion& p) {
  const Quaternion unit = rotations::normalised(p, "NewtonEulerDS: orientation");
  Vector q(7);
  std::copy(x.begin(), x.end(), q.begin());
  std::copy(unit.begin(), unit.end(), q.begin() + 3);
  return q;
}

std::shared_ptr<NewtonEulerDS> NewtonEulerDS::ofShape(const Shape& shape, double density, const Vector3& x,
                                                      const Quaternion& p) {
  const MassProperties properties = shape.massProperties(density);
  Matrix inertia(3, 3);
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) inertia(i, j) = properties.inertia[i + 3 * j];
  }
  const Vector3 centre = Placement::at(x, p).place(properties.centre);
  return std::make_shared<NewtonEulerDS>(at(centre, p), Vector(6), properties.mass, inertia);
}

Matrix NewtonEulerDS::ballInertia(double mass, double radius) {
  requirePositive(mass, "mass of a ball");
  requirePositive(radius, "radius of a ball");
  const double moment = 0.4 * mass * radius * radius;
  return diagonalMatrix({moment, moment, moment});
}

Matrix NewtonEulerDS::boxInertia(double mass, double lx, double ly, double lz) {
  requirePositive(mass, "mass of a box");
  for (const double edge : {lx, ly, lz}) requirePositive(edge, "edge of a box");
  return diagonalMatrix(
      {mass / 12. * (ly * ly + lz * lz), mass / 12. * (lx * lx + lz * lz), mass / 12. * (lx * lx + ly * ly)});
}

Matrix NewtonEulerDS::cylinderInertia(double mass, double radius, double height) {
  requirePositive(mass, "mass of a cylinder");
  requirePositive(radius, "radius of a cylinder");
  requirePositive(height, "height of a cylinder");
  const double across = mass / 12. * (3. * radius * radius + height * height);
  return diagonalMatrix({across, across, 0.5 * mass * radius * radius});
}

double NewtonEulerDS::kineticEnergy() const {
  const Vector3 v = vector3(data(velocity()));
  const Vector3 Omega = angularVelocity();
  return 0.5 * scalarMass_ * dot(v, v) + 0.5 * dot(Omega, multiply(I_, Omega));
}

Vector3 NewtonEulerDS::angularMomentum() const {
  return rotations::rotate(orientation(), multiply(I_, angularVelocity()));
}

void NewtonEulerDS::setZ(const Vector& z) {
  requireFinite(z, label() + ": parameters z");
  z_ = z;
  parametersChanged();
}

void NewtonEulerDS::takeGravity(const Vector3& g) {
  if (g == gravity_) return;
  gravity_ = g;
  parametersChanged();
  if (externalForces_.isConstant()) warnOfTwoWeights(externalForces_.constant());
}

// Of constant forces the log was told where they were set.
void NewtonEulerDS::checkStart(double t) {
  if (externalForces_.isConstant() || gravity_ == Vector3{}) return;
  evaluateNamed([this] { return label(); }, [&] { evaluate(externalForces_, t, externalForce); });
  warnOfTwoWeights(triple_);
}

// A force of m g beside the weight m g that the model gives; 9.8 m/s² is 9.81, too.
void NewtonEulerDS::warnOfTwoWeights(const Vector& force) const {
  constexpr double nearly = 1e-2;
  if (force.size() != 3 || gravity_ == Vector3{}) return;
  const Vector3 weight = scalarMass_ * gravity_;
  if (!(norm(vector3(data(force)) - weight) <= nearly * norm(weight))) return;
  Log::warning(label() +
               ": its external force is m g, and so is the weight that the gravity of the model gives it: it "
               "weighs twice as much as its mass says.");
}

void NewtonEulerDS::requireTriple(const Vector& constant, const char* what) const {
  requireSize(constant, 3, label() + ": " + what);
  requireFinite(constant, label() + ": " + what);
}

bool NewtonEulerDS::isSelfContained() const {
  const bool areConstant =
      externalForces_.isConstant() && externalMoments_.isConstant() && inertialMoments_.isConstant();
  return areConstant && !internalForces_;
}

void NewtonEulerDS::setInternalForces(WrenchFunction internalForces) {
  internalForces_.reset();
  if (internalForces) {
    internalForces_ = std::make_unique<InternalForces>();
    internalForces_->function = std::move(internalForces);
  }
  parametersChanged();
}

void NewtonEulerDS::requireConfiguration(Vector& q, const std::string& what) const {
  const double length = rotations::norm(orientationIn(q));
  if (!(std::abs(length - 1.) <= unitTolerance)) {
    throw Error(what, "the orientation must be a unit quaternion, got one of norm " + toText(length) +
                          "; rotations::normalised gives one.");
  }
  for (std::size_t i = 3; i < 7; ++i) q(i) /= length;
}

void NewtonEulerDS::computeMass(const Vector&, Matrix& mass) {
  for (std::size_t i = 0; i < 3; ++i) mass(i, i) = scalarMass_;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) mass(3 + i, 3 + j) = I_[i + 3 * j];
  }
}

Vector3 NewtonEulerDS::evaluate(const ExternalForces& forces, double t, const char* what) {
  assignZero(triple_, 3);
  forces.compute(t, triple_);
  if (triple_.size() != 3) requireSize(triple_, 3, label() + ": " + what + " at t = " + toText(t));
  return vector3(data(triple_));
}

double NewtonEulerDS::length() const {
  return std::sqrt((inertia_(0, 0) + inertia_(1, 1) + inertia_(2, 2)) / (2. * scalarMass_));
}

void NewtonEulerDS::inertialForces(const Vector&, const Vector& v, Vector& force) {
  assignZero(force, 6);
  addGyroscopicForces(1., v, force);
}

void NewtonEulerDS::addGyroscopicForces(double factor, const Vector& v, Vector& force) const {
  if (isotropic_) return;
  const Vector3 Omega = vector3(data(v) + 3);
  const Vector3 moment = cross(Omega, multiply(I_, Omega));
  for (std::size_t i = 0; i < 3; ++i) force(3 + i) -= factor * moment[i];
}

void NewtonEulerDS::addMeanGyroscopicForces(double h, double factor, const Vector& v, Vector& force) const {
  if (isotropic_) return;
  const Vector3 Omega = vector3(data(v) + 3);
  if (!(h > 0.)) return addGyroscopicForces(factor, v, force);
  const Vector3 change = multiply(I_, rotations::spinFreely(I_, Omega, h) - Omega);
  for (std::size_t i = 0; i < 3; ++i) force(3 + i) += factor / h * change[i];
}

// ∂(−Ω × IΩ)/∂Ω = (IΩ)~ − Ω̃ I
void NewtonEulerDS::addGyroscopicJacobian(double factor, const Vector& v, Matrix& byV) const {
  if (isotropic_) return;
  const Vector3 Omega = vector3(data(v) + 3);
  const Matrix3 first = skew(multiply(I_, Omega));
  const Matrix3 second = multiply(skew(Omega), I_);
  for (std::size_t k = 0; k < 9; ++k) byV(3 + k % 3, 3 + k / 3) += factor * (first[k] - second[k]);
}

// The symmetric part of J is S = (I Ω̃ − Ω̃ I)/2, and no eigenvalue of I⁻¹S is larger than the root of tr (I⁻¹S)² =
// tr(I⁻¹ Ω̃ I Ω̃ᵀ)/2 − |Ω|²: in principal axes half the sum of Ω_k² (I_i − I_j)²/(I_i I_j).
double NewtonEulerDS::gyroscopicRate(const Vector& v) const {
  if (isotropic_) return 0.;
  const Vector3 Omega = vector3(data(v) + 3);
  const Matrix3 turn = skew(Omega), turned = multiply(turn, multiply(I_, transposed(turn)));
  const Vector3 a = column(I_, 0), b = column(I_, 1), c = column(I_, 2);
  const double trace =
      dot(cross(b, c), column(turned, 0)) + dot(cross(c, a), column(turned, 1)) + dot(cross(a, b), column(turned, 2));
  return std::sqrt(std::max(0., 0.5 * trace / dot(a, cross(b, c)) - dot(Omega, Omega)));
}

void NewtonEulerDS::computeForces(double t, const Vector& q, const Vector& v, Vector& force) {
  const Vector3 f = scalarMass_ * gravity_ + evaluate(externalForces_, t, externalForce);
  Vector3 M = evaluate(externalMoments_, t, externalMoment);
  if (hasInertialMoments_) {
    M += rotations::rotateBack(orientationIn(q), evaluate(inertialMoments_, t, inertialMoment));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    force(i) = f[i];
    force(3 + i) = M[i];
  }
  addGyroscopicForces(1., v, force);
  if (!internalForces_) return;
  Vector& wrench = internalForces_->wrench;
  assignZero(wrench, 6);
  internalForces_->function.value(t, q, v, wrench);
  requireSize(wrench, 6, label() + ": internal forces and moments");
  for (std::size_t i = 0; i < 6; ++i) force(i) -= wrench(i);
}

void NewtonEulerDS::computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) {
  addGyroscopicJacobian(1., v, byV);
  if (hasInertialMoments_) {
    // R to R exp δ~ makes of Rᵀm: Rᵀm + (Rᵀm) × δ.
    const Vector3 m = evaluate(inertialMoments_, t, inertialMoment);
    const Matrix3 turned = skew(rotations::rotateBack(orientationIn(q), m));
    for (std::size_t k = 0; k < 9; ++k) byQ(3 + k % 3, 3 + k / 3) = turned[k];
  }
  if (!internalForces_) return;
  auto& [function, wrench, wrenchByQ, wrenchByV] = *internalForces_;
  assignZero(wrenchByQ, 6, 7);
  function.jacobian<0>(t, q, v, wrenchByQ);
  requireSize(wrenchByQ, 6, 7, label() + ": Jacobian of the internal forces with respect to q");
  // Restores the size 6 x 6 after a Jacobian that was refused.
  assignZero(wrenchByV, 6, 6);
  rotations::alongTwists(wrenchByQ, q, wrenchByV);
  subtractFrom(byQ, wrenchByV);
  assignZero(wrenchByV, 6, 6);
  function.jacobian<1>(t, q, v, wrenchByV);
  requireSize(wrenchByV, 6, 6, label() + ": Jacobian of the internal forces with respect to v");
  subtractFrom(byV, wrenchByV);
}

void NewtonEulerDS::requireFiniteForces(double t, const Vector& q, const Vector& v) {
  const std::string at = " at t = " + toText(t);
  for (const auto& [forces, what] :
       {std::pair(&externalForces_, externalForce), std::pair(&externalMoments_, externalMoment),
        std::pair(&inertialMoments_, inertialMoment)}) {
    evaluate(*forces, t, what);
    requireFinite(triple_, label() + ": " + what + at);
  }
  if (!internalForces_) return;
  Vector& wrench = internalForces_->wrench;
  assignZero(wrench, 6);
  internalForces_->function.value(t, q, v, wrench);
  requireFinite(wrench, label() + ": internal forces and moments" + at);
}

void NewtonEulerDS::move(const Vector& q, const Vector& displacement, Vector& moved) const {
  const Quaternion p = orientationIn(q);
  const Vector3 turn = vector3(data(displacement) + 3);
  for (std::size_t i = 0; i < 3; ++i) moved(i) = q(i) + displacement(i);
  Quaternion next;
  if (update_ == ConfigurationUpdate::exponential) {
    next = rotations::product(p, rotations::exponential(turn));
  } else {
    const Matrix43 rates = rotations::rates(p);
    for (std::size_t i = 0; i < 4; ++i) {
      next[i] = p[i] + rates[i] * turn[0] + rates[4 + i] * turn[1] + rates[8 + i] * turn[2];
    }
  }
  // With the exponential this only prevents rounding errors from adding up.
  const double length = rotations::norm(next);
  for (std::size_t i = 0; i < 4; ++i) moved(3 + i) = next[i] / length;
}

void NewtonEulerDS::rates(const Vector& q, Matrix& T) const {
  assignZero(T, 7, 6);
  const Matrix43 halfPsi = rotations::rates(orientationIn(q));
  for (std::size_t j = 0; j < 3; ++j) {
    T(j, j) = 1.;
    for (std::size_t i = 0; i < 4; ++i) T(3 + i, 3 + j) = halfPsi[i + 4 * j];
  }
}

double NewtonEulerDS::configurationConstraint(std::size_t, const Vector& q, Vector& gradient) const {
  assignZero(gradient, 7);
  const double length = rotations::norm(orientationIn(q));
  for (std::size_t i = 3; i < 7; ++i) gradient(i) = q(i) / length;
  return length - 1.;
}

void NewtonEulerDS::normalise(Vector& q) const {
  const double length = rotations::norm(orientationIn(q));
  for (std::size_t i = 3; i < 7; ++i) q(i) /= length;
}

void NewtonEulerDS::checkJacobians(double t, const JacobianCheck& check) {
  if (!internalForces_) return;
  const auto value = [this](double at, const Vector& q, const Vector& v, Vector& f) {
    internalForces_->function.value(at, q, v, f);
  };
  checkJacobian<1>(
      value,
      [this](double at, const Vector& q, const Vector& v, Matrix& J) {
        internalForces_->function.jacobian<0>(at, q, v, J);
      },
      Matrix(6, 7), check, label() + ": Jacobian of the internal forces with respect to q", t, q(), velocity());
  checkJacobian<2>(
      value,
      [this](double at, const Vector& q, const Vector& v, Matrix& J) {
        internalForces_->function.jacobian<1>(at, q, v, J);
      },
      Matrix(6, 6), check, label() + ": Jacobian of the internal forces with respect to v", t, q(), velocity());
}

Settings NewtonEulerDS::settings() const {
  Settings settings = SecondOrderDS::settings();
  settings.add("mass", scalarMass_);
  settings.add("inertia", inertia_);
  settings.add("update", update_ == ConfigurationUpdate::exponential ? "exponential" : "normalised");
  return settings;
}

void NewtonEulerDS::serializeState(StateArchive& archive) {
  SecondOrderDS::serializeState(archive);
  archive.value("z", z_);
}

}  // namespace delassus
