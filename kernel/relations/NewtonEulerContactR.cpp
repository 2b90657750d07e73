// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>

#include <algorithm>
#include <array>
#include <delassus/kernel/contacts/BodyPoints.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

const ContactGeometry& required(const std::shared_ptr<ContactGeometry>& geometry) {
  if (!geometry) throw Error("NewtonEulerContactR", "the contact geometry is null.");
  return *geometry;
}

}  // namespace

NewtonEulerContactR::NewtonEulerContactR(std::shared_ptr<ContactGeometry> geometry, std::size_t velocityRows,
                                         std::vector<std::size_t> rotationAxes)
    : NewtonEulerR(required(geometry).points() * (velocityRows + rotationAxes.size())),
      geometry_(std::move(geometry)),
      velocityRows_(velocityRows),
      rotationAxes_(std::move(rotationAxes)),
      contacts_(geometry_->points()) {
}

bool NewtonEulerContactR::findContacts(double t, const Vector& q, std::vector<ContactPoint>& contacts) {
  contacts.assign(geometry_->points(), ContactPoint{});
  geometry_->findContacts(t, q, contacts.data());
  return true;
}

void NewtonEulerContactR::computeOutput(double t, const Vector& q, const Vector&, Vector& y) {
  geometry_->findContacts(t, q, contacts_.data());
  takeGaps(y);
}

void NewtonEulerContactR::computeJacobian(double t, const Vector& q, const Vector&, Matrix& G) {
  geometry_->findContacts(t, q, contacts_.data());
  fillRows(q, G);
}

bool NewtonEulerContactR::computeOutputAndJacobian(double t, const Vector& q, const Vector&, Vector& y, Matrix& G) {
  geometry_->findContacts(t, q, contacts_.data());
  takeGaps(y);
  fillRows(q, G);
  return true;
}

void NewtonEulerContactR::takeGaps(Vector& y) const {
  const std::size_t rows = size() / contacts_.size();
  for (std::size_t k = 0; k < contacts_.size(); ++k) y(k * rows) = contacts_[k].gap;
}

void NewtonEulerContactR::fillRows(const Vector& q, Matrix& G) const {
  std::array<Placement, 2> bodies;
  for (std::size_t body = 0; body < geometry_->bodies(); ++body) {
    bodies[body] = {shapes::centreOf(q, body), shapes::rotationOf(q, body)};
  }
  double* rows = data(G);
  for (const ContactPoint& contact : contacts_) {
    const Matrix3 frame = contact.frame();
    fillRows(contact.point - bodies[0].position, 1., frame, bodies[0].rotation, rows);
    if (geometry_->bodies() == 2) {
      const Vector3 arm = contact.point + contact.beside - bodies[1].position;
      fillRows(arm, -1., frame, bodies[1].rotation, rows + 6 * size());
    }
    rows += velocityRows_ + rotationAxes_.size();
  }
}

// Along d the velocity of the point is d·v + Ω·Rᵀ(r × d), and the rotation Ω·Rᵀd.
void NewtonEulerContactR::fillRows(const Vector3& arm, double sign, const Matrix3& frame, const Matrix3& R,
                                   double* row) const {
  for (std::size_t axis = 0; axis < velocityRows_; ++axis, ++row) {
    const Vector3 direction = sign * column(frame, axis);
    const Vector3 moment = multiplyTransposed(R, cross(arm, direction));
    for (std::size_t k = 0; k < 3; ++k) {
      row[k * size()] = direction[k];
      row[(3 + k) * size()] = moment[k];
    }
  }
  for (const std::size_t axis : rotationAxes_) {
    const Vector3 direction = multiplyTransposed(R, sign * column(frame, axis));
    for (std::size_t k = 0; k < 3; ++k) row[(3 + k) * size()] = direction[k];
    ++row;
  }
}

void NewtonEulerContactR::computeDrift(double t, const Vector& q, Vector& drift) {
  geometry_->findContacts(t, q, contacts_.data());
  std::size_t row = 0;
  for (const ContactPoint& contact : contacts_) {
    const Matrix3 frame = contact.frame();
    for (std::size_t axis = 0; axis < velocityRows_; ++axis) {
      drift(row++) = -dot(column(frame, axis), contact.obstacleVelocity);
    }
    for (const std::size_t axis : rotationAxes_) drift(row++) = -dot(column(frame, axis), contact.obstacleRotation);
  }
}

void NewtonEulerContactR::checkDimensions(std::size_t configurations, std::size_t velocities) const {
  NewtonEulerR::checkDimensions(configurations, velocities);
  if (velocities == 6 * geometry_->bodies()) return;
  throw Error(std::string(className()), "the geometry " + std::string(geometry_->className()) + " is of " +
                                            std::to_string(geometry_->bodies()) + " bodies, but " +
                                            std::to_string(velocities / 6) + " are linked.");
}

void NewtonEulerContactR::checkJacobians(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                                         const std::string& label) {
  const Vector lambda(size());
  const std::size_t points = contacts_.size();
  const std::size_t rows = size() / points;
  const auto gaps = [&](double at, const Vector& x, Vector& y) {
    geometry_->findContacts(at, x, contacts_.data());
    for (std::size_t k = 0; k < points; ++k) y(k) = contacts_[k].gap;
  };
  Matrix byQ(points, q.size()), differenced(points, velocities), given(points, velocities), G(size(), velocities);
  CentralDifferences<double, Vector>().compute<1>(gaps, t, q, byQ, check.typicalSize);
  alongVelocities(byQ, q, differenced);
  computeJacobian(t, q, lambda, G);
  for (std::size_t j = 0; j < velocities; ++j) {
    for (std::size_t k = 0; k < points; ++k) given(k, j) = G(k * rows, j);
  }
  double largest = 1.;
  for (const ContactPoint& contact : contacts_) largest = std::max(largest, std::abs(contact.gap));
  const double floor = 1e-9 * largest / check.typicalSize;
  requireSameJacobian(given, differenced, check.tolerance, floor, label + ": Jacobian of the gaps");
  if (!isTimeDependent()) return;
  Vector byTime(points), givenByTime(points), drift(size());
  CentralDifferences<double, Vector>().compute<0>(gaps, t, q, byTime, check.typicalSize);
  computeDrift(t, q, drift);
  for (std::size_t k = 0; k < points; ++k) givenByTime(k) = drift(k * rows);
  requireSameJacobian(givenByTime, byTime, check.tolerance, floor,
                      label + ": derivative of the gaps with respect to t");
}

Settings NewtonEulerContactR::settings() const {
  Settings settings;
  settings.add("geometry", geometry_->className());
  settings.add("geometry", geometry_->settings());
  return settings;
}

// The points are saved for code that reads contacts before the next step.
void NewtonEulerContactR::serializeState(StateArchive& archive) {
  NewtonEulerR::serializeState(archive);
  geometry_->serializeState(archive);
  contacts_.resize(archive.count("points", contacts_.size()));
  for (ContactPoint& contact : contacts_) {
    for (Vector3* const v : {&contact.point, &contact.normal, &contact.obstacleVelocity, &contact.obstacleRotation,
                             &contact.tangent, &contact.beside}) {
      archive.values("vector", v->data(), v->size());
    }
    archive.value("gap", contact.gap);
  }
}

}  // namespace delassus
