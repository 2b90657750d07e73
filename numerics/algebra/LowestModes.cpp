// SPDX-License-Identifier: Apache-2.0
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LowestModes.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <random>

namespace delassus {
namespace {

constexpr std::size_t mostDense = 400;  // unknowns of which all modes are found
constexpr double accuracy = 1e-9;       // of residuals

// All modes of dense matrices, which are overwritten: vectors by columns in K.
Vector solveDense(Matrix& K, Matrix& M, const std::string& name) {
  const int n = static_cast<int>(K.size1());
  Vector squares(K.size1());
  if (LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', n, data(K), n, data(M), n, data(squares)) == 0) return squares;
  throw Error(name, "the modes were not found: a matrix is not positive definite to rounding.");
}

Matrix firstColumns(const Matrix& A, std::size_t count) {
  Matrix part(A.size1(), count);
  std::copy_n(data(A), A.size1() * count, data(part));
  return part;
}

void multiplyColumns(const SquareMatrix& A, const Matrix& X, Matrix& product) {
  Vector x(X.size1()), y(X.size1());
  for (std::size_t j = 0; j < X.size2(); ++j) {
    std::copy_n(data(X) + j * x.size(), x.size(), data(x));
    multiply(1., A, x, 0., y);
    std::copy_n(data(y), y.size(), data(product) + j * y.size());
  }
}

Matrix transposedProduct(const Matrix& A, const Matrix& B) {
  return product(Matrix(trans(A)), B);
}

// The largest ‖K φ − ω² M φ‖/‖K φ‖ of the first modes.
double residualOf(const Matrix& KX, const Matrix& MX, const Vector& squares, std::size_t count) {
  double worst = 0.;
  for (std::size_t j = 0; j < count; ++j) {
    double error = 0., size = 0.;
    for (std::size_t i = 0; i < KX.size1(); ++i) {
      error += std::pow(KX(i, j) - squares(j) * MX(i, j), 2);
      size += KX(i, j) * KX(i, j);
    }
    worst = std::max(worst, std::sqrt(error / size));
  }
  return worst;
}

// Subspace iteration: X := K⁻¹ M X, and the modes within its columns, again and again. K X is what was solved for,
// since the product of a stiff K cancels to less than the accuracy that is asked; columns are scaled to about 1.
Modes iterate(const SquareFactorization& factors, const SquareMatrix& M, std::size_t count, const std::string& name) {
  constexpr int most = 500;
  const std::size_t n = M.size1(), columns = std::min(n, std::max(2 * count, count + 8));
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  Vector squares(columns, 1.);
  Matrix X, KX(n, columns), MX(n, columns);
  for (double& entry : MX.data()) entry = normal(engine);
  for (int iteration = 0; iteration < most; ++iteration) {
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < n; ++i) KX(i, j) = squares(j) * MX(i, j);
    }
    X = KX;
    factors.solve(data(X), columns);
    multiplyColumns(M, X, MX);
    Matrix reducedK = transposedProduct(X, KX), reducedM = transposedProduct(X, MX);
    squares = solveDense(reducedK, reducedM, name);
    for (Matrix* const each : {&X, &KX, &MX}) *each = product(*each, reducedK);
    if (residualOf(KX, MX, squares, count) > accuracy) continue;
    Modes found{Vector(count), firstColumns(X, count)};
    std::copy_n(data(squares), count, data(found.squares));
    return found;
  }
  throw Error(name, "the modes were not found in " + std::to_string(most) + " iterations.");
}

void requireFit(const SquareMatrix& K, const SquareMatrix& M, std::size_t count, const std::string& name) {
  const std::size_t n = K.size1();
  requireSize(K, n, n, name + ": K");
  requireSize(M, n, n, name + ": M");
  requireFinite(K, name + ": K");
  requireFinite(M, name + ": M");
  if (count <= n) return;
  throw Error(name, "expected at most as many modes as unknowns, " + std::to_string(n) + ", got " +
                        std::to_string(count) + ".");
}

}  // namespace

Modes lowestModes(const SquareMatrix& K, const SquareMatrix& M, std::size_t count, const std::string& name) {
  requireFit(K, M, count, name);
  requirePositiveDefinite(K, name + ": K");
  SquareFactorization factors;
  if (K.size1() > mostDense) factors.factor(K, name + ": K");
  return lowestModes(K, factors, M, count, name);
}

Modes lowestModes(const SquareMatrix& K, const SquareFactorization& factorsOfK, const SquareMatrix& M,
                  std::size_t count, const std::string& name) {
  requireFit(K, M, count, name);
  if (count == 0) return {Vector(), Matrix(K.size1(), 0)};
  requirePositiveDefinite(M, name + ": M");
  if (K.size1() > mostDense) return iterate(factorsOfK, M, count, name);
  Matrix vectors = toDense(K), mass = toDense(M);
  const Vector squares = solveDense(vectors, mass, name);
  Modes found{Vector(count), firstColumns(vectors, count)};
  std::copy_n(data(squares), count, data(found.squares));
  return found;
}

}  // namespace delassus
