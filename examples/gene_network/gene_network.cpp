// SPDX-License-Identifier: Apache-2.0
//
// Two genes that switch each other on and themselves off, with step functions: a nonlinear relation, products of
// relays. See README.md for the equations.
//
//     gene_network
//     gene_network --x1 1 --x2 4.5 --output results/extinct
//     gene_network --production 60 --step 1e-4 --theta 1 --output results/strong

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <memory>

#include "../support/ExampleRun.hpp"
#include "ExactNetwork.hpp"

using namespace delassus;

namespace {

struct Options {
  double degradation1 = 4.5;
  double degradation2 = 1.5;
  double production = 40.;
  double low = 4.;
  double high = 8.;
  double x1 = 1.;
  double x2 = 6.;
  RunOptions run{.step = 1e-3, .end = 3., .theta = 0.5, .output = "gene_network"};
};

struct Network {
  std::shared_ptr<FirstOrderLinearTIDS> genes;
  std::shared_ptr<Interaction> steps;
  std::unique_ptr<NonSmoothDynamicalSystem> model;
  std::unique_ptr<TimeStepping> simulation;
};

Network makeNetwork(const Options& o, const std::array<double, 2>& start) {
  auto model = std::make_unique<NonSmoothDynamicalSystem>(0., o.run.end);

  // 1. The system: concentrations that decay, ẋᵢ = −kᵢ xᵢ + rᵢ.
  const auto genes = model->insert(
      "genes", std::make_shared<FirstOrderLinearTIDS>(makeVector({start[0], start[1]}),
                                                      makeMatrix({{-o.degradation1, 0.}, {0., -o.degradation2}})));

  // 2. The step functions as relays: with λ in [0, 1] and y = threshold − x, λ is 1 above the threshold and 0 below.
  //    Each gene is produced while the other is above the low threshold and itself below the high one.
  const auto output = automatic([a = o.low, b = o.high](auto, const auto& x, const auto&, auto& y) {
    y(0) = a - x(0);
    y(1) = a - x(1);
    y(2) = b - x(0);
    y(3) = b - x(1);
  });
  const auto input = automatic([p = o.production](auto, const auto& lambda, auto& r) {
    r(0) = p * lambda(1) * (1. - lambda(2));
    r(1) = p * lambda(0) * (1. - lambda(3));
  });
  const auto steps = model->link("steps", RelayNSL(4, 0., 1.), FirstOrderType2R(4, output, input), genes);

  // 3. The simulation.
  auto simulation = std::make_unique<TimeStepping>(*model, o.run.step, EulerMoreauOSI(o.run.theta));
  return {genes, steps, std::move(model), std::move(simulation)};
}

// 4. The trajectory from the given state, with its largest error.
void writeTrajectory(const Options& o) {
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "x1", "x2", "lambda1", "lambda2", "lambda3", "lambda4", "x1 exact", "x2 exact"});
  const ExactNetwork exact{{o.degradation1, o.degradation2}, o.production, o.low, o.high};
  double worst = 0.;
  const Network network = makeNetwork(o, {o.x1, o.x2});
  TimeStepping& simulation = *network.simulation;
  const auto record = [&] {
    const Vector& x = network.genes->x();
    const Vector& lambda = network.steps->lambda(0);
    const std::array<double, 2> e = exact.at({o.x1, o.x2}, simulation.time());
    worst = std::max({worst, std::abs(x(0) - e[0]), std::abs(x(1) - e[1])});
    table.writeRow({simulation.time(), x(0), x(1), lambda(0), lambda(1), lambda(2), lambda(3), e[0], e[1]});
  };
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("errors", {&worst});
  run.toTheEnd(record);
  const Vector& x = network.genes->x();
  const Vector& lambda = network.steps->lambda(0);
  std::printf("At the end x = (%.6f, %.6f), lambda = (%.6f, %.6f, %.6f, %.6f)\n", x(0), x(1), lambda(0), lambda(1),
              lambda(2), lambda(3));
  std::printf("Largest error against the exact exponentials: %.2e\n", worst);
}

// 5. The phase portrait: runs from a grid of states, each with its number.
void writePortrait(const Options& o) {
  TableWriter table(o.run.file("portrait.csv"), {"run", "x1", "x2"});
  constexpr int count = 6;
  for (int run = 0; run < count * count; ++run) {
    const auto at = [&](int index) { return 1.5 * o.high * (index + 0.5) / count; };
    const Network network = makeNetwork(o, {at(run % count), at(run / count)});
    const auto record = [&] {
      const Vector& x = network.genes->x();
      if (network.simulation->stepIndex() % 4 == 0) table.writeRow({static_cast<double>(run), x(0), x(1)});
    };
    record();
    network.simulation->run(record);
  }
  table.close();
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--degradation1", o.degradation1, "Degradation k1, 1/s");
    line.add("--degradation2", o.degradation2, "Degradation k2, 1/s");
    line.add("--production", o.production, "Production p, 1/s");
    line.add("--low", o.low, "Threshold that switches the other gene on");
    line.add("--high", o.high, "Threshold that switches the gene itself off");
    line.add("--x1", o.x1, "Initial concentration x1");
    line.add("--x2", o.x2, "Initial concentration x2");
  };
  return runExample(argc, argv, "A network of two genes with step functions (Euler-Moreau time stepping)", o.run,
                    options, [&] {
                      writeTrajectory(o);
                      writePortrait(o);
                    });
}
