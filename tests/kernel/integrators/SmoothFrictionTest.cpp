// SPDX-License-Identifier: Apache-2.0
//
// Bodies that smooth forces brake until they rest: where the force is nearly a step, and where the velocity has become
// smaller than any normal number.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <memory>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A mass of 1 kg at 1 m/s with the friction 3 N · tanh(v / speed).
std::shared_ptr<LagrangianDS> brakedMass(NonSmoothDynamicalSystem& model, double speed) {
  const auto mass =
      model.insert("mass", std::make_shared<LagrangianDS>(makeVector({0.}), makeVector({1.}), identityMatrix(1)));
  mass->setInternalForces(automatic([speed](double, const auto&, const auto& v, auto& force) {
    using std::tanh;
    force(0) = 3. * tanh(v(0) / speed);
  }));
  return mass;
}

// It stops after v²/(2 μ g) as with dry friction, within the distance of a step.
TEST(SmoothFriction, StopsAMassHoweverSteepItIs) {
  for (const double speed : {1e-3, 1e-6, 1e-9}) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto mass = brakedMass(model, speed);
    TimeStepping simulation(model, 1e-3);
    simulation.run();
    EXPECT_EQ(simulation.statistics().held, 0U) << speed;
    EXPECT_NEAR(mass->q()(0), 1. / 6., 1e-3) << speed;
    EXPECT_NEAR(mass->velocity()(0), 0., 1e-5) << speed;
  }
}

template <class Scheme>
void expectRest(const Scheme& scheme) {
  NonSmoothDynamicalSystem model(0., 3.);
  const auto mass = brakedMass(model, 1e-3);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), scheme, LCP());
  simulation.run();
  EXPECT_LT(std::abs(mass->velocity()(0)), 1e-290);
  EXPECT_EQ(simulation.statistics().relaxed, 0U);
}

TEST(SmoothFriction, LetsVelocitiesFadeToNothing) {
  expectRest(MoreauJeanOSI());
  expectRest(SchatzmanPaoliOSI());
}

}  // namespace
