// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/lcp/BasisSystem.hpp>

namespace delassus::numerics {
namespace {

// A residual that is this small a part of the first is rounding.
constexpr double refined = 1e-14;

void copySubmatrix(const Matrix& M, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns,
                   Matrix& submatrix) {
  submatrix.resize(rows.size(), columns.size(), false);
  double* target = data(submatrix);
  for (const std::size_t j : columns) {
    const double* const source = data(M) + j * M.size1();
    for (const std::size_t i : rows) *target++ = source[i];
  }
}

// −(M z + q)_R
void residualOf(const Matrix& M, const Vector& q, const std::vector<std::size_t>& rows, const Vector& z,
                Vector& residual) {
  if (residual.size() != rows.size()) residual.resize(rows.size(), false);
  for (std::size_t k = 0; k < rows.size(); ++k) residual(k) = -q(rows[k]);
  for (std::size_t j = 0; j < z.size(); ++j) {
    if (z(j) == 0.) continue;
    const double* const column = data(M) + j * M.size1();
    for (std::size_t k = 0; k < rows.size(); ++k) residual(k) -= column[rows[k]] * z(j);
  }
}

}  // namespace

bool BasisSystem::factor(const Matrix& M, const std::vector<std::size_t>& rows,
                         const std::vector<std::size_t>& columns) {
  if (rows.size() != columns.size()) return false;
  rows_ = rows;
  columns_ = columns;
  copySubmatrix(M, rows, columns, submatrix_);
  return factor_.tryFactor(submatrix_);
}

void BasisSystem::solve(const Matrix& M, const Vector& q, Vector& z) {
  for (const std::size_t j : columns_) z(j) = 0.;
  constexpr int passes = 2;
  for (int pass = 0; pass < passes; ++pass) {
    residualOf(M, q, rows_, z, rhs_);
    factor_.solve(rhs_);
    for (std::size_t k = 0; k < columns_.size(); ++k) z(columns_[k]) += rhs_(k);
  }
}

void BasisSystem::solveLeastNorm(const Matrix& M, const Vector& q, const std::vector<std::size_t>& rows,
                                 const std::vector<std::size_t>& columns, Vector& z) {
  for (const std::size_t j : columns) z(j) = 0.;
  if (rows.empty() || columns.empty()) return;
  Matrix submatrix;
  copySubmatrix(M, rows, columns, submatrix);
  Vector rhs;
  constexpr int passes = 2;
  double first = 0.;
  for (int pass = 0; pass < passes; ++pass) {
    residualOf(M, q, rows, z, rhs);
    // A pass factors anew; the second one is for what rounding has left.
    const double size = normInf(rhs);
    if (pass == 0) first = size;
    if (pass > 0 && size <= refined * first) return;
    const Vector correction = leastSquares(submatrix, rhs, "a complementary basis").x;
    for (std::size_t k = 0; k < columns.size(); ++k) z(columns[k]) += correction(k);
  }
}

}  // namespace delassus::numerics
