// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/RayleighDamping.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {
namespace {

Matrix chain(std::size_t n) {
  Matrix K(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    K(i, i) = 2.;
    if (i + 1 < n) K(i, i + 1) = K(i + 1, i) = -1.;
  }
  return K;
}

TEST(RayleighDamping, IsTheSumInEachStorage) {
  const Matrix M = 3. * identityMatrix(5), K = chain(5), C = 0.2 * M + 0.01 * K;
  const SquareMatrix dense = rayleigh(M, K, 0.2, 0.01);
  const SquareMatrix sparse = rayleigh(sparseFromDense(M), sparseFromDense(K), 0.2, 0.01);
  EXPECT_FALSE(dense.isSparse());
  EXPECT_TRUE(sparse.isSparse());
  EXPECT_LE(normMax(Matrix(toDense(dense) - C)), 1e-15);
  EXPECT_LE(normMax(Matrix(toDense(sparse) - C)), 1e-15);
}

// A mode x = e^(−ζωt) cos(ω √(1 − ζ²) t + …) of a chain, with the ratio that the coefficients were asked for.
TEST(RayleighDamping, GivesTwoModesTheirRatios) {
  const double pi = std::acos(-1.);
  const auto frequency = [&](int mode) { return 2. * std::sin(0.5 * mode * pi / 6.); };
  const RayleighCoefficients c = RayleighCoefficients::of(frequency(1), 0.05, frequency(4), 0.08);
  for (const auto& [mode, zeta] : {std::pair(1, 0.05), std::pair(4, 0.08)}) {
    NonSmoothDynamicalSystem model(0., 3.);
    Vector shape(5);
    for (std::size_t i = 0; i < 5; ++i) shape(i) = std::sin(mode * pi * static_cast<double>(i + 1) / 6.);
    const Matrix M = identityMatrix(5), K = chain(5);
    const auto body = model.insert(
        "chain",
        std::make_shared<LagrangianLinearTIDS>(
            shape, Vector(5), LagrangianLinearTIDS::Matrices{.M = M, .C = rayleigh(M, K, c.alpha, c.beta), .K = K}));
    EventDriven(model, TimeDiscretisation(0., 3.)).run();
    const double omega = frequency(mode), damped = omega * std::sqrt(1. - zeta * zeta), t = 3.;
    const double exact =
        std::exp(-zeta * omega * t) * (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t));
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(body->q()(i), exact * shape(i), 1e-7) << mode;
  }
}

TEST(RayleighDamping, RefusesWhatIsNoDamping) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(rayleigh(chain(3), chain(4), 1., 1.), Error);
  EXPECT_THROW(rayleigh(chain(3), chain(3), -1., 1.), Error);
  EXPECT_THROW(rayleigh(chain(3), chain(3), 1., nan), Error);
  EXPECT_THROW(RayleighCoefficients::of(2., 0.1, 1., 0.1), Error);
  EXPECT_THROW(RayleighCoefficients::of(1., 0.1, 10., 5.), Error);
}

}  // namespace
}  // namespace delassus
