// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/ProofSums.hpp>

#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus::numerics {

std::vector<ProofSum> transposedProduct(const BlockSparseMatrix& W, const Vector& y) {
  std::vector<ProofSum> sums(W.size());
  std::vector<std::size_t> weighted;  // rows of the block row in which y is not zero
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    const std::size_t m = W.blockSize(row);
    weighted.clear();
    for (std::size_t i = 0; i < m; ++i) {
      if (y(W.offset(row) + i) != 0.) weighted.push_back(i);
    }
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      const std::size_t first = W.offset(W.column(k));
      for (std::size_t j = 0; j < W.blockSize(W.column(k)); ++j) {
        for (const std::size_t i : weighted) {
          sums[first + j].add(static_cast<long double>(W.block(k)[i + j * m]) * y(W.offset(row) + i));
        }
      }
    }
  }
  return sums;
}

ProofSum product(const Vector& q, const Vector& y) {
  ProofSum sum;
  for (std::size_t i = 0; i < y.size(); ++i) sum.add(static_cast<long double>(q(i)) * y(i));
  return sum;
}

Vector sharpened(const Vector& y, const std::function<std::vector<ProofSum>(const Vector& y)>& combine,
                 const std::vector<char>& mayBeNegative) {
  const double largest = normInf(y);
  std::vector<std::size_t> support;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (std::abs(y(i)) > nearlyProof * largest) support.push_back(i);
  }
  Vector moved(y.size());
  for (const std::size_t i : support) moved(i) = y(i) / largest;
  const std::vector<ProofSum> missed = combine(moved);
  std::vector<std::size_t> rows;
  for (std::size_t j = 0; j < missed.size(); ++j) {
    const bool isFree = !mayBeNegative.empty() && mayBeNegative[j] != 0 && missed[j].isNegative(nearlyProof);
    if (missed[j].size > 0.L && !isFree) rows.push_back(j);
  }
  if (rows.empty() || support.empty()) return moved;
  Matrix A(rows.size(), support.size());
  Vector rhs(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rhs(i) = -static_cast<double>(missed[rows[i]].value);
  Vector unit(y.size());
  for (std::size_t k = 0; k < support.size(); ++k) {
    unit(support[k]) = 1.;
    const std::vector<ProofSum> column = combine(unit);
    for (std::size_t i = 0; i < rows.size(); ++i) A(i, k) = static_cast<double>(column[rows[i]].value);
    unit(support[k]) = 0.;
  }
  const Vector correction = leastSquares(A, rhs, "sums that a proof needs to be zero").x;
  for (std::size_t k = 0; k < support.size(); ++k) moved(support[k]) += correction(k);
  return moved;
}

}  // namespace delassus::numerics
