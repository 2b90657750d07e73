// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/JointKinematics.hpp>

#include <cmath>

namespace delassus {

void JointKinematics::place(const JointFrame& frame, const double* q, Side& side) {
  side.own = frame.orientation();
  if (q == nullptr) {
    side.centre = {};
    side.p = {1., 0., 0., 0.};
    side.R = {1., 0., 0., 0., 1., 0., 0., 0., 1.};
    side.arm = frame.anchor();
    side.axes = frame.axes();
    return;
  }
  side.centre = vector3(q);
  side.p = {q[3], q[4], q[5], q[6]};
  side.R = rotations::rotationMatrix(side.p);
  side.arm = multiply(side.R, frame.anchor());
  side.axes = multiply(side.R, frame.axes());
}

Vector3 JointKinematics::offset() const {
  return (first.centre + first.arm) - (second.centre + second.arm);
}

// A direction that turns with the second body: it sees the force at P₁.
JointRow JointKinematics::along(const Vector3& direction) const {
  const Vector3 arm = (first.centre + first.arm) - second.centre;
  return {direction, cross(first.arm, direction), cross(arm, direction)};
}

void JointKinematics::coincidence(double* y) const {
  const Vector3 r = multiplyTransposed(second.axes, offset());
  for (std::size_t i = 0; i < 3; ++i) y[i] = r[i];
}

void JointKinematics::coincidence(JointRow* rows) const {
  for (std::size_t i = 0; i < 3; ++i) rows[i] = along(column(second.axes, i));
}

void JointKinematics::guidance(double* y) const {
  const Vector3 r = multiplyTransposed(second.axes, offset());
  y[0] = r[1];
  y[1] = r[2];
}

void JointKinematics::guidance(JointRow* rows) const {
  rows[0] = along(column(second.axes, 1));
  rows[1] = along(column(second.axes, 2));
}

double JointKinematics::displacement() const {
  return dot(column(second.axes, 0), offset());
}

JointRow JointKinematics::displacementRow() const {
  return along(column(second.axes, 0));
}

void JointKinematics::alignment(double* y) const {
  const Vector3 d = column(second.axes, 0);
  y[0] = dot(column(first.axes, 1), d);
  y[1] = dot(column(first.axes, 2), d);
}

// d/dt (a · b) = ω₁ · (a × b) − ω₂ · (a × b) for a in the first and b in the second body.
void JointKinematics::alignment(JointRow* rows) const {
  const Vector3 d = column(second.axes, 0);
  for (std::size_t i = 0; i < 2; ++i) {
    const Vector3 moment = cross(column(first.axes, i + 1), d);
    rows[i] = {{}, moment, moment};
  }
}

// e = (p₂ c₂)⁻¹ p₁ c₁ with e₀ ≥ 0; e and −e are the same rotation.
Quaternion JointKinematics::relative() const {
  using rotations::conjugate, rotations::product;
  Quaternion e = product(conjugate(product(second.p, second.own)), product(first.p, first.own));
  if (e[0] >= 0.) return e;
  for (double& x : e) x = -x;
  return e;
}

void JointKinematics::orientation(double* y) const {
  const Quaternion e = relative();
  for (std::size_t i = 0; i < 3; ++i) y[i] = 2. * e[i + 1];
}

// 2 ė = e ∘ (0, w) with w = ω₁ − ω₂ in the first frame: the vector part is e₀ w + e⃗ × w.
void JointKinematics::orientation(JointRow* rows) const {
  const Quaternion e = relative();
  const Vector3 vector{e[1], e[2], e[3]};
  for (std::size_t i = 0; i < 3; ++i) {
    Vector3 unit{};
    unit[i] = 1.;
    const Vector3 moment = multiply(first.axes, e[0] * unit + cross(unit, vector));
    rows[i] = {{}, moment, moment};
  }
}

double JointKinematics::angle() const {
  const Vector3 e = column(first.axes, 1);
  return std::atan2(dot(e, column(second.axes, 2)), dot(e, column(second.axes, 1)));
}

JointRow JointKinematics::angleRow() const {
  const Vector3 e = column(first.axes, 1);
  const Vector3 across = column(second.axes, 1);
  const Vector3 up = column(second.axes, 2);
  const double c = dot(e, across);
  const double s = dot(e, up);
  const Vector3 moment = 1. / (c * c + s * s) * cross(e, c * up - s * across);
  return {{}, moment, moment};
}

double JointKinematics::distanceFromAxis() const {
  double y[2];
  guidance(y);
  return std::hypot(y[0], y[1]);
}

double JointKinematics::tilt() const {
  const Vector3 a = column(first.axes, 0);
  const Vector3 b = column(second.axes, 0);
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

double JointKinematics::turn() const {
  const Quaternion e = relative();
  return 2. * std::atan2(norm(Vector3{e[1], e[2], e[3]}), e[0]);
}

}  // namespace delassus
