// SPDX-License-Identifier: Apache-2.0
//
// Newton's loop of the Euler-Moreau schemes down steep slopes: rectifiers whose diode is an exponential.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <memory>
#include <support/Matchers.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double saturation = 1e-14, thermal = 0.025, load = 100., series = 1., capacitance = 1e-4;

double sourceAt(double t) {
  return 10. * std::sin(100. * 3.14159265358979323846 * t);
}

// The state is the voltage of the capacitor.
std::shared_ptr<FirstOrderNonLinearDS> makeRectifier() {
  return std::make_shared<FirstOrderNonLinearDS>(
      makeVector({0.}), automatic([](auto t, const auto& x, auto& f) {
        using std::exp;
        f(0) = (saturation * (exp((sourceAt(t) - x(0)) / thermal) - 1.) - x(0) / load) / capacitance;
      }));
}

// With a resistance before the diode, whose voltage is a second state, of an algebraic equation.
std::shared_ptr<FirstOrderNonLinearDS> makeRectifierWithResistance() {
  auto system =
      std::make_shared<FirstOrderNonLinearDS>(makeVector({0., 0.}), automatic([](auto t, const auto& x, auto& f) {
                                                using std::exp;
                                                const auto current = saturation * (exp(x(1) / thermal) - 1.);
                                                f(0) = (current - x(0) / load) / capacitance;
                                                f(1) = (sourceAt(t) - x(1) - x(0)) / series - current;
                                              }));
  system->setM(makeMatrix({{1., 0.}, {0., 0.}}));
  return system;
}

struct Outcome {
  std::vector<double> voltages;  // each millisecond
  double passes = 0.;            // a step
  std::size_t relaxed = 0;
};

template <class Make>
Outcome run(const Make& make, double h) {
  NonSmoothDynamicalSystem model(0., 0.04);
  const auto system = model.insert("rectifier", make());
  TimeStepping simulation(model, TimeDiscretisation(0., h), EulerMoreauOSI(1.));
  Outcome outcome;
  const auto stride = static_cast<std::size_t>(std::lround(1e-3 / h));
  std::size_t step = 0;
  simulation.run([&] {
    if (step++ % stride == 0) outcome.voltages.push_back(system->x()(0));
  });
  const StepStatistics statistics = simulation.statistics();
  outcome.passes = static_cast<double>(statistics.newtonIterations) / static_cast<double>(statistics.steps);
  outcome.relaxed = statistics.relaxed;
  return outcome;
}

template <class Make>
void expectOrderOne(const Make& make) {
  const Outcome reference = run(make, 1e-6);
  double coarse = 0.;
  for (const double h : {1e-3, 1e-4, 1e-5}) {
    const Outcome outcome = run(make, h);
    EXPECT_EQ(outcome.relaxed, 0U) << h;
    EXPECT_LT(outcome.passes, 8.) << h;
    ASSERT_EQ(outcome.voltages.size(), reference.voltages.size()) << h;
    double worst = 0.;
    for (std::size_t k = 0; k < reference.voltages.size(); ++k) {
      worst = std::max(worst, std::abs(outcome.voltages[k] - reference.voltages[k]));
    }
    EXPECT_LT(worst, 3.2e3 * h) << h;  // what the source changes by
    if (coarse > 0.) {
      EXPECT_LT(worst, 0.2 * coarse) << h;
    }
    coarse = worst;
  }
}

TEST(EulerMoreauResidual, ARectifierWithAnExponentialDiodeIsOfOrderOneFromLargeStepsOn) {
  expectOrderOne(makeRectifier);
}

TEST(EulerMoreauResidual, SoIsOneWithAnAlgebraicEquation) {
  expectOrderOne(makeRectifierWithResistance);
}

// What the slope of the pass before had as rounding is no solution where it is less steep.
TEST(EulerMoreauResidual, ASlopeThatWasSteepDoesNotHideAnError) {
  const double h = 1e-3;
  NonSmoothDynamicalSystem model(0., 0.02);
  const auto system = model.insert("rectifier", makeRectifier());
  TimeStepping simulation(model, TimeDiscretisation(0., h), EulerMoreauOSI(1.));
  double before = 0.;
  simulation.run([&] {
    const double t = simulation.time(), x = system->x()(0);
    if (t > 0.) {
      const double current = saturation * (std::exp((sourceAt(t) - x) / thermal) - 1.);
      const double left = x - before - h * (current - x / load) / capacitance;
      EXPECT_NEAR(left, 0., 1e-8 * (std::abs(x) + h * current / capacitance)) << t;
    }
    before = x;
  });
}

}  // namespace
