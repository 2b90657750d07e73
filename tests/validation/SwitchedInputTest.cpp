// SPDX-License-Identifier: Apache-2.0
//
// Nonlinear relations whose input is a product, of relays or of a relay and the state, against exact piecewise
// exponentials.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/delassus.hpp>
#include <gene_network/ExactNetwork.hpp>
#include <ideal_switch/ExactSwitch.hpp>
#include <limits>
#include <memory>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

/// Two genes that switch each other on above 4 and themselves off above 8.
struct GeneNetwork {
  explicit GeneNetwork(const std::array<double, 2>& start, double end) : model(0., end) {
    const auto h = automatic([](auto, const auto& x, const auto&, auto& y) {
      y(0) = 4. - x(0);
      y(1) = 4. - x(1);
      y(2) = 8. - x(0);
      y(3) = 8. - x(1);
    });
    const auto g = automatic([](auto, const auto& lambda, auto& r) {
      r(0) = 40. * lambda(1) * (1. - lambda(2));
      r(1) = 40. * lambda(0) * (1. - lambda(3));
    });
    genes =
        std::make_shared<FirstOrderLinearTIDS>(makeVector({start[0], start[1]}), makeMatrix({{-4.5, 0.}, {0., -1.5}}));
    steps = std::make_shared<Interaction>(RelayNSL(4, 0., 1.), FirstOrderType2R(4, h, g));
    model.insert(genes);
    model.link(steps, genes);
  }

  static ExactNetwork exact() { return {{4.5, 1.5}, 40., 4., 8.}; }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> genes;
  std::shared_ptr<Interaction> steps;
};

TEST(GeneNetwork, ConvergesToThePiecewiseExponentials) {
  // To the rest on both upper thresholds, and to extinction.
  for (const std::array<double, 2> start :
       {std::array{1., 6.}, std::array{10., 5.}, std::array{5., 1.}, std::array{1., 4.5}}) {
    std::vector<double> steps;
    std::vector<double> errors;
    for (double level = 4e-3; level > 1e-4; level /= 4.) {
      double mean = 0.;
      constexpr int samples = 24;
      for (int sample = 0; sample < samples; ++sample) {
        const double h = level * std::exp2(static_cast<double>(sample) / samples);
        GeneNetwork network(start, 1.5);
        TimeStepping simulation(network.model, TimeDiscretisation(0., h), EulerMoreauOSI(1.), Relay());
        simulation.run([&] {
          const std::array<double, 2> x = GeneNetwork::exact().at(start, simulation.time());
          mean += h * (std::abs(network.genes->x()(0) - x[0]) + std::abs(network.genes->x()(1) - x[1])) / samples;
        });
      }
      steps.push_back(level);
      errors.push_back(mean);
    }
    const std::string title = "gene network from (" + toText(start[0]) + ", " + toText(start[1]) + "), L1 error";
    EXPECT_GE(observedOrder(title.c_str(), steps, errors), 0.95);
  }
}

// There k x = p (1 − λ): the multipliers are the share of time that a gene is switched off.
TEST(GeneNetwork, RestsOnBothThresholdsWithTheMultipliersThatBalanceDegradation) {
  for (const double h : {1e-1, 1e-2, 1e-3}) {
    GeneNetwork network({1., 6.}, 3.);
    TimeStepping simulation(network.model, TimeDiscretisation(0., h), EulerMoreauOSI(1.), Relay());
    simulation.run();
    const Vector& lambda = network.steps->lambda(0);
    EXPECT_NEAR(network.genes->x()(0), 8., 1e-13);
    EXPECT_NEAR(network.genes->x()(1), 8., 1e-13);
    EXPECT_NEAR(lambda(0), 1., 1e-13);
    EXPECT_NEAR(lambda(1), 1., 1e-13);
    // A change of λ by δ is one of x by 40 h δ, and x is known to some units of its last place, 2e−15.
    EXPECT_NEAR(lambda(2), 1. - 4.5 * 8. / 40., 1e-15 / h + 1e-13);
    EXPECT_NEAR(lambda(3), 1. - 1.5 * 8. / 40., 1e-15 / h + 1e-13);
  }
}

/// A source capacitor, a load capacitor and the switch between them; i depends on λ and on both states.
struct SwitchModel {
  explicit SwitchModel(const SwitchedCapacitors& p, double end) : parameters(p), model(0., end) {
    source = std::make_shared<FirstOrderLinearTIDS>(makeVector({p.source}), makeMatrix({{-1. / p.resistance}}),
                                                    makeVector({p.source / p.resistance}));
    source->setM(makeMatrix({{p.capacitance1}}));
    load = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-p.load}}));
    load->setM(makeMatrix({{p.capacitance2}}));
    relation = std::make_shared<FirstOrderNonLinearR>(
        1, automatic([](auto, const auto& x, const auto&, const auto& z, auto& y) { y(0) = x(1) - z(0); }),
        automatic([p](auto, const auto& x, const auto& lambda, const auto&, auto& r) {
          r(1) = (x(0) - x(1)) * (p.gOff + lambda(0) * (p.gOn - p.gOff));
          r(0) = -r(1);
        }));
    relation->setZ(makeVector({p.high}));
    gate = std::make_shared<Interaction>(std::make_shared<RelayNSL>(1, 0., 1.), relation);
    model.insert(source);
    model.insert(load);
    model.link(gate, source, load);
  }

  /// Where the threshold is met λ leaves its bound, and the other threshold holds from there on.
  void switchThreshold() {
    const double lambda = gate->lambda(0)(0);
    const bool charging = relation->z()(0) == parameters.high;
    if (charging ? lambda < 1. - 1e-9 : lambda > 1e-9) {
      relation->setZ(makeVector({charging ? parameters.low : parameters.high}));
      ++switchings;
    }
  }

  SwitchedCapacitors parameters;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> source;
  std::shared_ptr<FirstOrderLinearTIDS> load;
  std::shared_ptr<FirstOrderNonLinearR> relation;
  std::shared_ptr<Interaction> gate;
  std::size_t switchings = 0;
};

TEST(IdealSwitch, ConvergesToTheExactModesAcrossHysteresis) {
  const SwitchedCapacitors p;
  std::vector<double> steps;
  std::vector<double> errors;
  for (double level = 1e-5; level > 3e-7; level /= 4.) {
    double mean = 0.;
    constexpr int samples = 48;
    for (int sample = 0; sample < samples; ++sample) {
      const double h = level * std::exp2(static_cast<double>(sample) / samples);
      SwitchModel circuit(p, 5e-3);
      TimeStepping simulation(circuit.model, TimeDiscretisation(0., h), EulerMoreauOSI(1.), Relay());
      ExactSwitch exact(p, {p.source, 0.});
      double error = 0.;
      simulation.run([&] {
        circuit.switchThreshold();
        exact.advance(h);
        error += h * (std::abs(circuit.source->x()(0) - exact.x()[0]) + std::abs(circuit.load->x()(0) - exact.x()[1]));
      });
      EXPECT_NEAR(static_cast<double>(circuit.switchings), static_cast<double>(exact.switchings()), 1.);
      EXPECT_GT(exact.switchings(), 5U);
      mean += error / samples;
    }
    steps.push_back(level);
    errors.push_back(mean);
  }
  EXPECT_GE(observedOrder("ideal switch, L1 error of both voltages", steps, errors), 0.95);
}

// Without hysteresis the voltage stays at the threshold, and λ is the duty ratio that feeds the load:
// (x₁ − x₂) (g_off + λ Δg) = G x₂ with (E − x₁)/R = G x₂.
TEST(IdealSwitch, WithoutHysteresisKeepsTheVoltageWithTheDutyRatioOfTheLoad) {
  SwitchedCapacitors p;
  p.low = p.high;
  for (const double h : {1e-4, 1e-5}) {
    SwitchModel circuit(p, 0.1);
    TimeStepping simulation(circuit.model, TimeDiscretisation(0., h), EulerMoreauOSI(1.), Relay());
    bool reached = false;
    simulation.run([&] {
      reached = reached || circuit.gate->lambda(0)(0) < 1.;
      // The Newton tolerance is on the relation too.
      if (reached) {
        ASSERT_NEAR(circuit.load->x()(0), p.high, 1e-9) << "t = " << simulation.time();
      }
    });
    const double current = p.load * p.high;
    const double duty = (current / (p.source - p.resistance * current - p.high) - p.gOff) / (p.gOn - p.gOff);
    EXPECT_NEAR(circuit.gate->lambda(0)(0), duty, 1e-6);
  }
}

}  // namespace
