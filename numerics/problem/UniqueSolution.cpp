// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/problem/PMatrix.hpp>
#include <delassus/numerics/problem/UniqueSolution.hpp>
#include <string>

namespace delassus::numerics {
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
