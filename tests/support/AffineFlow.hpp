// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <utility>

namespace delassus::test {

/// The affine map x ↦ Φ x + g, of a motion ẋ = A x + b over a time, say, or of several after each other.
struct AffineMap {
  Matrix Phi;
  Vector g;

  Vector operator()(const Vector& x) const {
    Vector y = g;
    multiply(1., Phi, x, 1., y);
    return y;
  }
  /// This one after `first`.
  AffineMap after(const AffineMap& first) const {
    Matrix product(Phi.size1(), Phi.size2());
    multiply(1., Phi, first.Phi, 0., product);
    return {product, (*this)(first.g)};
  }
  /// x = Φ x + g.
  Vector fixedPoint() const {
    Matrix rest = identityMatrix(g.size());
    rest -= Phi;
    LUFactorization factor;
    factor.tryFactor(rest);
    Vector x = g;
    factor.solve(x);
    return x;
  }
};

/// ẋ = A x + b, exactly: the exponential of (A b; 0 0) t by its series, scaled and squared, to rounding.
class AffineFlow {
 public:
  AffineFlow(Matrix A, Vector b) : A_(std::move(A)), b_(std::move(b)) {}

  AffineMap over(double t) const {
    const std::size_t n = b_.size();
    Matrix a(n + 1, n + 1);
    setZero(a);
    double norm = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = std::abs(b_(i) * t);
      a(i, n) = b_(i) * t;
      for (std::size_t j = 0; j < n; ++j) {
        a(i, j) = A_(i, j) * t;
        sum += std::abs(a(i, j));
      }
      norm = std::max(norm, sum);
    }
    int halvings = 0;
    for (; norm > 0.25; norm *= 0.5) ++halvings;
    a *= std::ldexp(1., -halvings);
    Matrix sum = identityMatrix(n + 1), term = sum, product(n + 1, n + 1);
    for (int k = 1; k <= 14; ++k) {
      multiply(1. / k, term, a, 0., product);
      term = product;
      sum += term;
    }
    for (int k = 0; k < halvings; ++k) {
      multiply(1., sum, sum, 0., product);
      sum = product;
    }
    AffineMap map{Matrix(n, n), Vector(n)};
    for (std::size_t i = 0; i < n; ++i) {
      map.g(i) = sum(i, n);
      for (std::size_t j = 0; j < n; ++j) map.Phi(i, j) = sum(i, j);
    }
    return map;
  }

 private:
  Matrix A_;
  Vector b_;
};

}  // namespace delassus::test
