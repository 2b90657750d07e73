// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/PrescribedMotionR.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

constexpr double fitTolerance = 1e-6;

}  // namespace

void PrescribedMotionR::computeOutput(double t, const Vector& q, const Vector&, Vector& y) {
  if (ofPosition_) y(0) = q(component_) - motion_.at(t);
}

void PrescribedMotionR::computeJacobian(double, const Vector&, const Vector&, Matrix& G) {
  G(0, component_) = 1.;
}

void PrescribedMotionR::computeDrift(double t, const Vector&, Vector& drift) {
  drift(0) = ofPosition_ ? -motion_.rate(t) : -motion_.at(t);
}

void PrescribedMotionR::checkDimensions(std::size_t configurations, std::size_t velocities) const {
  // Where q̇ is not v, only the positions of a body, the first three, have their own velocities.
  const std::size_t components = ofPosition_ && configurations != velocities ? 3 : velocities;
  if (component_ < components) return;
  throw Error("PrescribedMotionR", "component " + std::to_string(component_) + " of the " +
                                       (ofPosition_ ? "position" : "velocity") + " is prescribed, but there are " +
                                       std::to_string(components) + " that can be.");
}

void PrescribedMotionR::checkConfiguration(double t, const Vector& q, const std::string& label) {
  if (!ofPosition_) return;
  const double wanted = motion_.at(t);
  const double tolerance = fitTolerance * std::max(1., std::abs(wanted));
  if (std::abs(q(component_) - wanted) <= tolerance) return;
  throw Error(label, "PrescribedMotionR: component " + std::to_string(component_) + " is " + toText(q(component_)) +
                         " at t = " + toText(t) + ", where " + toText(wanted) +
                         " is prescribed; the difference is more than " + toText(tolerance) + ".");
}

void PrescribedMotionR::checkJacobians(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                                       const std::string& label) {
  // A prescribed velocity has no output to take differences of, and alongVelocities does not apply to bodies.
  if (ofPosition_ && q.size() == velocities) SecondOrderR::checkJacobians(t, q, velocities, check, label);
}

Settings PrescribedMotionR::settings() const {
  Settings settings;
  settings.add("component", component_);
  settings.add("of", ofPosition_ ? "position" : "velocity");
  return settings;
}

}  // namespace delassus
