// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/Products.hpp>

#include <cblas.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace delassus {
namespace {

int asInt(std::size_t n) {
  return static_cast<int>(n);
}

}  // namespace

void detail::multiplyLarge(double alpha, const Matrix& A, const double* x, double beta, double* y) {
  cblas_dgemv(CblasColMajor, CblasNoTrans, asInt(A.size1()), asInt(A.size2()), alpha, data(A), asInt(A.size1()), x, 1,
              beta, y, 1);
}

void detail::multiplyTransposedLarge(double alpha, const Matrix& A, const double* x, double beta, double* y) {
  cblas_dgemv(CblasColMajor, CblasTrans, asInt(A.size1()), asInt(A.size2()), alpha, data(A), asInt(A.size1()), x, 1,
              beta, y, 1);
}

void multiply(double alpha, const Matrix& A, const Matrix& B, double beta, Matrix& C) {
  assert(A.size2() == B.size1() && C.size1() == A.size1() && C.size2() == B.size2());
  const std::size_t m = A.size1();
  if (m == 0 || B.size2() == 0) return;
  if (m * A.size2() > smallProduct) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, asInt(m), asInt(B.size2()), asInt(A.size2()), alpha, data(A),
                asInt(m), data(B), asInt(B.size1()), beta, data(C), asInt(m));
    return;
  }
  for (std::size_t j = 0; j < B.size2(); ++j) {
    multiply(alpha, A, data(B) + j * B.size1(), beta, data(C) + j * m);
  }
}

double dot(const Vector& x, const Vector& y) {
  assert(x.size() == y.size());
  const double* a = data(x);
  const double* b = data(y);
  double sum = 0.;
  for (std::size_t i = 0; i < x.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double norm2(const Vector& x) {
  // Scaling by the largest entry keeps squares in range.
  const double largest = normInf(x);
  if (!(largest > 0.) || !std::isfinite(largest)) return largest;
  double sum = 0.;
  for (const double entry : x.data()) sum += (entry / largest) * (entry / largest);
  return largest * std::sqrt(sum);
}

double normInf(const Vector& x) {
  double largest = 0.;
  for (const double entry : x.data()) {
    const double magnitude = std::abs(entry);
    // The negated comparison lets a NaN through, which std::max would swallow.
    if (!(magnitude <= largest)) largest = magnitude;
    if (std::isnan(largest)) break;
  }
  return largest;
}

double norm1(const Matrix& A) {
  double largest = 0.;
  for (std::size_t j = 0; j < A.size2(); ++j) {
    double sum = 0.;
    for (std::size_t i = 0; i < A.size1(); ++i) sum += std::abs(A(i, j));
    largest = std::max(largest, sum);
  }
  return largest;
}

double normInf(const Matrix& A) {
  double largest = 0.;
  for (std::size_t i = 0; i < A.size1(); ++i) {
    double sum = 0.;
    for (std::size_t j = 0; j < A.size2(); ++j) sum += std::abs(A(i, j));
    largest = std::max(largest, sum);
  }
  return largest;
}

double normFrobenius(const Matrix& A) {
  double sum = 0.;
  for (const double entry : A.data()) sum += entry * entry;
  return std::sqrt(sum);
}

double normMax(const Matrix& A) {
  double largest = 0.;
  for (const double entry : A.data()) largest = std::max(largest, std::abs(entry));
  return largest;
}

Matrix product(const Matrix& A, const Matrix& B) {
  Matrix C(A.size1(), B.size2());
  multiply(1., A, B, 0., C);
  return C;
}

Matrix magnitudesOf(Matrix A) {
  for (double& entry : A.data()) entry = std::abs(entry);
  return A;
}

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
