// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/JordanAlgebra.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus::numerics {
namespace {

double tailNorm(std::size_t d, const double* x) {
  return d == 2 ? std::abs(x[1]) : std::hypot(x[1], x[2]);
}

}  // namespace

double coneDeterminant(std::size_t d, const double* x) {
  const double tail = tailNorm(d, x);
  return (x[0] - tail) * (x[0] + tail);
}

double stepToBoundary(std::size_t d, const double* x, const double* dx) {
  // The smaller root of det(x + t dx) = c + 2 b t + a t², where it is positive.
  constexpr double none = std::numeric_limits<double>::infinity();
  const double a = coneDeterminant(d, dx);
  double b = x[0] * dx[0];
  for (std::size_t i = 1; i < d; ++i) b -= x[i] * dx[i];
  const double c = std::max(0., coneDeterminant(d, x));
  const double discriminant = b * b - a * c;
  double step = none;
  if (discriminant >= 0.) {
    const double root = std::sqrt(discriminant);
    // Both roots without cancellation: t₁ t₂ = c/a.
    const double sum = -(b + (b >= 0. ? root : -root));
    const double first = a != 0. ? sum / a : none;
    const double second = sum != 0. ? c / sum : none;
    if (first >= 0.) step = std::min(step, first);
    if (second >= 0.) step = std::min(step, second);
  }
  if (dx[0] < 0.) step = std::min(step, -x[0] / dx[0]);
  return step;
}

void jordanProduct(std::size_t d, const double* x, const double* y, double* out) {
  double first = x[0] * y[0];
  for (std::size_t i = 1; i < d; ++i) first += x[i] * y[i];
  for (std::size_t i = 1; i < d; ++i) out[i] = x[0] * y[i] + y[0] * x[i];
  out[0] = first;
}

void jordanDivide(std::size_t d, const double* x, const double* y, double* out) {
  double cross = 0.;
  for (std::size_t i = 1; i < d; ++i) cross += x[i] * y[i];
  const double first = (x[0] * y[0] - cross) / coneDeterminant(d, x);
  for (std::size_t i = 1; i < d; ++i) out[i] = (y[i] - first * x[i]) / x[0];
  out[0] = first;
}

void NesterovTodd::compute(std::size_t d, const double* x, const double* y) {
  const double sizeX = std::sqrt(coneDeterminant(d, x));
  const double sizeY = std::sqrt(coneDeterminant(d, y));
  double product = x[0] * y[0];
  for (std::size_t i = 1; i < d; ++i) product += x[i] * y[i];
  const double gamma = std::sqrt(0.5 * (1. + product / (sizeX * sizeY)));
  double w[3] = {};
  for (std::size_t i = 1; i < d; ++i) w[i] = (y[i] / sizeY - x[i] / sizeX) / (2. * gamma);
  // det w = 1 gives this component, unlike the others, which are means, so that the inverse below is exact to rounding.
  w[0] = std::hypot(1., tailNorm(d, w));
  const double beta = std::sqrt(sizeY / sizeX);
  // G = β [w₀ w₁ᵀ; w₁ 1 + w₁w₁ᵀ/(1 + w₀)]; its inverse has −w₁ and 1/β.
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < d; ++i) {
      const bool corner = i == 0 && j == 0;
      const bool border = i == 0 || j == 0;
      const double inner = border ? w[i + j] : (i == j ? 1. : 0.) + w[i] * w[j] / (1. + w[0]);
      G[i + d * j] = beta * (corner ? w[0] : inner);
      inverse[i + d * j] = (corner ? w[0] : (border ? -inner : inner)) / beta;
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    scaled[i] = 0.;
    for (std::size_t j = 0; j < d; ++j) scaled[i] += G[i + d * j] * x[j];
  }
}

}  // namespace delassus::numerics
