// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/BushingLaw.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <functional>
#include <string>

namespace delassus {
namespace {

void requireStiffness(const Matrix& K, std::size_t n, const char* what) {
  requireSize(K, n, n, std::string("BushingLaw: ") + what);
  requireFinite(K, std::string("BushingLaw: ") + what);
  // Semidefinite to rounding: definite once it is shifted by that.
  constexpr double rounding = 1e-12;
  if (isSymmetric(K) &&
      (normMax(K) == 0. || isPositiveDefinite(Matrix(K + rounding * normMax(K) * identityMatrix(n))))) {
    return;
  }
  throw Error("BushingLaw", std::string(what) + " must be symmetric and positive semidefinite.");
}

}  // namespace

BushingLaw::BushingLaw(const Matrix& stiffness) : BushingLaw(stiffness, Matrix(stiffness.size1(), stiffness.size2())) {
}

BushingLaw::BushingLaw(const Matrix& stiffness, const Matrix& damping)
    : SmoothLaw(stiffness.size1()), stiffness_(stiffness), damping_(damping) {
  requireStiffness(stiffness_, size(), "stiffness K");
  requireStiffness(damping_, size(), "damping C");
}

Settings BushingLaw::settings() const {
  Settings settings;
  settings.add("stiffness", stiffness_);
  settings.add("damping", damping_);
  return settings;
}

void BushingLaw::computeForce(double, const Vector& y, const Vector& yDot, Vector& lambda) const {
  multiply(-1., stiffness_, y, 0., lambda);
  multiply(-1., damping_, yDot, 1., lambda);
}

void BushingLaw::computeJacobians(double, const Vector&, const Vector&, Matrix& byY, Matrix& byRate) const {
  std::transform(stiffness_.data().begin(), stiffness_.data().end(), byY.data().begin(), std::negate<>());
  std::transform(damping_.data().begin(), damping_.data().end(), byRate.data().begin(), std::negate<>());
}

double BushingLaw::energy(const Vector& y) const {
  return 0.5 * quadraticForm(stiffness_, y);
}

}  // namespace delassus
