// SPDX-License-Identifier: Apache-2.0
//
// A relay around three lags against the exact map of its limit cycle.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <memory>
#include <relay_feedback/LagLimitCycle.hpp>
#include <string>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(RelayFeedback, LimitCycleConvergesToThatOfTheExactMap) {
  const LagLimitCycle exact;
  // Half a period leads from the switching point to its mirror image: a check of the closed form itself.
  EXPECT_NEAR(exact.switchingPoint()[0], 0., 1e-14);
  const Vector start = makeVector({0., exact.switchingPoint()[1], exact.switchingPoint()[2]});
  for (const double theta : {0.5, 1.}) {
    std::vector<double> steps;
    std::vector<double> periodErrors;
    std::vector<double> amplitudeErrors;
    for (double level = 0.04; level > 2e-3; level /= 4.) {
      double periodError = 0.;
      double amplitudeError = 0.;
      // The cycle locks to the grid, in a way that depends on the step: the mean over an octave is smooth.
      constexpr int samples = 64;
      for (int sample = 0; sample < samples; ++sample) {
        const double h = level * std::exp2(static_cast<double>(sample) / samples);
        const auto system =
            std::make_shared<FirstOrderLinearTIDS>(start, makeMatrix({{-1., 1., 0.}, {0., -1., 1.}, {0., 0., -1.}}));
        const auto relay = std::make_shared<Interaction>(
            RelayNSL(), FirstOrderLinearTIR(makeMatrix({{1., 0., 0.}}), makeMatrix({{0.}, {0.}, {1.}})));
        NonSmoothDynamicalSystem model(0., 40.);
        model.insert(system);
        model.link(relay, system);
        TimeStepping simulation(model, TimeDiscretisation(0., h), EulerMoreauOSI(theta), Relay());
        CycleMeter meter(3);
        simulation.run([&] { meter.add(simulation.time(), system->x()(0)); });
        ASSERT_GE(meter.cycles(), 5U);
        periodError += std::abs(meter.period() - exact.period()) / samples;
        amplitudeError += std::abs(meter.amplitude() - exact.amplitude()) / samples;
      }
      steps.push_back(level);
      periodErrors.push_back(periodError);
      amplitudeErrors.push_back(amplitudeError);
    }
    const std::string title = "limit cycle, theta = " + toText(theta);
    EXPECT_GE(observedOrder((title + ", error of the period").c_str(), steps, periodErrors), 0.95);
    EXPECT_GE(observedOrder((title + ", error of the amplitude").c_str(), steps, amplitudeErrors), 0.95);
  }
}

}  // namespace
