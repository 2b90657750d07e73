// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/circuits/FormSystem.hpp>
#include <map>
#include <string>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr std::size_t symbols = 5;

CircuitSymbol symbolOf(std::size_t number) {
  return {CircuitSymbol::Kind::source, number};
}

// S with a few entries a row, and forms z that have one symbol in two, of sizes from 10⁻³ to 10³; k = S z.
class FormSystemOfSize : public testing::TestWithParam<std::size_t> {};

TEST_P(FormSystemOfSize, FindsTheFormsAndTheirZeros) {
  const std::size_t n = GetParam();
  Generator generator(n);
  std::vector<LinearForm> expected(n), forms(n);
  for (LinearForm& form : expected) {
    for (std::size_t s = 0; s < symbols; ++s) {
      if (generator() % 2 == 0) form.add(symbolOf(s), std::pow(10., static_cast<double>(generator() % 7) - 3.));
    }
  }
  FormSystem system(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::map<std::size_t, double> row;
    for (int k = 0; k < 4; ++k) row[generator() % n] = 1. + static_cast<double>(generator() % 100) / 100.;
    row[i] = 9.;
    for (const auto& [column, value] : row) {
      system.set(i, column, 100. * value);
      forms[i].add(expected[column], 100. * value);
    }
  }
  ASSERT_TRUE(system.solve(forms));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t s = 0; s < symbols; ++s) {
      const double z = expected[i].of(symbolOf(s));
      // The matrix has a condition below 10; entries of others, up to 10³, are in the sums.
      if (z == 0.) {
        EXPECT_EQ(forms[i].of(symbolOf(s)), 0.) << i << ", " << s;
      } else {
        EXPECT_NEAR(forms[i].of(symbolOf(s)), z, 1e-11) << i << ", " << s;
      }
    }
  }
}

TEST_P(FormSystemOfSize, LeavesTheRightSideOfASingularMatrix) {
  const std::size_t n = GetParam();
  FormSystem system(n);
  std::vector<LinearForm> forms(n);
  for (std::size_t i = 0; i < n; ++i) {
    forms[i].add(symbolOf(0), static_cast<double>(i + 1));
    // A ring of differences.
    if (n == 1) continue;
    system.set(i, i, 1.);
    system.set(i, (i + 1) % n, -1.);
  }
  EXPECT_FALSE(system.solve(forms));
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(forms[i].of(symbolOf(0)), static_cast<double>(i + 1));
}

INSTANTIATE_TEST_SUITE_P(Sizes, FormSystemOfSize,
                         testing::Values(1, 20, FormSystem::mostInverted, FormSystem::mostInverted + 1, 1000));

// Of a source behind R, whose node two transformers short: they contradict each other but at zero. Unknowns 1 and 4
// have equations of their own, without a source, in which pivots of others mix.
TEST(FormSystemTest, LeavesNothingOfUnknownsThatNoSourceDrives) {
  for (const double ratio : {-1.0672072703889257, -1.1, -0.83, 1.9}) {
    const double other = -1.9701335959598711, R = 0.22107442517160658, load = 1.0557554256261441;
    const double equations[6][6] = {{1., 1. / R, 0., 0., 0., 0.},       {0., 1., 0., 0., -ratio, 0.},
                                    {ratio, 0., 1., -ratio, 0., ratio}, {0., 0., -1., other, 0., 0.},
                                    {0., -1., 0., 0., other, 0.},       {0., 1. / load, 0., 0., 0., 1.}};
    FormSystem system(6);
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        if (equations[i][j] != 0.) system.set(i, j, equations[i][j]);
      }
    }
    std::vector<LinearForm> forms(6);
    forms[0].add(symbolOf(0), 1. / R);
    forms[3].add(symbolOf(1), 1.);
    ASSERT_TRUE(system.solve(forms));
    EXPECT_NEAR(forms[0].of(symbolOf(0)), 1. / R, 1e-14 / R);
    EXPECT_NEAR(forms[3].of(symbolOf(0)), 1. / R / (1. - other / ratio), 1e-13 / R);
    for (const std::size_t zero : {1U, 4U, 5U}) EXPECT_TRUE(forms[zero].empty()) << ratio << ", " << zero;
    EXPECT_EQ(forms[0].of(symbolOf(1)), 0.) << ratio;
  }
}

// The same of random matrices, a pair of unknowns among eight; what elimination leaves may be the product of two
// errors.
TEST(FormSystemTest, LeavesNothingOfRandomPairsThatNoSourceDrives) {
  constexpr std::size_t n = 8, first = 2, second = 4;
  Generator generator(7);
  const auto number = [&] { return static_cast<double>(generator() % 2000) / 1000. - 1.; };
  for (int k = 0; k < 300; ++k) {
    FormSystem system(n);
    std::vector<LinearForm> forms(n);
    for (std::size_t i = 0; i < n; ++i) {
      const bool isOfPair = i == first || i == second;
      for (std::size_t j = 0; j < n; ++j) {
        const bool isColumnOfPair = j == first || j == second;
        if (i == j || (isOfPair ? isColumnOfPair : generator() % 2 == 0)) system.set(i, j, i == j ? 1. : number());
      }
      if (!isOfPair) forms[i].add(symbolOf(i % symbols), number());
    }
    if (!system.solve(forms)) continue;
    EXPECT_TRUE(forms[first].empty() && forms[second].empty()) << k;
  }
}

// R and 2R: each node has half of the voltage before it, and the source sees 2R.
TEST(FormSystemTest, ALongLadderOfResistorsHalvesItsVoltage) {
  constexpr std::size_t stages = 300;
  constexpr double R = 1e3;
  Circuit circuit;
  circuit.source("V", "n0", "0", 1.);
  for (std::size_t k = 1; k <= stages; ++k) {
    const std::string n = std::to_string(k);
    circuit.resistor("S" + n, "n" + std::to_string(k - 1), "n" + n, R);
    circuit.resistor("P" + n, "n" + n, "0", k == stages ? R : 2. * R);
  }
  NonSmoothDynamicalSystem model(0., 1.);
  const CircuitInstance ladder = circuit.insertInto(model, "ladder");
  // Sums along paths of hundreds of branches.
  EXPECT_NEAR(ladder.current("V"), -1. / (2. * R), 1e-13 / R);
  for (int k = 1; k <= 40; ++k) {
    EXPECT_NEAR(ladder.voltage("n" + std::to_string(k)), std::ldexp(1., -k), 1e-15) << k;
  }
  const CircuitInstance::Tellegen power = ladder.tellegen();
  EXPECT_LE(std::abs(power.sum), 1e-14 * power.scale);
}

// By symmetry nothing flows across a net that is driven at two opposite corners, from one of the others to the other
// one: a diode there does not act on its voltage by the source, but by the resistors.
TEST(FormSystemTest, ABalancedNetHasNoVoltageAcross) {
  constexpr std::size_t width = 15;
  const auto node = [](std::size_t i, std::size_t j) { return std::to_string(i) + "," + std::to_string(j); };
  Circuit circuit;
  circuit.source("V", node(0, 0), "0", sine(1., 50.));
  circuit.resistor("R", node(width - 1, width - 1), "0", 3.);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const double resistance = 1. + static_cast<double>(i * j + i + j);
      if (i > 0) circuit.resistor("A" + node(i, j), node(i - 1, j), node(i, j), resistance);
      if (j > 0) circuit.resistor("B" + node(i, j), node(i, j - 1), node(i, j), resistance);
    }
  }
  circuit.diode("D", node(0, width - 1), node(width - 1, 0));
  NonSmoothDynamicalSystem model(0., 0.02);
  CircuitInstance net = circuit.insertInto(model, "net");
  TimeStepping simulation(model, 1e-3, EulerMoreauOSI(1.));
  net.attach(simulation);
  simulation.run([&] {
    EXPECT_EQ(net.voltage("D"), 0.);
    EXPECT_EQ(net.current("D"), 0.);
    const CircuitInstance::Tellegen power = net.tellegen();
    EXPECT_LE(std::abs(power.sum), 1e-13 * power.scale + 1e-15);
  });
}

}  // namespace
