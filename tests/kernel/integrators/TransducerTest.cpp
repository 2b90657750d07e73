// SPDX-License-Identifier: Apache-2.0
//
// Systems of first order that force elements tie to mechanical ones: motors, controllers.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MixedOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/GyratorLaw.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/TransducerR.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/simulation/CheckJacobians.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/Matchers.hpp>
#include <support/Motor.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// The same as one first-order system of (i, x₂, φ, ω).
std::shared_ptr<FirstOrderLinearTIDS> asOneSystem() {
  const auto system = std::make_shared<FirstOrderLinearTIDS>(
      makeVector({0.1, 0., 0.2, -3.}),
      makeMatrix({{-Motor::R, 0., 0., -Motor::k}, {1., -1., 0., 0.}, {0., 0., 0., 1.}, {Motor::k, 0., 0., -Motor::b}}),
      makeVector({Motor::u, 0., 0., 0.}));
  system->setM(diagonalMatrix({Motor::L, Motor::lag, 1., Motor::J}));
  return system;
}

TEST(Transducer, MovesWithItsCircuitAsOneSystem) {
  for (const double theta : {0.5, 0.8, 1.}) {
    Motor motor;
    NonSmoothDynamicalSystem whole(0., 0.1);
    const auto system = asOneSystem();
    whole.insert(system);
    TimeStepping first(motor.model, TimeDiscretisation(0., 5e-4), MoreauJeanOSI(theta), LCP());
    TimeStepping second(whole, TimeDiscretisation(0., 5e-4), EulerMoreauOSI(theta), LCP());
    while (first.hasNextStep()) {
      first.step();
      second.step();
      const Vector& x = system->x();
      EXPECT_NEAR(motor.circuit->x()(0), x(0), 1e-12);
      EXPECT_NEAR(motor.circuit->x()(1), x(1), 1e-12);
      EXPECT_NEAR(motor.shaft->q()(0), x(2), 1e-12);
      EXPECT_NEAR(motor.shaft->velocity()(0), x(3), 1e-10);
    }
    EXPECT_GT(motor.shaft->velocity()(0), 50.);
  }
}

// At rest i = b ω/k and u = R i + k ω.
TEST(Transducer, ComesToTheSpeedOfItsVoltage) {
  Motor motor(0.5);
  TimeStepping simulation(motor.model, 1e-4);  // by the default scheme
  simulation.run();
  const double omega = Motor::u / (Motor::k + Motor::R * Motor::b / Motor::k);
  EXPECT_NEAR(motor.shaft->velocity()(0), omega, 1e-5 * omega);
  EXPECT_NEAR(motor.circuit->x()(0), Motor::b * omega / Motor::k, 1e-4);
}

TEST(Transducer, GivesTheEnergyThatItTakesFromTheCircuit) {
  Motor motor;
  TimeStepping simulation(motor.model, TimeDiscretisation(0., 1e-4), MoreauJeanOSI(0.5), LCP());
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  double electrical = 0., before = 0.;
  simulation.initialise();
  before = motor.shaft->velocity()(0) * motor.circuit->x()(0);
  simulation.run([&] {
    const double now = motor.shaft->velocity()(0) * motor.circuit->x()(0);
    electrical += 0.5e-4 * Motor::k * (now + before);
    before = now;
  });
  ASSERT_EQ(balance->byElement().size(), 1U);
  EXPECT_NEAR(balance->byElement()[0].work, electrical, 1e-3 * electrical) << "two trapezoidal rules";
  EXPECT_NEAR(balance->byElement()[0].stored, 0., 0.);
}

// In a hinge of a body in space, with weight: at rest the torque k i holds it, whatever the voltage has to be for that.
TEST(Transducer, TurnsAJoint) {
  NonSmoothDynamicalSystem model(0., 15.);
  model.setGravity({0., 0., -9.81});
  const auto arm = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.3, 0., 0.}), Vector(6, 0.), 0.5,
                                                   diagonalMatrix({1e-3, 1e-2, 1e-2}));
  const PivotJointR pivot = PivotJointR::at({0., 0., 0.}, {0., -1., 0.}, NewtonEulerDS::at({0.3, 0., 0.}));
  const auto circuit = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-0.8}}), makeVector({1.}));
  circuit->setM(makeMatrix({{2e-3}}));
  model.insert("arm", arm);
  model.insert("circuit", circuit);
  model.link("pivot", EqualityConditionNSL(5), pivot, arm);
  // A gear: k times its ratio.
  model.link("motor", GyratorLaw(1.), TransducerR(1, pivot.angle()), circuit, arm);
  TimeStepping simulation(model, 5e-3);
  EXPECT_NO_THROW(checkJacobians(model, 0.));
  simulation.run();
  // k i = m g l cos φ with i = u/R: 1.25 = 0.5 · 9.81 · 0.3 cos φ, once it is at rest.
  const double z = arm->q()(2);
  const double angle = std::asin(z / 0.3);
  EXPECT_NEAR(std::abs(std::cos(angle)), 1.25 / (0.5 * 9.81 * 0.3), 1e-4);
  EXPECT_NEAR(circuit->x()(0), 1.25, 1e-4);
  EXPECT_LT(z, 0.) << "the stable one of both angles";
}

// A controller with an integral part, ẋ = r − φ, and a torque Kᵢ x + Kₚ (r − φ) − K_d ω, as a law of (x, φ).
TEST(Transducer, MayBeAController) {
  constexpr double J = 0.2, Ki = 3., Kp = 6., Kd = 1.5, r = 0.7;
  const auto run = [](double h) {
    NonSmoothDynamicalSystem model(0., 2.);
    const auto controller = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{0.}}));
    const auto shaft = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{J}}));
    model.insert("controller", controller);
    model.insert("shaft", shaft);
    const SmoothLaw law(2, automatic([](auto, const auto& y, const auto& yDot, auto& force) {
                          force(0) = r - y(1);
                          force(1) = Ki * yDot(0) + Kp * (r - y(1)) - Kd * yDot(1);
                        }));
    model.link("controller", law, TransducerR(1, coordinate), controller, shaft);
    TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
    simulation.run();
    return shaft->q()(0);
  };
  // (x, φ, ω) as one linear system, by steps that are twenty times as fine.
  NonSmoothDynamicalSystem whole(0., 2.);
  const auto system = std::make_shared<FirstOrderLinearTIDS>(
      makeVector({0., 0., 0.}), makeMatrix({{0., -1., 0.}, {0., 0., 1.}, {Ki / J, -Kp / J, -Kd / J}}),
      makeVector({r, 0., Kp * r / J}));
  whole.insert(system);
  TimeStepping fine(whole, TimeDiscretisation(0., 1e-3), EulerMoreauOSI(0.5), LCP());
  fine.run();
  const double exact = system->x()(1);
  EXPECT_NEAR((run(0.04) - exact) / (run(0.02) - exact), 4., 0.2);
  EXPECT_LT(std::abs(run(0.02) - exact), 1e-3);
}

// Against a stop: the current grows to u/R, and the stop holds k u/R.
TEST(Transducer, PressesOnAStop) {
  Motor motor;
  const auto stop = motor.model.link("stop", NewtonImpactNSL(0.5),
                                     LagrangianLinearTIR(makeMatrix({{-1.}}), makeVector({1.})), motor.shaft);
  TimeStepping simulation(motor.model, TimeDiscretisation(0., 1e-4), MoreauJeanOSI(), LCP());
  simulation.run();
  EXPECT_NEAR(motor.shaft->q()(0), 1., 1e-9);
  EXPECT_NEAR(motor.circuit->x()(0), Motor::u / Motor::R, 1e-3);
  EXPECT_NEAR(stop->lambda(1)(0) / 1e-4, Motor::k * Motor::u / Motor::R, 1e-3);
}

// A voltage that is sampled: between samples the motion is that of a constant one.
TEST(Transducer, HasACircuitWhoseParametersAreSampled) {
  const auto run = [](double h) {
    Motor motor;
    motor.circuit->setZ(makeVector({0.}));
    motor.circuit->setB([](double, const Vector& z, Vector& b) { b(0) = z(0); });
    TimeStepping simulation(motor.model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
    simulation.addSampling("voltage", TimeDiscretisation(0., 7e-3),
                           [&] { motor.circuit->setZ(makeVector({20. - motor.shaft->velocity()(0) * 0.1})); });
    simulation.run();
    return motor.shaft->velocity()(0);
  };
  const double fine = run(1.25e-5);
  EXPECT_NEAR((run(4e-4) - fine) / (run(2e-4) - fine), 4., 0.4);
}

TEST(Transducer, StartsAgainToTheBit) {
  expectSameAfterRestart("motor", [] {
    const auto motor = std::make_shared<Motor>();
    motor->model.link("stop", NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{-1.}}), makeVector({1.})),
                      motor->shaft);
    return restartRun(motor, std::make_shared<TimeStepping>(motor->model, TimeDiscretisation(0., 1e-3)));
  });
}

// Parameters and states that the user has set before the checkpoint are no news after it.
TEST(Transducer, StartsAgainToTheBitAfterChangesByTheUser) {
  expectSameAfterRestart("sampled", [] {
    const auto motor = std::make_shared<Motor>();
    motor->model.link("stop", NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{-1.}}), makeVector({1.})),
                      motor->shaft);
    motor->circuit->setZ(makeVector({Motor::u}));
    motor->circuit->setB([](double, const Vector& z, Vector& b) { b(0) = z(0); });
    const auto simulation = std::make_shared<TimeStepping>(motor->model, TimeDiscretisation(0., 1e-3));
    simulation->addSampling("voltage", TimeDiscretisation(0., 7e-3), [&circuit = *motor->circuit, &run = *simulation] {
      circuit.setZ(makeVector({Motor::u + run.time()}));
      if (run.time() > 0.02 && run.time() < 0.025) circuit.setState(makeVector({1., 0.5}));
    });
    return restartRun(motor, simulation);
  });
}

// Bodies of first order among the second: x is a velocity of what the schemes see.
TEST(Transducer, HasEventsOfItsCircuit) {
  Motor motor;
  EventDriven simulation(motor.model, TimeDiscretisation(0., 0.01));
  double reached = 0., current = 0.;
  simulation.addStateEvent(
      "two amperes", motor.circuit, [](double, const Vector& x) { return x(0) - 2.; }, Crossing::rising,
      [&] {
        if (reached > 0.) return;
        reached = simulation.time();
        current = motor.circuit->x()(0);
      });
  simulation.run();
  EXPECT_NEAR(current, 2., 1e-8);
  // (i, ω) by the trapezoidal rule, in steps of 1e-7: i = 2 within one of them.
  double i = 0.1, omega = -3., t = 0.;
  const double h = 1e-7, a = 1. + 0.5 * h * Motor::R / Motor::L, b = 0.5 * h * Motor::k / Motor::L;
  const double c = -0.5 * h * Motor::k / Motor::J, d = 1. + 0.5 * h * Motor::b / Motor::J;
  while (i < 2.) {
    const double first = i + h * (Motor::u - 0.5 * Motor::R * i - 0.5 * Motor::k * omega) / Motor::L;
    const double second = omega + 0.5 * h * (Motor::k * i - Motor::b * omega) / Motor::J;
    i = (d * first - b * second) / (a * d - b * c);
    omega = (a * second - c * first) / (a * d - b * c);
    t += h;
  }
  EXPECT_NEAR(reached, t, 1.5e-7);
}

// A coil whose resistance grows with the current, that gets another inductance in the run, by its M or by A.
TEST(Transducer, TakesOtherMatricesOfItsCircuit) {
  const auto other = [](double, Matrix& A) { A(0, 0) = -2.; };
  const auto run = [&](bool isLinear, bool isNew) {
    NonSmoothDynamicalSystem model(0., 0.2);
    const auto shaft = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{1e-4}}));
    std::shared_ptr<FirstOrderDS> coil;
    if (isLinear) {
      const auto linear = std::make_shared<FirstOrderLinearDS>(makeVector({0.}), makeMatrix({{-1.}}), makeVector({5.}));
      if (isNew) linear->setA(other);
      coil = linear;
    } else {
      coil = std::make_shared<FirstOrderNonLinearDS>(makeVector({0.}), automatic([](auto, const auto& x, auto& f) {
                                                       f(0) = 5. - x(0) - 0.1 * x(0) * x(0) * x(0);
                                                     }));
    }
    coil->setM(makeMatrix({{isNew && !isLinear ? 0.03 : 0.01}}));
    model.insert("coil", coil);
    model.insert("shaft", shaft);
    model.link("motor", GyratorLaw(0.02), TransducerR(1, coordinate), coil, shaft);
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP());
    simulation.initialise();
    simulation.step();
    // From here on both runs are the same.
    if (!isNew && isLinear) std::static_pointer_cast<FirstOrderLinearDS>(coil)->setA(other);
    if (!isNew && !isLinear) coil->setM(makeMatrix({{0.03}}));
    coil->setState(makeVector({0.3}));
    shaft->setState(makeVector({0.}), makeVector({1.}));
    simulation.run();
    return shaft->velocity()(0);
  };
  for (const bool isLinear : {false, true}) EXPECT_NEAR(run(isLinear, false), run(isLinear, true), 1e-12) << isLinear;
}

TEST(Transducer, MovesByEventsAsInSteps) {
  Motor steps, events;
  for (Motor* const motor : {&steps, &events}) {
    motor->model.link("stop", NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{-1.}}), makeVector({1.})),
                      motor->shaft);
  }
  TimeStepping first(steps.model, TimeDiscretisation(0., 2e-6), MoreauJeanOSI(), LCP());
  first.run();
  EventDriven second(events.model, TimeDiscretisation(0., 0.01));
  second.run();
  // Steps find an impact to one of them, h = 2e-6, at some 50 rad/s, and a current that changes by (u − kω)/L in it.
  EXPECT_NEAR(steps.shaft->q()(0), events.shaft->q()(0), 1e-4);
  EXPECT_NEAR(steps.circuit->x()(0), events.circuit->x()(0), 1e-2);
  EXPECT_NEAR(steps.circuit->x()(1), events.circuit->x()(1), 1e-2);
}

// Another circuit, which is tied to nothing, has a scheme of its own by default, and in a group.
TEST(Transducer, IsInTheGroupOfWhatItMoves) {
  const auto addOther = [](Motor& motor) {
    const auto other = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-30.}}));
    motor.model.insert("other", other);
    motor.model.link("diode", ComplementarityConditionNSL(),
                     FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}})), other);
    return other;
  };
  Motor alone, chosen, grouped;
  const auto first = addOther(chosen), second = addOther(grouped);
  MixedOSI mixed;
  mixed.add(MoreauJeanOSI(), {grouped.shaft, grouped.circuit});
  mixed.add(EulerMoreauOSI(1.), {second});
  TimeStepping(alone.model, TimeDiscretisation(0., 1e-3)).run();
  TimeStepping(chosen.model, TimeDiscretisation(0., 1e-3)).run();
  TimeStepping(grouped.model, TimeDiscretisation(0., 1e-3), std::move(mixed), LCP()).run();
  EXPECT_NEAR(first->x()(0), std::pow(1. / 1.03, 100.), 1e-12);
  EXPECT_NEAR(second->x()(0), first->x()(0), 1e-14);
  EXPECT_NEAR(chosen.shaft->velocity()(0), alone.shaft->velocity()(0), 1e-9);
  EXPECT_NEAR(grouped.shaft->velocity()(0), alone.shaft->velocity()(0), 1e-9);
}

}  // namespace
