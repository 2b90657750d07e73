// SPDX-License-Identifier: Apache-2.0
//
// Filippov's example: two switching surfaces, and a spiral that reaches their intersection in finite time after
// infinitely many turns. See README.md for the equations.
//
//     filippov
//     filippov --step 1e-5 --output results/fine
//     filippov --coupling 3 --x1 -2 --x2 0.5 --output results/loose

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

#include "ExactSpiral.hpp"

using namespace delassus;

namespace {

struct Options {
  double gain = 2.;
  double coupling = 26.;
  double x1 = 3.;
  double x2 = 3.;
  double step = 1e-4;
  double end = 2.;
  double theta = 0.5;
  std::string output = "filippov";
};

void simulate(const Options& o) {
  // 1. The system: ẋ = r, nothing else.
  const auto particle =
      std::make_shared<FirstOrderLinearTIDS>(makeVector({o.x1, o.x2}), makeMatrix({{0., 0.}, {0., 0.}}));
  particle->setName("particle");

  // 2. Two relays: y = x, r = g [1 −b; b 1] λ, λ ∈ −sgn(y).
  const double g = o.gain;
  const double b = o.coupling;
  const auto relays = std::make_shared<Interaction>(
      RelayNSL(2), FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{g, -g * b}, {g * b, g}})));
  relays->setName("relays");

  // 3. The model.
  NonSmoothDynamicalSystem model(0., o.end);
  model.insert(particle);
  model.link(relays, particle);

  // 4. The run, beside the exact solution.
  TimeStepping simulation(model, TimeDiscretisation(0., o.step), EulerMoreauOSI(o.theta), Relay());
  simulation.initialise();
  const ExactSpiral exact({o.x1, o.x2}, g, b);
  const std::filesystem::path path = std::filesystem::path(o.output) / "trajectory.csv";
  TableWriter table(path, {"t [s]", "x1", "x2", "lambda1", "lambda2", "x1 exact", "x2 exact"});
  double reached = -1.;
  double rest = 0.;
  const auto record = [&] {
    const Vector& x = particle->x();
    const Vector& lambda = relays->lambda(0);
    const double t = simulation.time();
    const std::array<double, 2> e = exact.at(t);
    table.writeRow({t, x(0), x(1), lambda(0), lambda(1), e[0], e[1]});
    const bool inside = t > 0. && std::abs(lambda(0)) < 1. && std::abs(lambda(1)) < 1.;
    if (reached < 0. && inside) reached = t;
    if (reached >= 0.) rest = std::max({rest, std::abs(x(0)), std::abs(x(1))});
  };
  record();
  ProgressBar progress("filippov", simulation.steps());
  simulation.run([&] {
    record();
    progress.update(simulation.stepIndex());
  });
  table.close();

  // 5. The end of the spiral.
  if (reached >= 0.) {
    std::printf("The origin is reached at t = %.5f s (exact %.5f s) and left by no more than %.1e from then on.\n",
                reached, exact.reachingTime(), rest);
  } else {
    std::printf("The origin is not reached before the end (exact: %.5f s).\n", exact.reachingTime());
  }
  std::printf("%s\nTrajectory: %s\n", simulation.statistics().summary().c_str(), path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Filippov's example with two switching surfaces (Euler-Moreau time stepping)");
  app.option_defaults()->always_capture_default();
  Options options;
  app.add_option("--gain", options.gain, "Gain g of the relays, 1/s");
  app.add_option("--coupling", options.coupling, "Coupling b of the relays")->check(CLI::Range(1. + 1e-9, 1e9));
  app.add_option("--x1", options.x1, "Initial x1");
  app.add_option("--x2", options.x2, "Initial x2");
  app.add_option("--step", options.step, "Step h, s");
  app.add_option("--end", options.end, "Final time, s");
  app.add_option("--theta", options.theta, "Theta of the Euler-Moreau scheme (without effect: the system has no A)");
  app.add_option("--output", options.output, "Folder for trajectory.csv");
  CLI11_PARSE(app, argc, argv);
  try {
    simulate(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "filippov: %s\n", error.what());
    return 1;
  }
  return 0;
}
