// SPDX-License-Identifier: Apache-2.0
//
// Event-driven: bodies on joints with dry friction that come to rest where nothing or little pulls at them, so that
// what is left of velocities and accelerations is rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <memory>

namespace {

using namespace delassus;

// A door on a hinge along z, with its weight and dry friction, that a moment presses on its stop at 1 rad.
TEST(JointsAtRestEvents, ADoorWithAWeightAlongItsHingeStaysWhereAMomentPressesIt) {
  for (const double dry : {0.2, 0.5, 1.}) {
    NonSmoothDynamicalSystem model(0., 7.);
    model.setGravity({0., 0., -9.81});
    const auto door = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.4, 0., 1.}), Vector(6), 20.,
                                                      NewtonEulerDS::boxInertia(20., 0.8, 0.05, 2.));
    door->setExternalMoments(Vector{0., 0., 2.});
    model.insert("door", door);
    const PivotJointR hinge = PivotJointR::at({0., 0., 1.}, {0., 0., 1.}, door->q());
    model.link("hinge", EqualityConditionNSL(5), hinge, door);
    model.link("dry", RelayNSL(1, -dry, dry), hinge.angle(), door);
    model.link("stop", NewtonImpactNSL(0.), hinge.angle().below(1.), door);
    EventDriven simulation(model, TimeDiscretisation(0., 0.1));
    ASSERT_NO_THROW(simulation.run()) << dry;
    EXPECT_NEAR(2. * std::atan2(door->q()(6), door->q()(3)), 1., 1e-8) << dry;  // the tolerance of the integration
    EXPECT_LT(norm_inf(door->velocity()), 1e-12) << dry;
  }
}

}  // namespace
