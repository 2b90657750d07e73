// SPDX-License-Identifier: Apache-2.0
//
// First-order models against published trajectories of another program: same scheme, same step, every column.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <functional>
#include <memory>
#include <numbers>
#include <support/PublishedTrajectory.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

/// One system with one interaction.
struct Model {
  std::shared_ptr<FirstOrderLinearTIDS> system;
  std::shared_ptr<Interaction> interaction;

  double x(std::size_t i) const { return system->x()(i); }
  double r(std::size_t i) const { return system->r()(i); }
  double y(std::size_t i) const { return interaction->y(0)(i); }
  double lambda(std::size_t i) const { return interaction->lambda(0)(i); }
};

template <class Law, class R>
Model makeModel(const Vector& x0, const Matrix& A, Law law, R relation) {
  return {std::make_shared<FirstOrderLinearTIDS>(x0, A),
          std::make_shared<Interaction>(std::move(law), std::move(relation))};
}

/// The columns of a row, without the time, from the state after a step; 0 for a column that the file does not use.
using Columns = std::function<std::vector<double>(const Model&)>;

/// Runs the model along the rows and compares every column, to 1e-9 of the largest entry of the column. The first row
/// has the initial state; the other program's outputs and multipliers are not set in it.
template <class Problem>
void expectAgreement(const std::vector<std::vector<double>>& rows, const Model& model, double h, EulerMoreauOSI scheme,
                     Problem problem, const Columns& columns) {
  const std::size_t count = rows.front().size();
  std::vector<double> scale(count, 0.);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), count);
    for (std::size_t j = 0; j < count; ++j) scale[j] = std::max(scale[j], std::abs(row[j]));
  }
  for (std::size_t i = 0; i < model.system->dimension(); ++i) ASSERT_EQ(model.x(i), rows.front()[1 + i]);

  NonSmoothDynamicalSystem whole(0., h * static_cast<double>(rows.size()));
  whole.insert(model.system);
  whole.link(model.interaction, model.system);
  TimeStepping simulation(whole, TimeDiscretisation(0., h), std::move(scheme), std::move(problem));
  std::vector<double> worst(count, 0.);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    simulation.step();
    std::vector<double> ours = columns(model);
    ours.insert(ours.begin(), simulation.time());
    ASSERT_EQ(ours.size(), count);
    for (std::size_t j = 0; j < count; ++j) {
      const double difference = std::abs(ours[j] - rows[k][j]);
      worst[j] = std::max(worst[j], difference);
      ASSERT_LE(difference, 1e-9 * scale[j])
          << "column " << j << " at t = " << simulation.time() << ": " << ours[j] << ", published " << rows[k][j];
    }
  }
  std::printf("  largest relative difference by column:");
  for (std::size_t j = 1; j < count; ++j) std::printf(" %.1e", scale[j] > 0. ? worst[j] / scale[j] : 0.);
  std::printf("\n");
}

TEST(PublishedFirstOrder, CircuitWithDiodeAgrees) {
  const auto rows = publishedTrajectory("circuit_rlcd.txt");
  if (!rows) GTEST_SKIP() << noTestData();
  ASSERT_EQ(rows->size(), 500U);
  const double L = 1e-2;
  const double C = 1e-6;
  const double R = 1e3;
  const Model model =
      makeModel(makeVector({10., 0.}), makeMatrix({{0., -1. / C}, {1. / L, 0.}}), ComplementarityConditionNSL(),
                FirstOrderLinearTIR(makeMatrix({{-1., 0.}}), makeMatrix({{R}}), makeMatrix({{-1. / C}, {0.}})));
  expectAgreement(*rows, model, 1e-5, EulerMoreauOSI(0.5000000000001), LCP(), [](const Model& m) {
    return std::vector<double>{m.x(0), m.x(1), -m.y(0), m.lambda(0), 0.};
  });
}

// With θ = γ = ½ the law holds at the middle of the step: y = (x₁ + x₁⁺)/(2C) + R λ. The published third column mixes
// the end of the step with it, −(x₁⁺/C + R λ). The balance of the energy E = x₁²/(2C) + L x₂²/2 is exact, E⁺ − E = h λ
// (x₁ + x₁⁺)/(2C) = h λ (y − R λ) = −h R λ², which concerns the last three columns.
TEST(PublishedFirstOrder, CircuitOfTheFullThetaGammaSchemeAgreesWithItsEnergies) {
  const auto rows = publishedTrajectory("circuit_rlcd_theta_gamma.txt");
  if (!rows) GTEST_SKIP() << noTestData();
  ASSERT_EQ(rows->size(), 100U);
  const double L = 1.;
  const double C = 1. / (4. * std::numbers::pi * std::numbers::pi);
  const double R = 10.;
  const double h = 0.05;
  const Model model =
      makeModel(makeVector({1., 1.}), makeMatrix({{0., -1.}, {1. / (L * C), 0.}}), ComplementarityConditionNSL(),
                FirstOrderLinearTIR(makeMatrix({{1. / C, 0.}}), makeMatrix({{R}}), makeMatrix({{1.}, {0.}})));
  double before = model.x(0);
  double dissipated = 0.;
  expectAgreement(*rows, model, h, EulerMoreauOSI::fullThetaGamma(0.5, 0.5), LCP(), [&](const Model& m) {
    // Rounding in terms of up to R λ = 26 and x₁/C = 40.
    EXPECT_NEAR(m.y(0), 0.5 * (before + m.x(0)) / C + R * m.lambda(0), 1e-12);
    before = m.x(0);
    dissipated += h * R * m.lambda(0) * m.lambda(0);
    const double energy = 0.5 * (m.x(0) * m.x(0) / C + L * m.x(1) * m.x(1));
    return std::vector<double>{
        m.x(0), m.x(1), -(m.x(0) / C + R * m.lambda(0)), m.lambda(0), 0., energy, dissipated, energy + dissipated};
  });
}

TEST(PublishedFirstOrder, DiodeBridgeAgrees) {
  const auto rows = publishedTrajectory("diode_bridge.txt");
  if (!rows) GTEST_SKIP() << noTestData();
  ASSERT_EQ(rows->size(), 5000U);
  const double L = 1e-2;
  const double C = 1e-6;
  const double R = 1e3;
  const Matrix outputs = makeMatrix({{0., 0.}, {0., 0.}, {-1., 0.}, {1., 0.}});
  const Matrix feedthrough =
      makeMatrix({{1. / R, 1. / R, -1., 0.}, {1. / R, 1. / R, 0., -1.}, {1., 0., 0., 0.}, {0., 1., 0., 0.}});
  const Matrix inputs = makeMatrix({{0., 0., -1. / C, 1. / C}, {0., 0., 0., 0.}});
  const Model model = makeModel(makeVector({10., 0.}), makeMatrix({{0., -1. / C}, {1. / L, 0.}}),
                                ComplementarityConditionNSL(4), FirstOrderLinearTIR(outputs, feedthrough, inputs));
  expectAgreement(*rows, model, 1e-6, EulerMoreauOSI(0.5), LCP(), [](const Model& m) {
    return std::vector<double>{m.x(0), m.x(1), m.y(0), -m.lambda(0), -m.lambda(1), m.lambda(2), m.y(0) + m.lambda(2)};
  });
}

TEST(PublishedFirstOrder, RelayOscillatorAgreesWhileSlidingAndBetween) {
  const auto rows = publishedTrajectory("relay_oscillator_sliding.txt");
  if (!rows) GTEST_SKIP() << noTestData();
  ASSERT_EQ(rows->size(), 10000U);
  const double xi = -0.07;
  const double omega = 10.;
  const double rate = 0.05;
  const Matrix A = makeMatrix({{-(2. * xi * omega + rate), 1., 0.},
                               {-(2. * xi * omega * rate + omega * omega), 0., 1.},
                               {-rate * omega * omega, 0., 0.}});
  const Model model = makeModel(makeVector({0., 0.5, 0.}), A, RelayNSL(1),
                                FirstOrderLinearTIR(makeMatrix({{1., 0., 0.}}), makeMatrix({{1.}, {-2.}, {1.}})));
  std::size_t sliding = 0;
  expectAgreement(*rows, model, 0.01, EulerMoreauOSI(0.5), Relay(), [&](const Model& m) {
    if (std::abs(m.lambda(0)) < 1.) ++sliding;
    return std::vector<double>{m.x(0), m.x(1), m.x(2), m.lambda(0), m.y(0), 0.};
  });
  std::printf("  %zu of 9999 steps slide\n", sliding);
  EXPECT_GT(sliding, 1000U);
  EXPECT_LT(sliding, 9900U);
}

TEST(PublishedFirstOrder, FilippovsSpiralAgreesToItsEndInTheOrigin) {
  const auto rows = publishedTrajectory("filippov.txt");
  if (!rows) GTEST_SKIP() << noTestData();
  ASSERT_EQ(rows->size(), 2000U);
  const Model model = makeModel(makeVector({3., 3.}), makeMatrix({{0., 0.}, {0., 0.}}), RelayNSL(2),
                                FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{2., -52.}, {52., 2.}})));
  expectAgreement(*rows, model, 1e-3, EulerMoreauOSI(0.5), Relay(), [](const Model& m) {
    return std::vector<double>{m.x(0), m.x(1), m.lambda(0), m.lambda(1), m.y(0), m.y(1)};
  });
}

// The last columns are ẋ⁺ = A x⁺ + r⁺.
TEST(PublishedFirstOrder, StepFunctionNetworkAgreesWithItsRates) {
  const auto rows = publishedTrajectory("step_system.txt");
  if (!rows) GTEST_SKIP() << noTestData();
  ASSERT_EQ(rows->size(), 3000U);
  const auto h = automatic([](auto, const auto& x, const auto&, auto& y) {
    y(0) = 4. - x(0);
    y(1) = 4. - x(1);
    y(2) = 8. - x(0);
    y(3) = 8. - x(1);
  });
  const auto g = automatic([](auto, const auto& lambda, auto& r) {
    r(0) = 40. * lambda(1) * (1. - lambda(2));
    r(1) = 40. * lambda(0) * (1. - lambda(3));
  });
  const Model model = makeModel(makeVector({1., 6.}), makeMatrix({{-4.5, 0.}, {0., -1.5}}), RelayNSL(4, 0., 1.),
                                FirstOrderType2R(4, h, g));
  expectAgreement(*rows, model, 1e-3, EulerMoreauOSI(0.5), Relay(), [](const Model& m) {
    return std::vector<double>{m.x(0),
                               m.x(1),
                               m.lambda(0),
                               m.lambda(1),
                               m.lambda(2),
                               m.lambda(3),
                               -4.5 * m.x(0) + m.r(0),
                               -1.5 * m.x(1) + m.r(1)};
  });
}

}  // namespace
