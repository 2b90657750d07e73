// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <delassus/numerics/lcp/LcpInfeasibility.hpp>
#include <limits>
#include <vector>

namespace delassus::numerics {
namespace {

// Mᵀ y and the sums of the magnitudes of its terms, with the positive part of y.
struct Products {
  std::vector<double> values, magnitudes;
};

Products productsOf(const BlockSparseMatrix& M, const Vector& y) {
  Products products{std::vector<double>(y.size(), 0.), std::vector<double>(y.size(), 0.)};
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) {
      const double* entry = M.block(k);
      const std::size_t column = M.column(k);
      for (std::size_t j = 0; j < M.blockSize(column); ++j) {
        for (std::size_t i = 0; i < M.blockSize(row); ++i, ++entry) {
          const double term = *entry * std::max(0., y(M.offset(row) + i));
          products.values[M.offset(column) + j] += term;
          products.magnitudes[M.offset(column) + j] += std::abs(term);
        }
      }
    }
  }
  return products;
}

// With sums that are zero up to `tolerance`, and qᵀ y at least the part `clear` of its terms.
bool holds(const LinearComplementarityProblem& problem, const Vector& y, double tolerance, double clear) {
  double product = 0.;
  double magnitude = 0.;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double weight = std::max(0., y(i));
    product += problem.q()(i) * weight;
    magnitude += std::abs(problem.q()(i)) * weight;
  }
  if (!(std::isfinite(magnitude) && product < -clear * magnitude)) return false;
  const Products products = productsOf(problem.M(), y);
  for (std::size_t j = 0; j < products.values.size(); ++j) {
    if (!(products.values[j] <= tolerance * products.magnitudes[j])) return false;
  }
  return true;
}

// Moves y by least squares to where Mᵀ y is 0 in exact arithmetic, on its support and in the columns where it nearly
// is.
Vector sharpened(const BlockSparseMatrix& M, const Vector& y) {
  constexpr double small = 1e-6;
  std::vector<std::size_t> support, columns;
  const double largest = normInf(y);
  const Products products = productsOf(M, y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y(i) > small * largest) support.push_back(i);
    if (!(products.values[i] < -small * products.magnitudes[i]) && products.magnitudes[i] > 0.) columns.push_back(i);
  }
  Vector moved(y.size());
  for (const std::size_t i : support) moved(i) = y(i) / largest;
  if (columns.empty() || support.empty()) return moved;
  Matrix dense;
  M.toDense(dense);
  Matrix A(columns.size(), support.size());
  Vector rhs(columns.size());
  for (std::size_t j = 0; j < support.size(); ++j) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      A(i, j) = dense(support[j], columns[i]);
      rhs(i) -= A(i, j) * moved(support[j]);
    }
  }
  const Vector correction = leastSquares(A, rhs, "the rows of M in a direction").x;
  for (std::size_t j = 0; j < support.size(); ++j) moved(support[j]) += correction(j);
  return moved;
}

}  // namespace

bool provesInfeasible(const LinearComplementarityProblem& problem, const Vector& y) {
  requireSize(y, problem.size(), "provesInfeasible: y");
  const double rounding = 100. * static_cast<double>(y.size()) * std::numeric_limits<double>::epsilon();
  const double clear = clearPart(rounding);
  if (holds(problem, y, rounding, clear)) return true;
  // Diverging iterates give only a few digits of a direction; it is made exact if that costs little.
  constexpr double nearly = 1e-6;
  constexpr std::size_t largestSize = 500;
  if (y.size() > largestSize || !allFinite(y) || !holds(problem, y, nearly, nearly)) return false;
  return holds(problem, sharpened(problem.M(), y), rounding, clear);
}

}  // namespace delassus::numerics
