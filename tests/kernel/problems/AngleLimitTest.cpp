// SPDX-License-Identifier: Apache-2.0
//
// Limits of angles against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <memory>
#include <support/Linkages.hpp>
#include <support/Matchers.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = 9.81;
constexpr Vector3 axisY{0., 1., 0.};

// A bar on a hinge about y at the origin, from x towards −z by a positive angle, with stops.
struct StoppedBar {
  static constexpr double length = 0.6, mass = 1.5, thickness = 0.02;

  StoppedBar(double gravity, double e, double end) : model(0., end) {
    bar = makeRod({0., 0., 0.}, {length, 0., 0.}, mass, gravity, thickness);
    const PivotJointR hinge = PivotJointR::at({0., 0., 0.}, axisY, bar->q());
    model.insert(bar);
    model.link(std::make_shared<Interaction>(EqualityConditionNSL(5), hinge), bar);
    for (const JointAngleR& room : {hinge.angle().below(highest), hinge.angle().above(lowest)}) {
      stops.push_back(std::make_shared<Interaction>(NewtonImpactNSL(e), room));
      model.link(stops.back(), bar);
    }
  }

  void spin(double rate) { bar->setState(bar->q(), makeVector({0., 0., -0.5 * length * rate, 0., rate, 0.})); }
  double rate() const { return bar->velocity()(4); }
  static double momentAboutHinge() {
    return mass * (length * length + thickness * thickness) / 12. + 0.25 * mass * length * length;
  }
  double energy(double gravity) const { return bar->kineticEnergy() + mass * gravity * bar->position()[2]; }

  static constexpr double highest = 0.7, lowest = -0.5;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> bar;
  std::vector<std::shared_ptr<Interaction>> stops;
};

TEST(AngleLimit, TurnsTheRateOfABarRoundByRestitution) {
  const double e = 0.6, start = 4., h = 1e-3;
  // Until the third impact is over: 0.7/4, then 1.2/2.4 and 1.2/1.44 s.
  StoppedBar bar(0., e, 1.8);
  bar.spin(start);
  TimeStepping simulation(bar.model, TimeDiscretisation(0., h), MoreauJeanOSI(), GenericMechanical());
  std::vector<double> impacts;
  while (simulation.hasNextStep()) {
    const double before = bar.rate();
    simulation.step();
    for (const auto& stop : bar.stops) {
      const double p = stop->lambda(1)(0);
      if (p == 0.) continue;
      impacts.push_back(simulation.time());
      // The rate of the angle is the spin: only the solver's 1e-8 is lost.
      EXPECT_NEAR(bar.rate(), -e * before, 1e-7);
      // J (ω⁺ − ω) = p, apart from the hinge, which moves along a chord in the step: a relative error of (h ω)²/8.
      EXPECT_NEAR(p, StoppedBar::momentAboutHinge() * (1. + e) * std::abs(before), 1e-5);
    }
    const double expected = start * std::pow(-e, static_cast<double>(impacts.size()));
    EXPECT_NEAR(bar.rate(), expected, 1e-4) << simulation.time();
  }
  ASSERT_EQ(impacts.size(), 3U);
  const double room = StoppedBar::highest - StoppedBar::lowest;
  double exact = StoppedBar::highest / start;
  for (std::size_t k = 0; k < 3; ++k) {
    // Each impact is up to half a step late or early, and leaves the bar up to as far from its stop.
    EXPECT_NEAR(impacts[k], exact, 4. * h) << k;
    exact += room / (start * std::pow(e, static_cast<double>(k + 1)));
  }
}

TEST(AngleLimit, TakesTheEnergyOfRestitutionFromAFallingBarAndCreatesNone) {
  const double e = 0.7, h = 5e-4;
  StoppedBar bar(g, e, 2.);
  TimeStepping simulation(bar.model, TimeDiscretisation(0., h), MoreauJeanOSI(), GenericMechanical());
  const double lowestEnergy = -StoppedBar::mass * g * 0.5 * StoppedBar::length * std::sin(StoppedBar::highest);
  // Above the stop, one impact leaves e² of the energy. Where the bar is at an impact is known to half a step.
  double expected = -lowestEnergy;
  double last = bar.energy(g);
  EXPECT_NEAR(last, 0., 1e-12);
  std::size_t impacts = 0;
  while (simulation.hasNextStep()) {
    simulation.step();
    const double p = bar.stops[0]->lambda(1)(0);
    if (impacts < 4 && p > 0.) {
      ++impacts;
      expected *= e * e;
    }
    // Order 2 between impacts.
    EXPECT_LE(bar.energy(g), last + 1e-5) << simulation.time();
    last = bar.energy(g);
    if (impacts < 4) {
      EXPECT_NEAR(last - lowestEnergy, expected, 0.02) << simulation.time();
    }
  }
  // At rest on its stop, which carries the moment of the weight.
  EXPECT_EQ(impacts, 4U);
  EXPECT_NEAR(bar.rate(), 0., 1e-6);
  EXPECT_NEAR(last, lowestEnergy, 0.02);
  EXPECT_NEAR(bar.stops[0]->lambda(1)(0) / h,
              StoppedBar::mass * g * 0.5 * StoppedBar::length * std::cos(StoppedBar::highest), 0.05);
}

}  // namespace
