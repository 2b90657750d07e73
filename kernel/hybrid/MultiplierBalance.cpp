// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/MultiplierBalance.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <utility>

namespace delassus {
namespace {

// Entries of an orthogonal projector that are zero up to rounding.
constexpr double noEntry = 1e-8;

// Of the square of the length beside the margin. Corners of the linear program stay where they are as long as margins
// change by more than this along its edges; rounding of ξ grows by its inverse where they do not change at all.
constexpr double preference = 1e-3;

// An orthonormal basis of the columns of a projector that belong to `unknowns`: Gram–Schmidt, largest remainder first.
std::vector<Vector> basisOf(const Matrix& projector, const std::vector<std::size_t>& unknowns) {
  const std::size_t n = unknowns.size();
  std::vector<Vector> rest(n, Vector(n));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) rest[j](i) = projector(unknowns[i], unknowns[j]);
  }
  std::vector<Vector> basis;
  while (basis.size() < n) {
    const auto largest = std::max_element(rest.begin(), rest.end(),
                                          [&](const Vector& x, const Vector& y) { return dot(x, x) < dot(y, y); });
    const double length = std::sqrt(dot(*largest, *largest));
    if (length <= noEntry) break;
    basis.push_back(*largest);
    for (double& x : basis.back()) x /= length;
    for (Vector& column : rest) {
      const double share = dot(column, basis.back());
      for (std::size_t i = 0; i < n; ++i) column(i) -= share * basis.back()(i);
    }
  }
  return basis;
}

numerics::AutomaticMlcpOptions solverOptions() {
  numerics::AutomaticMlcpOptions options;
  options.tolerance = 1e-9;  // of margins relative to the largest
  return options;
}

}  // namespace

MultiplierBalance::MultiplierBalance() : solver_(solverOptions()) {
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

// With ξ + N x, Nᵀ ξ = 0: unknowns (x, t, y, y_T) of  ε x − Bᵀ y = 0, ε zero or the preference of the shortest,  Σ y +
// y_T = 1,  0 ≤ B x − t + d ⟂ y ≥ 0,  0 ≤ T − t ⟂ y_T ≥ 0.
void MultiplierBalance::balance(const std::vector<std::size_t>& unknowns, const std::vector<Margin>& margins,
                                bool shortest, Vector& xi) {
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
  for (std::size_t j = 0; shortest && j < d; ++j) M(j, j) = preference;
  M(d, d + m + 1) = 1.;
  M(d + m + 1, d) = -1.;
  q(d + m + 1) = 1.;  // T
  Vector z, w;
  if (!solver_.solve({std::move(M), std::move(q), std::move(rows)}, z, w).converged()) return;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < unknowns.size(); ++i) xi(unknowns[i]) += size * z(j) * basis[j](i);
  }
  for (const std::size_t unknown : unknowns) levels_[unknown] = size * z(d);
}

void MultiplierBalance::apply(const std::vector<Vector>& nullSpace, const std::vector<Margin>& margins, bool shortest,
                              Vector& xi) {
  const std::size_t n = xi.size();
  assignZero(projector_, n, n);
  for (const Vector& basis : nullSpace) {
    addScaled(-dot(basis, xi), basis, xi);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) projector_(i, j) += basis(i) * basis(j);
    }
  }
  levels_.assign(n, -std::numeric_limits<double>::infinity());
  std::vector<char> seen(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (!seen[i] && std::abs(projector_(i, i)) > noEntry) balance(tiedTo(i, seen), margins, shortest, xi);
  }
}

}  // namespace delassus
