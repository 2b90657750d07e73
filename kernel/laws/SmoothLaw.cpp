// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/SmoothLaw.hpp>

#include <delassus/numerics/Error.hpp>
#include <string>
#include <utility>

namespace delassus {

SmoothLaw::SmoothLaw(std::size_t size) : size_(size) {
  if (size == 0) throw Error("SmoothLaw", "the size must be positive.");
}

SmoothLaw::SmoothLaw(std::size_t size, Function f) : SmoothLaw(size) {
  if (!f) throw Error("SmoothLaw", "the function f(t, y, yDot, lambda) is empty.");
  f_ = std::move(f);
}

void SmoothLaw::computeForce(double t, const Vector& y, const Vector& yDot, Vector& lambda) const {
  f_.value(t, y, yDot, lambda);
}

void SmoothLaw::computeJacobians(double t, const Vector& y, const Vector& yDot, Matrix& byY, Matrix& byRate) const {
  f_.jacobian<0>(t, y, yDot, byY);
  f_.jacobian<1>(t, y, yDot, byRate);
}

void SmoothLaw::checkJacobians(double t, const Vector& y, const Vector& yDot, const JacobianCheck& check,
                               const std::string& label) const {
  const auto force = [&](const Vector& position, const Vector& rate, Vector& lambda) {
    computeForce(t, position, rate, lambda);
  };
  Matrix unused(size_, size_);
  const std::string of = label + ": Jacobian of " + std::string(className()) + " with respect to ";
  checkJacobian<0>(
      force,
      [&](const Vector& position, const Vector& rate, Matrix& byY) {
        computeJacobians(t, position, rate, byY, unused);
      },
      Matrix(size_, size_), check, of + "y", y, yDot);
  checkJacobian<1>(
      force,
      [&](const Vector& position, const Vector& rate, Matrix& byRate) {
        computeJacobians(t, position, rate, unused, byRate);
      },
      Matrix(size_, size_), check, of + "the rate of y", y, yDot);
}

double SmoothLaw::energy(const Vector&) const {
  return 0.;
}

}  // namespace delassus
