// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Stamp.hpp>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr const char* className = "MixedLinearComplementarityProblem";

void copyBlock(const Matrix& from, std::size_t row, std::size_t column, Matrix& to) {
  for (std::size_t j = 0; j < from.size2(); ++j) {
    for (std::size_t i = 0; i < from.size1(); ++i) to(row + i, column + j) = from(i, j);
  }
}

}  // namespace

MixedLinearComplementarityProblem::MixedLinearComplementarityProblem(Matrix M, Vector q, std::vector<Row> rows)
    : M_(std::move(M)), q_(std::move(q)), kinds_(std::move(rows)) {
  if (kinds_.size() != M_.size1()) {
    throw Error(className, "expected a kind for each of the " + std::to_string(M_.size1()) + " rows of M, got " +
                               std::to_string(kinds_.size()) + ".");
  }
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    (kinds_[i] == Row::equality ? equalityRows_ : complementarityRows_).push_back(i);
  }
  const std::size_t m = complementarityRows_.size();
  if (M_.size2() < m) {
    throw Error(className, "expected at least as many columns as complementarity rows, " + std::to_string(m) +
                               ", got " + std::to_string(M_.size2()) + ".");
  }
  const bool square = M_.size1() == M_.size2();
  for (std::size_t k = 0; k < m; ++k) {
    complementarityColumns_.push_back(square ? complementarityRows_[k] : M_.size2() - m + k);
  }
  std::vector<char> isFree(M_.size2(), 1);
  for (const std::size_t column : complementarityColumns_) isFree[column] = 0;
  for (std::size_t j = 0; j < M_.size2(); ++j) {
    if (isFree[j] != 0) freeColumns_.push_back(j);
  }
  touch();
  validate();
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

void MixedLinearComplementarityProblem::touch() {
  stamp_ = newStamp();
}

void MixedLinearComplementarityProblem::validateVectors() const {
  requireSize(q_, M_.size1(), "MixedLinearComplementarityProblem: q");
  requireFinite(q_, "MixedLinearComplementarityProblem: q");
}

void MixedLinearComplementarityProblem::validate() const {
  requireSize(M_, kinds_.size(), freeColumns_.size() + complementarityColumns_.size(),
              "MixedLinearComplementarityProblem: M");
  requireFinite(M_, "MixedLinearComplementarityProblem: M");
  validateVectors();
}

}  // namespace delassus::numerics
