// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/Programs.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr const char* where = "AffineVariationalInequality: ";

// The bounds of x, then those of π and of ν.
Vector extended(const Vector& given, std::size_t variables, double missing, const Vector& ofMultipliers,
                const char* what) {
  if (given.size() > 0) requireSize(given, variables, std::string(where) + what);
  Vector all(variables + ofMultipliers.size(), missing);
  std::copy(given.begin(), given.end(), all.begin());
  std::copy(ofMultipliers.begin(), ofMultipliers.end(), all.begin() + static_cast<std::ptrdiff_t>(variables));
  return all;
}

// Puts the rows, and the columns of their multipliers, at `first`.
void place(const LinearRows& rows, std::size_t first, std::size_t variables, Matrix& W, Vector& all, const char* what) {
  const std::size_t count = rows.A.size1();
  if (count > 0) requireSize(rows.A, count, variables, std::string(where) + what + " A");
  requireSize(rows.b, count, std::string(where) + what + " b");
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < variables; ++j) {
      W(first + i, j) = -rows.A(i, j);
      W(j, first + i) = rows.A(i, j);
    }
    all(first + i) = rows.b(i);
  }
}

GenericMechanicalProblem withMultipliers(const Matrix& M, const Vector& q, const PolyhedralSet& set) {
  const std::size_t n = q.size(), m = set.inequalities.A.size1(), k = set.equalities.A.size1();
  requireSize(M, n, n, std::string(where) + "M");
  Matrix W(n + m + k, n + m + k);
  Vector all(n + m + k);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) W(i, j) = M(i, j);
    all(j) = q(j);
  }
  place(set.inequalities, n, n, W, all, "the inequalities'");
  place(set.equalities, n + m, n, W, all, "the equalities'");
  Vector least(m + k), greatest(m + k, infinity);
  std::fill(least.begin() + static_cast<std::ptrdiff_t>(m), least.end(), -infinity);
  return {W,
          std::move(all),
          {Part::box(n + m + k)},
          extended(set.lower, n, -infinity, least, "the lower bounds"),
          extended(set.upper, n, infinity, greatest, "the upper bounds")};
}

}  // namespace

AffineVariationalInequality::AffineVariationalInequality(const Matrix& M, const Vector& q, const PolyhedralSet& set)
    : GenericMechanicalProblem(withMultipliers(M, q, set)),
      variables_(q.size()),
      inequalities_(set.inequalities.A.size1()) {
}

Vector AffineVariationalInequality::segment(const Vector& unknown, std::size_t first, std::size_t count) const {
  requireSize(unknown, size(), std::string(where) + "the unknown");
  Vector part(count);
  std::copy_n(unknown.begin() + static_cast<std::ptrdiff_t>(first), count, part.begin());
  return part;
}

namespace {

constexpr double convexityTolerance = 1e-10;

// The matrix H of a quadratic program, once it and c are found to fit, before anything is built from them.
const Matrix& checked(const Matrix& H, const Vector& c) {
  requireSize(H, c.size(), c.size(), "QuadraticProgram: H");
  requireFinite(H, "QuadraticProgram: H");
  const double size = normMax(H);
  Matrix shifted = H;
  for (std::size_t j = 0; j < c.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (std::abs(H(i, j) - H(j, i)) <= convexityTolerance * size) continue;
      throw Error("QuadraticProgram", "expected a symmetric H, but entry (" + std::to_string(i) + ", " +
                                          std::to_string(j) + ") is " + toText(H(i, j)) + " and its mirror image " +
                                          toText(H(j, i)) + ".");
    }
    shifted(j, j) += convexityTolerance * size * static_cast<double>(c.size()) + std::numeric_limits<double>::min();
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

namespace {

std::vector<Part> cones(const std::vector<std::size_t>& rows, const Vector& apertures) {
  if (apertures.size() > 0) requireSize(apertures, rows.size(), "SecondOrderConeProblem: the apertures");
  std::vector<Part> parts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    parts.push_back(Part::secondOrderCone(rows[i], apertures.size() > 0 ? apertures(i) : 1.));
  }
  return parts;
}

}  // namespace

SecondOrderConeProblem::SecondOrderConeProblem(const Matrix& M, Vector q, const std::vector<std::size_t>& rows,
                                               const Vector& apertures)
    : GenericMechanicalProblem(M, std::move(q), cones(rows, apertures)) {
}

}  // namespace delassus::numerics
