// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/BasisSystem.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t inverseSize = 16;
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

// −q_R
void negatedRows(const Vector& q, const std::vector<std::size_t>& rows, double* residual) {
  const double* const constant = data(q);
  for (std::size_t k = 0; k < rows.size(); ++k) residual[k] = -constant[rows[k]];
}

// Less M_Rj z_j.
void subtractColumn(const Matrix& M, const std::vector<std::size_t>& rows, std::size_t j, double z, double* residual) {
  if (z == 0.) return;
  const double* const column = data(M) + j * M.size1();
  for (std::size_t k = 0; k < rows.size(); ++k) residual[k] -= column[rows[k]] * z;
}

// −(M z + q)_R
void residualOf(const Matrix& M, const Vector& q, const std::vector<std::size_t>& rows, const Vector& z,
                double* residual) {
  negatedRows(q, rows, residual);
  for (std::size_t j = 0; j < z.size(); ++j) subtractColumn(M, rows, j, z(j), residual);
}

}  // namespace

void BasisSystem::reserve(std::size_t size) {
  const std::size_t inverted = std::min(size, inverseSize);
  rows_.reserve(size);
  submatrix_.data().reserve(size * size);
  factor_.reserve(size);
  inverse_.reserve(inverted * inverted);
  rhs_.reserve(size);
  solution_.reserve(size);
}

bool BasisSystem::factor(const Matrix& M, const std::vector<std::size_t>& rows) {
  rows_ = rows;
  rhs_.resize(rows.size());
  solution_.resize(rows.size());
  isInverted_ = false;
  copySubmatrix(M, rows, rows, submatrix_);
  return factor_.tryFactor(submatrix_);
}

void BasisSystem::invert() {
  const std::size_t count = rows_.size();
  if (count > inverseSize) return;
  inverse_.assign(count * count, 0.);
  for (std::size_t k = 0; k < count; ++k) inverse_[k * (count + 1)] = 1.;
  factor_.solve(inverse_.data(), count);
  isInverted_ = true;
}

// M_FF⁻¹ rhs_ into solution_
void BasisSystem::applyInverse() {
  const std::size_t count = rows_.size();
  if (isInverted_) {
    detail::multiplySmall(1., inverse_.data(), count, count, rhs_.data(), false, solution_.data());
    return;
  }
  std::copy(rhs_.begin(), rhs_.end(), solution_.begin());
  factor_.solve(solution_.data());
}

void BasisSystem::apply(const Matrix& M, const Vector& q, const std::vector<std::size_t>& held, Vector& z) {
  negatedRows(q, rows_, rhs_.data());
  for (const std::size_t j : held) subtractColumn(M, rows_, j, z(j), rhs_.data());
  applyInverse();
  for (std::size_t k = 0; k < rows_.size(); ++k) z(rows_[k]) = solution_[k];
}

void BasisSystem::refine(const Matrix& M, const Vector& q, Vector& z) {
  residualOf(M, q, rows_, z, rhs_.data());
  applyInverse();
  for (std::size_t k = 0; k < rows_.size(); ++k) z(rows_[k]) += solution_[k];
}

void BasisSystem::solve(const Matrix& M, const Vector& q, Vector& z) {
  for (const std::size_t j : rows_) z(j) = 0.;
  refine(M, q, z);
  refine(M, q, z);
}

void BasisSystem::solveLeastNorm(const Matrix& M, const Vector& q, const std::vector<std::size_t>& rows,
                                 const std::vector<std::size_t>& columns, Vector& z) {
  for (const std::size_t j : columns) z(j) = 0.;
  // What is empty changes nothing but the work.
  std::vector<std::size_t> R, C;
  const auto isUsed = [&](std::size_t i, std::size_t j) { return M(i, j) != 0.; };
  for (const std::size_t i : rows) {
    if (std::any_of(columns.begin(), columns.end(), [&](std::size_t j) { return isUsed(i, j); })) R.push_back(i);
  }
  for (const std::size_t j : columns) {
    if (std::any_of(R.begin(), R.end(), [&](std::size_t i) { return isUsed(i, j); })) C.push_back(j);
  }
  if (C.empty()) return;
  Matrix submatrix;
  copySubmatrix(M, R, C, submatrix);
  Vector rhs(R.size());
  constexpr int passes = 2;
  double first = 0.;
  for (int pass = 0; pass < passes; ++pass) {
    residualOf(M, q, R, z, data(rhs));
    if (!allFinite(rhs)) return;  // with bounds whose products overflow
    // A pass factors anew; the second one is for what rounding has left.
    const double size = normInf(rhs);
    if (pass == 0) first = size;
    if (pass > 0 && size <= refined * first) return;
    const Vector correction = leastSquares(submatrix, rhs, "a complementary basis").x;
    for (std::size_t k = 0; k < C.size(); ++k) z(C[k]) += correction(k);
  }
}

}  // namespace delassus::numerics
