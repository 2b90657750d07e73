// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/ControlTerm.hpp>

#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

// T_ and u_.
void ControlTerm::evaluate(double t, const Vector& x, const Vector& xDot) {
  assignZero(T_, x.size(), controls_);
  gain_(x, T_);
  requireSize(T_, x.size(), controls_, "control gain T");
  assignZero(u_, controls_);
  if (ofRate_) {
    ofRate_.value(t, x, xDot, u_);
  } else {
    ofState_.value(t, x, u_);
  }
  requireSize(u_, controls_, "control u");
}

void ControlTerm::add(double t, const Vector& x, const Vector& xDot, Vector& f) {
  if (!isGiven()) return;
  evaluate(t, x, xDot);
  multiply(1., T_, u_, 1., f);
}

void ControlTerm::addJacobians(double t, const Vector& x, const Vector& xDot, Matrix& byX, Matrix& byRate) {
  if (!isGiven()) return;
  const std::size_t n = x.size();
  evaluate(t, x, xDot);
  assignZero(uByX_, controls_, n);
  if (ofRate_) {
    ofRate_.jacobian<0>(t, x, xDot, uByX_);
    assignZero(uByRate_, controls_, n);
    ofRate_.jacobian<1>(t, x, xDot, uByRate_);
    requireSize(uByRate_, controls_, n, "Jacobian of the control u with respect to the rate of x");
    multiply(1., T_, uByRate_, 1., byRate);
  } else {
    ofState_.jacobian<0>(t, x, uByX_);
  }
  requireSize(uByX_, controls_, n, "Jacobian of the control u with respect to x");
  multiply(1., T_, uByX_, 1., byX);
  if (constantGain_) return;
  const auto heldControl = [this](const Vector& at, Vector& out) {
    assignZero(T_, at.size(), controls_);
    gain_(at, T_);
    multiply(1., T_, u_, 0., out);
  };
  assignZero(product_, n, n);
  differences_.compute<0>(heldControl, x, product_);
  for (std::size_t k = 0; k < n * n; ++k) byX.data()[k] += product_.data()[k];
}

}  // namespace delassus
