// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/BlockPatterns.hpp>

#include <algorithm>
#include <cassert>

namespace delassus {
namespace {

bool isParted(const BlockSparseMatrix& A, const std::vector<std::size_t>& sizes) {
  if (A.blockRows() != sizes.size()) return false;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    if (A.blockSize(part) != sizes[part]) return false;
  }
  return true;
}

// The blocks of A into `to`, which has the same partition and stores them, among others.
void copyBlocks(const BlockSparseMatrix& A, BlockSparseMatrix& to) {
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    std::size_t target = to.rowBegin(row);
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      while (to.column(target) != A.column(k)) ++target;
      std::copy_n(A.block(k), A.blockSize(row) * A.blockSize(A.column(k)), to.block(target));
    }
  }
  to.touch();
}

// The next block row, of `rows` scalar rows, with blocks in these columns, to be sorted here.
void addRow(std::size_t rows, std::vector<std::size_t>& columns, BlockSparseMatrix& A) {
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  A.beginRow(rows);
  for (const std::size_t column : columns) A.addBlock(column);
}

}  // namespace

BlockSparseMatrix partedBy(const std::vector<std::size_t>& sizes, BlockSparseMatrix A) {
  if (isParted(A, sizes)) return A;
  std::vector<std::size_t> offsets(1, 0), partOf, columns;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    offsets.push_back(offsets.back() + sizes[part]);
    partOf.insert(partOf.end(), sizes[part], part);
  }
  assert(offsets.back() == A.size());
  BlockSparseMatrix parted;
  std::vector<double> strip, values;  // the rows of a part, column-major; all blocks
  std::size_t blockRow = 0;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    const std::size_t height = sizes[part];
    strip.assign(height * A.size(), 0.);
    columns.assign(1, part);
    for (std::size_t i = 0; i < height; ++i) {
      while (A.offset(blockRow + 1) <= offsets[part] + i) ++blockRow;
      const std::size_t inBlock = offsets[part] + i - A.offset(blockRow);
      for (std::size_t k = A.rowBegin(blockRow); k < A.rowEnd(blockRow); ++k) {
        for (std::size_t j = 0; j < A.blockSize(A.column(k)); ++j) {
          const std::size_t column = A.offset(A.column(k)) + j;
          const double entry = A.block(k)[inBlock + j * A.blockSize(blockRow)];
          strip[i + height * column] = entry;
          if (entry != 0. && columns.back() != partOf[column]) columns.push_back(partOf[column]);
        }
      }
    }
    addRow(height, columns, parted);
    for (const std::size_t column : columns) {
      const double* const from = strip.data() + height * offsets[column];
      values.insert(values.end(), from, from + height * sizes[column]);
    }
  }
  parted.finish();
  if (!values.empty()) std::copy(values.begin(), values.end(), parted.block(0));
  parted.touch();
  return parted;
}

void copyWithDiagonal(const BlockSparseMatrix& A, BlockSparseMatrix& copy) {
  copy.clear();
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    copy.beginRow(A.blockSize(row));
    std::size_t k = A.rowBegin(row);
    for (; k < A.rowEnd(row) && A.column(k) < row; ++k) copy.addBlock(A.column(k));
    copy.addBlock(row);
    if (k < A.rowEnd(row) && A.column(k) == row) ++k;
    for (; k < A.rowEnd(row); ++k) copy.addBlock(A.column(k));
  }
  copy.finish();
  copyBlocks(A, copy);
}

BlockSparseMatrix withMirrors(const BlockSparseMatrix& A) {
  std::vector<std::vector<std::size_t>> columns(A.blockRows());
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    columns[row].push_back(row);
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      columns[row].push_back(A.column(k));
      columns[A.column(k)].push_back(row);
    }
  }
  BlockSparseMatrix complete;
  for (std::size_t row = 0; row < A.blockRows(); ++row) addRow(A.blockSize(row), columns[row], complete);
  complete.finish();
  copyBlocks(A, complete);
  return complete;
}

// Rows are met in ascending order, so the block (column, row) is the next one of its row that is not met yet.
std::size_t findMirrors(const BlockSparseMatrix& A, std::vector<std::size_t>& mirrors) {
  mirrors.resize(A.blockCount());
  std::vector<std::size_t> next(A.blockRows());
  for (std::size_t row = 0; row < A.blockRows(); ++row) next[row] = A.rowBegin(row);
  for (std::size_t row = 0; row < A.blockRows(); ++row) {
    for (std::size_t k = A.rowBegin(row); k < A.rowEnd(row); ++k) {
      std::size_t& mirror = next[A.column(k)];
      if (mirror == A.rowEnd(A.column(k)) || A.column(mirror) != row) return k;
      mirrors[k] = mirror++;
    }
  }
  return A.blockCount();
}

}  // namespace delassus
