// SPDX-License-Identifier: Apache-2.0
#include <cblas.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

int asInt(std::size_t n) {
  return static_cast<int>(n);
}

void scale(double beta, double* y, std::size_t n) {
  // β = 0 overwrites, as in BLAS, so that y may hold anything before.
  if (beta == 0.) {
    std::fill(y, y + n, 0.);
  } else if (beta != 1.) {
    for (std::size_t i = 0; i < n; ++i) y[i] *= beta;
  }
}

}  // namespace

void multiply(double alpha, const Matrix& A, const double* x, double beta, double* y) {
  const std::size_t m = A.size1();
  const std::size_t n = A.size2();
  if (m * n > smallProduct) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, asInt(m), asInt(n), alpha, data(A), asInt(m), x, 1,
                beta, y, 1);
    return;
  }
  scale(beta, y, m);
  const double* column = data(A);
  for (std::size_t j = 0; j < n; ++j, column += m) {
    const double factor = alpha * x[j];
    for (std::size_t i = 0; i < m; ++i) y[i] += factor * column[i];
  }
}

void multiplyTransposed(double alpha, const Matrix& A, const double* x, double beta, double* y) {
  const std::size_t m = A.size1();
  const std::size_t n = A.size2();
  if (m * n > smallProduct) {
    cblas_dgemv(CblasColMajor, CblasTrans, asInt(m), asInt(n), alpha, data(A), asInt(m), x, 1, beta,
                y, 1);
    return;
  }
  scale(beta, y, n);
  const double* column = data(A);
  for (std::size_t j = 0; j < n; ++j, column += m) {
    double sum = 0.;
    for (std::size_t i = 0; i < m; ++i) sum += column[i] * x[i];
    y[j] += alpha * sum;
  }
}

void multiply(double alpha, const Matrix& A, const Matrix& B, double beta, Matrix& C) {
  assert(A.size2() == B.size1() && C.size1() == A.size1() && C.size2() == B.size2());
  const std::size_t m = A.size1();
  if (m == 0 || B.size2() == 0) return;
  if (m * A.size2() > smallProduct) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, asInt(m), asInt(B.size2()),
                asInt(A.size2()), alpha, data(A), asInt(m), data(B), asInt(B.size1()), beta,
                data(C), asInt(m));
    return;
  }
  for (std::size_t j = 0; j < B.size2(); ++j) {
    multiply(alpha, A, data(B) + j * B.size1(), beta, data(C) + j * m);
  }
}

void multiply(double alpha, const Matrix& A, const Vector& x, double beta, Vector& y) {
  assert(x.size() == A.size2() && y.size() == A.size1());
  multiply(alpha, A, data(x), beta, data(y));
}

void multiplyTransposed(double alpha, const Matrix& A, const Vector& x, double beta, Vector& y) {
  assert(x.size() == A.size1() && y.size() == A.size2());
  multiplyTransposed(alpha, A, data(x), beta, data(y));
}

void addScaled(double alpha, const Vector& x, Vector& y) {
  assert(x.size() == y.size());
  const double* from = data(x);
  double* to = data(y);
  for (std::size_t i = 0; i < x.size(); ++i) to[i] += alpha * from[i];
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

}  // namespace delassus
