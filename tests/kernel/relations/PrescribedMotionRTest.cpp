// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/relations/PrescribedMotionR.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <functional>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(PrescribedMotionR, IsOfPositionsAndVelocities) {
  const Motion rise([](double t) { return t * t; }, [](double t) { return 2. * t; });
  PrescribedMotionR position = PrescribedMotionR::ofPosition(1, rise);
  PrescribedMotionR spin = PrescribedMotionR::ofVelocity(5, [](double t) { return 3. * t; });
  const Vector q = NewtonEulerDS::at({1., 2., 3.});
  Vector y(1), drift(1);
  Matrix G(1, 6);
  position.checkDimensions(7, 6);
  position.computeOutput(0.5, q, Vector(1), y);
  position.computeJacobian(0.5, q, Vector(1), G);
  position.computeDrift(0.5, q, drift);
  EXPECT_DOUBLE_EQ(y(0), 1.75);
  EXPECT_DOUBLE_EQ(drift(0), -1.);
  expectNear(G, makeMatrix({{0., 1., 0., 0., 0., 0.}}), 0.);
  spin.checkDimensions(7, 6);
  spin.computeDrift(0.5, q, drift);
  EXPECT_DOUBLE_EQ(drift(0), -1.5);
  EXPECT_NO_THROW(PrescribedMotionR::ofPosition(2, rise).checkJacobians(0.5, makeVector({1., 2., 3.}), 3, {}, "drive"));
}

// The rate of a velocity is never asked for, that of a position at once: by the chain rule to rounding.
TEST(PrescribedMotionR, TakesAMotionAndEachOfTheThreeWords) {
  const auto swing = [](const auto& t) {
    using std::sin;
    return 2. * sin(3. * t);
  };
  const auto rate = [](double t) { return 6. * std::cos(3. * t); };
  const double t = 0.4, f = swing(t);
  const Vector q = makeVector({1., 0.});
  Vector y(1), drift(1);
  const auto expectPosition = [&](PrescribedMotionR drive, double tolerance) {
    drive.computeOutput(t, q, Vector(1), y);
    drive.computeDrift(t, q, drift);
    EXPECT_DOUBLE_EQ(y(0), 1. - f);
    EXPECT_NEAR(drift(0), -rate(t), tolerance);
  };
  expectPosition(PrescribedMotionR::ofPosition(0, automatic(swing)), 1e-15);
  expectPosition(PrescribedMotionR::ofPosition(0, withJacobians(swing, rate)), 0.);
  expectPosition(PrescribedMotionR::ofPosition(0, differenced(swing)), 1e-8);  // differences of the eighth digit
  const auto expectVelocity = [&](PrescribedMotionR drive) {
    drive.computeDrift(t, q, drift);
    EXPECT_DOUBLE_EQ(drift(0), -f);
  };
  expectVelocity(PrescribedMotionR::ofVelocity(1, Motion(swing)));
  expectVelocity(PrescribedMotionR::ofVelocity(1, automatic(swing)));
  expectVelocity(PrescribedMotionR::ofVelocity(1, withJacobians(swing, rate)));
  expectVelocity(PrescribedMotionR::ofVelocity(1, differenced(swing)));
  const std::function<double(double)> none;
  expectError([&] { PrescribedMotionR::ofVelocity(1, withJacobians(none, none)); }, {"Motion", "empty"});
}

TEST(PrescribedMotionR, RefusesComponentsThatThereAreNotAndOtherStarts) {
  const Motion still([](double) { return 0.; });
  expectError([&] { PrescribedMotionR::ofPosition(3, still).checkDimensions(7, 6); }, {"component 3", "position"});
  expectError([&] { PrescribedMotionR::ofVelocity(2, [](double) { return 0.; }).checkDimensions(2, 2); },
              {"component 2", "velocity", "2 that can be"});
  expectError([&] { PrescribedMotionR::ofVelocity(2, {}); }, {"Motion", "empty"});
  PrescribedMotionR drive = PrescribedMotionR::ofPosition(0, still);
  expectError([&] { drive.checkConfiguration(0., makeVector({0.5}), "Interaction 'drive'"); },
              {"Interaction 'drive'", "component 0 is 0.5", "0 is prescribed"});
}

}  // namespace
