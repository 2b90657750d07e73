// SPDX-License-Identifier: Apache-2.0
//
// What links of first-order systems with mechanical ones take, and refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MixedOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <support/Matchers.hpp>
#include <support/Motor.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// The parameters of the relation within, and its memory, are those of the link.
TEST(Transducer, IsAsItsRelation) {
  Motor one, other;
  const auto within = std::make_shared<LagrangianLinearTIR>(makeMatrix({{1.}}));
  const auto link = [&](Motor& motor) {
    motor.model.link("gear", GyratorLaw(0.02), TransducerR(1, within), SystemPart(motor.circuit, 1, 1), motor.shaft);
  };
  link(one);
  const std::size_t before = TransducerR(1, within).parameterChanges();
  within->parametersChanged();
  EXPECT_GT(TransducerR(1, within).parameterChanges(), before);

  NonSmoothDynamicalSystem model(0., 1.);
  const auto arm = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.3, 0., 0.}), Vector(6, 0.), 0.5,
                                                   diagonalMatrix({1e-3, 1e-2, 1e-2}));
  const auto angle = std::make_shared<JointAngleR>(
      PivotJointR::at({0., 0., 0.}, {0., -1., 0.}, NewtonEulerDS::at({0.3, 0., 0.})).angle());
  ASSERT_TRUE(angle->hasMemory());
  model.insert("arm", arm);
  for (const char* const name : {"first", "second"}) {
    model.insert(name, std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-1.}})));
  }
  const auto& systems = model.topology().systems();
  model.link("motor", GyratorLaw(1.), TransducerR(1, angle), systems[1], arm);
  expectError([&] { model.link("another", GyratorLaw(1.), TransducerR(1, angle), systems[2], arm); },
              {"'another'", "memory"});
}

TEST(Transducer, TakesNoLawThatWouldPairOtherRows) {
  const LagrangianLinearTIR two(makeMatrix({{1., 0.}, {0., 1.}}));
  NonSmoothDynamicalSystem model(0., 1.);
  const auto shaft = std::make_shared<LagrangianLinearTIDS>(Vector(2, 0.), Vector(2, 0.), identityMatrix(2));
  const auto circuit = std::make_shared<FirstOrderLinearTIDS>(Vector(2, 0.), Matrix(2, 2, 0.));
  model.insert("shaft", shaft);
  model.insert("circuit", circuit);
  expectError([&] { model.link("motors", GyratorLaw(1.), TransducerR(2, two), circuit, shaft); },
              {"TransducerR", "GyratorLaw", "4", "2"});
}

// A system of neither order is none that a relation sees.
struct Strange : DynamicalSystem {
  std::string_view className() const override { return "Strange"; }
};

TEST(Transducer, RefusesSystemsOfNeitherOrder) {
  Motor motor;
  const auto strange = std::make_shared<Strange>();
  motor.model.insert("strange", strange);
  const auto link = [&](const std::shared_ptr<DynamicalSystem>& system, const std::shared_ptr<DynamicalSystem>& body) {
    motor.model.link("second", GyratorLaw(1.), TransducerR(1, coordinate), system, body);
  };
  expectError([&] { link(strange, motor.shaft); }, {"'second'", "first-order", "'strange'"});
}

TEST(Transducer, SeesStatesBeforeCoordinates) {
  Motor motor;
  const auto tied = [&](auto... systems) {
    motor.model.link("second", GyratorLaw(1.), TransducerR(1, coordinate), systems...);
  };
  expectError([&] { tied(motor.shaft, SystemPart(motor.circuit, 0, 1)); }, {"'second'", "first-order", "'shaft'"});
  expectError([&] { tied(motor.circuit, motor.shaft); }, {"'second'", "TransducerR", "1 states", "names 2"});
  expectError([&] { tied(SystemPart(motor.circuit, 0, 1), SystemPart(motor.circuit, 1, 1)); },
              {"'second'", "mechanical", "'circuit'"});
  expectError(
      [&] {
        motor.model.link("law", EqualityConditionNSL(2), TransducerR(1, coordinate), SystemPart(motor.circuit, 0, 1),
                         motor.shaft);
      },
      {"'law'", "TransducerR", "force elements"});
  expectError([] { TransducerR(0, coordinate); }, {"TransducerR", "0"});
  expectError([] { TransducerR(1, TransducerR(1, coordinate)); }, {"TransducerR", "already"});
  expectError([] { TransducerR(1, std::shared_ptr<LagrangianLinearTIR>()); }, {"TransducerR", "null"});
  expectError([] { GyratorLaw(std::nan("")); }, {"GyratorLaw", "finite"});
}

TEST(Transducer, NamesCircuitsThatNoSchemeOfMechanicsTakes) {
  const TimeDiscretisation grid(0., 1e-3);
  {
    Motor motor;
    motor.circuit->setM(diagonalMatrix({Motor::L, 0.}));
    expectError([&] { TimeStepping(motor.model, grid, MoreauJeanOSI(), LCP()).step(); },
                {"'circuit'", "M", "definite"});
  }
  {
    Motor motor;
    expectError([&] { TimeStepping(motor.model, grid, SchatzmanPaoliOSI(0.5), LCP()).step(); }, {"circuit"});
    MixedOSI mixed;
    mixed.add(MoreauJeanOSI(), {motor.shaft});
    mixed.add(EulerMoreauOSI(1.), {motor.circuit});
    expectError([&] { TimeStepping(motor.model, grid, std::move(mixed), LCP()).step(); }, {"'motor'", "group"});
  }
}

}  // namespace
