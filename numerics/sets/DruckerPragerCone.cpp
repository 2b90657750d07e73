// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/DruckerPragerCone.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

template <class Real>
Real lengthOf(std::size_t rows, const Real* x) {
  Real squares = 0.;
  for (std::size_t i = 1; i < rows; ++i) squares += x[i] * x[i];
  return std::sqrt(squares);
}

// x − P(x): from the tip where x lies in the cone of its normals, else the distance from the border along its normal
// (a, s/‖s‖) / (1 + a²)^½.
template <class Real>
void distance(std::size_t rows, Real friction, Real cohesion, const Real* x, Real* e) {
  const Real length = lengthOf(rows, x);
  const Real beyond = length + friction * x[0] - cohesion;
  std::fill_n(e, rows, Real(0.));
  if (!(beyond > Real(0.))) return;
  if (friction > Real(0.) && friction * x[0] - cohesion >= friction * friction * length) {
    std::copy_n(x, rows, e);
    e[0] -= cohesion / friction;
    return;
  }
  const Real s = beyond / (Real(1.) + friction * friction);
  e[0] = friction * s;
  for (std::size_t i = 1; i < rows; ++i) e[i] = s * (x[i] / length);
}

}  // namespace

void DruckerPragerCone::validate(std::size_t part, std::size_t, const double*, const double*) const {
  // The square of the friction must be a number.
  for (const double value : {friction_ * friction_, cohesion_}) {
    if (value >= 0. && value < std::numeric_limits<double>::infinity() && friction_ >= 0.) continue;
    failPart(part, "expected a finite friction and cohesion >= 0 of Drucker and Prager's cone, got " +
                       toText(friction_) + " and " + toText(cohesion_) + ".");
  }
}

// Directions in which the set goes on for ever: ‖y_s‖ ≤ −a y_p.
bool DruckerPragerCone::implies(const double* y, std::size_t rows, const double*, const double*) const {
  // Rounded outwards.
  const double length = lengthOf(rows, y) * (1. + static_cast<double>(rows + 8) * 1e-16 * 2.);
  if (friction_ == 0.) return std::isfinite(y[0]) && std::all_of(y + 1, y + rows, [](double s) { return s == 0.; });
  return std::isfinite(y[0]) && length <= -friction_ * y[0];
}

// At the tip, k g_p/a, where g is normal to the cone there: g_p ≥ a ‖g_s‖. Of the cylinder k ‖g_s‖ where g_p = 0.
bool DruckerPragerCone::addLargest(const ProofSum* g, std::size_t rows, const double*, const double*, double rounding,
                                   ProofSum& sum) const {
  const ProofSum deviatoric = normOf(g + 1, rows - 1);
  if (friction_ == 0.) {
    sum.value += cohesion_ * deviatoric.value;
    sum.size += cohesion_ * deviatoric.size;
    return g[0].isZero(rounding);
  }
  sum.value += cohesion_ / friction_ * g[0].value;
  sum.size += cohesion_ / friction_ * g[0].size;
  return ProofSum{friction_ * deviatoric.value - g[0].value, friction_ * deviatoric.size + g[0].size}.isNotPositive(
      rounding);
}

// P(x) = (p − a s, (‖s‖ − s) t) with s the distance over (1 + a²)^½, t = x_s/‖x_s‖; the tip where ‖s‖ would be
// negative.
void DruckerPragerCone::excess(std::size_t rows, double d, const double* x, double* e, double* G) const {
  const double a = friction_, k = d * cohesion_;
  const double share = 1. / (1. + a * a);
  const double length = lengthOf(rows, x);
  const double step = share * (length + a * x[0] - k);
  if (G != nullptr) std::fill_n(G, rows * rows, 0.);
  std::fill_n(e, rows, 0.);
  if (!(step > 0.)) {
    for (std::size_t i = 0; G != nullptr && i < rows; ++i) G[i * (rows + 1)] = 1.;
    return;
  }
  const double radius = length - step;
  if (a > 0. && !(radius > 0.)) {
    std::copy_n(x, rows, e);
    e[0] -= k / a;
    return;
  }
  const double turn = length > 0. ? std::max(0., radius / length) : 0.;
  const auto normal = [&](std::size_t i) { return i == 0 ? a : x[i] / length; };
  e[0] = a * step;
  for (std::size_t i = 1; i < rows; ++i) e[i] = (1. - turn) * x[i];
  if (G == nullptr) return;
  // I − n nᵀ / (1 + a²) in the plane of p and x_s, and the turn of the circle across it.
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      double entry = -share * normal(i) * normal(j);
      if (i == 0 && j == 0) entry += 1.;
      if (i > 0 && j > 0) entry += normal(i) * normal(j) + turn * ((i == j ? 1. : 0.) - normal(i) * normal(j));
      G[i + rows * j] = entry;
    }
  }
}

void DruckerPragerCone::certifiedExcess(std::size_t rows, double d, const double* x, double* e) const {
  distance<double>(rows, friction_, d * cohesion_, x, e);
}

void DruckerPragerCone::certifiedExcess(std::size_t rows, double d, const long double* x, long double* e) const {
  distance<long double>(rows, friction_, static_cast<long double>(d) * cohesion_, x, e);
}

}  // namespace delassus::numerics
