// SPDX-License-Identifier: Apache-2.0
//
// EventDriven with first-order systems: tolerances, accumulations, and undecided cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <memory>
#include <support/Circuits.hpp>
#include <support/Matchers.hpp>
#include <support/PiecewiseLinear.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

double distance(const Vector& a, const Vector& b) {
  double worst = 0.;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a(i) - b(i)));
  return worst;
}

std::size_t count(const std::vector<Event>& events, EventKind kind) {
  return static_cast<std::size_t>(
      std::count_if(events.begin(), events.end(), [=](const Event& event) { return event.kind == kind; }));
}

// The error follows the tolerance down to rounding, over slides, swings and switchings.
TEST(EventDrivenFlow, HasAnErrorInProportionToTheTolerance) {
  const double end = 12.;
  double last = 1.;
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11, 1e-13}) {
    RelayOscillator model(end);
    PiecewiseLinear exact = model.exact();
    EventDrivenOptions options;
    options.integration.relativeTolerance = tolerance;
    options.integration.absoluteTolerance = 0.01 * tolerance;
    EventDriven simulation(model.model, TimeDiscretisation(0., 0.25), options);
    double worst = 0.;
    simulation.run([&] {
      exact.advanceTo(simulation.time());
      worst = std::max(worst, distance(exact.x(), model.oscillator->x()));
    });
    std::printf("  tolerance %.0e: error %.1e, %zu events, %zu evaluations\n", tolerance, worst,
                simulation.events().size(), simulation.statistics().evaluations);
    // Rounding of instants, which the unstable swings make larger, of here and of the reference.
    EXPECT_LE(worst, 100. * tolerance + 1e-10) << tolerance;
    EXPECT_LE(worst, last) << tolerance;
    last = std::max(worst, 1e-10);
  }
}

// The same spiral in a microsecond: a dwell of 1e-9 s would gather what is a thousandth of it.
TEST(EventDrivenFlow, FollowsASpiralDownToAPartOfTheRun) {
  const auto duration = [](double unit) {
    const auto particle = std::make_shared<FirstOrderLinearTIDS>(makeVector({3., 3.}), Matrix(2, 2));
    NonSmoothDynamicalSystem model(0., 2. * unit);
    model.insert(particle);
    model.link("relays", RelayNSL(2),
               FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{2. / unit, -52. / unit}, {52. / unit, 2. / unit}})),
               particle);
    EventDriven simulation(model, 0.1 * unit);
    simulation.run();
    EXPECT_NEAR((simulation.events().back().t + simulation.events().back().duration) / unit, 1.5, 1e-11);
    return simulation.events().back().duration / unit;
  };
  EXPECT_LT(duration(1e-6), 2. * duration(1.));
}

TEST(EventDrivenFlow, FindsTheInstantsOfTheSpiral) {
  const auto particle = std::make_shared<FirstOrderLinearTIDS>(makeVector({3., 3.}), Matrix(2, 2));
  const auto relays = std::make_shared<Interaction>(
      RelayNSL(2), FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{2., -52.}, {52., 2.}})));
  NonSmoothDynamicalSystem model(0., 2.);
  model.insert(particle);
  model.link(relays, particle);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1));
  simulation.run();
  const std::vector<Event>& events = simulation.events();
  ASSERT_EQ(count(events, EventKind::accumulation), 2U);
  EXPECT_NEAR(events.back().t + events.back().duration, 1.5, 1e-11);
  for (std::size_t i = 0; i + 2 < events.size(); ++i) {
    EXPECT_NEAR(events[i].t, 1.5 - (std::abs(events[i].after(0)) + std::abs(events[i].after(1))) / 4., 1e-11);
  }
  EXPECT_EQ(simulation.time(), 2.);
  EXPECT_LE(normInf(particle->x()), 1e-300);
}

// Three relays, ẋ ∈ −B sgn(x) with B = 2 on the diagonal and skew beside it: the state spirals into the origin of
// space.
TEST(EventDrivenFlow, PassesASpiralInSpace) {
  const Matrix B = makeMatrix({{2., -9., 1.}, {9., 2., -7.}, {-1., 7., 2.}});
  const auto particle = std::make_shared<FirstOrderLinearTIDS>(makeVector({1., 0.7, -0.4}), Matrix(3, 3));
  const auto relays = std::make_shared<Interaction>(RelayNSL(3), FirstOrderLinearTIR(identityMatrix(3), B));
  NonSmoothDynamicalSystem model(0., 2.);
  model.insert(particle);
  model.link(relays, particle);
  EventDriven simulation(model, TimeDiscretisation(0., 0.1));
  simulation.run();
  // |x₁| + |x₂| + |x₃| falls at the rate 2 (number of rows that are not held) at least; all are held at last.
  EXPECT_LE(normInf(particle->x()), 1e-12);
  EXPECT_LE(normInf(relays->lambda(0)), 1e-9);
}

// ẍ = −2 sgn x − sgn ẋ comes to rest in finite time after infinitely many switchings, in a mode that has no multipliers
// of its own: x = 0 is of degree 2.
TEST(EventDrivenFlow, EndsAtASlidingOfSecondOrderWithAnError) {
  const auto particle = std::make_shared<FirstOrderLinearTIDS>(makeVector({1., 0.}), makeMatrix({{0., 1.}, {0., 0.}}));
  const auto relays = std::make_shared<Interaction>(
      RelayNSL(2), FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{0., 0.}, {2., 1.}})));
  relays->setName("twist");
  NonSmoothDynamicalSystem model(0., 20.);
  model.insert(particle);
  model.link(relays, particle);
  EventDriven simulation(model, TimeDiscretisation(0., 1.));
  expectError([&] { simulation.run(); }, {"twist"});
}

// Repelled on both sides, three ways go on from 0; one is taken, the same each time.
TEST(EventDrivenFlow, TakesOneOfSeveralSolutions) {
  std::vector<double> ends;
  for (int k = 0; k < 2; ++k) {
    const auto particle = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), Matrix(1, 1));
    const auto relay =
        std::make_shared<Interaction>(RelayNSL(), FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{-1.}})));
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(particle);
    model.link(relay, particle);
    EventDriven simulation(model, TimeDiscretisation(0., 0.5));
    simulation.run();
    ends.push_back(particle->x()(0));
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_TRUE(std::abs(ends[0]) < 1e-12 || std::abs(std::abs(ends[0]) - 1.) < 1e-9) << ends[0];
}

// A ladder of diodes between systems of their own, whose sources vary.
TEST(EventDrivenFlow, FollowsALadderOfDiodes) {
  const auto run = [](double tolerance, std::vector<Vector>& states) {
    DiodeLadder ladder(12, 6.);
    EventDrivenOptions options;
    options.integration.relativeTolerance = tolerance;
    options.integration.absoluteTolerance = tolerance;
    EventDriven simulation(ladder.model, TimeDiscretisation(0., 0.5), options);
    simulation.run([&] {
      for (std::size_t i = 0; i < 12; ++i) {
        const double y = ladder.diodes[i]->y(0)(0), lambda = ladder.diodes[i]->lambda(0)(0);
        EXPECT_NEAR(std::min(y, lambda), 0., 1e-12);
      }
    });
    states.clear();
    for (const auto& stage : ladder.stages) states.push_back(stage->x());
    return simulation.events().size();
  };
  std::vector<Vector> fine, coarse;
  const std::size_t events = run(1e-12, fine);
  EXPECT_GE(events, 12U);
  EXPECT_EQ(run(1e-8, coarse), events);
  for (std::size_t i = 0; i < fine.size(); ++i) EXPECT_LE(distance(fine[i], coarse[i]), 1e-7);
  DiodeLadder stepped(12, 6.);
  TimeStepping simulation(stepped.model, TimeDiscretisation(0., 1e-3), EulerMoreauOSI(1.), LCP());
  simulation.run();
  for (std::size_t i = 0; i < fine.size(); ++i) EXPECT_LE(distance(fine[i], stepped.stages[i]->x()), 5e-3);
}

// Up to four rows, diodes and relays, D of any rank: laws hold at each output, and the end does not depend on the
// tolerance. (The number of switchings may: with D = 3e-5 a multiplier is what the state is off divided by D.)
TEST(EventDrivenFlow, DecidesTheModesOfRandomSystems) {
  std::size_t events = 0;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    Generator generator(seed);
    const std::size_t n = 3 + seed % 5;
    const std::size_t m = std::min(n, std::size_t{1} + seed % 4);
    const std::size_t rank = (seed / 4) % (m + 1);
    Matrix A = randomMatrix(generator, n, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) A(i, j) = i == j ? -0.2 : -A(j, i);
    }
    const Matrix C = randomMatrix(generator, m, n);
    const Matrix B = trans(C);
    Matrix D(m, m);
    if (rank > 0) D = 0.5 * randomSemidefinite(generator, m, rank);
    const Vector x0 = randomVector(generator, n), amplitudes = randomVector(generator, n);
    const Vector outputs = prod(C, x0);
    Vector lower(m), upper(m), e(m);
    for (std::size_t i = 0; i < m; ++i) {
      const bool relay = (seed + i) % 3 == 0;
      lower(i) = relay ? -0.6 : 0.;
      upper(i) = relay ? 0.8 : HUGE_VAL;
      e(i) = relay ? 0. : std::max(0., 0.1 - outputs(i));  // diodes begin where no jump is needed
    }
    const auto run = [&](double tolerance, Vector& end) {
      const auto system = std::make_shared<FirstOrderLinearTIDS>(x0, A);
      system->setB([=](double t, Vector& b) {
        for (std::size_t i = 0; i < n; ++i) b(i) = 3. * amplitudes(i) * std::sin(3. * t + static_cast<double>(i));
      });
      const auto rows = std::make_shared<Interaction>(RelayNSL(lower, upper), FirstOrderLinearTIR(C, D, B).setE(e));
      NonSmoothDynamicalSystem model(0., 5.);
      model.insert(system);
      model.link(rows, system);
      EventDrivenOptions options;
      options.integration.relativeTolerance = options.integration.absoluteTolerance = tolerance;
      EventDriven simulation(model, TimeDiscretisation(0., 0.1), options);
      simulation.run([&] {
        for (std::size_t i = 0; i < m; ++i) {
          const double y = rows->y(0)(i), lambda = rows->lambda(0)(i);
          EXPECT_GE(lambda, lower(i) - 1e-12) << seed;
          EXPECT_LE(lambda, upper(i) + 1e-12) << seed;
          EXPECT_LE(lambda > lower(i) + 1e-12 ? y : 0., 1e-12) << seed;
          EXPECT_GE(lambda < upper(i) - 1e-12 ? y : 0., -1e-12) << seed;
        }
      });
      end = system->x();
      return simulation.events().size();
    };
    Vector fine, coarse;
    const std::size_t found = run(1e-11, fine);
    run(1e-8, coarse);
    EXPECT_LE(distance(fine, coarse), 1e-7) << seed;
    events += found;
  }
  EXPECT_GE(events, 200U);
}

}  // namespace
