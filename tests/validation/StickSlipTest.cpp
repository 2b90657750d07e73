// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/relations/PrescribedMotionR.hpp>
#include <numbers>
#include <validation/DryOscillator.hpp>
#include <validation/FrictionModels.hpp>

// Event-driven simulation of blocks and axes that stick and slip, against closed forms.

namespace delassus::test {
namespace {

TEST(StickSlip, ABlockThatSlidesStopsAndStaysWhereItIs) {
  const double mu = 0.4;
  const double v0 = 3.;
  Block model(mu, v0, 10.);
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.05), FrictionContact(2));
  const double stop = v0 / (mu * g);
  double energy = model.m * v0 * v0;
  simulation.run([&] {
    const double t = std::min(simulation.time(), stop);
    EXPECT_NEAR(model.block->q()(0), v0 * t - 0.5 * mu * g * t * t, 1e-11);
    EXPECT_NEAR(model.block->velocity()(0), v0 - mu * g * t, 1e-11);
    if (simulation.time() > stop) {
      EXPECT_LE(std::abs(model.block->velocity()(0)), 1e-15);
    }
    const double now = 0.5 * model.m * std::pow(model.block->velocity()(0), 2);
    EXPECT_LE(now, energy);
    energy = now;
  });
  const auto stops = eventsOf(simulation, EventKind::stick);
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_NEAR(stops.front().t, stop, 1e-12);
  EXPECT_EQ(stops.front().source, "floor");
  EXPECT_TRUE(eventsOf(simulation, EventKind::takeOff).empty());
}

TEST(StickSlip, ABlockOnASlopeSlidesAboveTheAngleOfFriction) {
  const double mu = 0.4;
  for (const double off : {-1e-6, 1e-6}) {
    const double angle = std::atan(mu) + off;
    // In the frame of the slope: less weight across it.
    Block model(mu, 0., 5., [=](double, const Vector&, const Vector&, Vector& f) {
      f(0) = Block::m * g * std::sin(angle);
      f(1) = Block::m * g * (1. - std::cos(angle));
    });
    EventDriven simulation(model.model, TimeDiscretisation(0., 0.5), FrictionContact(2));
    const double a = off > 0. ? g * (std::sin(angle) - mu * std::cos(angle)) : 0.;
    simulation.run([&] {
      EXPECT_NEAR(model.block->q()(0), 0.5 * a * simulation.time() * simulation.time(), 1e-12);
      if (off < 0.) {
        EXPECT_LE(std::abs(model.block->velocity()(0)), 1e-25);
      }
    });
  }
}

TEST(StickSlip, ABlockBeginsToSlideWhereTheSlopeHasTheAngleOfFriction) {
  const double mu = 0.4;
  const double rate = 0.1;  // rad/s
  Block model(mu, 0., 5., [=](double t, const Vector&, const Vector&, Vector& f) {
    f(0) = Block::m * g * std::sin(rate * t);
    f(1) = Block::m * g * (1. - std::cos(rate * t));
  });
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.1), FrictionContact(2));
  const double begin = std::atan(mu) / rate;
  simulation.run([&] {
    const double t = simulation.time();
    if (t < begin) {
      EXPECT_LE(std::abs(model.block->velocity()(0)), 1e-25);
      return;
    }
    const double v =
        g / rate * (std::cos(rate * begin) - std::cos(rate * t) - mu * (std::sin(rate * t) - std::sin(rate * begin)));
    EXPECT_NEAR(model.block->velocity()(0), v, 1e-10);
  });
  const auto slips = eventsOf(simulation, EventKind::slip);
  ASSERT_EQ(slips.size(), 1U);
  EXPECT_NEAR(slips.front().t, begin, 1e-10);
}

TEST(StickSlip, ABlockThatIsPushedUpASteepSlopeTurnsRoundWithoutARest) {
  const double mu = 0.2;
  const double angle = 0.5;
  const double v0 = 4.;
  Block model(mu, -v0, 3., [=](double, const Vector&, const Vector&, Vector& f) {
    f(0) = Block::m * g * std::sin(angle);
    f(1) = Block::m * g * (1. - std::cos(angle));
  });
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.05), FrictionContact(2));
  const double up = g * (std::sin(angle) + mu * std::cos(angle));
  const double down = g * (std::sin(angle) - mu * std::cos(angle));
  const double turn = v0 / up;
  simulation.run([&] {
    const double t = simulation.time();
    EXPECT_NEAR(model.block->velocity()(0), t < turn ? -v0 + up * t : down * (t - turn), 1e-11);
  });
  const auto slips = eventsOf(simulation, EventKind::slip);
  ASSERT_EQ(slips.size(), 1U);
  EXPECT_NEAR(slips.front().t, turn, 1e-12);
  EXPECT_TRUE(eventsOf(simulation, EventKind::stick).empty());
}

// Compares all changes between stick and slip, and the motion, with the phases of an oscillator.
template <class Place>
void compare(EventDriven& simulation, const DryOscillator& oscillator, const std::vector<DryOscillator::Phase>& phases,
             Place&& place, double tolerance) {
  simulation.run([&] {
    const auto [x, v] = oscillator.at(phases, simulation.time());
    const auto [xIs, vIs] = place();
    EXPECT_NEAR(xIs, x, tolerance) << "t = " << simulation.time();
    EXPECT_NEAR(vIs, v, 10. * tolerance) << "t = " << simulation.time();
  });
  std::vector<Event> changes;
  for (const Event& event : simulation.events()) {
    if (event.kind == EventKind::stick || event.kind == EventKind::slip) changes.push_back(event);
  }
  ASSERT_EQ(changes.size(), phases.size() - 1);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EXPECT_NEAR(changes[i].t, phases[i + 1].t, 1e-9) << "change " << i;
    EXPECT_EQ(changes[i].kind, phases[i + 1].slip == 0 ? EventKind::stick : EventKind::slip) << "change " << i;
  }
}

TEST(StickSlip, ABlockOnABeltSticksAndSlipsInTurns) {
  // A negative damper, such as friction that falls with the speed of slip has in first order, keeps it going.
  const double mu = 0.3;
  DryOscillator oscillator;
  oscillator.m = Block::m;
  oscillator.k = 50.;
  oscillator.c = -1.5;
  oscillator.V = 0.5;
  oscillator.F = mu * Block::m * g;
  const double end = 12.;
  const auto phases = oscillator.phases({0., 0., oscillator.V, 0}, end);
  ASSERT_GT(phases.size(), 12U);
  Block model(
      mu, oscillator.V, end,
      [=](double, const Vector& q, const Vector& v, Vector& f) { f(0) = -oscillator.k * q(0) - oscillator.c * v(0); },
      oscillator.V);
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.01), FrictionContact(2));
  compare(
      simulation, oscillator, phases,
      [&] {
        return std::pair{model.block->q()(0), model.block->velocity()(0)};
      },
      1e-9);
}

TEST(StickSlip, ABeltOfItsOwnThatIsDrivenGivesTheSameMotion) {
  const double mu = 0.3;
  DryOscillator oscillator;
  oscillator.m = Block::m;
  oscillator.k = 50.;
  oscillator.c = -1.5;
  oscillator.V = 0.5;
  oscillator.F = mu * Block::m * g;
  const double end = 4.;
  const auto phases = oscillator.phases({0., 0., oscillator.V, 0}, end);
  const auto block = std::make_shared<LagrangianDS>(makeVector({0., 0.}), makeVector({oscillator.V, 0.}),
                                                    diagonalMatrix({oscillator.m, oscillator.m}));
  block->setInternalForces(differenced([=](double, const Vector& q, const Vector& v, Vector& f) {
    f(0) = oscillator.k * q(0) + oscillator.c * v(0);
    f(1) = oscillator.m * g;
  }));
  const auto belt = std::make_shared<LagrangianDS>(makeVector({0.}), makeVector({oscillator.V}), diagonalMatrix({3.}));
  const auto contact =
      std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 2),
                                    LagrangianContactR(2, automatic([](const auto& q, auto& h) { h(0) = q(1); }),
                                                       [](double, const Vector&, Matrix& T) {
                                                         T(0, 0) = 1.;
                                                         T(0, 2) = -1.;
                                                       }));
  const auto drive = std::make_shared<Interaction>(
      EqualityConditionNSL(), PrescribedMotionR::ofPosition(0, Motion([=](double t) { return oscillator.V * t; },
                                                                      [=](double) { return oscillator.V; })));
  NonSmoothDynamicalSystem model(0., end);
  model.insert(block);
  model.insert(belt);
  model.link(contact, block, belt);
  model.link(drive, belt);
  EventDriven simulation(model, TimeDiscretisation(0., 0.01), GenericMechanical());
  compare(
      simulation, oscillator, phases,
      [&] {
        return std::pair{block->q()(0), block->velocity()(0)};
      },
      1e-9);
  EXPECT_NEAR(belt->q()(0), oscillator.V * end, 1e-12);
}

DryOscillator denHartog() {
  DryOscillator oscillator;
  oscillator.m = Block::m;
  oscillator.k = 50.;
  oscillator.F = 0.25 * Block::m * g;
  oscillator.P = 10.;
  oscillator.Omega = 1.3;
  return oscillator;
}

TEST(StickSlip, ADrivenOscillatorStopsTwiceACycle) {
  const DryOscillator oscillator = denHartog();
  const double end = 20.;
  const auto phases = oscillator.phases({0., 0., 0., 1}, end);
  ASSERT_GT(phases.size(), 12U);
  Block model(0.25, 0., end, [=](double t, const Vector& q, const Vector&, Vector& f) {
    f(0) = oscillator.P * std::cos(oscillator.Omega * t) - oscillator.k * q(0);
  });
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.01), FrictionContact(2));
  compare(
      simulation, oscillator, phases,
      [&] {
        return std::pair{model.block->q()(0), model.block->velocity()(0)};
      },
      1e-9);
}

TEST(StickSlip, LongStepsMissNoEventsWhereNothingMoves) {
  // Without outputs in between, steps of the phases of stick are as long as the change of the forces allows.
  const DryOscillator oscillator = denHartog();
  const double end = 20.;
  const auto phases = oscillator.phases({0., 0., 0., 1}, end);
  Block model(0.25, 0., end, [=](double t, const Vector& q, const Vector&, Vector& f) {
    f(0) = oscillator.P * std::cos(oscillator.Omega * t) - oscillator.k * q(0);
  });
  EventDriven simulation(model.model, TimeDiscretisation(0., end), FrictionContact(2));
  compare(
      simulation, oscillator, phases,
      [&] {
        return std::pair{model.block->q()(0), model.block->velocity()(0)};
      },
      1e-9);
}

TEST(StickSlip, AShortLossOfTheNormalForceIsFound) {
  // A pull that exceeds the weight for 0.02 s.
  const double excess = 5e-4;
  const double middle = 5.03;
  const double width = 0.5;
  Block model(0.3, 0., 10., [=](double t, const Vector&, const Vector&, Vector& f) {
    f(1) = Block::m * g * (1. + excess) * std::exp(-std::pow((t - middle) / width, 2));
  });
  EventDriven simulation(model.model, TimeDiscretisation(0., 10.), FrictionContact(2));
  simulation.run();
  const auto takeOffs = eventsOf(simulation, EventKind::takeOff);
  ASSERT_EQ(takeOffs.size(), 1U);
  EXPECT_NEAR(takeOffs.front().t, middle - width * std::sqrt(std::log(1. + excess)), 1e-9);
}

/// The same with dry friction in the axis.
struct Axis {
  explicit Axis(const DryOscillator& oscillator, double x0, double end) : model(0., end) {
    mass = std::make_shared<LagrangianDS>(makeVector({x0}), makeVector({0.}), diagonalMatrix({oscillator.m}));
    mass->setInternalForces(differenced([=](double t, const Vector& q, const Vector& v, Vector& f) {
      f(0) = oscillator.k * q(0) + oscillator.c * v(0) - oscillator.P * std::cos(oscillator.Omega * t);
    }));
    friction = std::make_shared<Interaction>(
        RelayNSL(1, -oscillator.F, oscillator.F),
        LagrangianRheonomousR(
            1, automatic([=](const auto& t, const auto& q, auto& y) { y(0) = q(0) - oscillator.V * t; })));
    friction->setName("axis");
    model.insert(mass);
    model.link(friction, mass);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> mass;
  std::shared_ptr<Interaction> friction;
};

TEST(StickSlip, DryFrictionInAnAxisIsThatOfABlock) {
  const DryOscillator oscillator = denHartog();
  const double end = 20.;
  Axis model(oscillator, 0., end);
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.01), Relay());
  compare(
      simulation, oscillator, oscillator.phases({0., 0., 0., 1}, end),
      [&] {
        return std::pair{model.mass->q()(0), model.mass->velocity()(0)};
      },
      1e-9);
}

TEST(StickSlip, AnAxisWithDryFrictionLosesTheSameAmplitudeEachHalfCycle) {
  DryOscillator oscillator;
  oscillator.k = 4.;
  oscillator.F = 0.12 * oscillator.k;
  Axis model(oscillator, 1., 10.);
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.1), Relay());
  simulation.run();
  // Turns at −0.76, 0.52, −0.28 and rests at 0.04, within 0.12 of the middle.
  const auto slips = eventsOf(simulation, EventKind::slip);
  const auto sticks = eventsOf(simulation, EventKind::stick);
  ASSERT_EQ(slips.size(), 3U);
  ASSERT_EQ(sticks.size(), 1U);
  const double half = 0.5 * std::numbers::pi;
  const double turns[] = {-0.76, 0.52, -0.28};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(slips[i].t, half * static_cast<double>(i + 1), 1e-10);
    EXPECT_NEAR(slips[i].q(0), turns[i], 1e-10);
  }
  EXPECT_NEAR(sticks.front().t, 4. * half, 1e-10);
  EXPECT_NEAR(model.mass->q()(0), 0.04, 1e-10);
  EXPECT_EQ(model.mass->velocity()(0), 0.);
}

TEST(StickSlip, ABlockIsLiftedWhileItSlides) {
  const double mu = 0.3;
  const double v0 = 8.;
  const double lift = 10.;  // N/s
  Block model(mu, v0, 3., [=](double t, const Vector&, const Vector&, Vector& f) { f(1) = lift * t; });
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.05), FrictionContact(2));
  const double takeOff = Block::m * g / lift;
  simulation.run([&] {
    const double t = std::min(simulation.time(), takeOff);
    const double since = simulation.time() - t;
    EXPECT_NEAR(model.block->velocity()(0), v0 - mu * (g * t - 0.5 * lift * t * t / Block::m), 1e-11);
    EXPECT_NEAR(model.block->q()(1), lift / Block::m * since * since * since / 6., 1e-11);
  });
  const auto takeOffs = eventsOf(simulation, EventKind::takeOff);
  ASSERT_EQ(takeOffs.size(), 1U);
  EXPECT_NEAR(takeOffs.front().t, takeOff, 1e-10);
}

}  // namespace
}  // namespace delassus::test
