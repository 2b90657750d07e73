// SPDX-License-Identifier: Apache-2.0
#include "RandomProblems.hpp"

#include <delassus/numerics/algebra/Products.hpp>

namespace delassus::test {

Vector randomVector(Generator& generator, std::size_t size) {
  std::uniform_real_distribution<double> uniform(-1., 1.);
  Vector v(size);
  for (double& x : v.data()) x = uniform(generator);
  return v;
}

Matrix randomMatrix(Generator& generator, std::size_t rows, std::size_t columns) {
  std::uniform_real_distribution<double> uniform(-1., 1.);
  Matrix a(rows, columns);
  for (double& x : a.data()) x = uniform(generator);
  return a;
}

Matrix randomSemidefinite(Generator& generator, std::size_t size, std::size_t rank, double shift) {
  const Matrix b = randomMatrix(generator, size, rank);
  const Matrix bt = boost::numeric::ublas::trans(b);
  Matrix a(size, size);
  multiply(1., b, bt, 0., a);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < j; ++i) a(i, j) = a(j, i);
    a(j, j) += shift;
  }
  return a;
}

Matrix randomPositiveDefinite(Generator& generator, std::size_t size) {
  Matrix a = randomSemidefinite(generator, size, size, 0.1);
  const Matrix skew = randomMatrix(generator, size, size);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) a(i, j) += skew(i, j) - skew(j, i);
  }
  return a;
}

BlockSparseMatrix columnMatrix(std::size_t size) {
  BlockSparseMatrix W;
  for (std::size_t i = 0; i < size; ++i) {
    W.beginRow(1);
    if (i > 0) W.addBlock(i - 1);
    W.addBlock(i);
    if (i + 1 < size) W.addBlock(i + 1);
  }
  W.finish();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = W.rowBegin(i); k < W.rowEnd(i); ++k) {
      *W.block(k) = W.column(k) != i ? -1. : (i == 0 ? 1. : 2.);
    }
  }
  W.touch();
  return W;
}

BlockSparseMatrix randomTridiagonal(Generator& generator, std::size_t size) {
  BlockSparseMatrix M;
  for (std::size_t i = 0; i < size; ++i) {
    M.beginRow(1);
    if (i > 0) M.addBlock(i - 1);
    M.addBlock(i);
    if (i + 1 < size) M.addBlock(i + 1);
  }
  M.finish();
  for (std::size_t i = 0; i < size; ++i) {
    const Vector entries = randomVector(generator, 3);
    for (std::size_t k = M.rowBegin(i); k < M.rowEnd(i); ++k) {
      *M.block(k) = M.column(k) == i ? 2.2 : entries(M.column(k) + 1 - i);
    }
  }
  M.touch();
  return M;
}

}  // namespace delassus::test
