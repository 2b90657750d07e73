// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/studies/PeriodicState.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <numbers>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
constexpr double pi = std::numbers::pi;

EventDrivenOptions tight() {
  EventDrivenOptions options;
  options.integration.relativeTolerance = 1e-12;
  options.integration.absoluteTolerance = 1e-13;
  return options;
}

// ẋ = −x/τ + u/τ, u on in the first half of each period.
struct Filter {
  double tau = 0.7, T = 1., level = 2.;
  NonSmoothDynamicalSystem model{0., 1e4};
  std::shared_ptr<FirstOrderLinearTIDS> filter;

  Filter() {
    filter = std::make_shared<FirstOrderLinearTIDS>(makeVector({5.}), makeMatrix({{-1. / tau}}));
    filter->setB([this](double t, Vector& b) { b(0) = std::fmod(t, T) < 0.5 * T ? level / tau : 0.; });
    model.insert(filter);
  }
};

TEST(FindPeriodicState, OfASwitchedFilterIsItsClosedForm) {
  Filter f;
  EventDriven simulation(f.model, 0.5, tight());
  PeriodMap map(simulation, 2);
  const PeriodicState steady = findPeriodicState(map);
  EXPECT_NEAR(map.period(), 1., 1e-15);
  const double decay = std::exp(-0.5 / f.tau);
  const double lowest = f.level * (1. - decay) * decay / (1. - decay * decay);
  EXPECT_NEAR(steady.x(0), lowest, 1e-8);  // Newton stops at 1e-9 of the largest value
  ASSERT_EQ(steady.multipliers.size(), 1U);
  EXPECT_NEAR(steady.multipliers[0].real(), decay * decay, 1e-8);
  EXPECT_TRUE(steady.isStable());
  EXPECT_LE(steady.residual, 1e-9);
  EXPECT_NEAR(f.filter->x()(0), steady.x(0), 1e-8);  // the simulation is at the end of that period
}

// A ball that jumps once a period of a table, q ≥ A sin ωt: it leaves and hits at the phase at which the table moves at
// w = g T/2 (1 − e)/(1 + e), so that −g T/2 becomes g T/2.
struct JumpingBall {
  double g = 9.81, e = 0.6, A = 0.02, omega = 20.;
  NonSmoothDynamicalSystem model{0., 1e4};
  std::shared_ptr<LagrangianLinearTIDS> ball;

  JumpingBall() {
    ball = std::make_shared<LagrangianLinearTIDS>(makeVector({0.03}), makeVector({0.}), makeMatrix({{1.}}));
    ball->setExternalForces(makeVector({-g}));
    model.insert(ball);
    auto gap = [this](double t, const Vector& q, Vector& y) { y(0) = q(0) - A * std::sin(omega * t); };
    auto G = [](double, const Vector&, Matrix& J) { J(0, 0) = 1.; };
    auto drift = [this](double t, const Vector&, Vector& rate) { rate(0) = -A * omega * std::cos(omega * t); };
    model.link("table", NewtonImpactNSL(e), LagrangianRheonomousR(1, withJacobians(gap, G, drift)), ball);
  }
};

TEST(FindPeriodicState, OfABallOnAVibratingTableHasTheMultipliersOfItsImpacts) {
  JumpingBall b;
  const double T = 2. * pi / b.omega;
  EventDriven simulation(b.model, TimeDiscretisation(0., T / 8.), tight());
  PeriodMap map(simulation, 8);
  const double w = 0.5 * b.g * T * (1. - b.e) / (1. + b.e);
  const double phase = std::acos(w / (b.A * b.omega)) / b.omega;  // of the impact, < T/4: the branch that is stable
  // At t = 0 the ball is `phase` before its impact.
  const double v = -0.5 * b.g * T + b.g * phase;
  const double q = b.A * std::sin(b.omega * phase) - v * phase + 0.5 * b.g * phase * phase;
  const PeriodicState steady = findPeriodicState(map, makeVector({q + 1e-4, v + 0.01}));
  EXPECT_NEAR(steady.x(1), v, 1e-7);
  EXPECT_NEAR(steady.x(0), q, 1e-8);
  // Each impact multiplies areas of the phase plane by e², and flight keeps them.
  ASSERT_EQ(steady.multipliers.size(), 2U);
  EXPECT_NEAR((steady.multipliers[0] * steady.multipliers[1]).real(), b.e * b.e, 1e-6);
}

TEST(FindPeriodicState, FindsAnUnstableStateThatNoRunComesTo) {
  // The other branch of the jumping ball, with its impact in the second quarter of the table's period.
  JumpingBall b;
  const double T = 2. * pi / b.omega, w = 0.5 * b.g * T * (1. - b.e) / (1. + b.e);
  const double phase = (2. * pi - std::acos(w / (b.A * b.omega))) / b.omega;
  EventDriven simulation(b.model, TimeDiscretisation(0., T / 8.), tight());
  PeriodMap map(simulation, 8);
  const double v = -0.5 * b.g * T + b.g * phase;
  const double q = b.A * std::sin(b.omega * phase) - v * phase + 0.5 * b.g * phase * phase;
  PeriodicStateOptions options;
  options.firstPeriods = 0;
  const PeriodicState steady = findPeriodicState(map, makeVector({q + 1e-5, v + 1e-3}), options);
  EXPECT_NEAR(steady.x(1), v, 1e-7);
  EXPECT_FALSE(steady.isStable());
}

TEST(FindPeriodicState, OfARectifierIsWhereALongRunEnds) {
  // A capacitor of 1 mF behind an ideal diode and 1 Ω, at a source of 10 V and 50 Hz, with a load of 50 Ω.
  const double C = 1e-3, R = 50., Rs = 1., T = 0.02;
  const auto build = [&](NonSmoothDynamicalSystem& model) {
    auto capacitor = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-1. / (R * C)}}));
    model.insert(capacitor);
    FirstOrderLinearR diode(makeMatrix({{1.}}), makeMatrix({{1. / C}}));
    diode.setD(makeMatrix({{Rs}}));
    diode.setE([](double t, Vector& e) { e(0) = -10. * std::sin(100. * pi * t); });
    model.link("diode", ComplementarityConditionNSL(1), std::move(diode), capacitor);
    return capacitor;
  };
  NonSmoothDynamicalSystem model(0., 1e3), longer(0., 1e3);
  auto capacitor = build(model), reference = build(longer);
  EventDriven simulation(model, TimeDiscretisation(0., T / 4.), tight());
  PeriodMap map(simulation, 4);
  const PeriodicState steady = findPeriodicState(map);
  EXPECT_LE(steady.newtonSteps, 4U);
  EventDriven run(longer, TimeDiscretisation(0., T), tight());
  for (int k = 0; k < 100; ++k) run.step();
  EXPECT_NEAR(steady.x(0), reference->x()(0), 1e-8);
}

TEST(FindPeriodicState, OfTimeSteppingIsThatOfItsOwnSteps) {
  // Euler's implicit scheme on the switched filter: x⁺ = (x + h u/τ)/(1 + h/τ) has a periodic state of its own.
  Filter f;
  const double h = 0.1, factor = 1. / (1. + h / f.tau);
  TimeStepping simulation(f.model, TimeDiscretisation(0., h), EulerMoreauOSI(1.));
  PeriodMap map(simulation, 10);
  const PeriodicState steady = findPeriodicState(map);
  // Four or five of its ten steps end while u is on, by what rounding makes of t = ½; the sum of the series either way.
  double on = 0.;
  for (int k = 1; k <= 10; ++k) {
    const bool isOn = std::fmod(k * h, f.T) < 0.5 * f.T;
    on = factor * (on + (isOn ? h * f.level / f.tau : 0.));
  }
  EXPECT_NEAR(steady.x(0), on / (1. - std::pow(factor, 10)), 1e-8);
  EXPECT_NEAR(steady.multipliers[0].real(), std::pow(factor, 10), 1e-9);
}

TEST(PeriodMap, BringsStatesOfTheUserBackBeforeEachPeriod) {
  Filter f;
  TimeStepping simulation(f.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.));
  double integral = 1.;
  simulation.addState("integral", [&](StateArchive& archive) { archive.value("integral", integral); });
  PeriodMap map(simulation, 10);
  const auto count = [&] { integral += 1.; };
  map.compute(makeVector({1.}), count);
  EXPECT_EQ(integral, 11.);
  const double first = map.compute(makeVector({1.}), count)(0);
  EXPECT_EQ(integral, 11.);
  EXPECT_EQ(map.compute(makeVector({1.}))(0), first);  // to the bit
  EXPECT_EQ(map.evaluations(), 3U);
}

TEST(PeriodMap, RefusesWhatItCannotVary) {
  Filter f;
  TimeStepping simulation(f.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.));
  EXPECT_THROW(PeriodMap(simulation, 0), Error);
  EXPECT_THROW(PeriodMap(simulation, simulation.steps() + 1), Error);
  PeriodMap map(simulation, 10);
  EXPECT_THROW(map.compute(Vector(2)), Error);
  PeriodicStateOptions none;
  none.tolerance = 0.;
  EXPECT_THROW(findPeriodicState(map, none), Error);

  NonSmoothDynamicalSystem bodies(0., 1.);
  bodies.insert(std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), Vector(6), 1.,
                                                NewtonEulerDS::ballInertia(1., 0.1)));
  TimeStepping moving(bodies, 0.1);
  EXPECT_THROW(PeriodMap(moving, 2), Error);
}

TEST(FindPeriodicState, SaysWhereThereIsNone) {
  // ẋ = 1 has no periodic state.
  NonSmoothDynamicalSystem model(0., 1e4);
  auto drift = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{0.}}), makeVector({1.}));
  model.insert(drift);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.));
  PeriodMap map(simulation, 10);
  PeriodicStateOptions options;
  options.maxIterations = 5;
  EXPECT_THROW(findPeriodicState(map, options), Error);
}

// Where the field saturates, Newton's method steps far away; where nothing returns, a far state must not count as one
// by its own size.
TEST(FindPeriodicState, DoesNotTakeAFarStateForOneThatReturns) {
  constexpr double T = 1.;
  const auto find = [&](double from, auto f, double& found) {
    NonSmoothDynamicalSystem model(0., 1e4);
    auto system = std::make_shared<FirstOrderNonLinearDS>(makeVector({from}), differenced(f));
    model.insert(system);
    EventDriven simulation(model, TimeDiscretisation(0., T / 4.), tight());
    PeriodMap map(simulation, 4);
    PeriodicStateOptions options;
    options.tolerance = 1e-7;  // of a motion of 0.02, which the integration has to 1e-11
    found = findPeriodicState(map, options).x(0);
  };
  double x = 0.;
  find(
      15., [](double t, const Vector& at, Vector& rate) { rate(0) = -std::tanh(at(0)) + 0.1 * std::sin(2. * pi * t); },
      x);
  EXPECT_LT(std::abs(x), 0.05);
  EXPECT_THROW(find(
                   0., [](double t, const Vector&, Vector& rate) { rate(0) = 1. + std::sin(2. * pi * t); }, x),
               Error);
}

// A parameter that is a state of the user, too: each period begins with the one of the response.
TEST(SampledResponse, TakesAParameterThatIsAStateOfTheUser) {
  const double tau = 0.7;
  double level = 2.;
  NonSmoothDynamicalSystem model(0., 1e4);
  auto filter = std::make_shared<FirstOrderLinearTIDS>(makeVector({2.}), makeMatrix({{-1. / tau}}));
  filter->setB([&](double, Vector& b) { b(0) = level / tau; });
  model.insert(filter);
  EventDriven simulation(model, TimeDiscretisation(0., 0.5), tight());
  simulation.addState("level", [&](StateArchive& archive) { archive.value("level", level); });
  PeriodMap map(simulation, 1);
  const PeriodicState steady = findPeriodicState(map);
  const SampledResponse response(
      map, steady, [&](double u) { level = u; }, 2., 0.1, [&] { return filter->x()(0); });
  EXPECT_NEAR(response(0.).real(), 1., 1e-8);
  simulation.addState("late", [](StateArchive&) {});
  EXPECT_THROW(map.compute(steady.x), Error);
}

TEST(SampledResponse, OfAFilterIsItsTransferFunction) {
  // x⁺ = a x + (1 − a) u within a period of constant u: H = (1 − a)/(z − a) for y = x.
  const double tau = 0.7;
  double level = 2.;
  NonSmoothDynamicalSystem model(0., 1e4);
  auto filter = std::make_shared<FirstOrderLinearTIDS>(makeVector({5.}), makeMatrix({{-1. / tau}}));
  filter->setB([&](double, Vector& b) { b(0) = level / tau; });
  model.insert(filter);
  EventDriven simulation(model, TimeDiscretisation(0., 0.5), tight());
  PeriodMap map(simulation, 1);
  const PeriodicState steady = findPeriodicState(map);
  EXPECT_NEAR(steady.x(0), level, 1e-8);
  const SampledResponse response(
      map, steady, [&](double u) { level = u; }, 2., 0.1, [&] { return filter->x()(0); });
  EXPECT_EQ(level, 2.);
  const double a = std::exp(-0.5 / tau);
  for (const double f : {0., 0.1, 0.7, 1.}) {
    const std::complex<double> z = std::polar(1., 2. * pi * f * 0.5);
    EXPECT_NEAR(std::abs(response(f) - (1. - a) / (z - a)), 0., 1e-8) << f;
  }
}

}  // namespace
