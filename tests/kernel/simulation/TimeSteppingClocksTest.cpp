// SPDX-License-Identifier: Apache-2.0
//
// Events at times of their own in time stepping: samplings and switchings on and off the grid.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <memory>
#include <support/Restart.hpp>
#include <vector>

namespace delassus {
namespace {

using namespace test;

// A mass under a force that a controller holds between its samples, above a floor.
struct HeldMass {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> mass =
      std::make_shared<LagrangianLinearTIDS>(Vector(1, 1.), Vector(1), Matrix(1, 1, 2.));
  std::shared_ptr<Interaction> floor;
  double force = 0.;

  explicit HeldMass(double end) : model(0., end) {
    model.insert("mass", mass);
    floor = model.link("floor", NewtonImpactNSL(0.5), LagrangianLinearTIR(Matrix(1, 1, 1.)), mass);
  }
  void hold(double f) {
    force = f;
    mass->setExternalForces(Vector(1, f));
  }
};

TEST(TimeSteppingClocks, CallActionsAtTheirInstantsWithTheStateThere) {
  HeldMass held(1.);
  TimeStepping simulation(held.model, 0.1);
  std::vector<double> times, positions, outputs;
  simulation.addSampling("controller", TimeDiscretisation(0., 0.07), [&] {
    times.push_back(simulation.time());
    positions.push_back(held.mass->q()(0));
    held.hold(std::cos(10. * simulation.time()));
  });
  simulation.run([&] { outputs.push_back(simulation.time()); });
  // Constant forces are integrated exactly, on any grid.
  ASSERT_EQ(times.size(), 15U);
  double q = 1., v = 0.;
  for (std::size_t k = 0; k < times.size(); ++k) {
    EXPECT_NEAR(times[k], 0.07 * static_cast<double>(k), 1e-15);
    EXPECT_NEAR(positions[k], q, 1e-14) << k;
    const double a = std::cos(0.7 * static_cast<double>(k)) / 2.;
    q += 0.07 * v + 0.5 * 0.07 * 0.07 * a;
    v += 0.07 * a;
  }
  ASSERT_EQ(outputs.size(), 10U);
  for (std::size_t k = 0; k < outputs.size(); ++k) EXPECT_NEAR(outputs[k], 0.1 * static_cast<double>(k + 1), 1e-15);
  EXPECT_EQ(simulation.stepIndex(), 10U);
  EXPECT_EQ(simulation.statistics().steps, 23U) << "pieces: 10 steps, cut 13 times";
}

// The same pieces as steps of a grid that has the instants.
TEST(TimeSteppingClocks, CutStepsIntoThoseOfAFinerGrid) {
  std::vector<double> instants;
  for (int k = 0; k <= 2000; ++k) {
    if (k % 10 == 0 || k % 7 == 0) instants.push_back(1e-3 * k);
  }
  const auto run = [&](TimeDiscretisation grid, const auto& scheme) {
    HeldMass held(2.);
    TimeStepping simulation(held.model, grid, scheme, LCP());
    simulation.addSampling("controller", TimeDiscretisation(0., 7e-3),
                           [&] { held.hold(-20. * held.mass->q()(0) - held.mass->velocity()(0) - 5.); });
    simulation.run();
    return std::pair(held.mass->q()(0), held.mass->velocity()(0));
  };
  const auto expectSame = [&](const auto& scheme) {
    const auto cut = run(TimeDiscretisation(0., 1e-2), scheme), fine = run(TimeDiscretisation(instants), scheme);
    // Instants of both differ by rounding.
    EXPECT_NEAR(cut.first, fine.first, 1e-11);
    EXPECT_NEAR(cut.second, fine.second, 1e-9);
  };
  expectSame(MoreauJeanOSI());
  expectSame(MoreauJeanOSI::semiExplicit());
  expectSame(SchatzmanPaoliOSI());
}

// Of order two where the motion between samples is: a mass on a spring, whose force a controller adds to.
TEST(TimeSteppingClocks, KeepTheOrderOfTheSchemeOffTheGrid) {
  const auto endOf = [](double h) {
    NonSmoothDynamicalSystem model(0., 2.);
    const auto mass = model.insert(
        "mass",
        std::make_shared<LagrangianLinearTIDS>(
            Vector(1, 1.), Vector(1), LagrangianLinearTIDS::Matrices{.M = Matrix(1, 1, 1.), .K = Matrix(1, 1, 9.)}));
    TimeStepping simulation(model, h);
    simulation.addSampling("controller", TimeDiscretisation(0., 0.0317),
                           [&] { mass->setExternalForces(Vector(1, -2. * mass->velocity()(0))); });
    simulation.run();
    return mass->q()(0);
  };
  // Between two samples, exactly: q = c + (q₀ − c) cos 3t + v₀/3 sin 3t, c = F/9.
  double q = 1., v = 0., t = 0.;
  for (int k = 0; t < 2.; ++k) {
    const double end = std::min(0.0317 * (k + 1), 2.), c = -2. * v / 9., s = 3. * (end - t);
    const double next = c + (q - c) * std::cos(s) + v / 3. * std::sin(s);
    v = -3. * (q - c) * std::sin(s) + v * std::cos(s);
    q = next;
    t = end;
  }
  // Pieces are of all sizes below h, the same share of each: two refinements by four even that out.
  const double coarse = std::abs(endOf(1e-2) - q), fine = std::abs(endOf(6.25e-4) - q);
  EXPECT_NEAR(std::log2(coarse / fine) / 4., 2., 0.2);
}

// A buck converter: L i′ = s V − v, C v′ = i − v/R, with the switch s on a PWM whose width a PI controller sets in each
// period.
struct Buck {
  static constexpr double V = 12., L = 1e-4, C = 1e-4, R = 5., period = 2e-5, wanted = 5.;
  double integral = wanted / V, duty = wanted / V;

  double control(double v) {
    const double error = (wanted - v) / V;
    integral += 0.01 * error;
    return duty = std::clamp(integral + 0.05 * error, 0., 0.95);
  }
};

TEST(TimeSteppingClocks, HaveTheRippleOfAConverterWithoutALimitCycle) {
  NonSmoothDynamicalSystem model(0., 0.04);
  Matrix A(2, 2);
  A(0, 1) = -1. / Buck::L;
  A(1, 0) = 1. / Buck::C;
  A(1, 1) = -1. / (Buck::R * Buck::C);
  const auto circuit = model.insert("circuit", std::make_shared<FirstOrderLinearDS>(Vector(2), A, Vector(2)));
  TimeStepping simulation(model, TimeDiscretisation(0., 1.3e-6), EulerMoreauOSI(0.5));
  Buck buck;
  std::size_t periods = 0;
  double lowest = 1e9, highest = 0., narrowest = 1., widest = 0.;
  const auto set = [&](bool on) {
    Vector b(2);
    b(0) = on ? Buck::V / Buck::L : 0.;
    circuit->setB(b);
  };
  simulation.addSampling("controller", TimeDiscretisation(0., Buck::period), [&] {
    buck.control(circuit->x()(1));
    ++periods;
    set(true);
    if (simulation.time() < 0.03) return;
    narrowest = std::min(narrowest, buck.duty);
    widest = std::max(widest, buck.duty);
  });
  simulation.addSwitching(
      "off", [&](std::size_t k) { return (static_cast<double>(k) + buck.duty) * Buck::period; }, [&] { set(false); });
  simulation.run([&] {
    if (simulation.time() < 0.03) return;
    lowest = std::min(lowest, circuit->x()(1));
    highest = std::max(highest, circuit->x()(1));
  });
  EXPECT_EQ(periods, 2001U);
  // (1 − D) V_o/(8 L C f²), for small ripple.
  const double ripple =
      (1. - Buck::wanted / Buck::V) * Buck::wanted / (8. * Buck::L * Buck::C) * Buck::period * Buck::period;
  EXPECT_NEAR(highest - lowest, ripple, 0.01 * ripple);
  EXPECT_LE(widest - narrowest, 1e-6) << "the width does not settle";
}

// A switching that another action moves, later and earlier, into the past too, in both simulations.
template <class Simulation>
std::vector<double> timesOfMovedSwitchings() {
  HeldMass held(1.);
  Simulation simulation(held.model, TimeDiscretisation(0., 0.1));
  double width = 0.04;
  std::vector<double> times;
  simulation.addSampling("period", TimeDiscretisation(0., 0.1), [&] {
    const double t = simulation.time();
    width = t > 0.65 ? -0.02 : t > 0.35 ? 0.06 : t > 0.15 ? 0.02 : 0.04;
  });
  simulation.addSwitching(
      "off", [&](std::size_t k) { return 0.1 * static_cast<double>(k) + width; },
      [&] { times.push_back(simulation.time()); });
  simulation.run();
  return times;
}

TEST(TimeSteppingClocks, MoveSwitchingsThatHaveNotPassed) {
  // From 0.7 on the edges lie before the samples of their periods.
  const std::vector<double> expected = {0.04, 0.14, 0.22, 0.32, 0.46, 0.56, 0.66, 0.7, 0.78, 0.88, 0.98};
  const std::vector<double> stepped = timesOfMovedSwitchings<TimeStepping>();
  const std::vector<double> integrated = timesOfMovedSwitchings<EventDriven>();
  ASSERT_EQ(stepped.size(), expected.size());
  ASSERT_EQ(integrated.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(stepped[k], expected[k], 1e-12) << k;
    EXPECT_NEAR(integrated[k], expected[k], 1e-12) << k;
  }
}

TEST(TimeSteppingClocks, OfOneInstantComeInTheirOrder) {
  HeldMass held(0.3);
  TimeStepping simulation(held.model, 0.1);
  std::vector<std::string> calls;
  simulation.addSampling("a", TimeDiscretisation(0., 0.1), [&] { calls.push_back("a"); });
  simulation.addTimeEvents("b", {-1., 0.1, 0.3, 7.}, [&] { calls.push_back("b"); });
  simulation.addTimeEvents("c", {0.1 + 1e-17, 0.25}, [&] { calls.push_back("c"); });
  simulation.run([&] { calls.push_back("|"); });
  EXPECT_EQ(calls, (std::vector<std::string>{"a", "a", "b", "c", "|", "a", "|", "c", "a", "b", "|"}));
}

TEST(TimeSteppingClocks, GoOnAfterAnActionThatThrew) {
  HeldMass held(0.3);
  TimeStepping simulation(held.model, 0.1);
  bool fails = true;
  std::vector<double> first, second;
  simulation.addTimeEvents("one", {0.05, 0.15}, [&] {
    if (std::exchange(fails, false)) throw Error("user", "no");
    first.push_back(simulation.time());
  });
  simulation.addTimeEvents("two", {0.05, 0.15}, [&] { second.push_back(simulation.time()); });
  EXPECT_THROW(simulation.run(), Error);
  EXPECT_NEAR(simulation.time(), 0.05, 1e-15);
  EXPECT_EQ(simulation.stepIndex(), 0U);
  simulation.run();
  EXPECT_EQ(simulation.time(), 0.3);
  EXPECT_EQ(first.size(), 1U);
  EXPECT_EQ(second.size(), 2U);
  EXPECT_EQ(simulation.stepIndex(), 3U);
}

TEST(TimeSteppingClocks, GoOnAfterACheckpointToTheSameBits) {
  struct Run : HeldMass {
    Run() : HeldMass(2.) {}
    double integral = 0., width = 0.5;
    std::size_t pushes = 0;
  };
  expectSameAfterRestart(
      "a sampled mass",
      [] {
        auto held = std::make_shared<Run>();
        auto simulation = std::make_shared<TimeStepping>(held->model, 0.02);
        Run* const own = held.get();
        simulation->addSampling("controller", TimeDiscretisation(0., 0.0271), [own] {
          own->integral += 0.1 * (0.5 - own->mass->q()(0));
          own->hold(own->integral - 9.81 * own->mass->velocity()(0));
        });
        simulation->addState("controller", [own](StateArchive& archive) {
          archive.value("integral", own->integral);
          archive.value("force", own->force);
          archive.value("width", own->width);
          archive.value("pushes", own->pushes);
          if (archive.restores()) own->mass->setExternalForces(Vector(1, own->force));
        });
        return restartRun(held, simulation);
      },
      false);  // setting the force again counts as a change of parameters
}

TEST(TimeSteppingClocks, AreSeenByEnergyBalancesPieceByPiece) {
  HeldMass held(3.);
  TimeStepping simulation(held.model, TimeDiscretisation(0., 0.02), MoreauJeanOSI::pure(), LCP());
  held.hold(-19.62);
  std::size_t samples = 0;
  simulation.addSampling("observer", TimeDiscretisation(0., 0.003), [&] { ++samples; });
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  simulation.run();
  EXPECT_EQ(samples, 1001U);
  EXPECT_LT(balance->interactionWork(), -1.) << "no impact took energy";
  EXPECT_LE(balance->largestResidual(), 1e-12 * balance->turnover());
}

// What an action sets belongs to the time after it.
TEST(TimeSteppingClocks, HaveTheWorkOfForcesThatJump) {
  HeldMass held(1.);
  TimeStepping simulation(held.model, 0.03);
  simulation.addSampling("controller", TimeDiscretisation(0., 0.02), [&] {
    held.hold(std::sin(300. * simulation.time()) - 3. * held.mass->velocity()(0));
    if (std::abs(simulation.time() - 0.5) < 1e-9) held.mass->setState(Vector(1, 3.), Vector(1, 1.));
  });
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  simulation.run();
  EXPECT_GT(balance->turnover(), 0.01);
  EXPECT_LE(balance->largestResidual(), 1e-12);
}

// First-order systems find their initial multipliers in a step of size zero: not again after an event in the first one.
TEST(TimeSteppingClocks, InTheFirstStepLeaveItAsItIs) {
  NonSmoothDynamicalSystem model(0., 0.3);
  const auto tank = model.insert("tank", std::make_shared<FirstOrderLinearDS>(Vector(1, 1.), Matrix(1, 1, -1.)));
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(0.5));
  simulation.addTimeEvents("kick", {0.05}, [&] { tank->setState(Vector(1, 2.)); });
  simulation.run();
  EXPECT_EQ(simulation.statistics().steps, 4U);
  const auto part = [](double h) { return (1. - 0.5 * h) / (1. + 0.5 * h); };
  EXPECT_NEAR(tank->x()(0), 2. * part(0.05) * part(0.1) * part(0.1), 1e-14);
}

// Instants that tend to one, or that actions keep before the present.
TEST(TimeSteppingClocks, EndInAnErrorWhereTheyAccumulate) {
  const auto expectEnd = [](auto make) {
    HeldMass halved(1.);
    auto simulation = make(halved);
    simulation->addSwitching(
        "zeno", [](std::size_t k) { return 0.5 - std::pow(0.5, static_cast<double>(k + 2)); }, [] {});
    EXPECT_THROW(simulation->run(), Error);
    EXPECT_NEAR(simulation->time(), 0.5, 0.11);
    HeldMass chattering(1.);
    simulation = make(chattering);
    // Each action moves the next instant to the present one.
    std::size_t fired = 0;
    simulation->addSwitching(
        "chatter", [&](std::size_t k) { return k <= fired ? 0.2 : 0.3; }, [&] { ++fired; });
    EXPECT_THROW(simulation->run(), Error);
    EXPECT_GE(fired, 9999U);
  };
  expectEnd([](HeldMass& held) { return std::make_unique<TimeStepping>(held.model, 0.1); });
  expectEnd([](HeldMass& held) { return std::make_unique<EventDriven>(held.model, 0.1); });
}

// Factors are kept for other sizes of step where the source alone changes, and renewed where the matrix does: by the
// midpoint rule x⁺ = ((1 + ha/2) x + hb)/(1 − ha/2), piece by piece.
TEST(TimeSteppingClocks, RenewFactorsWhereMatricesChange) {
  NonSmoothDynamicalSystem model(0., 3.);
  double a = -1., b = 0.;
  const auto tank =
      model.insert("tank", std::make_shared<FirstOrderLinearDS>(Vector(1, 1.), Matrix(1, 1, a), Vector(1, b)));
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(0.5));
  std::size_t samples = 0;
  double x = 1., t = 0.;
  const auto advance = [&](double end) {
    const double h = end - t;
    if (h > 1e-12) x = ((1. + 0.5 * h * a) * x + h * b) / (1. - 0.5 * h * a);
    t = end;
  };
  simulation.addSampling("controller", TimeDiscretisation(0., 4e-2), [&] {
    advance(simulation.time());
    EXPECT_NEAR(tank->x()(0), x, 1e-13) << t;
    b = static_cast<double>(samples % 5);
    tank->setB(Vector(1, b));
    // There and back again, so that factors of both are asked for at the same sizes of step.
    if (++samples % 5 != 0) return;
    a = a == -1. ? -2. : -1.;
    tank->setA(Matrix(1, 1, a));
  });
  simulation.run([&] { advance(simulation.time()); });
  EXPECT_NEAR(tank->x()(0), x, 1e-13);
}

TEST(TimeSteppingClocks, RefuseWhatIsNoClock) {
  HeldMass held(1.);
  TimeStepping simulation(held.model, 0.1);
  const auto nothing = [] {};
  EXPECT_THROW(simulation.addSampling("a", TimeDiscretisation(-1., 0.1), nothing), Error) << "in the past";
  EXPECT_THROW(simulation.addSampling("b", TimeDiscretisation(0., 1e-300), nothing), Error);
  EXPECT_THROW(simulation.addSampling("c", TimeDiscretisation(0., 0.1), {}), Error);
  EXPECT_THROW(simulation.addTimeEvents("d", {0.2, 0.1}), Error);
  EXPECT_THROW(simulation.addTimeEvents("e", {std::numeric_limits<double>::quiet_NaN()}), Error);
  EXPECT_THROW(simulation.addSwitching("f", {}, nothing), Error);
  EXPECT_THROW(simulation.addSwitching("g", [](std::size_t) { return 0.1; }, {}), Error);
  simulation.addSwitching(
      "h", [](std::size_t k) { return k < 2 ? 0.25 : 0.2; }, nothing);
  simulation.step();
  EXPECT_THROW(simulation.addSampling("i", TimeDiscretisation(0., 0.1), nothing), Error) << "too late";
  EXPECT_THROW(simulation.run(), Error) << "instants that do not ascend";
}

// The first instant or a later one; of infinite ones none comes.
TEST(TimeSteppingClocks, RefuseInstantsThatAreNoNumbers) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  const auto expectError = [](auto make) {
    for (const std::size_t bad : {0U, 1U, 2U}) {
      HeldMass held(1.);
      auto simulation = make(held);
      simulation->addSwitching(
          "edge", [bad](std::size_t k) { return k == bad ? nan : 0.25 * static_cast<double>(k + 1); }, [] {});
      try {
        simulation->run();
        ADD_FAILURE() << "instant " << bad << " is NaN, and the run went on";
      } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("'edge'"), std::string::npos) << text;
        EXPECT_NE(text.find("instant " + std::to_string(bad)), std::string::npos) << text;
        EXPECT_NE(text.find("nan"), std::string::npos) << text;
      }
    }
    HeldMass held(1.);
    auto simulation = make(held);
    std::size_t fired = 0;
    simulation->addSwitching(
        "one edge", [](std::size_t k) { return k == 0 ? 0.25 : infinite; }, [&] { ++fired; });
    simulation->run();
    EXPECT_EQ(fired, 1U);
  };
  expectError([](HeldMass& held) { return std::make_unique<TimeStepping>(held.model, 0.1); });
  expectError([](HeldMass& held) { return std::make_unique<EventDriven>(held.model, 0.1); });
}

}  // namespace
}  // namespace delassus
