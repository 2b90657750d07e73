// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/TextMatrix.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/TextSparse.hpp>
#include <utility>

namespace delassus::numerics {
namespace {

std::string sizeText(std::size_t rows, std::size_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

Matrix readDense(TextReader& reader, const std::string& name, std::size_t rows, std::size_t columns) {
  const std::size_t rowsAgain = reader.count("the rows of " + name);
  const std::size_t columnsAgain = reader.count("the columns of " + name);
  if (rowsAgain != rows || columnsAgain != columns) {
    reader.fail("expected the size of " + name + " again, " + sizeText(rows, columns) + ", got " +
                sizeText(rowsAgain, columnsAgain) + ".");
  }
  const std::size_t entries = reader.requireProduct(rows, columns, name);
  Matrix A(rows, columns);
  reader.numbers(entries, data(A), "an entry of " + name);
  return A;
}

std::vector<std::size_t> readCounts(TextReader& reader, std::size_t size, const std::string& what) {
  reader.require(size, what);
  std::vector<std::size_t> counts(size);
  for (std::size_t& entry : counts) entry = reader.count(what);
  return counts;
}

// Cumulative ends of block rows or columns.
std::vector<std::size_t> readEnds(TextReader& reader, std::size_t blocks, std::size_t size, const std::string& what) {
  std::vector<std::size_t> ends = readCounts(reader, blocks, what);
  std::size_t before = 0;
  for (const std::size_t end : ends) {
    if (end <= before) reader.fail("expected " + what + " in ascending order, got " + std::to_string(end) + ".");
    before = end;
  }
  if (before != size) {
    reader.fail("expected " + what + " up to " + std::to_string(size) + ", got " + std::to_string(before) + ".");
  }
  return ends;
}

// First block of each block row, and the number of blocks; trailing rows without blocks may be left out.
std::vector<std::size_t> readRowStarts(TextReader& reader, std::size_t length, std::size_t blockRows,
                                       std::size_t blocks, const std::string& name) {
  if (length == 0 || length > blockRows + 1) {
    reader.fail("expected 1 to " + std::to_string(blockRows + 1) + " row pointers of " + name + ", got " +
                std::to_string(length) + ".");
  }
  std::vector<std::size_t> starts = readCounts(reader, length, "a row pointer of " + name);
  for (std::size_t k = 0; k < length; ++k) {
    if (starts[k] < (k == 0 ? 0 : starts[k - 1]) || starts[k] > blocks || (k == 0 && starts[k] != 0)) {
      reader.fail("expected row pointers of " + name + " from 0 up to " + std::to_string(blocks) +
                  ", not descending, got " + std::to_string(starts[k]) + ".");
    }
  }
  if (starts.back() != blocks) {
    reader.fail("expected row pointers of " + name + " up to the number of blocks, " + std::to_string(blocks) +
                ", got " + std::to_string(starts.back()) + ".");
  }
  starts.resize(blockRows + 1, blocks);
  return starts;
}

std::size_t widthOf(const std::vector<std::size_t>& ends, std::size_t block) {
  return ends[block] - (block == 0 ? 0 : ends[block - 1]);
}

void readBlockColumns(TextReader& reader, std::size_t blocks, const std::string& name, BlockRows& A) {
  A.columns = readCounts(reader, blocks, "a block column of " + name);
  for (std::size_t row = 0; row + 1 < A.rowStarts.size(); ++row) {
    for (std::size_t k = A.rowStarts[row]; k < A.rowStarts[row + 1]; ++k) {
      const bool ascending = k == A.rowStarts[row] || A.columns[k - 1] < A.columns[k];
      if (!ascending || A.columns[k] >= A.columnEnds.size()) {
        reader.fail("expected block columns of " + name + " in ascending order and below " +
                    std::to_string(A.columnEnds.size()) + ", got " + std::to_string(A.columns[k]) + " in block row " +
                    std::to_string(row) + ".");
      }
    }
  }
}

void readBlockValues(TextReader& reader, const std::string& name, BlockRows& A) {
  // The values of all blocks and an index each.
  std::size_t entries = 0;
  for (std::size_t row = 0; row < A.rowEnds.size(); ++row) {
    for (std::size_t k = A.rowStarts[row]; k < A.rowStarts[row + 1]; ++k) {
      entries += 1 + reader.requireProduct(widthOf(A.rowEnds, row), widthOf(A.columnEnds, A.columns[k]), name);
      reader.require(entries, name);
    }
  }
  A.values.resize(entries - A.columns.size());
  double* values = A.values.data();
  for (std::size_t row = 0; row < A.rowEnds.size(); ++row) {
    for (std::size_t k = A.rowStarts[row]; k < A.rowStarts[row + 1]; ++k) {
      const std::size_t index = reader.count("the index of a block of " + name);
      if (index != k) {
        reader.fail("expected block " + std::to_string(k) + " of " + name + ", got " + std::to_string(index) + ".");
      }
      const std::size_t size = widthOf(A.rowEnds, row) * widthOf(A.columnEnds, A.columns[k]);
      reader.numbers(size, values, "an entry of " + name);
      values += size;
    }
  }
}

StoredMatrix readBlocks(TextReader& reader, const std::string& name, std::size_t rows, std::size_t columns) {
  const std::size_t blocks = reader.count("the number of blocks of " + name);
  if (blocks == 0) return sparseFromTriplets(rows, columns, {});
  const std::size_t blockRows = reader.count("the number of block rows of " + name);
  const std::size_t blockColumns = reader.count("the number of block columns of " + name);
  BlockRows A;
  A.rowEnds = readEnds(reader, blockRows, rows, "ends of the block rows of " + name);
  A.columnEnds = readEnds(reader, blockColumns, columns, "ends of the block columns of " + name);
  const std::size_t pointers = reader.count("the number of row pointers of " + name);
  const std::size_t columnCount = reader.count("the number of block columns listed of " + name);
  if (columnCount != blocks) {
    reader.fail("expected a block column for each of the " + std::to_string(blocks) + " blocks of " + name + ", got " +
                std::to_string(columnCount) + ".");
  }
  A.rowStarts = readRowStarts(reader, pointers, blockRows, blocks, name);
  readBlockColumns(reader, blocks, name, A);
  readBlockValues(reader, name, A);
  return A;
}

BlockSparseMatrix fromBlockRows(const BlockRows& A) {
  BlockSparseMatrix result;
  for (std::size_t row = 0; row < A.rowEnds.size(); ++row) {
    result.beginRow(widthOf(A.rowEnds, row));
    for (std::size_t k = A.rowStarts[row]; k < A.rowStarts[row + 1]; ++k) result.addBlock(A.columns[k]);
  }
  result.finish();
  if (!A.values.empty()) std::copy(A.values.begin(), A.values.end(), result.block(0));
  result.touch();
  return result;
}

// Calls entry(i, j, value) for every stored one.
template <class Entry>
void forEachEntry(const BlockRows& A, Entry entry) {
  const double* value = A.values.data();
  for (std::size_t row = 0; row < A.rowEnds.size(); ++row) {
    const std::size_t height = widthOf(A.rowEnds, row);
    const std::size_t firstRow = A.rowEnds[row] - height;
    for (std::size_t k = A.rowStarts[row]; k < A.rowStarts[row + 1]; ++k) {
      const std::size_t last = A.columnEnds[A.columns[k]];
      for (std::size_t j = last - widthOf(A.columnEnds, A.columns[k]); j < last; ++j) {
        for (std::size_t i = 0; i < height; ++i) entry(firstRow + i, j, *value++);
      }
    }
  }
}

}  // namespace

StoredMatrix readMatrix(TextReader& reader, const std::string& name, std::optional<std::size_t> rows,
                        std::optional<std::size_t> columns) {
  const std::size_t storage = reader.count("the storage of " + name);
  if (storage > 2) {
    reader.fail("expected the storage of " + name + ", 0 (dense), 1 (blocks) or 2 (sparse), got " +
                std::to_string(storage) + ".");
  }
  const std::size_t m = reader.count("the rows of " + name);
  const std::size_t n = reader.count("the columns of " + name);
  if (m != rows.value_or(m) || n != columns.value_or(n)) {
    reader.fail("expected " + name + " of " + sizeText(rows.value_or(m), columns.value_or(n)) + ", got " +
                sizeText(m, n) + ".");
  }
  // Whatever the storage, vectors of these sizes follow.
  reader.require(m, name);
  reader.require(n, name);
  if (storage == 0) return readDense(reader, name, m, n);
  return storage == 1 ? readBlocks(reader, name, m, n) : readPrintedSparse(reader, name, m, n);
}

BlockSparseMatrix toBlockSparse(StoredMatrix stored, std::size_t blockSize) {
  if (const Matrix* const dense = std::get_if<Matrix>(&stored)) return BlockSparseMatrix(*dense);
  if (const BlockRows* const blocks = std::get_if<BlockRows>(&stored)) {
    if (blocks->rowEnds == blocks->columnEnds) return fromBlockRows(*blocks);
  }
  return inBlocks(toSparse(std::move(stored)), blockSize);
}

SparseMatrix toSparse(StoredMatrix stored) {
  if (const Matrix* const dense = std::get_if<Matrix>(&stored)) return sparseFromDense(*dense);
  if (SparseMatrix* const sparse = std::get_if<SparseMatrix>(&stored)) return std::move(*sparse);
  const BlockRows& blocks = std::get<BlockRows>(stored);
  std::vector<Triplet> entries;
  forEachEntry(blocks, [&](std::size_t i, std::size_t j, double value) {
    if (value != 0.) entries.push_back({i, j, value});
  });
  return sparseFromTriplets(blocks.rowEnds.back(), blocks.columnEnds.back(), std::move(entries));
}

Matrix toDense(StoredMatrix stored) {
  if (Matrix* const dense = std::get_if<Matrix>(&stored)) return std::move(*dense);
  if (const SparseMatrix* const sparse = std::get_if<SparseMatrix>(&stored)) return delassus::toDense(*sparse);
  const BlockRows& blocks = std::get<BlockRows>(stored);
  Matrix A(blocks.rowEnds.back(), blocks.columnEnds.back());
  forEachEntry(blocks, [&](std::size_t i, std::size_t j, double value) { A(i, j) = value; });
  return A;
}

BlockSparseMatrix inBlocks(const SparseMatrix& A, std::size_t blockSize) {
  const std::size_t blockRows = A.size1() / blockSize;
  // Columns come in ascending order, so the last one of each block row shows which are new.
  std::vector<std::vector<std::size_t>> columns(blockRows);
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) {
      std::vector<std::size_t>& row = columns[rowOf(A, k) / blockSize];
      if (row.empty() || row.back() != j / blockSize) row.push_back(j / blockSize);
    }
  }
  BlockSparseMatrix result;
  for (const std::vector<std::size_t>& row : columns) {
    result.beginRow(blockSize);
    for (const std::size_t column : row) result.addBlock(column);
  }
  result.finish();
  std::vector<std::size_t> current(blockRows);
  for (std::size_t row = 0; row < blockRows; ++row) current[row] = result.rowBegin(row);
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) {
      const std::size_t row = rowOf(A, k) / blockSize;
      while (result.column(current[row]) != j / blockSize) ++current[row];
      result.block(current[row])[rowOf(A, k) % blockSize + blockSize * (j % blockSize)] = valueOf(A, k);
    }
  }
  result.touch();
  return result;
}

SparseMatrix sparseOf(const BlockSparseMatrix& A) {
  std::vector<Triplet> entries;
  entries.reserve(A.storedEntries());
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      const std::size_t column = A.column(k);
      const double* value = A.block(k);
      for (std::size_t j = 0; j < A.blockSize(column); ++j) {
        for (std::size_t i = 0; i < A.blockSize(row); ++i) {
          entries.push_back({A.offset(row) + i, A.offset(column) + j, *value++});
        }
      }
    }
  }
  return sparseFromTriplets(A.size(), A.size(), std::move(entries));
}

}  // namespace delassus::numerics
