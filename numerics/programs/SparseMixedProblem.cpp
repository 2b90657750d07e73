// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/programs/SparseMixedProblem.hpp>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

std::vector<Part> partsOf(const std::vector<SparseMixedProblem::Row>& rows) {
  std::vector<Part> parts;
  parts.reserve(rows.size());
  for (const SparseMixedProblem::Row row : rows) {
    parts.push_back(row == SparseMixedProblem::Row::equality ? Part::equality(1) : Part::orthant(1));
  }
  return parts;
}

// One block an entry; block rows are those of the transpose's columns.
BlockSparseMatrix blocksOf(const SparseMatrix& M, std::size_t rows) {
  requireSize(M, rows, rows, "SparseMixedProblem: M");
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

SparseMixedProblem::SparseMixedProblem(const SparseMatrix& M, Vector q, const std::vector<Row>& rows)
    : GenericMechanicalProblem(blocksOf(M, rows.size()), std::move(q), partsOf(rows)) {
}

}  // namespace delassus::numerics
