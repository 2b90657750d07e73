// SPDX-License-Identifier: Apache-2.0
//
// What jumps of a circuit have carried, in a model that has motion beside it.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <limits>
#include <memory>

namespace {

using namespace delassus;

// 9 V at 2 F and 0 V at 1 F become 6 V: 6 C flow at once. A ball falls, and hits the floor later.
TEST(CircuitImpulse, IsZeroAtEventsOfMotionWithoutAJumpOfTheCircuit) {
  Circuit circuit;
  circuit.capacitor("C1", "a", "0", 2., 9.);
  circuit.capacitor("C2", "b", "0", 1.);
  circuit.idealSwitch("S", "a", "b", Gate::switching([](std::size_t k) {
                        return k == 0 ? 0.12 : std::numeric_limits<double>::infinity();
                      }));
  NonSmoothDynamicalSystem model(0., 0.5);
  Vector height(1), speed(1);
  height(0) = 0.5;
  const auto ball = model.insert("ball", std::make_shared<LagrangianLinearTIDS>(height, speed, identityMatrix(1)));
  ball->setExternalForces([](double, Vector& force) { force(0) = -10.; });
  model.link("floor", std::make_shared<NewtonImpactNSL>(0.5), std::make_shared<LagrangianLinearTIR>(identityMatrix(1)),
             ball);
  CircuitInstance instance = circuit.insertInto(model, "net");
  EventDriven simulation(model, TimeDiscretisation(0., 0.05));
  instance.attach(simulation);
  std::size_t impacts = 0, jumps = 0;
  simulation.setEventObserver([&](const Event& event) {
    if (event.kind == EventKind::impact) ++impacts;
    if (event.kind == EventKind::stateJump) ++jumps;
  });
  double charge = 0.;
  simulation.run([&] {
    const double t = simulation.time(), impact = std::sqrt(0.1);
    charge = instance.currentImpulse("S");
    // That of the last event.
    EXPECT_NEAR(charge, t > 0.12 && t < impact ? 6. : 0., 1e-12) << t;
  });
  EXPECT_GT(impacts, 0U);
  EXPECT_EQ(jumps, 1U);
}

}  // namespace
