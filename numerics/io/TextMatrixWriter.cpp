// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/TextMatrix.hpp>
#include <delassus/numerics/io/TextSparse.hpp>

namespace delassus::numerics {
namespace {

void startMatrix(int storage, std::size_t rows, std::size_t columns, std::string& text) {
  text += std::to_string(storage) + "\n" + std::to_string(rows) + "\n" + std::to_string(columns) + "\n";
}

void appendCount(std::size_t value, std::string& text) {
  text += std::to_string(value) + "\n";
}

void appendValues(const double* values, std::size_t count, std::size_t perLine, std::string& text) {
  for (std::size_t i = 0; i < count; ++i) {
    appendNumber(values[i], text);
    text += (i + 1) % perLine == 0 || i + 1 == count ? '\n' : ' ';
  }
}

// One column a line, as the order of the values is.
void writeDense(const Matrix& A, std::string& text) {
  startMatrix(0, A.size1(), A.size2(), text);
  text += std::to_string(A.size1()) + " " + std::to_string(A.size2()) + "\n";
  if (A.size1() > 0) appendValues(data(A), A.size1() * A.size2(), A.size1(), text);
}

void writeSparse(const SparseMatrix& A, std::string& text) {
  startMatrix(2, A.size1(), A.size2(), text);
  printSparse(A, text);
}

void writeOneBlock(const Matrix& A, std::string& text) {
  startMatrix(1, A.size1(), A.size2(), text);
  if (A.size1() == 0 || A.size2() == 0) {
    text += "0\n";
    return;
  }
  text += "1\n1\n1\n" + std::to_string(A.size1()) + "\n" + std::to_string(A.size2()) + "\n2\n1\n0 1\n0\n0\n";
  appendValues(data(A), A.size1() * A.size2(), A.size1(), text);
}

void writeBlocks(const BlockSparseMatrix& A, std::string& text) {
  startMatrix(1, A.size(), A.size(), text);
  appendCount(A.blockCount(), text);
  if (A.blockCount() == 0) return;
  appendCount(A.blockRows(), text);
  appendCount(A.blockRows(), text);
  std::string ends;
  for (std::size_t row = 0; row < A.blockRows(); ++row) ends += std::to_string(A.offset(row + 1)) + " ";
  text += ends + "\n" + ends + "\n";
  appendCount(A.blockRows() + 1, text);
  appendCount(A.blockCount(), text);
  for (std::size_t row = 0; row < A.blockRows(); ++row) text += std::to_string(A.rowBegin(row)) + " ";
  text += std::to_string(A.blockCount()) + "\n";
  for (std::size_t k = 0; k < A.blockCount(); ++k) text += std::to_string(A.column(k)) + " ";
  text += '\n';
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      appendCount(k, text);
      appendValues(A.block(k), A.blockSize(row) * A.blockSize(A.column(k)), A.blockSize(row), text);
    }
  }
}

Matrix denseOf(const BlockSparseMatrix& A) {
  Matrix dense;
  A.toDense(dense);
  return dense;
}

}  // namespace

void writeMatrix(const Matrix& A, TextStorage storage, std::string& text) {
  switch (storage) {
    case TextStorage::natural:
    case TextStorage::dense:
      return writeDense(A, text);
    case TextStorage::blocks:
      return writeOneBlock(A, text);
    case TextStorage::sparse:
      return writeSparse(sparseFromDense(A), text);
  }
}

void writeMatrix(const BlockSparseMatrix& A, TextStorage storage, std::string& text) {
  const bool isDense = A.blockRows() == 1 && A.blockCount() == 1;
  switch (storage) {
    case TextStorage::natural:
      return isDense ? writeDense(denseOf(A), text) : writeBlocks(A, text);
    case TextStorage::dense:
      return writeDense(denseOf(A), text);
    case TextStorage::blocks:
      return writeBlocks(A, text);
    case TextStorage::sparse:
      return writeSparse(sparseOf(A), text);
  }
}

void writeMatrix(const SparseMatrix& A, TextStorage storage, std::string& text) {
  switch (storage) {
    case TextStorage::natural:
    case TextStorage::sparse:
      return writeSparse(A, text);
    case TextStorage::dense:
      return writeDense(toDense(A), text);
    case TextStorage::blocks:
      return writeOneBlock(toDense(A), text);
  }
}

}  // namespace delassus::numerics
