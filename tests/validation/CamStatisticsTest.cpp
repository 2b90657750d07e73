// SPDX-License-Identifier: Apache-2.0
//
// Statistics of impacts, and those of the chaotic attractor at 660 rpm by each method.
#include <gtest/gtest.h>

#include <CamMaps.hpp>
#include <CamStatistics.hpp>
#include <cmath>
#include <cstdio>
#include <random>
#include <support/Matchers.hpp>

#include "CamFollowerReference.hpp"

namespace {

using delassus::test::CamFollowerReference;
using delassus::test::expectError;

TEST(CamStatistics, TakesTheErrorOfAMeanFromBlocks) {
  // Blocks of one value each: the textbook's standard error.
  const Estimate mean = meanOf({{1.}, {2.}, {3.}, {6.}});
  EXPECT_DOUBLE_EQ(mean.value, 3.);
  EXPECT_DOUBLE_EQ(mean.standardError, std::sqrt((4. + 1. + 0. + 9.) / 3. / 4.));
  // Blocks of different size: Σ x / Σ n.
  EXPECT_DOUBLE_EQ(meanOf({{1., 1., 1.}, {5.}}).value, 2.);
  EXPECT_DOUBLE_EQ(countOf({{1., 1., 1.}, {5.}}).value, 2.);
  expectError([] { meanOf({{1., 2.}}); }, {"two blocks"});
}

TEST(CamStatistics, SeesThatCorrelatedValuesTellLess) {
  // A first-order autoregressive series with coefficient 0.9: its mean has (1 + 0.9)/(1 − 0.9) times the variance of
  // that of independent values.
  std::mt19937_64 generator(5);
  std::normal_distribution<double> normal;
  CamBlocks blocks(1000);
  double x = 0.;
  for (auto& block : blocks) {
    for (int k = 0; k < 200; ++k) block.push_back(x = 0.9 * x + std::sqrt(0.19) * normal(generator));
  }
  const double independent = 1. / std::sqrt(1000. * 200.);
  // The error of the error is 1/√2000; a block of 200 forgets 5 % of the correlation.
  EXPECT_NEAR(meanOf(blocks).standardError / independent, std::sqrt(19.), 0.4);
}

TEST(CamStatistics, MeasuresTheDistanceOfTwoSamples) {
  EXPECT_DOUBLE_EQ(kolmogorovSmirnov({{1., 2.}, {3., 4.}}, {{1., 2., 3., 4.}}), 0.);
  EXPECT_DOUBLE_EQ(kolmogorovSmirnov({{1., 2., 3., 4.}}, {{3., 4., 5., 6.}}), 0.5);
  EXPECT_DOUBLE_EQ(kolmogorovSmirnov({{1.}}, {{2.}}), 1.);
}

TEST(CamStatistics, BoundsTheDistanceAsTheoryDoesForIndependentValues) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> uniform;
  CamBlocks a(200, std::vector<double>(10)), b(100, std::vector<double>(10));
  for (CamBlocks* blocks : {&a, &b}) {
    for (auto& block : *blocks) {
      for (double& value : block) value = uniform(generator);
    }
  }
  // Smirnov: 1.628 √(1/n + 1/m) at 99 %. The bound carries 0.005 for the levels that it looks at.
  const double theory = 1.628 * std::sqrt(1. / 2000. + 1. / 1000.);
  EXPECT_NEAR(kolmogorovSmirnovBound(a, b, 0.99) - 0.005, theory, 0.1 * theory);
}

TEST(CamStatistics, MakesADensityOfTheHistogram) {
  const CamBlocks blocks{{0.5, 1.5, 1.7}, {0.2, 3.1}};
  double sum = 0.;
  const std::vector<Estimate> histogram = histogramOf(blocks, 0.5);
  for (const Estimate& density : histogram) sum += 0.5 * density.value;
  EXPECT_EQ(histogram.size(), 7U);
  EXPECT_NEAR(sum, 1., 1e-15);
  EXPECT_DOUBLE_EQ(histogram[3].value, 0.8);
}

// The chaotic attractor at 660 rpm.

constexpr std::size_t transient = 200;
constexpr std::size_t turnsABlock = 100;  // the motion forgets within some turns: see docs/cam-follower.md

CamFollowerParameters atTheAttractor() {
  CamFollowerParameters parameters;
  parameters.rpm = 660.;
  return parameters;
}

const CamBlocks& closedForm() {
  static const CamBlocks blocks = [] {
    const std::size_t turns = 20000;
    const CamFollowerParameters p = atTheAttractor();
    const Cam cam(p.rpm);
    const CamFollowerReference reference(cam, p.mass, p.stiffness, p.restitution, p.position, p.velocity,
                                         static_cast<double>(transient + turns) * cam.turn());
    CamMaps maps;
    maps.firstTurn = transient;
    maps.turns = turns;
    for (std::size_t k = 0; k < reference.impacts(); ++k) {
      const double t = reference.impactTime(k);
      if (t < static_cast<double>(transient) * cam.turn()) continue;
      maps.impacts.push_back({t / cam.turn(), cam.phase(t), cam.at(t).position, reference.velocityBefore(k),
                              reference.velocityAfter(k), cam.at(t).velocity - reference.velocityBefore(k)});
    }
    return approachesByBlocks(maps, turnsABlock);
  }();
  return blocks;
}

void expectTheSameStatistics(const char* title, const CamBlocks& blocks) {
  const Estimate mean = meanOf(blocks);
  const Estimate count = countOf(blocks);
  const Estimate exactMean = meanOf(closedForm());
  const Estimate exactCount = countOf(closedForm());
  const double distance = kolmogorovSmirnov(blocks, closedForm());
  const double bound = kolmogorovSmirnovBound(blocks, closedForm(), 0.999, 4000);
  std::printf(
      "%-26s %zu turns: mean approach %.3f ± %.3f m/s (closed form %.3f ± %.3f), impacts a turn %.4f ± %.4f "
      "(%.4f ± %.4f), Kolmogorov–Smirnov %.4f (99.9 %%: %.4f)\n",
      title, blocks.size() * turnsABlock, mean.value, mean.standardError, exactMean.value, exactMean.standardError,
      count.value / turnsABlock, count.standardError / turnsABlock, exactCount.value / turnsABlock,
      exactCount.standardError / turnsABlock, distance, bound);
  // Four standard errors of the difference: by chance 6 of 100000 runs are outside. A run is deterministic on one
  // machine, but chaos makes another one of it where another machine rounds in another way.
  EXPECT_LT(std::abs(mean.value - exactMean.value), 4. * std::hypot(mean.standardError, exactMean.standardError));
  EXPECT_LT(std::abs(count.value - exactCount.value), 4. * std::hypot(count.standardError, exactCount.standardError));
  EXPECT_LT(distance, bound);
  // That these tests can tell something.
  EXPECT_LT(mean.standardError, 0.03 * mean.value);
}

TEST(CamAttractor, SamplingErrorsDoNotDependOnTheLengthOfBlocks) {
  CamBlocks longer;
  for (std::size_t b = 0; b + 3 < closedForm().size(); b += 4) {
    auto& block = longer.emplace_back();
    for (std::size_t k = b; k < b + 4; ++k) block.insert(block.end(), closedForm()[k].begin(), closedForm()[k].end());
  }
  // 200 and 50 blocks: the errors of the errors are 5 and 10 %.
  EXPECT_NEAR(meanOf(longer).standardError / meanOf(closedForm()).standardError, 1., 0.3);
}

TEST(CamAttractor, TimeSteppingHasItsStatisticsInBothFormulations) {
  for (const CamFormulation formulation : {CamFormulation::translated, CamFormulation::rheonomous}) {
    const CamMaps maps = computeMaps(atTheAttractor(), {.formulation = formulation, .step = 2e-5}, transient, 2000);
    EXPECT_EQ(maps.points.size(), 2000U);
    expectTheSameStatistics(
        formulation == CamFormulation::translated ? "time stepping, translated" : "time stepping, rheonomous",
        approachesByBlocks(maps, turnsABlock));
  }
}

TEST(CamAttractor, EventDrivenSimulationHasItsStatistics) {
  // Both formulations are the same motion to rounding, but part after some seconds: two samples.
  for (const CamFormulation formulation : {CamFormulation::translated, CamFormulation::rheonomous}) {
    const CamMaps maps = computeMaps(atTheAttractor(),
                                     {.method = CamMethod::eventDriven, .formulation = formulation, .tolerance = 1e-10},
                                     transient, 6000);
    expectTheSameStatistics(
        formulation == CamFormulation::translated ? "event-driven, translated" : "event-driven, rheonomous",
        approachesByBlocks(maps, turnsABlock));
  }
}

}  // namespace
