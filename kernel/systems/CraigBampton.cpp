// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/systems/CraigBampton.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LowestModes.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>

namespace delassus {
namespace {

const char* const className = "craigBampton";
constexpr std::size_t inner = static_cast<std::size_t>(-1);

// For each unknown its number on the boundary, or `inner`.
std::vector<std::size_t> placesOf(const std::vector<std::size_t>& boundary, std::size_t n) {
  if (boundary.empty()) throw Error(className, "the boundary is empty.");
  std::vector<std::size_t> places(n, inner);
  for (std::size_t b = 0; b < boundary.size(); ++b) {
    const std::size_t unknown = boundary[b];
    if (unknown >= n) {
      throw Error(className, "the boundary has the unknown " + std::to_string(unknown) + ", of " + std::to_string(n) +
                                 " that there are.");
    }
    if (places[unknown] != inner) {
      throw Error(className, "the unknown " + std::to_string(unknown) + " stands twice in the boundary.");
    }
    places[unknown] = b;
  }
  return places;
}

// The rows and columns of A that are inner.
SquareMatrix innerPart(const SquareMatrix& A, const std::vector<std::size_t>& numbers, std::size_t count) {
  std::vector<Triplet> entries;
  forEachEntry(A, [&](std::size_t i, std::size_t j, double value) {
    if (numbers[i] != inner && numbers[j] != inner) entries.push_back({numbers[i], numbers[j], value});
  });
  SparseMatrix part = sparseFromTriplets(count, count, std::move(entries));
  if (A.isSparse()) return part;
  return toDense(part);
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
  const std::size_t n = K.size1();
  const std::string name(className);
  requireSize(K, n, n, name + ": K");
  requireSize(M, n, n, name + ": M (of the size of K)");
  requireFinite(K, name + ": K");
  requireFinite(M, name + ": M");
  const std::vector<std::size_t> places = placesOf(boundary, n);
  std::vector<std::size_t> unknowns, numbers(n, inner);  // of inner ones, and theirs
  for (std::size_t i = 0; i < n; ++i) {
    if (places[i] != inner) continue;
    numbers[i] = unknowns.size();
    unknowns.push_back(i);
  }
  const std::size_t count = unknowns.size(), b = boundary.size();
  if (modes > count) {
    throw Error(name, "expected at most as many modes as inner unknowns, " + std::to_string(count) + ", got " +
                          std::to_string(modes) + ".");
  }
  CraigBampton result;
  result.basis = Matrix(n, b + modes, 0.);
  for (std::size_t k = 0; k < b; ++k) result.basis(boundary[k], k) = 1.;
  if (count > 0) {
    const SquareMatrix stiffness = innerPart(K, numbers, count);
    requirePositiveDefinite(stiffness, name + ": K of the unknowns that are not on the boundary, which is held,");
    SquareFactorization factors;
    factors.factor(stiffness, name + ": K");
    Matrix statics(count, b, 0.);
    forEachEntry(K, [&](std::size_t i, std::size_t j, double value) {
      if (numbers[i] != inner && places[j] != inner) statics(numbers[i], places[j]) -= value;
    });
    factors.solve(data(statics), b);
    const Modes found = lowestModes(stiffness, innerPart(M, numbers, count), std::min(modes + 1, count), name);
    result.frequencies = Vector(modes);
    for (std::size_t k = 0; k < modes; ++k) result.frequencies(k) = std::sqrt(found.squares(k));
    if (modes < count) result.omitted = std::sqrt(found.squares(modes));
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < b; ++k) result.basis(unknowns[i], k) = statics(i, k);
      for (std::size_t k = 0; k < modes; ++k) result.basis(unknowns[i], b + k) = found.vectors(i, k);
    }
  }
  result.M = result.reduced(M);
  result.K = result.reduced(K);
  // Symmetric to the bit, and without what rounding leaves between boundary and modes in K.
  for (Matrix* const matrix : {&result.M, &result.K}) {
    for (std::size_t j = 0; j < b + modes; ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        const bool isZero = matrix == &result.K && j >= b;
        (*matrix)(i, j) = (*matrix)(j, i) = isZero ? 0. : 0.5 * ((*matrix)(i, j) + (*matrix)(j, i));
      }
    }
  }
  return result;
}

}  // namespace delassus
