// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/joints/JointR.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

// One row of a joint on the twist (v, Ω) of one body, into column-major G with `rows` rows.
void fillRow(const Vector3& force, const Vector3& moment, const Matrix3& R, double sign, std::size_t rows, double* G) {
  const Vector3 turned = multiplyTransposed(R, moment);
  for (std::size_t k = 0; k < 3; ++k) {
    G[k * rows] = sign * force[k];
    G[(3 + k) * rows] = sign * turned[k];
  }
}

}  // namespace

JointR::JointR(std::size_t size, const JointFrame& first, const JointFrame& second)
    : NewtonEulerR(size), first_(first), second_(second) {
}

void JointR::setTolerance(double tolerance) {
  if (!(tolerance > 0. && std::isfinite(tolerance))) {
    throw Error(std::string(className()), "the tolerance must be positive and finite, got " + toText(tolerance) + ".");
  }
  tolerance_ = tolerance;
}

JointKinematics JointR::kinematics(const Vector& q) const {
  JointKinematics joint;
  JointKinematics::place(first_, data(q), joint.first);
  JointKinematics::place(second_, q.size() > 7 ? data(q) + 7 : nullptr, joint.second);
  return joint;
}

void JointR::computeOutput(double t, const Vector& q, const Vector&, Vector& y) {
  findOutputs(t, kinematics(q), data(y));
}

void JointR::computeJacobian(double, const Vector& q, const Vector&, Matrix& G) {
  const JointKinematics joint = kinematics(q);
  std::array<JointRow, maxRows> rows;
  findRows(joint, rows.data());
  const std::size_t count = G.size1();
  for (std::size_t i = 0; i < count; ++i) {
    fillRow(rows[i].force, rows[i].firstMoment, joint.first.R, 1., count, data(G) + i);
    if (G.size2() == 6) continue;
    fillRow(rows[i].force, rows[i].secondMoment, joint.second.R, -1., count, data(G) + 6 * count + i);
  }
}

void JointR::checkDimensions(std::size_t configurations, std::size_t velocities) const {
  NewtonEulerR::checkDimensions(configurations, velocities);
  if (velocities == 6 || velocities == 12) return;
  throw Error(std::string(className()), "a joint is between two rigid bodies, or a body and the world, but " +
                                            std::to_string(velocities / 6) + " bodies are linked.");
}

void JointR::checkConfiguration(double t, const Vector& q, const std::string& label) {
  const Misfit miss = misfit(t, kinematics(q));
  if (miss.distance <= tolerance_ && miss.angle <= tolerance_) return;
  const std::string sides = q.size() > 7 ? "the two bodies" : "the body and the world";
  const bool apart = !(miss.distance <= tolerance_);
  throw Error(label, std::string(className()) + " does not fit the configurations at t = " + toText(t) +
                         ": its frames in " + sides + " are " +
                         (apart ? toText(miss.distance) + " m apart" : toText(miss.angle) + " rad askew") +
                         ", more than the tolerance " + toText(tolerance_) + ". " + miss.advice);
}

Settings JointR::settings() const {
  Settings settings;
  const auto add = [&](const std::string& name, const JointFrame& frame) {
    settings.add(name + ".anchor", std::span<const double>(frame.anchor()));
    settings.add(name + ".orientation", std::span<const double>(frame.orientation()));
  };
  add("first", first_);
  add("second", second_);
  settings.add("tolerance", tolerance_);
  return settings;
}

}  // namespace delassus
