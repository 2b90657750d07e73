// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/JointFrame.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {
namespace {

constexpr double unitTolerance = 1e-8;  // the tolerance of NewtonEulerDS for its orientation

std::string toText(const Vector3& v) {
  return "(" + delassus::toText(v[0]) + ", " + delassus::toText(v[1]) + ", " + delassus::toText(v[2]) + ")";
}

const Vector3& finite(const Vector3& v, const char* what) {
  if (std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2])) return v;
  throw Error("JointFrame", "the " + std::string(what) + " must be finite, got " + toText(v) + ".");
}

Vector3 unit(const Vector3& v, const char* what) {
  const double length = norm(finite(v, what));
  if (length > 0. && std::isfinite(1. / length)) return 1. / length * v;
  throw Error("JointFrame", "the " + std::string(what) + " must not be zero, got " + toText(v) + ".");
}

}  // namespace

JointFrame::JointFrame(const Vector3& anchor) : anchor_(finite(anchor, "anchor")) {
  setAxes({1., 0., 0., 0., 1., 0., 0., 0., 1.});
}

JointFrame::JointFrame(const Vector3& anchor, const Vector3& axis) : anchor_(finite(anchor, "anchor")) {
  setAxes(contactFrame(unit(axis, "axis")));
}

JointFrame::JointFrame(const Vector3& anchor, const Vector3& axis, const Vector3& reference)
    : anchor_(finite(anchor, "anchor")) {
  const Vector3 d = unit(axis, "axis");
  const Vector3 given = unit(reference, "reference direction");
  const Vector3 across = given - dot(given, d) * d;
  if (!(norm(across) > unitTolerance)) {
    throw Error("JointFrame", "the reference direction must not be parallel to the axis " + toText(axis) + ", got " +
                                  toText(reference) + ".");
  }
  const Vector3 e = 1. / norm(across) * across;
  const Vector3 n = cross(d, e);
  setAxes({d[0], d[1], d[2], e[0], e[1], e[2], n[0], n[1], n[2]});
}

void JointFrame::setAxes(const Matrix3& axes) {
  axes_ = axes;
  orientation_ = rotations::quaternion(axes, "JointFrame: axes");
}

JointFrame JointFrame::seenFrom(const Vector& q) const {
  requireSize(q, 7, "JointFrame: configuration of a body");
  requireFinite(q, "JointFrame: configuration of a body");
  const Quaternion p{q(3), q(4), q(5), q(6)};
  if (!(std::abs(rotations::norm(p) - 1.) <= unitTolerance)) {
    throw Error("JointFrame", "the orientation of the body must be a unit quaternion, got one of norm " +
                                  delassus::toText(rotations::norm(p)) + ".");
  }
  const Quaternion back = rotations::conjugate(rotations::normalised(p));
  JointFrame seen(rotations::rotate(back, anchor_ - vector3(data(q))));
  seen.setAxes(multiply(rotations::rotationMatrix(back), axes_));
  return seen;
}

}  // namespace delassus
