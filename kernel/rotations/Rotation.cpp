// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/rotations/Rotation.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string>

namespace delassus {

std::ostream& operator<<(std::ostream& out, const Vector3& a) {
  return out << Vector(a);
}

}  // namespace delassus

namespace delassus::rotations {
namespace {

// Below this θ² the closed forms lose more to cancellation than the series of three terms leaves out (θ⁶/8! < 1e-17).
constexpr double smallAngleSquared = 1e-4;

// sin θ / θ
double sinc(double squared) {
  if (squared < smallAngleSquared) return 1. - squared / 6. * (1. - squared / 20. * (1. - squared / 42.));
  const double theta = std::sqrt(squared);
  return std::sin(theta) / theta;
}

// (1 − cos θ)/θ²
double cosc(double squared) {
  const double half = sinc(0.25 * squared);
  return 0.5 * half * half;
}

// (θ − sin θ)/θ³; its closed form cancels to θ²/6, so the series is used up to larger angles.
double sincRest(double squared) {
  if (squared < 0.25) {
    double sum = 0.;
    for (double k = 17.; k >= 5.; k -= 2.) sum = squared / (k * (k - 1.)) * (1. - sum);
    return (1. - sum) / 6.;
  }
  const double theta = std::sqrt(squared);
  return (theta - std::sin(theta)) / (theta * squared);
}

// (1 − (θ/2) cot(θ/2))/θ²
double cotangentRest(double squared) {
  // Bernoulli's series; the closed form cancels to θ²/12.
  if (squared < 0.01) {
    return 1. / 12. * (1. + squared / 60. * (1. + squared / 42. * (1. + squared / 40. * (1. + squared * 5. / 198.))));
  }
  const double half = 0.5 * std::sqrt(squared);
  return (1. - half / std::tan(half)) / squared;
}

// I + a Ω̃ + b Ω̃²
Matrix3 combine(const Vector3& Omega, double a, double b) {
  const Matrix3 S = skew(Omega);
  const Matrix3 S2 = multiply(S, S);
  Matrix3 sum;
  for (std::size_t k = 0; k < 9; ++k) sum[k] = a * S[k] + b * S2[k];
  for (std::size_t i = 0; i < 3; ++i) sum[4 * i] += 1.;
  return sum;
}

}  // namespace

Quaternion product(const Quaternion& p, const Quaternion& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3], p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1]};
}

double norm(const Quaternion& p) {
  return std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
}

Quaternion normalised(const Quaternion& p, std::string_view what) {
  const double length = norm(p);
  if (!(length > 0.) || !std::isfinite(length)) {
    throw Error(std::string(what), "a quaternion of norm " + toText(length) + " stands for no rotation.");
  }
  return {p[0] / length, p[1] / length, p[2] / length, p[3] / length};
}

Matrix3 rotationMatrix(const Quaternion& p) {
  const double x = 2. * p[1], y = 2. * p[2], z = 2. * p[3];
  const double xx = x * p[1], yy = y * p[2], zz = z * p[3];
  const double xy = x * p[2], xz = x * p[3], yz = y * p[3];
  const double sx = x * p[0], sy = y * p[0], sz = z * p[0];
  return {1. - yy - zz, xy + sz, xz - sy, xy - sz, 1. - xx - zz, yz + sx, xz + sy, yz - sx, 1. - xx - yy};
}

Quaternion quaternion(const Matrix3& R, std::string_view what) {
  const Matrix3 identity = multiply(transposed(R), R);
  double defect = 0.;
  for (std::size_t k = 0; k < 9; ++k) defect = std::max(defect, std::abs(identity[k] - (k % 4 == 0 ? 1. : 0.)));
  const double determinant = dot(column(R, 0), cross(column(R, 1), column(R, 2)));
  if (!(defect <= 1e-8) || !(determinant > 0.)) {
    throw Error(std::string(what), "it is not a rotation: R^T R differs from I by " + toText(defect) +
                                       ", and its determinant is " + toText(determinant) + ".");
  }
  // From the largest of the four squares, where nothing cancels (Shepperd, 1978).
  const double trace = R[0] + R[4] + R[8];
  const std::array<double, 4> squares{trace, R[0], R[4], R[8]};
  const auto largest = static_cast<std::size_t>(std::max_element(squares.begin(), squares.end()) - squares.begin());
  Quaternion p;
  if (largest == 0) {
    p = {1. + trace, R[5] - R[7], R[6] - R[2], R[1] - R[3]};
  } else {
    const std::size_t i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    p[0] = R[k + 3 * j] - R[j + 3 * k];
    p[1 + i] = 1. + 2. * R[4 * i] - trace;
    p[1 + j] = R[i + 3 * j] + R[j + 3 * i];
    p[1 + k] = R[i + 3 * k] + R[k + 3 * i];
  }
  const double length = std::copysign(norm(p), p[0]);
  return {p[0] / length, p[1] / length, p[2] / length, p[3] / length};
}

Vector3 rotate(const Quaternion& p, const Vector3& x) {
  const Vector3 axis{p[1], p[2], p[3]};
  const Vector3 twice = 2. * cross(axis, x);
  return (x + p[0] * twice) + cross(axis, twice);
}

Vector3 rotateBack(const Quaternion& p, const Vector3& x) {
  return rotate(conjugate(p), x);
}

Matrix43 rates(const Quaternion& p) {
  const double a = 0.5 * p[0], x = 0.5 * p[1], y = 0.5 * p[2], z = 0.5 * p[3];
  return {-x, a, z, -y, -y, -z, a, x, -z, y, -x, a};
}

Quaternion exponential(const Vector3& Omega) {
  const double squared = dot(Omega, Omega);
  const double factor = 0.5 * sinc(0.25 * squared);
  return {std::cos(0.5 * std::sqrt(squared)), factor * Omega[0], factor * Omega[1], factor * Omega[2]};
}

Matrix3 exponentialMatrix(const Vector3& Omega) {
  const double squared = dot(Omega, Omega);
  return combine(Omega, sinc(squared), cosc(squared));
}

Vector3 logarithm(const Quaternion& p) {
  const Vector3 axis{p[1], p[2], p[3]};
  const double sine = delassus::norm(axis);
  // atan2 is accurate at both ends; the sign of p chooses the shorter way round.
  const double angle = 2. * std::atan2(sine, std::abs(p[0]));
  const double factor = sine > 0. ? angle / sine : 2.;
  return std::copysign(factor, p[0]) * axis;
}

Matrix3 exponentialDifferential(const Vector3& Omega) {
  const double squared = dot(Omega, Omega);
  return combine(Omega, cosc(squared), sincRest(squared));
}

Matrix3 exponentialDifferentialInverse(const Vector3& Omega) {
  return combine(Omega, -0.5, cotangentRest(dot(Omega, Omega)));
}

}  // namespace delassus::rotations
