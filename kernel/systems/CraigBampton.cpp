// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/systems/CraigBampton.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>

namespace delassus {
namespace {

const char* const className = "craigBampton";
constexpr std::size_t none = static_cast<std::size_t>(-1);

// The unknowns of a mesh, on its boundary and within.
struct Split {
  std::vector<std::size_t> places;   // for each unknown its number on the boundary, or `none`
  std::vector<std::size_t> numbers;  // for each unknown its number within, or `none`
  std::vector<std::size_t> inner;    // those within
};

Split splitOf(const std::vector<std::size_t>& boundary, std::size_t n) {
  if (boundary.empty()) throw Error(className, "the boundary is empty.");
  Split split{std::vector<std::size_t>(n, none), std::vector<std::size_t>(n, none), {}};
  for (std::size_t b = 0; b < boundary.size(); ++b) {
    const std::size_t unknown = boundary[b];
    if (unknown >= n) {
      throw Error(className, "the boundary has the unknown " + std::to_string(unknown) + ", of " + std::to_string(n) +
                                 " that there are.");
    }
    if (split.places[unknown] != none) {
      throw Error(className, "the unknown " + std::to_string(unknown) + " stands twice in the boundary.");
    }
    split.places[unknown] = b;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (split.places[i] != none) continue;
    split.numbers[i] = split.inner.size();
    split.inner.push_back(i);
  }
  return split;
}

// The rows and columns of A that are within.
SquareMatrix innerPart(const SquareMatrix& A, const Split& split) {
  const std::vector<std::size_t>& inner = split.inner;
  if (!A.isSparse()) {
    Matrix part(inner.size(), inner.size());
    for (std::size_t j = 0; j < inner.size(); ++j) {
      for (std::size_t i = 0; i < inner.size(); ++i) part(i, j) = A.dense()(inner[i], inner[j]);
    }
    return part;
  }
  std::vector<Triplet> entries;
  forEachEntry(A, [&](std::size_t i, std::size_t j, double value) {
    const std::size_t row = split.numbers[i], column = split.numbers[j];
    if (row != none && column != none) entries.push_back({row, column, value});
  });
  return sparseFromTriplets(inner.size(), inner.size(), std::move(entries));
}

// Ψ, Φ and their frequencies.
void addInner(const SquareMatrix& M, const SquareMatrix& K, const Split& split, std::size_t modes,
              CraigBampton& result) {
  const std::string name(className);
  const std::size_t count = split.inner.size(), b = K.size1() - count;
  const SquareMatrix stiffness = innerPart(K, split);
  requirePositiveDefinite(stiffness, name + ": K of the unknowns that are not on the boundary, which is held,");
  SquareFactorization factors;
  factors.factor(stiffness, name + ": K");
  Matrix statics(count, b, 0.);
  forEachEntry(K, [&](std::size_t i, std::size_t j, double value) {
    if (split.numbers[i] != none && split.places[j] != none) statics(split.numbers[i], split.places[j]) -= value;
  });
  factors.solve(data(statics), b);
  const Modes found = lowestModes(stiffness, factors, innerPart(M, split), std::min(modes + 1, count), name);
  result.frequencies = Vector(modes);
  for (std::size_t k = 0; k < modes; ++k) result.frequencies(k) = std::sqrt(found.squares(k));
  if (modes < count) result.omitted = std::sqrt(found.squares(modes));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < b; ++k) result.basis(split.inner[i], k) = statics(i, k);
    for (std::size_t k = 0; k < modes; ++k) result.basis(split.inner[i], b + k) = found.vectors(i, k);
  }
}

// Symmetric to the bit, and, in K, without what rounding leaves between the boundary, of b unknowns, and the modes.
void tidy(Matrix& matrix, std::size_t b, bool isStiffness) {
  for (std::size_t j = 0; j < matrix.size1(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const double mean = isStiffness && j >= b ? 0. : 0.5 * (matrix(i, j) + matrix(j, i));
      matrix(i, j) = matrix(j, i) = mean;
    }
  }
}

}  // namespace

Matrix CraigBampton::reduced(const SquareMatrix& A) const {
  requireSize(A, basis.size1(), basis.size1(), std::string(className) + ": the matrix to reduce");
  Matrix product(basis.size1(), basis.size2());
  setZero(product);
  forEachEntry(A, [&](std::size_t i, std::size_t j, double value) {
    for (std::size_t k = 0; k < basis.size2(); ++k) product(i, k) += value * basis(j, k);
  });
  return delassus::product(Matrix(trans(basis)), product);
}

Vector CraigBampton::reduced(const Vector& f) const {
  requireSize(f, basis.size1(), std::string(className) + ": the load to reduce");
  Vector result(basis.size2());
  multiplyTransposed(1., basis, f, 0., result);
  return result;
}

Vector CraigBampton::expanded(const Vector& q) const {
  requireSize(q, basis.size2(), std::string(className) + ": the coordinates to expand");
  Vector u(basis.size1());
  multiply(1., basis, q, 0., u);
  return u;
}

CraigBampton craigBampton(const SquareMatrix& M, const SquareMatrix& K, const std::vector<std::size_t>& boundary,
                          std::size_t modes) {
  const std::size_t n = K.size1(), b = boundary.size();
  const std::string name(className);
  requireSize(K, n, n, name + ": K");
  requireSize(M, n, n, name + ": M (of the size of K)");
  requireFinite(K, name + ": K");
  requireSymmetric(K, name + ": K");
  requireFinite(M, name + ": M");
  requirePositiveDefinite(M, name + ": M");
  const Split split = splitOf(boundary, n);
  if (modes > split.inner.size()) {
    throw Error(name, "expected at most as many modes as inner unknowns, " + std::to_string(split.inner.size()) +
                          ", got " + std::to_string(modes) + ".");
  }
  CraigBampton result;
  result.basis = Matrix(n, b + modes, 0.);
  for (std::size_t k = 0; k < b; ++k) result.basis(boundary[k], k) = 1.;
  if (!split.inner.empty()) addInner(M, K, split, modes, result);
  result.M = result.reduced(M);
  result.K = result.reduced(K);
  tidy(result.M, b, false);
  tidy(result.K, b, true);
  return result;
}

}  // namespace delassus
