// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/Ball.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

// x − P(x) = (‖x‖ − ρ) x/‖x‖ outside of the ball of radius ρ.
template <class Real>
void distance(std::size_t rows, Real radius, const Real* x, Real* e) {
  Real squares = 0.;
  for (std::size_t i = 0; i < rows; ++i) squares += x[i] * x[i];
  const Real length = std::sqrt(squares);
  const Real outside = std::max(Real(0.), length - radius);
  for (std::size_t i = 0; i < rows; ++i) e[i] = outside > Real(0.) ? outside * (x[i] / length) : Real(0.) * x[i];
}

}  // namespace

void Ball::validate(std::size_t part, std::size_t, const double*, const double*) const {
  if (radius_ >= 0. && radius_ < std::numeric_limits<double>::infinity()) return;
  failPart(part, "expected a finite radius >= 0 of the ball, got " + toText(radius_) + ".");
}

// w may be anything.
bool Ball::implies(const double* y, std::size_t rows, const double*, const double*) const {
  return std::all_of(y, y + rows, [](double entry) { return entry == 0.; });
}

// r ‖g‖
bool Ball::addLargest(const ProofSum* g, std::size_t rows, const double*, const double*, double, ProofSum& sum) const {
  const ProofSum norm = normOf(g, rows);
  sum.value += radius_ * norm.value;
  sum.size += radius_ * norm.size;
  return true;
}

void Ball::excess(std::size_t rows, double d, const double* x, double* e, double* G) const {
  const double radius = d * radius_;
  double squares = 0.;
  for (std::size_t i = 0; i < rows; ++i) squares += x[i] * x[i];
  const double length = std::sqrt(squares);
  const bool isInside = !(length > radius);
  const double share = isInside ? 1. : radius / length;
  for (std::size_t i = 0; i < rows; ++i) e[i] = isInside ? 0. : (1. - share) * x[i];
  if (G == nullptr) return;
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double across = (i == j ? 1. : 0.) - (isInside ? 0. : x[i] * x[j] / squares);
      G[i + rows * j] = share * across;
    }
  }
}

void Ball::certifiedExcess(std::size_t rows, double d, const double* x, double* e) const {
  distance<double>(rows, d * radius_, x, e);
}

void Ball::certifiedExcess(std::size_t rows, double d, const long double* x, long double* e) const {
  distance<long double>(rows, static_cast<long double>(d) * radius_, x, e);
}

}  // namespace delassus::numerics
