// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/DisjointSets.hpp>
#include <delassus/numerics/algebra/LeftNullSpace.hpp>
#include <delassus/numerics/algebra/RankRevealingLU.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <numeric>
#include <string>

namespace delassus {
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

}  // namespace delassus
