// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr const char* className = "MixedLinearComplementarityProblem";
const ProblemTraits mixedTraits{className, ResidualNorm::velocity, "MixedLinearComplementarityProblem: M"};

using Row = MixedLinearComplementarityProblem::Row;

void copyBlock(const Matrix& from, std::size_t row, std::size_t column, Matrix& to) {
  for (std::size_t j = 0; j < from.size2(); ++j) {
    for (std::size_t i = 0; i < from.size1(); ++i) to(row + i, column + j) = from(i, j);
  }
}

// The rows of a dense problem are one part.
std::vector<Part> onePart(std::size_t rows) {
  return rows > 0 ? std::vector<Part>{Part::box(rows)} : std::vector<Part>{};
}

Vector lowerEnds(const std::vector<Row>& rows) {
  Vector ends(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == Row::equality) ends(i) = -std::numeric_limits<double>::infinity();
  }
  return ends;
}

std::vector<Part> singleRows(const std::vector<Row>& rows) {
  std::vector<Part> parts;
  parts.reserve(rows.size());
  for (const Row row : rows) parts.push_back(row == Row::equality ? Part::equality(1) : Part::orthant(1));
  return parts;
}

void requireKinds(std::size_t kinds, std::size_t rows) {
  if (kinds == rows) return;
  throw Error(className, "expected a kind for each of the " + std::to_string(rows) + " rows of M, got " +
                             std::to_string(kinds) + ".");
}

// Where the rows of a rectangular M come to stand in a square one: each complementarity with its unknown,
// and each equality with a free unknown or one that is added.
std::vector<std::size_t> placesOf(const std::vector<Row>& rows, std::size_t columns, std::size_t pairs) {
  std::vector<std::size_t> places;
  std::size_t nextEquality = 0, nextPair = columns - pairs;
  for (const Row row : rows) {
    if (row == Row::equality && nextEquality == columns - pairs) nextEquality = columns;
    places.push_back(row == Row::equality ? nextEquality++ : nextPair++);
  }
  return places;
}

// One block an entry; block rows are those of the transpose's columns.
BlockSparseMatrix blocksOf(const SparseMatrix& M, std::size_t rows) {
  requireSize(M, rows, rows, std::string(className) + ": M");
  const SparseMatrix byRows = transposed(M);
  BlockSparseMatrix W;
  for (std::size_t i = 0; i < rows; ++i) {
    W.beginRow(1);
    for (std::size_t k = columnStart(byRows, i); k < columnStart(byRows, i + 1); ++k) W.addBlock(rowOf(byRows, k));
  }
  W.finish();
  for (std::size_t k = 0; k < entryCount(byRows); ++k) *W.block(k) = valueOf(byRows, k);
  W.touch();
  return W;
}

}  // namespace

MixedLinearComplementarityProblem::MixedLinearComplementarityProblem() : GenericMechanicalProblem(mixedTraits) {
}

// The data of a problem, made square where M is not.
struct MixedLinearComplementarityProblem::Square {
  Matrix M;
  Vector q;
  std::vector<Row> rows;

  Square(Matrix given, Vector constant, std::vector<Row> kinds)
      : M(std::move(given)), q(std::move(constant)), rows(std::move(kinds)) {
    requireKinds(rows.size(), M.size1());
    requireSize(q, M.size1(), std::string(className) + ": q");
    if (M.size1() != M.size2()) fill();
  }

  void fill() {
    const auto pairs = static_cast<std::size_t>(std::count(rows.begin(), rows.end(), Row::complementarity));
    if (M.size2() < pairs) {
      throw Error(className, "expected at least as many columns as complementarity rows, " + std::to_string(pairs) +
                                 ", got " + std::to_string(M.size2()) + ".");
    }
    const std::vector<std::size_t> places = placesOf(rows, M.size2(), pairs);
    const std::size_t size = std::max(M.size1(), M.size2());
    Matrix all(size, size);
    Vector constant(size);
    std::vector<Row> kinds(size, Row::equality);
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = 0; j < M.size2(); ++j) all(places[i], j) = M(i, j);
      constant(places[i]) = q(i);
      kinds[places[i]] = rows[i];
    }
    M = std::move(all);
    q = std::move(constant);
    rows = std::move(kinds);
  }
};

MixedLinearComplementarityProblem::MixedLinearComplementarityProblem(Square square)
    : GenericMechanicalProblem(mixedTraits, BlockSparseMatrix(square.M), std::move(square.q),
                               onePart(square.rows.size()), lowerEnds(square.rows), {}) {
}

MixedLinearComplementarityProblem::MixedLinearComplementarityProblem(Matrix M, Vector q, std::vector<Row> rows)
    : MixedLinearComplementarityProblem(Square(std::move(M), std::move(q), std::move(rows))) {
}

MixedLinearComplementarityProblem::MixedLinearComplementarityProblem(const SparseMatrix& M, Vector q,
                                                                     const std::vector<Row>& rows)
    : GenericMechanicalProblem(mixedTraits, blocksOf(M, rows.size()), std::move(q), singleRows(rows), {}, {}) {
}

MixedLinearComplementarityProblem MixedLinearComplementarityProblem::fromBlocks(const Matrix& A, const Matrix& B,
                                                                                const Matrix& C, const Matrix& D,
                                                                                const Vector& a, const Vector& b) {
  const std::size_t n = A.size1();
  const std::size_t m = B.size1();
  requireSize(B, m, m, "MixedLinearComplementarityProblem: B");
  requireSize(C, n, m, "MixedLinearComplementarityProblem: C");
  requireSize(D, m, A.size2(), "MixedLinearComplementarityProblem: D");
  requireSize(a, n, "MixedLinearComplementarityProblem: a");
  requireSize(b, m, "MixedLinearComplementarityProblem: b");
  Matrix M(n + m, A.size2() + m);
  copyBlock(A, 0, 0, M);
  copyBlock(C, 0, A.size2(), M);
  copyBlock(D, n, 0, M);
  copyBlock(B, n, A.size2(), M);
  Vector q(n + m);
  for (std::size_t i = 0; i < n; ++i) q(i) = a(i);
  for (std::size_t i = 0; i < m; ++i) q(n + i) = b(i);
  std::vector<Row> rows(n, Row::equality);
  rows.resize(n + m, Row::complementarity);
  return {std::move(M), std::move(q), std::move(rows)};
}

MixedLinearComplementarityProblem::Row MixedLinearComplementarityProblem::row(std::size_t i) const {
  if (i >= size()) {
    throw Error(className,
                "expected the number of a row below " + std::to_string(size()) + ", got " + std::to_string(i) + ".");
  }
  std::size_t part = 0, end = partCount();
  while (end - part > 1) {
    const std::size_t middle = (part + end) / 2;
    (offset(middle) <= i ? part : end) = middle;
  }
  return isFreeRow(part, i) ? Row::equality : Row::complementarity;
}

void MixedLinearComplementarityProblem::validate() const {
  GenericMechanicalProblem::validate();
  static thread_local Intervals intervals;
  if (intervals.take(*this) && intervals.areMixed()) return;
  throw Error(className, "expected rows without bounds or with [0, ∞) alone, got other sets.");
}

}  // namespace delassus::numerics
