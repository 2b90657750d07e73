// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/UniqueSolution.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <string>

namespace delassus::numerics {
namespace {

constexpr double unitRounding = 4. * std::numeric_limits<double>::epsilon();  // of a product and a sum

Matrix errorsOf(Matrix a) {
  for (double& entry : a.data()) entry = PMatrixTest::accuracy * std::abs(entry);
  return a;
}

}  // namespace

bool PMatrixTest::holds(const Matrix& M) {
  return holds(M, errorsOf(M));
}

bool PMatrixTest::holds(const Matrix& M, const Matrix& errors) {
  const std::size_t n = M.size1();
  requireSize(M, n, n, "PMatrixTest: M");
  requireFinite(M, "PMatrixTest: M");
  requireSize(errors, n, n, "PMatrixTest: errors");
  if (n > maxSize) {
    throw Error("PMatrixTest", "the work of the test doubles with each row, so it takes at most " +
                                   std::to_string(maxSize) + " rows, got " + std::to_string(n) + '.');
  }
  levels_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    levels_[k].M.resize(n - k, n - k, false);
    levels_[k].errors.resize(n - k, n - k, false);
  }
  minor_.clear();
  eliminated_.clear();
  if (n == 0) return true;
  levels_[0] = {M, errors};
  return recurse(0);
}

// The matrix of level `first` is the remainder of rows first … n − 1 after the elimination of eliminated_.
bool PMatrixTest::recurse(std::size_t first) {
  const Level& level = levels_[first];
  const double pivot = level.M(0, 0);
  if (!(pivot > level.errors(0, 0))) {
    minor_ = eliminated_;
    minor_.push_back(first);
    return false;
  }
  if (first + 1 == levels_.size()) return true;
  Level& next = levels_[first + 1];
  const std::size_t left = level.M.size1() - 1;
  for (std::size_t j = 0; j < left; ++j) {
    for (std::size_t i = 0; i < left; ++i) {
      next.M(i, j) = level.M(i + 1, j + 1);
      next.errors(i, j) = level.errors(i + 1, j + 1);
    }
  }
  if (!recurse(first + 1)) return false;
  const double pivotError = level.errors(0, 0) / pivot;
  for (std::size_t j = 0; j < left; ++j) {
    const double factor = level.M(0, j + 1) / pivot;
    const double factorError = level.errors(0, j + 1) / pivot + std::abs(factor) * pivotError;
    for (std::size_t i = 0; i < left; ++i) {
      const double entry = level.M(i + 1, 0);
      next.M(i, j) = level.M(i + 1, j + 1) - entry * factor;
      next.errors(i, j) = level.errors(i + 1, j + 1) + level.errors(i + 1, 0) * std::abs(factor) +
                          std::abs(entry) * factorError + unitRounding * std::abs(entry * factor);
    }
  }
  eliminated_.push_back(first);
  if (!recurse(first + 1)) return false;
  eliminated_.pop_back();
  return true;
}

bool hasDefiniteSymmetricPart(const Matrix& M) {
  return hasDefiniteSymmetricPart(M, errorsOf(M));
}

bool hasDefiniteSymmetricPart(const Matrix& M, const Matrix& errors) {
  const std::size_t n = M.size1();
  requireSize(M, n, n, "symmetric part: M");
  requireSize(errors, n, n, "symmetric part: errors");
  Matrix symmetric(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) symmetric(i, j) = 0.5 * M(i, j) + 0.5 * M(j, i);
    symmetric(j, j) -= errors(j, j);
  }
  return n == 0 || CholeskyFactorization().tryFactor(symmetric);
}

namespace {

using Rows = std::vector<std::size_t>;

Matrix block(const Matrix& M, const Rows& rows, const Rows& columns) {
  Matrix part(rows.size(), columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) part(i, j) = M(rows[i], columns[j]);
  }
  return part;
}

// Rows without bounds, and those that have a choice between theirs.
void sortRows(const Vector& lower, const Vector& upper, Rows& free, Rows& bounded) {
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (!(lower(i) <= upper(i))) {
      throw Error("hasUniqueSolution", "row " + std::to_string(i) + " has the lower bound " + toText(lower(i)) +
                                           " and the upper bound " + toText(upper(i)) + "; lower <= upper is needed.");
    }
    if (!std::isfinite(lower(i)) && !std::isfinite(upper(i))) {
      free.push_back(i);
    } else if (lower(i) != upper(i)) {
      bounded.push_back(i);
    }
  }
}

// The Schur complement M_BB − M_BF M_FF⁻¹ M_FB with its errors; false if M_FF is singular.
bool eliminate(const Matrix& M, const Rows& free, const Rows& bounded, Matrix& left, Matrix& errors) {
  left = block(M, bounded, bounded);
  errors = magnitudesOf(left);
  if (!free.empty()) {
    const Matrix A = block(M, free, free);
    const Matrix C = block(M, free, bounded);
    const Matrix D = block(M, bounded, free);
    LUFactorization factor, transposedFactor;
    if (!factor.tryFactor(A) || !transposedFactor.tryFactor(trans(A))) return false;
    Matrix quotient = C;           // A⁻¹ C
    Matrix transposed = trans(D);  // A⁻ᵀ Dᵀ
    factor.solve(quotient);
    transposedFactor.solve(transposed);
    const Matrix fromLeft = magnitudesOf(trans(transposed));
    const Matrix fromRight = magnitudesOf(quotient);
    multiply(-1., D, quotient, 1., left);
    multiply(1., magnitudesOf(D), fromRight, 1., errors);
    multiply(1., fromLeft, magnitudesOf(C), 1., errors);
    multiply(1., fromLeft, product(magnitudesOf(A), fromRight), 1., errors);
  }
  errors *= PMatrixTest::accuracy;
  return true;
}

}  // namespace

UniqueSolution hasUniqueSolution(const Matrix& M, const Vector& lower, const Vector& upper) {
  const std::size_t n = M.size1();
  requireSize(M, n, n, "hasUniqueSolution: M");
  requireFinite(M, "hasUniqueSolution: M");
  requireSize(lower, n, "hasUniqueSolution: lower bounds");
  requireSize(upper, n, "hasUniqueSolution: upper bounds");
  Rows free, bounded;
  sortRows(lower, upper, free, bounded);
  Matrix left, errors;
  if (!eliminate(M, free, bounded, left, errors)) {
    return {false, "the block of the equalities is singular", free};
  }
  if (hasDefiniteSymmetricPart(left, errors)) return {};
  if (bounded.size() > PMatrixTest::maxSize) {
    throw Error("hasUniqueSolution",
                "it cannot be decided whether the solution is unique: " + std::to_string(bounded.size()) +
                    " rows with bounds are left, more than the " + std::to_string(PMatrixTest::maxSize) +
                    " that can be tested where the symmetric part of their matrix is not "
                    "positive definite.");
  }
  PMatrixTest test;
  if (test.holds(left, errors)) return {};
  UniqueSolution answer{false, "a principal minor of its matrix is not positive", {}};
  for (const std::size_t row : test.minor()) answer.rows.push_back(bounded[row]);
  return answer;
}

}  // namespace delassus::numerics
