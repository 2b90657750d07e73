// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/problem/QuadraticProgram.hpp>
#include <limits>
#include <string>

namespace delassus::numerics {
namespace {

constexpr double tolerance = 1e-10;

// Of the program, before anything is built from it.
const Matrix& checked(const Matrix& H, const Vector& c) {
  requireSize(H, c.size(), c.size(), "QuadraticProgram: H");
  requireFinite(H, "QuadraticProgram: H");
  const double size = normMax(H);
  Matrix shifted = H;
  for (std::size_t j = 0; j < c.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (std::abs(H(i, j) - H(j, i)) <= tolerance * size) continue;
      throw Error("QuadraticProgram", "expected a symmetric H, but entry (" + std::to_string(i) + ", " +
                                          std::to_string(j) + ") is " + toText(H(i, j)) + " and its mirror image " +
                                          toText(H(j, i)) + ".");
    }
    shifted(j, j) += tolerance * size * static_cast<double>(c.size()) + std::numeric_limits<double>::min();
  }
  if (!CholeskyFactorization().tryFactor(shifted)) {
    throw Error(
        "QuadraticProgram",
        "expected a positive semidefinite H, so that a stationary point is a minimum; AffineVariationalInequality "
        "finds stationary points of others.");
  }
  return H;
}

}  // namespace

QuadraticProgram::QuadraticProgram(const Matrix& H, const Vector& c, const PolyhedralSet& set)
    : AffineVariationalInequality(checked(H, c), c, set) {
}

double QuadraticProgram::objective(const Vector& x) const {
  requireSize(x, variables(), "QuadraticProgram: x");
  double sum = 0.;
  for (std::size_t i = 0; i < variables(); ++i) {
    double product = q()(i);
    for (std::size_t j = 0; j < variables(); ++j) product += 0.5 * W().entry(i, j) * x(j);
    sum += x(i) * product;
  }
  return sum;
}

}  // namespace delassus::numerics
