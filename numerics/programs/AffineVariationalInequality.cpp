// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/programs/AffineVariationalInequality.hpp>
#include <limits>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr const char* where = "AffineVariationalInequality: ";

// The bounds of x, then those of π.
Vector extended(const Vector& given, std::size_t variables, std::size_t inequalities, double missing, double ofPi,
                const char* what) {
  if (given.size() > 0) requireSize(given, variables, std::string(where) + what);
  Vector all(variables + inequalities, ofPi);
  for (std::size_t i = 0; i < variables; ++i) all(i) = given.size() > 0 ? given(i) : missing;
  return all;
}

GenericMechanicalProblem withMultipliers(const Matrix& M, const Vector& q, const Matrix& A, const Vector& b,
                                         const Vector& lower, const Vector& upper) {
  const std::size_t n = q.size(), m = A.size1();
  requireSize(M, n, n, std::string(where) + "M");
  if (m > 0) requireSize(A, m, n, std::string(where) + "A");
  requireSize(b, m, std::string(where) + "b");
  Matrix W(n + m, n + m);
  Vector all(n + m);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) W(i, j) = M(i, j);
    for (std::size_t i = 0; i < m; ++i) {
      W(n + i, j) = -A(i, j);
      W(j, n + i) = A(i, j);
    }
    all(j) = q(j);
  }
  for (std::size_t i = 0; i < m; ++i) all(n + i) = b(i);
  return {W,
          std::move(all),
          {Part::box(n + m)},
          extended(lower, n, m, -infinity, 0., "the lower bounds"),
          extended(upper, n, m, infinity, infinity, "the upper bounds")};
}

}  // namespace

AffineVariationalInequality::AffineVariationalInequality(const Matrix& M, const Vector& q, const Matrix& A,
                                                         const Vector& b, const Vector& lower, const Vector& upper)
    : GenericMechanicalProblem(withMultipliers(M, q, A, b, lower, upper)), variables_(q.size()) {
}

Vector AffineVariationalInequality::variablesOf(const Vector& unknown) const {
  requireSize(unknown, size(), std::string(where) + "the unknown");
  Vector x(variables_);
  std::copy_n(unknown.begin(), variables_, x.begin());
  return x;
}

Vector AffineVariationalInequality::multipliersOf(const Vector& unknown) const {
  requireSize(unknown, size(), std::string(where) + "the unknown");
  Vector multipliers(inequalities());
  std::copy(unknown.begin() + variables_, unknown.end(), multipliers.begin());
  return multipliers;
}

}  // namespace delassus::numerics
