// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/kernel/laws/GyratorLaw.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {

GyratorLaw::GyratorLaw(double constant) : SmoothLaw(2), constant_(constant) {
  if (!std::isfinite(constant)) {
    throw Error("GyratorLaw", "the constant k must be finite, got " + toText(constant) + ".");
  }
}

Settings GyratorLaw::settings() const {
  Settings settings;
  settings.add("constant", constant_);
  return settings;
}

void GyratorLaw::computeForce(double, const Vector&, const Vector& yDot, Vector& lambda) const {
  lambda(0) = -constant_ * yDot(1);
  lambda(1) = constant_ * yDot(0);
}

void GyratorLaw::computeJacobians(double, const Vector&, const Vector&, Matrix&, Matrix& byRate) const {
  byRate(0, 1) = -constant_;
  byRate(1, 0) = constant_;
}

}  // namespace delassus
