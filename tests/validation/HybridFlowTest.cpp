// SPDX-License-Identifier: Apache-2.0
//
// First-order systems that switch, followed from event to event, against closed forms and matrix exponentials.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/hybrid/HybridFlow.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/FirstOrderType2R.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <diode_bridge/ParallelCircuit.hpp>
#include <filippov/ExactSpiral.hpp>
#include <gene_network/ExactNetwork.hpp>
#include <memory>
#include <relay_feedback/LagLimitCycle.hpp>
#include <string>
#include <support/Circuits.hpp>
#include <support/FirstOrderModels.hpp>
#include <support/HybridLoop.hpp>
#include <support/PassiveSystems.hpp>
#include <support/PiecewiseLinear.hpp>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

double distance(const Vector& a, const Vector& b) {
  double worst = 0.;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a(i) - b(i)));
  return worst;
}

std::size_t count(const std::vector<Event>& events, EventKind kind) {
  std::size_t sum = 0;
  for (const Event& event : events) sum += event.kind == kind ? 1 : 0;
  return sum;
}

// Relative degree 0, 1, and both at once. What is left is the error of the Runge–Kutta method, h⁴ ‖x⁗⟩‖ ~ 10⁻¹⁰.
TEST(HybridFlow, FollowsRandomPassiveSystemsThroughTheirModes) {
  const double end = 6.;
  for (const std::size_t rank : {2U, 1U, 0U}) {
    std::size_t switchings = 0, slidings = 0;
    for (unsigned seed = 1; seed <= 8; ++seed) {
      const PassiveSystem p(seed, 0.5, rank);
      PiecewiseLinear exact = p.exact();
      PassiveModel passive(p, end);
      HybridFlow flow;
      HybridLoop loop(flow, passive.model, 2e-3);
      for (double t = 0.5; t <= end; t += 0.5) {
        loop.advanceTo(t);
        loop.accept();
        exact.advanceTo(t);
        EXPECT_LE(passive.errorAgainst(exact), 1e-9) << "rank " << rank << ", seed " << seed << ", t " << t;
      }
      switchings += loop.crossings();
      slidings += count(loop.events(), EventKind::sliding);
    }
    EXPECT_GE(switchings, 16U) << rank;
    EXPECT_EQ(slidings > 0, rank < 2) << rank;
    std::printf("rank %zu: %zu switchings, %zu rows begin to slide\n", rank, switchings, slidings);
  }
}

TEST(HybridFlow, IsOfTheOrderOfItsMethodAcrossSwitchings) {
  for (const std::size_t rank : {2U, 1U, 0U}) {
    const PassiveSystem p(3, 0.5, rank);
    PiecewiseLinear exact = p.exact();
    exact.advanceTo(6.);
    std::vector<double> steps, errors;
    for (int k = 3; k <= 6; ++k) {
      PassiveModel passive(p, 6.);
      HybridFlow flow;
      HybridLoop loop(flow, passive.model, std::ldexp(1., -k));
      loop.advanceTo(6.);
      loop.accept();
      steps.push_back(std::ldexp(1., -k));
      errors.push_back(passive.errorAgainst(exact));
    }
    const std::string title = "rank of D " + std::to_string(rank);
    EXPECT_GE(observedOrder(title.c_str(), steps, errors), 3.7) << title;
  }
}

// In each mode the circuit is a capacitor, an inductor and the load in parallel. Four rows of mixed degree switch at
// once.
TEST(HybridFlow, SwitchesTheDiodesOfABridgeWhereTheVoltageChangesSign) {
  const double end = 5e-3;
  DiodeBridge bridge(end);
  HybridFlow flow;
  HybridLoop loop(flow, bridge.model, 1e-6);
  const ParallelCircuit circuit;
  loop.advanceTo(end);
  loop.accept();
  const ParallelCircuit::State exact = circuit.flow({10., 0.}, end, 1e-3);
  EXPECT_NEAR(bridge.oscillator->x()(0), exact[0], 1e-8);
  EXPECT_NEAR(bridge.oscillator->x()(1), exact[1], 1e-10);
  EXPECT_EQ(loop.crossings(), 16U);
  ASSERT_EQ(loop.events().size(), 64U);
  for (std::size_t i = 0; i < loop.events().size(); i += 4) {
    EXPECT_NEAR(circuit.flow({10., 0.}, loop.events()[i].t, 1e-3)[0], 0., 1e-8);
    EXPECT_EQ(loop.events()[i].t, loop.events()[i + 3].t);
  }
}

TEST(HybridFlow, SlidesSwingsAndSlidesAgain) {
  const double end = 12.;
  RelayOscillator model(end);
  PiecewiseLinear exact = model.exact();
  HybridFlow flow;
  HybridLoop loop(flow, model.model, 5e-4);
  double output = 0., control = 0.;
  std::size_t slides = 0;
  for (double t = 0.25; t <= end; t += 0.25) {
    loop.advanceTo(t, [&] {
      loop.accept();
      const double lambda = model.relay->lambda(0)(0);
      if (std::abs(lambda) == 1.) return;
      ++slides;
      output = std::max(output, std::abs(model.relay->y(0)(0)));
      control = std::max(control, std::abs(lambda + model.oscillator->x()(1)));
    });
    exact.advanceTo(t);
    loop.accept();
    EXPECT_LE(distance(exact.x(), model.oscillator->x()), 1e-9) << t;
  }
  EXPECT_GE(count(loop.events(), EventKind::sliding), 8U);
  EXPECT_GE(slides, 1000U);
  EXPECT_LE(output, 1e-12);
  EXPECT_LE(control, 1e-12);
}

// C B = C A B = 0: the relay only switches.
TEST(HybridFlow, HasThePeriodOfTheLimitCycle) {
  const LagLimitCycle exact;
  const auto system =
      std::make_shared<FirstOrderLinearTIDS>(makeVector({1e-3, exact.switchingPoint()[1], exact.switchingPoint()[2]}),
                                             makeMatrix({{-1., 1., 0.}, {0., -1., 1.}, {0., 0., -1.}}));
  const auto relay = std::make_shared<Interaction>(
      RelayNSL(), FirstOrderLinearTIR(makeMatrix({{1., 0., 0.}}), makeMatrix({{0.}, {0.}, {1.}})));
  NonSmoothDynamicalSystem model(0., 80.);
  model.insert(system);
  model.link(relay, system);
  HybridFlow flow;
  HybridLoop loop(flow, model, 2e-3);
  loop.advanceTo(80.);
  const std::vector<Event>& events = loop.events();
  ASSERT_GE(events.size(), 40U);
  EXPECT_EQ(count(events, EventKind::modeSwitch), events.size());
  EXPECT_NEAR(events.back().t - events[events.size() - 3].t, exact.period(), 1e-10);
}

// Infinitely many switchings until 1.5 s; the last 12 ns are passed at once. All instants before are those of the
// closed form.
TEST(HybridFlow, PassesTheEndOfFilippovsSpiral) {
  const ExactSpiral exact({3., 3.}, 2., 26.);
  const auto particle = std::make_shared<FirstOrderLinearTIDS>(makeVector({3., 3.}), Matrix(2, 2));
  const auto relays = std::make_shared<Interaction>(
      RelayNSL(2), FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{2., -52.}, {52., 2.}})));
  relays->setName("relays");
  NonSmoothDynamicalSystem model(0., 3.);
  model.insert(particle);
  model.link(relays, particle);
  HybridFlow flow;
  HybridLoop loop(flow, model, 0.05);
  loop.advanceTo(3., [&] {
    loop.accept();
    const std::array<double, 2> x = exact.at(loop.time());
    EXPECT_NEAR(particle->x()(0), x[0], 1e-9);
    EXPECT_NEAR(particle->x()(1), x[1], 1e-9);
  });
  const std::vector<Event>& events = loop.events();
  ASSERT_GE(events.size(), 200U);
  EXPECT_LE(events.size(), 300U);
  ASSERT_EQ(count(events, EventKind::accumulation), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const Event& last = events[events.size() - 1 - i];
    EXPECT_EQ(last.kind, EventKind::accumulation);
    EXPECT_LT(last.t, 1.5);
    EXPECT_NEAR(last.t + last.duration, 1.5, 1e-11);
    EXPECT_LE(last.duration, 2e-8);
  }
  // Each quadrant is passed (b − 1)/(b + 1) times as fast as the one before.
  double size = 6., t = 0.;
  for (std::size_t i = 0; i + 2 < events.size(); ++i) {
    // |x₁| + |x₂| at the switchings.
    const double left = std::abs(events[i].after(0)) + std::abs(events[i].after(1));
    if (i > 0) {
      EXPECT_NEAR(left / size, 25. / 27., 1e-3);
    }
    size = left;
    EXPECT_NEAR(events[i].t, 1.5 - size / 4., 1e-11);
    EXPECT_GT(events[i].t, t);
    t = events[i].t;
  }
  loop.accept();
  EXPECT_LE(normInf(particle->x()), 1e-300);
  EXPECT_LE(normInf(relays->lambda(0)), 1e-12);
}

// A surface that moves: y = x − sin 3t, ẋ = 4 λ. It is reached from above and held with λ = 3/4 cos 3t.
TEST(HybridFlow, SlidesOnASurfaceThatMoves) {
  const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({2.}), Matrix(1, 1));
  FirstOrderLinearR relation(makeMatrix({{1.}}), makeMatrix({{4.}}));
  relation.setE([](double t, Vector& e) { e(0) = -std::sin(3. * t); });
  const auto relay = std::make_shared<Interaction>(RelayNSL(), relation);
  NonSmoothDynamicalSystem model(0., 5.);
  model.insert(system);
  model.link(relay, system);
  HybridFlow flow;
  HybridLoop loop(flow, model, 1e-2);
  double output = 0., control = 0.;
  loop.advanceTo(5., [&] {
    loop.accept();
    if (loop.events().empty()) return;
    output = std::max(output, std::abs(system->x()(0) - std::sin(3. * loop.time())));
    control = std::max(control, std::abs(relay->lambda(0)(0) - 0.75 * std::cos(3. * loop.time())));
  });
  ASSERT_EQ(loop.events().size(), 1U);
  EXPECT_EQ(loop.events()[0].kind, EventKind::sliding);
  const double reached = loop.events()[0].t;
  EXPECT_NEAR(2. - 4. * reached - std::sin(3. * reached), 0., 1e-12);
  EXPECT_LE(output, 1e-14);
  EXPECT_LE(control, 1e-11);  // differences in time
}

// Products of relays: nonlinear inputs, which change where the others are held.
TEST(HybridFlow, FollowsAGeneNetworkIntoRestOnTwoThresholds) {
  const ExactNetwork exact{{4.5, 1.5}, 40., 4., 8.};
  const auto output = automatic([](auto, const auto& x, const auto&, auto& y) {
    y(0) = 4. - x(0);
    y(1) = 4. - x(1);
    y(2) = 8. - x(0);
    y(3) = 8. - x(1);
  });
  const auto input = automatic([](auto, const auto& lambda, auto& r) {
    r(0) = 40. * lambda(1) * (1. - lambda(2));
    r(1) = 40. * lambda(0) * (1. - lambda(3));
  });
  for (const std::array<double, 2> start : {std::array<double, 2>{1., 6.}, {6., 1.}, {9., 3.}, {1., 4.5}, {5., 5.}}) {
    const auto genes =
        std::make_shared<FirstOrderLinearTIDS>(makeVector({start[0], start[1]}), makeMatrix({{-4.5, 0.}, {0., -1.5}}));
    const auto steps = std::make_shared<Interaction>(RelayNSL(4, 0., 1.), FirstOrderType2R(4, output, input));
    NonSmoothDynamicalSystem model(0., 3.);
    model.insert(genes);
    model.link(steps, genes);
    HybridFlow flow;
    HybridLoop loop(flow, model, 5e-3);
    loop.advanceTo(3., [&] {
      loop.accept();
      const std::array<double, 2> x = exact.at(start, loop.time());
      EXPECT_NEAR(genes->x()(0), x[0], 1e-8) << start[0] << ", " << start[1] << " at " << loop.time();
      EXPECT_NEAR(genes->x()(1), x[1], 1e-8) << start[0] << ", " << start[1] << " at " << loop.time();
    });
  }
}

// Nonlinear systems and relations of all types, K ≠ 0 among them. No closed form: outputs and multipliers fulfil the
// laws, time stepping comes near at its order, and the order of the method is seen.
TEST(HybridFlow, TakesRelationsOfAllTypes) {
  const auto run = [](unsigned seed, double h, std::vector<Vector>& states, std::size_t& switchings) {
    MixedFirstOrderModel m(seed);
    HybridFlow flow;
    HybridLoop loop(flow, m.model, h);
    for (double t = 0.25; t <= 1.; t += 0.25) {
      loop.advanceTo(t);
      loop.accept();
      for (std::size_t k = 0; k < m.interactions.size(); ++k) {
        Vector x, y(m.interactions[k]->size());
        for (const std::size_t i : m.links[k]) append(m.systems[i]->x(), x);
        const Vector& lambda = m.interactions[k]->lambda(0);
        m.outputs[k](t, x, lambda, y);
        for (std::size_t i = 0; i < y.size(); ++i) {
          EXPECT_NEAR(y(i), m.interactions[k]->y(0)(i), 1e-12);
          EXPECT_GE(lambda(i), m.lower[k](i) - 1e-12);
          EXPECT_LE(lambda(i), m.upper[k](i) + 1e-12);
          EXPECT_LE(lambda(i) > m.lower[k](i) + 1e-12 ? y(i) : 0., 1e-11);
          EXPECT_GE(lambda(i) < m.upper[k](i) - 1e-12 ? y(i) : 0., -1e-11);
        }
      }
    }
    states.clear();
    for (const auto& system : m.systems) states.push_back(system->x());
    switchings += loop.crossings();
  };
  std::size_t switchings = 0;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    std::vector<Vector> fine, middle, coarse;
    run(seed, 1. / 256., fine, switchings);
    run(seed, 1. / 64., middle, switchings);
    run(seed, 1. / 32., coarse, switchings);
    MixedFirstOrderModel stepped(seed);
    TimeStepping simulation(stepped.model, TimeDiscretisation(0., 1. / 2048.), EulerMoreauOSI(1.), Relay());
    simulation.run();
    for (std::size_t i = 0; i < fine.size(); ++i) {
      EXPECT_LE(distance(stepped.systems[i]->x(), fine[i]), 5e-3) << seed;
      EXPECT_LE(distance(middle[i], fine[i]), 1e-7 + distance(coarse[i], fine[i]) / 8.) << seed;
    }
  }
  EXPECT_GE(switchings, 6U);
}

}  // namespace
