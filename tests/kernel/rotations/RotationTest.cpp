// SPDX-License-Identifier: Apache-2.0
//
// Every formula of rotations against power series in fifty digits and against derivatives of them: which side a
// differential is on, and where the library changes from a series to a closed form.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/rotations/Twists.hpp>
#include <limits>
#include <numbers>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double pi = std::numbers::pi;

using Real = boost::multiprecision::cpp_bin_float_50;
using Real3 = std::array<Real, 3>;
using RealMatrix = std::array<std::array<Real, 3>, 3>;  // by rows

RealMatrix times(const RealMatrix& A, const RealMatrix& B) {
  RealMatrix C{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) C[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
  }
  return C;
}

RealMatrix flipped(const RealMatrix& A) {
  RealMatrix B;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) B[i][j] = A[j][i];
  }
  return B;
}

Real3 real(const Vector3& a) {
  return {a[0], a[1], a[2]};
}

Real3 moved(const Real3& a, const Real& step, const Vector3& along) {
  return {a[0] + step * along[0], a[1] + step * along[1], a[2] + step * along[2]};
}

// Σ Ω̃^k / (k + shift)!: the exponential for shift 0, its differential for shift 1.
RealMatrix series(const Real3& a, int shift) {
  const RealMatrix S{{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}};
  RealMatrix power{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  RealMatrix sum{};
  for (int k = 0; k < 120; ++k) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) sum[i][j] += power[i][j];
    }
    power = times(power, S);
    for (auto& row : power) {
      for (Real& entry : row) entry /= k + shift + 1;
    }
  }
  return sum;
}

// The vector of (A − Aᵀ)/2.
Vector3 axisOf(const RealMatrix& A) {
  return {static_cast<double>((A[2][1] - A[1][2]) / 2), static_cast<double>((A[0][2] - A[2][0]) / 2),
          static_cast<double>((A[1][0] - A[0][1]) / 2)};
}

// Relative to 1 on the diagonal and to `offDiagonal` beside it, in units of rounding.
void expectRounded(const Matrix3& actual, const RealMatrix& expected, double offDiagonal, double units) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double scale = (i == j ? 1. : 0.) + offDiagonal;
      const double error = static_cast<double>(abs(expected[i][j] - Real(actual[i + 3 * j])));
      EXPECT_LE(error, units * epsilon * scale) << "entry (" << i << ", " << j << ")";
    }
  }
}

void expectClose(const Vector3& actual, const Vector3& expected, double tolerance) {
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "component " << i;
}

void expectClose(const Matrix3& actual, const Matrix3& expected, double tolerance) {
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(actual[k], expected[k], tolerance) << "entry " << k;
}

Vector3 randomVector3(Generator& generator) {
  const Vector v = randomVector(generator, 3);
  return {v(0), v(1), v(2)};
}

Vector3 randomDirection(Generator& generator) {
  const Vector3 v = randomVector3(generator);
  return 1. / norm(v) * v;
}

Quaternion randomRotation(Generator& generator) {
  const Vector v = randomVector(generator, 4);
  return rotations::normalised({v(0), v(1), v(2), v(3)});
}

// On both sides of every limit between a series and a closed form (θ = 0.01, 0.02, 0.1, 0.5), and at the ends.
const std::vector<double> angles{0.,     1e-200, 1e-12, 1e-8, 1e-5, 0.00999999, 0.0100001, 0.0199999, 0.0200001, 0.0999,
                                 0.1001, 0.499,  0.501, 1.,   2.,   3.,         3.1415926, 4.5,       6.};

const Matrix3 identity{1., 0., 0., 0., 1., 0., 0., 0., 1.};

TEST(FixedSize, OperationsAgreeWithTheirDefinitions) {
  Generator generator(1);
  const Vector3 a = randomVector3(generator), b = randomVector3(generator);
  Matrix3 A, B;
  for (double& entry : A) entry = randomVector(generator, 1)(0);
  for (double& entry : B) entry = randomVector(generator, 1)(0);
  expectClose(multiply(skew(a), b), cross(a, b), epsilon);
  expectClose(cross(Vector3{1., 0., 0.}, Vector3{0., 1., 0.}), {0., 0., 1.}, 0.);
  expectClose(multiply(multiply(A, B), a), multiply(A, multiply(B, a)), 8. * epsilon);
  expectClose(multiplyTransposed(A, a), multiply(transposed(A), a), 4. * epsilon);
  EXPECT_NEAR(dot(b, multiply(A, a)), dot(a, multiplyTransposed(A, b)), 8. * epsilon);
  expectClose(column(A, 1), multiply(A, Vector3{0., 1., 0.}), 0.);
  EXPECT_EQ(A[0 + 3 * 2], multiply(A, Vector3{0., 0., 1.})[0]);
}

TEST(FixedSize, ContactFrameIsOrthonormalAndRightHandedEverywhere) {
  Generator generator(2);
  std::vector<Vector3> normals{{0., 0., 1.}, {0., 0., -1.}, {1., 0., 0.},   {-1., 0., 0.},
                               {0., 1., 0.}, {0., -1., 0.}, {1., 0., -0.0}, {0., -1., -0.0}};
  for (const double tiny : {1e-300, 1e-17, 1e-9, 1e-5}) {
    for (const double sign : {-1., 1.}) {
      normals.push_back({std::sqrt(1. - tiny * tiny), 0., sign * tiny});  // next to e_x
      normals.push_back({0., tiny, sign * std::sqrt(1. - tiny * tiny)});  // next to ±e_z
    }
  }
  for (int k = 0; k < 1000; ++k) normals.push_back(randomDirection(generator));
  for (const Vector3& n : normals) {
    const Matrix3 frame = contactFrame(n);
    EXPECT_EQ(column(frame, 0), n);
    // Rounding of n₃ is magnified by 1/(1 − 0.65).
    expectClose(multiply(transposed(frame), frame), identity, 12. * epsilon);
    expectClose(cross(column(frame, 0), column(frame, 1)), column(frame, 2), 12. * epsilon);
  }
}

// Two balls on a floor: rounding puts one above the other.
TEST(FixedSize, ContactFrameOfBodiesSideBySideIsTheSameWhicheverIsHigher) {
  for (const double angle : {0., 0.3, 1., 2., 3., 4., 5.}) {
    const Matrix3 up = contactFrame({std::cos(angle), std::sin(angle), 1e-12});
    const Matrix3 down = contactFrame({std::cos(angle), std::sin(angle), -1e-12});
    expectClose(column(up, 1), column(down, 1), 1e-11);  // a few times the turn of the normal
  }
}

TEST(Quaternion, ProductIsThatOfTheUnits) {
  const Quaternion one{1., 0., 0., 0.}, i{0., 1., 0., 0.}, j{0., 0., 1., 0.}, k{0., 0., 0., 1.};
  const Quaternion minusOne{-1., 0., 0., 0.}, minusK{0., 0., 0., -1.};
  using rotations::product;
  for (const Quaternion& unit : {i, j, k}) EXPECT_EQ(product(unit, unit), minusOne);
  EXPECT_EQ(product(i, j), k);
  EXPECT_EQ(product(j, k), i);
  EXPECT_EQ(product(k, i), j);
  EXPECT_EQ(product(j, i), minusK);
  EXPECT_EQ(product(one, k), k);
}

TEST(Quaternion, ProductTurnsByTheSecondFirst) {
  Generator generator(3);
  for (int n = 0; n < 20; ++n) {
    const Quaternion p = randomRotation(generator), q = randomRotation(generator);
    const Vector3 x = randomVector3(generator);
    expectClose(rotations::rotationMatrix(rotations::product(p, q)),
                multiply(rotations::rotationMatrix(p), rotations::rotationMatrix(q)), 8. * epsilon);
    expectClose(rotations::rotate(p, x), multiply(rotations::rotationMatrix(p), x), 8. * epsilon);
    expectClose(rotations::rotateBack(p, x), multiplyTransposed(rotations::rotationMatrix(p), x), 8. * epsilon);
    const Quaternion turned =
        rotations::product(rotations::product(p, {0., x[0], x[1], x[2]}), rotations::conjugate(p));
    EXPECT_NEAR(turned[0], 0., 4. * epsilon);
    expectClose(rotations::rotate(p, x), {turned[1], turned[2], turned[3]}, 8. * epsilon);
    const Matrix3 R = rotations::rotationMatrix(p);
    expectClose(multiply(transposed(R), R), identity, 8. * epsilon);
    expectClose(cross(column(R, 0), column(R, 1)), column(R, 2), 8. * epsilon);
  }
}

TEST(Quaternion, IsFoundFromAMatrixInEveryBranch) {
  Generator generator(4);
  for (std::size_t largest = 0; largest < 4; ++largest) {
    for (int n = 0; n < 50; ++n) {
      Quaternion p = randomRotation(generator);
      p[largest] = p[largest] < 0. ? -1.5 : 1.5;
      p = rotations::normalised(p);
      const Quaternion found = rotations::quaternion(rotations::rotationMatrix(p));
      EXPECT_GE(found[0], 0.);
      const double sign = p[0] < 0. ? -1. : 1.;
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[i], sign * p[i], 8. * epsilon);
    }
  }
  // Half turns, where p₀ = 0 and the trace is −1.
  for (const Quaternion& p : {Quaternion{0., 1., 0., 0.}, Quaternion{0., 0., 1., 0.}, Quaternion{0., 0., 0., 1.},
                              Quaternion{0., 0.6, 0., -0.8}}) {
    const Matrix3 R = rotations::rotationMatrix(p);
    expectClose(rotations::rotationMatrix(rotations::quaternion(R)), R, 4. * epsilon);
  }
}

TEST(Quaternion, RefusesWhatIsNoRotationByName) {
  expectError([] { rotations::normalised({0., 0., 0., 0.}, "hinge"); }, {"hinge", "norm 0"});
  expectError([] { rotations::normalised({std::nan(""), 0., 0., 0.}, "hinge"); }, {"hinge", "norm nan"});
  Matrix3 stretched = identity;
  stretched[0] = 1.001;
  expectError([&] { rotations::quaternion(stretched, "frame"); }, {"frame", "not a rotation", "0.002"});
  Matrix3 mirror = identity;
  mirror[8] = -1.;
  expectError([&] { rotations::quaternion(mirror, "frame"); }, {"frame", "determinant is -1"});
  stretched[0] = std::nan("");
  expectError([&] { rotations::quaternion(stretched, "frame"); }, {"frame", "not a rotation"});
}

TEST(Exponential, IsThePowerSeriesAsAMatrixAndAsAQuaternion) {
  Generator generator(5);
  for (const double angle : angles) {
    SCOPED_TRACE(angle);
    for (int n = 0; n < 5; ++n) {
      const Vector3 Omega = angle * randomDirection(generator);
      const RealMatrix expected = series(real(Omega), 0);
      // θ is known to ε θ only.
      expectRounded(rotations::exponentialMatrix(Omega), expected, angle, 8.);
      expectRounded(rotations::rotationMatrix(rotations::exponential(Omega)), expected, angle, 8.);
      const Real3 a = real(Omega);
      const Real theta = sqrt(Real(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
      const Quaternion p = rotations::exponential(Omega);
      EXPECT_NEAR(p[0], static_cast<double>(cos(theta / 2)), (1. + angle) * epsilon);
      for (std::size_t i = 0; i < 3; ++i) {
        const double component = theta > 0 ? static_cast<double>(sin(theta / 2) / theta * a[i]) : 0.;
        EXPECT_NEAR(p[1 + i], component, (2. + angle) * angle * epsilon);
      }
      EXPECT_NEAR(rotations::norm(p), 1., 4. * epsilon);
    }
  }
}

TEST(Exponential, DifferentialAndItsInverseAreTheirSeries) {
  Generator generator(6);
  for (const double angle : angles) {
    SCOPED_TRACE(angle);
    const Vector3 Omega = angle * randomDirection(generator);
    const RealMatrix expected = series(real(Omega), 1);
    const Matrix3 T = rotations::exponentialDifferential(Omega);
    expectRounded(T, expected, angle, 8.);
    // 1/(2π − θ) is how T⁻¹ grows, and its square how it multiplies rounding in θ.
    const double growth = 1. + std::pow(2. * pi - angle, -2.) * angle * angle;
    expectClose(multiply(rotations::exponentialDifferentialInverse(Omega), T), identity, 16. * growth * epsilon);
  }
}

TEST(Exponential, DifferentialIsSpatialAndItsTransposeIsTheBodysOne) {
  // E(s) = exp(Ω + s Ω′): Ė Eᵀ = (T Ω′)~ and Eᵀ Ė = (Tᵀ Ω′)~, by differences in fifty digits.
  Generator generator(7);
  const Real step = 1e-16;
  for (const double angle : angles) {
    SCOPED_TRACE(angle);
    const Vector3 Omega = angle * randomDirection(generator);
    const Vector3 rate = randomVector3(generator);
    const RealMatrix above = series(moved(real(Omega), step, rate), 0);
    const RealMatrix below = series(moved(real(Omega), -step, rate), 0);
    RealMatrix derivative;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) derivative[i][j] = (above[i][j] - below[i][j]) / (2 * step);
    }
    const RealMatrix E = series(real(Omega), 0);
    const Matrix3 T = rotations::exponentialDifferential(Omega);
    const double tolerance = 8. * (1. + angle) * epsilon;
    expectClose(multiply(T, rate), axisOf(times(derivative, flipped(E))), tolerance);
    expectClose(multiplyTransposed(T, rate), axisOf(times(flipped(E), derivative)), tolerance);
    expectClose(transposed(T), rotations::exponentialDifferential(-Omega), epsilon);
  }
}

TEST(Logarithm, IsTheInverseOfTheExponentialUpToAHalfTurn) {
  Generator generator(8);
  for (const double angle : {0., 1e-200, 1e-160, 1e-12, 1e-8, 1e-4, 0.01, 0.5, 2., 3., pi - 1e-6, pi - 1e-12}) {
    SCOPED_TRACE(angle);
    const Vector3 Omega = angle * randomDirection(generator);
    const Quaternion p = rotations::exponential(Omega);
    // Both are known relative to their size, at both ends.
    expectClose(rotations::logarithm(p), Omega, 8. * angle * epsilon);
    expectClose(rotations::logarithm({-p[0], -p[1], -p[2], -p[3]}), Omega, 8. * angle * epsilon);
  }
}

TEST(Logarithm, TakesTheShorterWayRound) {
  Generator generator(9);
  const Vector3 axis = randomDirection(generator);
  expectClose(rotations::logarithm(rotations::exponential((2. * pi - 0.25) * axis)), -0.25 * axis, 1e-14);
  EXPECT_NEAR(norm(rotations::logarithm({0., axis[0], axis[1], axis[2]})), pi, 4. * epsilon);
  for (int n = 0; n < 100; ++n) {
    const Quaternion p = randomRotation(generator);
    const Quaternion back = rotations::exponential(rotations::logarithm(p));
    const double sign = p[0] * back[0] < 0. ? -1. : 1.;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(back[i], sign * p[i], 8. * epsilon);
  }
}

TEST(Rates, AreThoseOfATurnInTheBodysFrame) {
  Generator generator(10);
  const double h = 1e-5;  // central differences: h² of truncation, ε/h of rounding, both below 1e-10
  for (int n = 0; n < 20; ++n) {
    const Quaternion p = randomRotation(generator);
    const Vector3 Omega = randomVector3(generator);
    const Matrix43 T = rotations::rates(p);
    const Quaternion half = rotations::product(p, {0., 0.5 * Omega[0], 0.5 * Omega[1], 0.5 * Omega[2]});
    const Quaternion above = rotations::product(p, rotations::exponential(h * Omega));
    const Quaternion below = rotations::product(p, rotations::exponential(-h * Omega));
    for (std::size_t i = 0; i < 4; ++i) {
      const double rate = T[i] * Omega[0] + T[4 + i] * Omega[1] + T[8 + i] * Omega[2];
      EXPECT_NEAR(rate, half[i], 2. * epsilon);
      EXPECT_NEAR(rate, (above[i] - below[i]) / (2. * h), 1e-10);
    }
    // Columns of Ψ are orthonormal, and orthogonal to p.
    for (std::size_t j = 0; j < 3; ++j) {
      double along = 0.;
      for (std::size_t i = 0; i < 4; ++i) along += T[4 * j + i] * p[i];
      EXPECT_NEAR(along, 0., epsilon);
      for (std::size_t k = 0; k < 3; ++k) {
        double product = 0.;
        for (std::size_t i = 0; i < 4; ++i) product += 4. * T[4 * j + i] * T[4 * k + i];
        EXPECT_NEAR(product, j == k ? 1. : 0., 4. * epsilon);
      }
    }
  }
}

TEST(Rotation, DerivativesAlongATurnOfTheBodyAreAsTheJacobiansSay) {
  // R to R exp δ~: D(R x)·δ = −R x̃ δ, D(Rᵀm)·δ = (Rᵀm)~ δ, and Ṙ = R Ω̃ = ω̃ R with ω = R Ω.
  Generator generator(11);
  const double h = 1e-5;
  for (int n = 0; n < 20; ++n) {
    const Quaternion p = randomRotation(generator);
    const Vector3 x = randomVector3(generator), m = randomVector3(generator), delta = randomVector3(generator);
    const Quaternion above = rotations::product(p, rotations::exponential(h * delta));
    const Quaternion below = rotations::product(p, rotations::exponential(-h * delta));
    const auto differenced = [&](auto f) { return 0.5 / h * (f(above) - f(below)); };
    const Vector3 turned = differenced([&](const Quaternion& at) { return rotations::rotate(at, x); });
    expectClose(-rotations::rotate(p, multiply(skew(x), delta)), turned, 1e-10);
    expectClose(cross(rotations::rotate(p, delta), rotations::rotate(p, x)), turned, 1e-10);
    expectClose(multiply(skew(rotations::rotateBack(p, m)), delta),
                differenced([&](const Quaternion& at) { return rotations::rotateBack(at, m); }), 1e-10);
  }
}

TEST(Twists, TakeDerivativesOfSevenNumbersAlongMovesOfTwoBodies) {
  Generator generator(12);
  Vector q(14);
  std::vector<Quaternion> orientations;
  for (std::size_t body = 0; body < 2; ++body) {
    orientations.push_back(randomRotation(generator));
    for (std::size_t i = 0; i < 3; ++i) q(7 * body + i) = randomVector(generator, 1)(0);
    for (std::size_t i = 0; i < 4; ++i) q(7 * body + 3 + i) = orientations[body][i];
  }
  const Matrix C = randomMatrix(generator, 3, 14);
  Matrix byTwist(3, 12);
  rotations::alongTwists(C, q, byTwist);
  const double h = 1e-5;
  for (std::size_t j = 0; j < 12; ++j) {
    const std::size_t body = j / 6, axis = j % 6;
    Vector rate(14);
    if (axis < 3) {
      rate(7 * body + axis) = 1.;
    } else {
      Vector3 turn{};
      turn[axis - 3] = h;
      const Quaternion above = rotations::product(orientations[body], rotations::exponential(turn));
      const Quaternion below = rotations::product(orientations[body], rotations::exponential(-turn));
      for (std::size_t i = 0; i < 4; ++i) rate(7 * body + 3 + i) = (above[i] - below[i]) / (2. * h);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      double expected = 0.;
      for (std::size_t k = 0; k < 14; ++k) expected += C(i, k) * rate(k);
      EXPECT_NEAR(byTwist(i, j), expected, 1e-10);
    }
  }
}

}  // namespace
