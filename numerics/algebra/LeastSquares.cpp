// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/LeastSquares.hpp>

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/DisjointSets.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace delassus {

double SingularValues::condition() const {
  if (values.size() == 0) return 1.;
  const double least = values(values.size() - 1);
  return least > 0. ? values(0) / least : std::numeric_limits<double>::infinity();
}

double SingularValues::conditionOnRange() const {
  return rank == 0 ? 1. : values(0) / values(rank - 1);
}

SingularValues singularValues(const Matrix& A, double rankTolerance) {
  const std::size_t n = A.size1();
  requireSize(A, n, n, "matrix of which singular values are wanted");
  requireFinite(A, "matrix of which singular values are wanted");
  SingularValues result;
  result.values = Vector(n);
  if (n == 0) return result;
  Matrix work = A, left(n, n), right(n, n);
  const int order = static_cast<int>(n);
  const int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', order, order, data(work), order, data(result.values),
                                  data(left), order, data(right), order);
  if (info != 0) throw Error("singular values", "the iteration of LAPACK did not converge.");
  while (result.rank < n && result.values(result.rank) > rankTolerance * result.values(0)) ++result.rank;
  result.nullSpace = Matrix(n, n - result.rank);
  for (std::size_t k = result.rank; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) result.nullSpace(i, k - result.rank) = right(k, i);
  }
  return result;
}

LeastSquaresSolution leastSquares(const Matrix& A, const Vector& b, std::string_view name, double rankTolerance) {
  const std::size_t m = A.size1();
  const std::size_t n = A.size2();
  requireSize(b, m, std::string("right-hand side of ") + std::string(name));
  requireFinite(A, name);
  requireFinite(b, std::string("right-hand side of ") + std::string(name));

  LeastSquaresSolution solution;
  solution.x = Vector(n);
  if (m > 0 && n > 0) {
    Matrix work = A;
    const std::size_t rows = std::max(m, n);
    std::vector<double> rhs(rows);
    std::copy(b.begin(), b.end(), rhs.begin());
    std::vector<int> permutation(n, 0);
    int rank = 0;
    const int info =
        LAPACKE_dgelsy(LAPACK_COL_MAJOR, static_cast<int>(m), static_cast<int>(n), 1, data(work), static_cast<int>(m),
                       rhs.data(), static_cast<int>(rows), permutation.data(), rankTolerance, &rank);
    if (info != 0) throw Error(std::string(name), "the least-squares factorisation failed.");
    std::copy_n(rhs.begin(), n, solution.x.begin());
    solution.rank = static_cast<std::size_t>(rank);
  }
  Vector residual = b;
  multiply(1., A, solution.x, -1., residual);
  solution.residual = norm2(residual);
  return solution;
}

namespace {

constexpr std::size_t largestPart = 2000;  // rows
constexpr double rankTolerance = 1e-12;    // of pivots, of equilibrated entries

// A connected part of A: no other row or column has an entry in its own.
struct Part {
  std::vector<std::size_t> rows, columns;
};

struct Entry {
  std::size_t row, column;  // in the part
  double value;
};

std::vector<Part> partsOf(const SquareMatrix& A) {
  const std::size_t n = A.size1();
  std::vector<std::size_t> partOf;  // of rows, then of columns
  DisjointSets sets(partOf, 2 * n);
  forEachEntry(A, [&](std::size_t i, std::size_t j, double value) {
    if (value != 0.) sets.join(i, n + j);
  });
  std::vector<Part> parts(sets.number());
  for (std::size_t i = 0; i < n; ++i) parts[partOf[i]].rows.push_back(i);
  for (std::size_t j = 0; j < n; ++j) parts[partOf[n + j]].columns.push_back(j);
  return parts;
}

double powerOfTwoBelow(double x) {
  return std::ldexp(1., std::ilogb(x));
}

// Divides rows, then columns, by powers of two near their largest entries, so that units do not change the rank; gives
// the divisors of the rows.
std::vector<double> equilibrate(std::vector<Entry>& entries, const Part& part) {
  std::vector<double> ofRows(part.rows.size(), 0.), ofColumns(part.columns.size(), 0.);
  for (const Entry& entry : entries) ofRows[entry.row] = std::max(ofRows[entry.row], std::abs(entry.value));
  for (double& scale : ofRows) scale = powerOfTwoBelow(scale);
  for (Entry& entry : entries) {
    entry.value /= ofRows[entry.row];
    ofColumns[entry.column] = std::max(ofColumns[entry.column], std::abs(entry.value));
  }
  for (Entry& entry : entries) entry.value /= powerOfTwoBelow(ofColumns[entry.column]);
  return ofRows;
}

// Whether a large part is regular, by sparse factors.
bool isRegular(const std::vector<Entry>& entries, const Part& part) {
  const std::size_t n = part.rows.size();
  if (n != part.columns.size()) return false;
  std::vector<Triplet> all;
  all.reserve(entries.size());
  for (const Entry& entry : entries) all.push_back({entry.row, entry.column, entry.value});
  SparseLUFactorization factors;
  return factors.tryFactor(sparseFromTriplets(n, n, std::move(all))) && factors.reciprocalCondition() > rankTolerance;
}

// A basis of w with wᵀA = 0, for the equilibrated entries of a part.
std::vector<std::vector<double>> leftNullVectors(const std::vector<Entry>& entries, const Part& part) {
  const std::size_t rows = part.rows.size(), n = std::max(rows, part.columns.size());
  Matrix transposed(n, n, 0.);
  for (const Entry& entry : entries) transposed(entry.column, entry.row) = entry.value;
  RankRevealingLU factors;
  factors.factor(data(transposed), n, rankTolerance, true);
  std::vector<std::vector<double>> basis;
  std::vector<double> vector(n);
  for (std::size_t k = 0; k < n - factors.rank(); ++k) {
    factors.nullVector(k, vector.data());
    const auto padding = vector.begin() + static_cast<std::ptrdiff_t>(rows);
    if (std::all_of(padding, vector.end(), [](double entry) { return entry == 0.; })) {
      basis.emplace_back(vector.begin(), padding);
    }
  }
  return basis;
}

// By Gram and Schmidt, twice, since once leaves what rounding has mixed in.
void orthonormalise(std::vector<std::vector<double>>& basis) {
  for (std::size_t k = 0; k < basis.size(); ++k) {
    std::vector<double>& own = basis[k];
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t l = 0; l < k; ++l) {
        const double along = std::inner_product(own.begin(), own.end(), basis[l].begin(), 0.);
        for (std::size_t i = 0; i < own.size(); ++i) own[i] -= along * basis[l][i];
      }
      const double norm = std::sqrt(std::inner_product(own.begin(), own.end(), own.begin(), 0.));
      for (double& entry : own) entry /= norm;
    }
  }
}

// Adds Σ v vᵀ for an orthonormal basis v of the left null space of a part that has entries.
void addProjector(std::vector<Entry>& entries, const Part& part, std::string_view name,
                  std::vector<Triplet>& projector) {
  constexpr std::size_t smallPart = 16;  // rows
  const std::size_t rows = part.rows.size(), n = std::max(rows, part.columns.size());
  const std::vector<double> scales = equilibrate(entries, part);
  if (n > smallPart && isRegular(entries, part)) return;
  if (n > largestPart) {
    throw Error(std::string(name), "a part of it of " + std::to_string(n) +
                                       " rows that are tied together is singular; expected at most " +
                                       std::to_string(largestPart) + " of them.");
  }
  std::vector<std::vector<double>> basis = leftNullVectors(entries, part);
  for (std::vector<double>& vector : basis) {
    for (std::size_t i = 0; i < rows; ++i) vector[i] /= scales[i];
  }
  orthonormalise(basis);
  for (const std::vector<double>& v : basis) {
    for (std::size_t j = 0; j < rows; ++j) {
      if (v[j] == 0.) continue;
      for (std::size_t i = 0; i < rows; ++i) {
        if (v[i] != 0.) projector.push_back({part.rows[i], part.rows[j], v[i] * v[j]});
      }
    }
  }
}

}  // namespace

SparseMatrix leftNullProjector(const SquareMatrix& A, std::string_view name) {
  const std::size_t n = A.size1();
  std::vector<Triplet> projector;
  const std::vector<Part> parts = partsOf(A);
  std::vector<std::size_t> partOfColumn(n), placeOfRow(n), placeOfColumn(n);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    for (std::size_t i = 0; i < parts[k].rows.size(); ++i) placeOfRow[parts[k].rows[i]] = i;
    for (std::size_t j = 0; j < parts[k].columns.size(); ++j) {
      placeOfColumn[parts[k].columns[j]] = j;
      partOfColumn[parts[k].columns[j]] = k;
    }
  }
  std::vector<std::vector<Entry>> entries(parts.size());
  forEachEntry(A, [&](std::size_t i, std::size_t j, double value) {
    if (value != 0.) entries[partOfColumn[j]].push_back({placeOfRow[i], placeOfColumn[j], value});
  });
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Part& part = parts[k];
    if (part.columns.empty()) {
      projector.push_back({part.rows.front(), part.rows.front(), 1.});
      continue;
    }
    if (part.rows.empty()) continue;
    if (part.rows.size() == 1 && part.columns.size() == 1) continue;
    addProjector(entries[k], part, name, projector);
  }
  return sparseFromTriplets(n, n, std::move(projector));
}

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
