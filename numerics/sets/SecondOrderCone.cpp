// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/SecondOrderCone.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

// The distance s of x from the hyperplane that touches the cone next to it, s n = x − P(x) with n = (−μ, x_T/‖x_T‖) /
// (1 + μ²)^½, unless x is in K or in −K*.
template <class Real>
void distanceFromCone(std::size_t rows, Real mu, const Real* x, Real* e) {
  Real squares = 0.;
  for (std::size_t i = 1; i < rows; ++i) squares += x[i] * x[i];
  const Real length = std::sqrt(squares);
  if (mu * length + x[0] <= Real(0.)) {
    std::copy_n(x, rows, e);
    return;
  }
  const Real s = (length - mu * x[0]) / (Real(1.) + mu * mu);
  if (!(s > Real(0.))) {
    std::fill_n(e, rows, Real(0.));
    return;
  }
  e[0] = -mu * s;
  for (std::size_t i = 1; i < rows; ++i) e[i] = s * (x[i] / length);
}

}  // namespace

void SecondOrderCone::validate(std::size_t part, std::size_t, const double*, const double*) const {
  if (aperture_ >= 0. && aperture_ * aperture_ < std::numeric_limits<double>::infinity()) return;
  failPart(part, "expected a finite aperture >= 0 of the second-order cone, got " + toText(aperture_) + ".");
}

// y in K.
bool SecondOrderCone::implies(const double* y, std::size_t rows, const double*, const double*) const {
  double squares = 0.;
  for (std::size_t i = 1; i < rows; ++i) squares += y[i] * y[i];
  // Rounded outwards.
  const double length = std::sqrt(squares) * (1. + static_cast<double>(rows + 8) * 1e-16 * 2.);
  return std::isfinite(y[0]) && y[0] >= 0. && length <= aperture_ * y[0];
}

// 0 where −g is in K*: g_N + μ ‖g_T‖ ≤ 0.
bool SecondOrderCone::addLargest(const ProofSum* g, std::size_t rows, const double*, const double*, double rounding,
                                 ProofSum&) const {
  const ProofSum tangential = normOf(g + 1, rows - 1);
  return ProofSum{g[0].value + aperture_ * tangential.value, g[0].size + aperture_ * tangential.size}.isNotPositive(
      rounding);
}

// P(x) = h (1, μ t), t = x_T/‖x_T‖, with the height h = (x_N + μ‖x_T‖)/(1 + μ²).
void SecondOrderCone::excess(std::size_t rows, double, const double* x, double* e, double* G) const {
  const double mu = aperture_;
  double squares = 0.;
  for (std::size_t i = 1; i < rows; ++i) squares += x[i] * x[i];
  const double length = std::sqrt(squares);
  if (G != nullptr) std::fill_n(G, rows * rows, 0.);
  const double height = (x[0] + mu * length) / (1. + mu * mu);
  if (!(height > 0.)) {
    std::copy_n(x, rows, e);
    return;
  }
  if (length <= mu * x[0]) {
    std::fill_n(e, rows, 0.);
    for (std::size_t i = 0; G != nullptr && i < rows; ++i) G[i * (rows + 1)] = 1.;
    return;
  }
  e[0] = x[0] - height;
  const double turn = mu * height / length;  // across x_T the circle turns with it
  for (std::size_t i = 1; i < rows; ++i) e[i] = x[i] * (1. - turn);
  if (G == nullptr) return;
  const double share = 1. / (1. + mu * mu);
  const auto slope = [&](std::size_t i) { return i == 0 ? 1. : mu * x[i] / length; };
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      G[i + rows * j] = share * slope(i) * slope(j);
      if (i > 0 && j > 0) G[i + rows * j] += turn * ((i == j ? 1. : 0.) - x[i] * x[j] / squares);
    }
  }
}

void SecondOrderCone::certifiedExcess(std::size_t rows, double, const double* x, double* e) const {
  distanceFromCone<double>(rows, aperture_, x, e);
}

void SecondOrderCone::certifiedExcess(std::size_t rows, double, const long double* x, long double* e) const {
  distanceFromCone<long double>(rows, aperture_, x, e);
}

}  // namespace delassus::numerics
