// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/NewtonEulerR.hpp>

#include <delassus/kernel/rotations/Twists.hpp>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

NewtonEulerR::NewtonEulerR(std::size_t size) : size_(size) {
  if (size == 0) throw Error("NewtonEulerR", "the number of outputs must be at least 1.");
}

NewtonEulerR::NewtonEulerR(std::size_t size, Function h) : NewtonEulerR(size) {
  if (!h) throw Error("NewtonEulerR", "the function h is empty.");
  h_ = std::move(h);
}

void NewtonEulerR::computeOutput(double t, const Vector& q, const Vector&, Vector& y) {
  if (!h_) throw Error("NewtonEulerR", "a derived class must override computeOutput.");
  h_.value(t, q, y);
}

void NewtonEulerR::computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) {
  if (!h_) return SecondOrderR::computeJacobian(t, q, lambda, G);
  Matrix& C = C_.get();
  assignZero(C, size_, q.size());
  h_.jacobian(t, q, C);
  requireSize(C, size_, q.size(), "NewtonEulerR: Jacobian of h with respect to q");
  alongVelocities(C, q, G);
}

void NewtonEulerR::computeDrift(double t, const Vector& q, Vector& drift) {
  if (!h_.dependsOnTime()) return SecondOrderR::computeDrift(t, q, drift);
  h_.rate(t, q, drift);
}

void NewtonEulerR::checkDimensions(std::size_t configurations, std::size_t velocities) const {
  if (configurations % 7 == 0 && velocities % 6 == 0 && configurations / 7 == velocities / 6) return;
  throw Error(std::string(className()),
              "it links rigid bodies (NewtonEulerDS), with 7 coordinates and 6 velocities "
              "each, but the systems have " +
                  std::to_string(configurations) + " coordinates and " + std::to_string(velocities) + " velocities.");
}

void NewtonEulerR::alongVelocities(const Matrix& byQ, const Vector& q, Matrix& G) const {
  rotations::alongTwists(byQ, q, G);
}

}  // namespace delassus
