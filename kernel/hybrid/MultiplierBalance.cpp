// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/MultiplierBalance.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

// Entries of an orthogonal projector that are zero up to rounding.
constexpr double noEntry = 1e-8;

// The weight of the square of the length beside the margin: for the shortest forces, and to have one answer. Corners of
// a linear program stay where they are as long as margins change by more than this along its edges; rounding of ξ grows
// by its inverse where they do not change at all.
constexpr double preference = 1e-3, anyPreference = 1e-6;

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

}  // namespace

// The unknowns that the null space ties to this one.
void MultiplierBalance::findTied(std::size_t first) {
  unknowns_.assign(1, first);
  seen_[first] = 1;
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i] || std::abs(projector_(i, unknowns_[k])) <= noEntry) continue;
      seen_[i] = 1;
      unknowns_.push_back(i);
    }
  }
}

// Adds the affine function coefficient ξ(unknown) + … of a piece to a row of the program in x: ξ + N x.
void MultiplierBalance::addTerm(double coefficient, std::size_t unknown, const Vector& xi, double* row) const {
  if (coefficient == 0.) return;
  row[0] += coefficient * xi(unknown);
  const auto place = std::find(unknowns_.begin(), unknowns_.end(), unknown);
  if (place == unknowns_.end()) return;
  for (std::size_t j = 0; j < basis_.size(); ++j)
    row[1 + j] += coefficient * basis_[j](static_cast<std::size_t>(place - unknowns_.begin()));
}

bool MultiplierBalance::isOwn(std::size_t unknown) const {
  return std::find(unknowns_.begin(), unknowns_.end(), unknown) != unknowns_.end();
}

void MultiplierBalance::balance(const std::vector<Margin>& margins, const std::vector<Cone>& cones, bool shortest,
                                Vector& xi) {
  basis_ = basisOf(projector_, unknowns_);
  if (basis_.empty()) return;
  program_.begin(basis_.size());
  for (const Margin& margin : margins) {
    const auto counts = [&](std::size_t k) { return margin.coefficients[k] != 0. && isOwn(margin.unknowns[k]); };
    if (!counts(0) && !counts(1)) continue;
    program_.addHalfSpace();
    program_.row(0)[0] = margin.constant;
    for (std::size_t k = 0; k < 2; ++k) addTerm(margin.coefficients[k], margin.unknowns[k], xi, program_.row(0));
  }
  for (const Cone& cone : cones) {
    if (!isOwn(cone.first) && !isOwn(cone.first + 1) && !isOwn(cone.first + 2)) continue;
    program_.addCone();
    for (std::size_t k = 0; k < 3; ++k) addTerm(cone.coefficients[k], cone.first + k, xi, program_.row(k));
  }
  const double size = program_.scale();
  if (size == 0. || !program_.solve(shortest ? preference : anyPreference)) return;
  for (std::size_t j = 0; j < basis_.size(); ++j) {
    for (std::size_t i = 0; i < unknowns_.size(); ++i) xi(unknowns_[i]) += size * program_.x(j) * basis_[j](i);
  }
}

void MultiplierBalance::apply(const std::vector<Vector>& nullSpace, const std::vector<Margin>& margins,
                              const std::vector<Cone>& cones, bool shortest, Vector& xi) {
  const std::size_t n = xi.size();
  assignZero(projector_, n, n);
  for (const Vector& basis : nullSpace) {
    addScaled(-dot(basis, xi), basis, xi);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) projector_(i, j) += basis(i) * basis(j);
    }
  }
  seen_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (seen_[i] || std::abs(projector_(i, i)) <= noEntry) continue;
    findTied(i);
    balance(margins, cones, shortest, xi);
  }
}

}  // namespace delassus
