// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/MultiplierBalance.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <utility>

namespace delassus {
namespace {

// Entries of an orthogonal projector that are zero up to rounding.
constexpr double noEntry = 1e-8;

// An orthonormal basis of the columns of a projector that belong to `unknowns`: Gram–Schmidt, largest remainder first.
std::vector<Vector> basisOf(const Matrix& projector, const std::vector<std::size_t>& unknowns) {
  const std::size_t n = unknowns.size();
  std::vector<Vector> rest(n, Vector(n));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) rest[j](i) = projector(unknowns[i], unknowns[j]);
  }
  const auto product = [](const Vector& x, const Vector& y) {
    double sum = 0.;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x(i) * y(i);
    return sum;
  };
  std::vector<Vector> basis;
  while (basis.size() < n) {
    const auto largest = std::max_element(
        rest.begin(), rest.end(), [&](const Vector& x, const Vector& y) { return product(x, x) < product(y, y); });
    const double length = std::sqrt(product(*largest, *largest));
    if (length <= noEntry) break;
    basis.push_back(*largest);
    for (double& x : basis.back()) x /= length;
    for (Vector& column : rest) {
      const double share = product(column, basis.back());
      for (std::size_t i = 0; i < n; ++i) column(i) -= share * basis.back()(i);
    }
  }
  return basis;
}

}  // namespace

// 1 − A⁺A, column by column.
void MultiplierBalance::findNullSpace(const Matrix& A, double rankTolerance) {
  const std::size_t n = A.size1();
  projector_.resize(n, n, false);
  Vector column(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) column(i) = A(i, j);
    const Vector inRange = leastSquares(A, column, "Balance of multipliers", rankTolerance).x;
    for (std::size_t i = 0; i < n; ++i) projector_(i, j) = (i == j ? 1. : 0.) - inRange(i);
  }
}

std::vector<std::size_t> MultiplierBalance::tiedTo(std::size_t first, std::vector<char>& seen) const {
  std::vector<std::size_t> unknowns = {first};
  seen[first] = 1;
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] || std::abs(projector_(i, unknowns[k])) <= noEntry) continue;
      seen[i] = 1;
      unknowns.push_back(i);
    }
  }
  return unknowns;
}

// With ξ + N x: unknowns (x, t, y, y_T) of  −Bᵀ y = 0,  Σ y + y_T = 1,  0 ≤ B x − t + d ⟂ y ≥ 0,  0 ≤ T − t ⟂ y_T ≥ 0.
void MultiplierBalance::balance(const std::vector<std::size_t>& unknowns, const std::vector<Margin>& margins,
                                Vector& xi) {
  using Row = numerics::MixedLinearComplementarityProblem::Row;
  const std::vector<Vector> basis = basisOf(projector_, unknowns);
  const auto placeOf = [&](std::size_t unknown) {
    return static_cast<std::size_t>(std::find(unknowns.begin(), unknowns.end(), unknown) - unknowns.begin());
  };
  std::vector<const Margin*> own;
  for (const Margin& margin : margins) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (margin.coefficients[k] == 0. || placeOf(margin.unknowns[k]) == unknowns.size()) continue;
      own.push_back(&margin);
      break;
    }
  }
  const std::size_t d = basis.size();
  const std::size_t m = own.size();
  if (d == 0 || m == 0) return;
  Matrix M;
  assignZero(M, d + m + 2, d + m + 2);
  Vector q;
  assignZero(q, d + m + 2);
  std::vector<Row> rows(d + m + 2, Row::complementarity);
  std::fill_n(rows.begin(), d + 1, Row::equality);
  double size = 0.;
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t row = d + 1 + i;
    q(row) = own[i]->constant;
    for (std::size_t k = 0; k < 3; ++k) {
      const double coefficient = own[i]->coefficients[k];
      if (coefficient == 0.) continue;
      const std::size_t place = placeOf(own[i]->unknowns[k]);
      q(row) += coefficient * xi(own[i]->unknowns[k]);
      if (place == unknowns.size()) continue;
      for (std::size_t j = 0; j < d; ++j) M(row, j) += coefficient * basis[j](place);
    }
    for (std::size_t j = 0; j < d; ++j) M(j, row) = -M(row, j);
    M(row, d) = -1.;
    M(d, row) = 1.;
    size = std::max(size, std::abs(q(row)));
  }
  if (size == 0.) return;
  for (std::size_t i = 0; i < m; ++i) q(d + 1 + i) /= size;
  q(d) = -1.;
  M(d, d + m + 1) = 1.;
  M(d + m + 1, d) = -1.;
  q(d + m + 1) = 1.;  // T
  Vector z, w;
  if (!solver_.solve({std::move(M), std::move(q), std::move(rows)}, z, w).converged()) return;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < unknowns.size(); ++i) xi(unknowns[i]) += size * z(j) * basis[j](i);
  }
}

void MultiplierBalance::apply(const Matrix& A, double rankTolerance, const std::vector<Margin>& margins, Vector& xi) {
  findNullSpace(A, rankTolerance);
  std::vector<char> seen(xi.size(), 0);
  for (std::size_t i = 0; i < xi.size(); ++i) {
    if (!seen[i] && std::abs(projector_(i, i)) > noEntry) balance(tiedTo(i, seen), margins, xi);
  }
}

}  // namespace delassus
