// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <delassus/numerics/contact/AlartCurnier.hpp>
#include <delassus/numerics/contact/FrictionCone.hpp>
#include <delassus/numerics/sets/ContactCone.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>
#include <random>
#include <support/ContactRows.hpp>

// The generalised Jacobians of [Siconos 2017], chapter 16, branch by branch, against central differences, and what they
// have in common with the natural map.
namespace delassus::numerics {
namespace {

using Generator = std::mt19937_64;

template <std::size_t d>
std::array<double, d> randomPoint(Generator& generator) {
  std::uniform_real_distribution<double> some(-1., 1.);
  std::array<double, d> x{};
  for (double& component : x) component = some(generator);
  return x;
}

template <std::size_t d>
double norm(const std::array<double, d>& x) {
  double squares = 0.;
  for (const double component : x) squares += component * component;
  return std::sqrt(squares);
}

// Truncation h² and rounding ε/h balance near h = 1e-5 and leave 1e-10; curvatures 1/‖x‖ up to 1/kinkDistance enter.
constexpr double step = 1e-5;
constexpr double kinkDistance = 0.05;
constexpr double differenceTolerance = 1e-6;

template <std::size_t d, class Value>
void expectColumns(const std::array<double, d * d>& jacobian, std::array<double, d> x, Value&& value) {
  for (std::size_t j = 0; j < d; ++j) {
    const double kept = x[j];
    x[j] = kept + step;
    const std::array<double, d> ahead = value(x);
    x[j] = kept - step;
    const std::array<double, d> behind = value(x);
    x[j] = kept;
    for (std::size_t i = 0; i < d; ++i) {
      EXPECT_NEAR(jacobian[i + j * d], (ahead[i] - behind[i]) / (2. * step), differenceTolerance)
          << "entry (" << i << ", " << j << "), dimension " << d;
    }
  }
}

enum class Branch { openSeparate, openSlide, stick, slide, count };

template <std::size_t d>
void testAlartCurnier(double mu, double rhoNormal, double rhoTangent) {
  Generator generator(7);
  std::array<int, static_cast<std::size_t>(Branch::count)> seen{};
  for (int trial = 0; trial < 2000; ++trial) {
    const auto U = randomPoint<d>(generator), P = randomPoint<d>(generator);
    const double normal = P[0] - rhoNormal * U[0];
    std::array<double, d> x{};
    for (std::size_t i = 1; i < d; ++i) x[i] = P[i] - rhoTangent * U[i];
    const double length = tangentNorm(d, x.data());
    const double radius = mu * std::max(0., normal);
    if (std::abs(normal) < kinkDistance || std::abs(length - radius) < kinkDistance || length < kinkDistance) continue;
    const Branch branch = normal < 0. ? (U[0] > 0. ? Branch::openSeparate : Branch::openSlide)
                                      : (length < radius ? Branch::stick : Branch::slide);
    ++seen[static_cast<std::size_t>(branch)];
    const ContactMap<d> map = alartCurnier<d>(mu, rhoNormal, rhoTangent, U.data(), P.data());
    const auto value = alartCurnierValue<d>(mu, rhoNormal, rhoTangent, U.data(), P.data());
    for (std::size_t i = 0; i < d; ++i) EXPECT_NEAR(map.value[i], value[i], 1e-15);
    expectColumns<d>(map.byU, U, [&](const std::array<double, d>& at) {
      return alartCurnierValue<d>(mu, rhoNormal, rhoTangent, at.data(), P.data());
    });
    expectColumns<d>(map.byP, P, [&](const std::array<double, d>& at) {
      return alartCurnierValue<d>(mu, rhoNormal, rhoTangent, U.data(), at.data());
    });
  }
  for (const int times : seen) EXPECT_GT(times, 10);
}

TEST(AlartCurnier, JacobianOfEveryBranchAgreesWithCentralDifferences) {
  testAlartCurnier<2>(0.7, 0.8, 1.3);
  testAlartCurnier<3>(0.7, 0.8, 1.3);
  testAlartCurnier<3>(3., 1.5, 0.4);
}

TEST(AlartCurnier, NormalVelocityEntersTheSlidingFriction) {
  // The case marked in [Siconos 2017], chapter 16: ∂Φ₃/∂U_N = +μ ρ_N d.
  const std::array<double, 3> U{-0.1, 0.3, 0.4}, P{1., -0.9, -1.2};
  const ContactMap<3> map = alartCurnier<3>(0.5, 2., 1., U.data(), P.data());
  EXPECT_DOUBLE_EQ(map.byU[1], 0.5 * 2. * -0.6);
  EXPECT_DOUBLE_EQ(map.byU[2], 0.5 * 2. * -0.8);
}

template <std::size_t d>
std::array<double, d> naturalMapValue(double mu, double rho, const double* U, const double* P) {
  std::array<double, d> u{}, value{};
  for (std::size_t i = 0; i < d; ++i) u[i] = rho * U[i];
  ContactCone(ContactShape::coulomb(d, mu)).naturalMap(u.data(), P, value.data());
  return value;
}

TEST(NaturalMap, AgreesWithTheErrorMeasureAtUnitRho) {
  Generator generator(9);
  for (int trial = 0; trial < 1000; ++trial) {
    const auto U = randomPoint<3>(generator), P = randomPoint<3>(generator);
    const double value = norm(naturalMapValue<3>(0.6, 1., U.data(), P.data()));
    EXPECT_NEAR(value * value, test::contactMapSquared(3, 0.6, P.data(), U.data()), 1e-14);
  }
}

// Pairs that obey Coulomb's law: take-off, stick, slide.
template <std::size_t d>
void solutionPair(Generator& generator, double mu, int kind, std::array<double, d>& U, std::array<double, d>& P) {
  U = randomPoint<d>(generator);
  P = randomPoint<d>(generator);
  if (kind == 0) {
    P.fill(0.);
    U[0] = std::abs(U[0]);
    return;
  }
  P[0] = std::abs(P[0]) + 0.1;
  const double length = tangentNorm(d, P.data());
  const double target = kind == 1 ? 0.9 * mu * P[0] : mu * P[0];
  for (std::size_t i = 1; i < d; ++i) P[i] *= target / length;
  U[0] = 0.;
  for (std::size_t i = 1; i < d; ++i) U[i] = kind == 1 ? 0. : -1.7 * P[i];
}

// That of a problem is in velocities c w and reactions d λ / c. Scales (one d of all rows, and any c) move no zero, and
// A and B are its derivatives.
template <std::size_t d>
void testScales(double mu, double unit) {
  Generator generator(11);
  const CoulombCone cone(mu);
  const std::array<double, 3> scale{2.5, 2.5, 2.5}, units{unit, 1., 1.};
  const ConvexSet::Rows rows{d, nullptr, nullptr, scale.data(), units.data()};
  std::array<double, d * d> A{}, B{}, unused{};
  const auto valueAt = [&](const std::array<double, d>& w, const std::array<double, d>& lambda) {
    std::array<double, d> value{};
    cone.alartCurnier(rows, w.data(), lambda.data(), value.data(), unused.data(), unused.data());
    return value;
  };
  for (int trial = 0; trial < 300; ++trial) {
    std::array<double, d> w, lambda, value{};
    solutionPair<d>(generator, mu, trial % 3, w, lambda);
    EXPECT_LT(norm(valueAt(w, lambda)), 1e-14);
    // Off the solution by more than differences are wide, into the inside of a branch.
    w[0] -= 0.2;
    for (std::size_t i = 1; i < d; ++i) w[i] *= 1.3;
    if (trial % 3 == 0) continue;
    cone.alartCurnier(rows, w.data(), lambda.data(), value.data(), A.data(), B.data());
    expectColumns<d>(A, w, [&](const std::array<double, d>& at) { return valueAt(at, lambda); });
    expectColumns<d>(B, lambda, [&](const std::array<double, d>& at) { return valueAt(w, at); });
  }
}

TEST(AlartCurnier, IsThatOfTheConeInTheScalesOfAProblem) {
  for (const double unit : {1., 0.5}) {
    testScales<2>(0.7, unit);
    testScales<3>(0.7, unit);
  }
}

template <std::size_t d>
void testCommonZeros() {
  Generator generator(10);
  for (int trial = 0; trial < 3000; ++trial) {
    const double mu = 0.1 * (1 + trial % 30);
    std::array<double, d> U, P;
    solutionPair<d>(generator, mu, trial % 3, U, P);
    EXPECT_LT(norm(alartCurnierValue<d>(mu, 0.7, 1.9, U.data(), P.data())), 1e-14);
    EXPECT_LT(norm(naturalMapValue<d>(mu, 1.3, U.data(), P.data())), 1e-14);
    // Away from a solution neither is small where the other is not.
    P = randomPoint<d>(generator);
    const double first = norm(alartCurnierValue<d>(mu, 0.7, 1.9, U.data(), P.data()));
    const double second = norm(naturalMapValue<d>(mu, 1.3, U.data(), P.data()));
    EXPECT_EQ(first < 1e-12, second < 1e-12);
  }
}

TEST(AlartCurnier, HasTheZerosOfTheNaturalMap) {
  testCommonZeros<2>();
  testCommonZeros<3>();
}

}  // namespace
}  // namespace delassus::numerics
