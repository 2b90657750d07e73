// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/ClearedProduct.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

double magnitude(double x) {
  return std::abs(x);
}

void takeMagnitudes(const Matrix& from, Matrix& to) {
  if (to.size1() != from.size1() || to.size2() != from.size2()) to.resize(from.size1(), from.size2(), false);
  std::transform(from.data().begin(), from.data().end(), to.data().begin(), magnitude);
}

void takeMagnitudes(const SparseMatrix& from, SparseMatrix& to) {
  to = from;
  std::transform(to.value_data().begin(), to.value_data().end(), to.value_data().begin(), magnitude);
}

}  // namespace

template <class Left>
void ClearedProduct<Left>::add(double alpha, const Left& A, const Matrix& B, Matrix& C) {
  takeMagnitudes(A, left_);
  takeMagnitudes(B, right_);
  takeMagnitudes(C, terms_);
  multiply(alpha, A, B, 1., C);
  multiply(std::abs(alpha), left_, right_, 1., terms_);
  const double rounding = roundingOfSums(A.size2());
  const double* const terms = data(terms_);
  double* const entries = data(C);
  for (std::size_t k = 0; k < C.size1() * C.size2(); ++k) {
    if (std::abs(entries[k]) <= rounding * terms[k]) entries[k] = 0.;
  }
}

template class ClearedProduct<Matrix>;
template class ClearedProduct<SparseMatrix>;

}  // namespace delassus
