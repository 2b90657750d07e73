// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/SpringDamperLaw.hpp>

#include <cmath>
#include <delassus/kernel/laws/RequireCoefficient.hpp>

namespace delassus {

SpringDamperLaw::SpringDamperLaw(double stiffness, double damping, double preload)
    : SmoothLaw(1), stiffness_(stiffness), damping_(damping), preload_(preload) {
  requireNotNegative(stiffness, "SpringDamperLaw", "stiffness k");
  requireNotNegative(damping, "SpringDamperLaw", "damping c");
  if (!std::isfinite(preload))
    throw Error("SpringDamperLaw", "the preload must be finite, got " + toText(preload) + ".");
}

Settings SpringDamperLaw::settings() const {
  Settings settings;
  settings.add("stiffness", stiffness_);
  settings.add("damping", damping_);
  settings.add("preload", preload_);
  return settings;
}

void SpringDamperLaw::computeForce(double, const Vector& y, const Vector& yDot, Vector& lambda) const {
  lambda(0) = preload_ - stiffness_ * y(0) - damping_ * yDot(0);
}

void SpringDamperLaw::computeJacobians(double, const Vector&, const Vector&, Matrix& byY, Matrix& byRate) const {
  byY(0, 0) = -stiffness_;
  byRate(0, 0) = -damping_;
}

double SpringDamperLaw::energy(const Vector& y) const {
  return (0.5 * stiffness_ * y(0) - preload_) * y(0);
}

}  // namespace delassus
