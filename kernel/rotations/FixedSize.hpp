// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/algebra/Vector.hpp>
#include <iosfwd>

namespace delassus {

/// A vector of ℝ³: `Vector3{0., 0., 1.}`; zero until it is set.
struct Vector3 : std::array<double, 3> {
  constexpr Vector3() : std::array<double, 3>{} {}
  /// (x, y, z).
  constexpr Vector3(double x, double y, double z) : std::array<double, 3>{x, y, z} {}

  /// The same as a vector of size 3.
  operator Vector() const { return Vector{(*this)[0], (*this)[1], (*this)[2]}; }

  /// Entry by entry.
  ///@{
  Vector3& operator+=(const Vector3& b) {
    for (std::size_t i = 0; i < 3; ++i) (*this)[i] += b[i];
    return *this;
  }
  Vector3& operator-=(const Vector3& b) {
    for (std::size_t i = 0; i < 3; ++i) (*this)[i] -= b[i];
    return *this;
  }
  Vector3& operator*=(double factor) {
    for (double& entry : *this) entry *= factor;
    return *this;
  }
  Vector3& operator/=(double divisor) {
    for (double& entry : *this) entry /= divisor;
    return *this;
  }
  ///@}
};

/// A 3 x 3 matrix, by columns: entry (i, j) is [i + 3 j].
using Matrix3 = std::array<double, 9>;

/// Entry by entry.
///@{
inline Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vector3 operator-(const Vector3& a) {
  return {-a[0], -a[1], -a[2]};
}
inline Vector3 operator*(double factor, const Vector3& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}
inline Vector3 operator*(const Vector3& a, double factor) {
  return factor * a;
}
inline Vector3 operator/(const Vector3& a, double divisor) {
  return {a[0] / divisor, a[1] / divisor, a[2] / divisor};
}
///@}

/// "(1, 2, 3)"
std::ostream& operator<<(std::ostream& out, const Vector3& a);

/// Whether all entries are numbers.
inline bool isFinite(const Vector3& a) {
  return std::isfinite(a[0]) && std::isfinite(a[1]) && std::isfinite(a[2]);
}

/// a · b
inline double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// ‖a‖
inline double norm(const Vector3& a) {
  return std::sqrt(dot(a, a));
}

/// a × b
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// ã, the matrix with ã b = a × b.
inline Matrix3 skew(const Vector3& a) {
  return {0., a[2], -a[1], -a[2], 0., a[0], a[1], -a[0], 0.};
}

/// A x
inline Vector3 multiply(const Matrix3& A, const Vector3& x) {
  return {A[0] * x[0] + A[3] * x[1] + A[6] * x[2], A[1] * x[0] + A[4] * x[1] + A[7] * x[2],
          A[2] * x[0] + A[5] * x[1] + A[8] * x[2]};
}

/// Aᵀ x
inline Vector3 multiplyTransposed(const Matrix3& A, const Vector3& x) {
  return {A[0] * x[0] + A[1] * x[1] + A[2] * x[2], A[3] * x[0] + A[4] * x[1] + A[5] * x[2],
          A[6] * x[0] + A[7] * x[1] + A[8] * x[2]};
}

/// A B
inline Matrix3 multiply(const Matrix3& A, const Matrix3& B) {
  Matrix3 C;
  for (std::size_t j = 0; j < 3; ++j) {
    const Vector3 column = multiply(A, Vector3{B[3 * j], B[3 * j + 1], B[3 * j + 2]});
    for (std::size_t i = 0; i < 3; ++i) C[i + 3 * j] = column[i];
  }
  return C;
}

/// Aᵀ
inline Matrix3 transposed(const Matrix3& A) {
  return {A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]};
}

/// Column j of A.
inline Vector3 column(const Matrix3& A, std::size_t j) {
  return {A[3 * j], A[3 * j + 1], A[3 * j + 2]};
}

/// The three numbers that `from` points to.
inline Vector3 vector3(const double* from) {
  return {from[0], from[1], from[2]};
}

/// Two unit vectors that make a right-handed orthonormal frame with the unit vector n, as columns (n, t₁, t₂). They
/// depend smoothly on n except where n₃ passes −0.65, so that the frame of a contact does not spin: no such frame is
/// smooth everywhere, and bodies side by side, on top of each other or on slopes have normals elsewhere. (Duff et al.,
/// Building an Orthonormal Basis, Revisited, JCGT 6, 2017, who change the sign at n₃ = 0.)
inline Matrix3 contactFrame(const Vector3& n) {
  const double sign = n[2] > -0.65 ? 1. : -1.;
  const double a = -1. / (sign + n[2]);
  const double b = n[0] * n[1] * a;
  return {n[0], n[1], n[2], 1. + sign * n[0] * n[0] * a, sign * b, -sign * n[0], b, sign + n[1] * n[1] * a, -n[1]};
}

}  // namespace delassus
