// SPDX-License-Identifier: Apache-2.0
//
// N beads above each other fall on the ground and on one another. See README.md for the equations.
//
//     column_of_beads
//     column_of_beads --beads 100 --restitution 0.5 --end 4
//     column_of_beads --beads 1000 --distance 0.2 --height 0.1 --restitution 0 --end 0.5 --output results/resting

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/NumberChecks.hpp"

using namespace delassus;

namespace {

struct Options {
  std::size_t beads = 10;
  double mass = 1.;
  double radius = 0.1;
  double gravity = 9.81;
  double height = 1.;
  double distance = 0.25;
  double restitution = 0.9;
  double step = 5e-4;
  double end = 2.;
  double theta = 0.5;
  std::size_t every = 1;
  std::string output = "column_of_beads";
  RunOptions run;
};

struct Column {
  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> beads;
  std::vector<std::shared_ptr<Interaction>> contacts;

  explicit Column(const Options& o) : model(0., o.end) {
    // 1. The beads: m v̇ = −m g + p, one above the other.
    for (std::size_t i = 0; i < o.beads; ++i) {
      const double q0 = o.height + o.distance * static_cast<double>(i);
      beads.push_back(
          std::make_shared<LagrangianLinearTIDS>(makeVector({q0}), makeVector({0.}), makeMatrix({{o.mass}})));
      beads.back()->setName("bead " + std::to_string(i));
      beads.back()->setExternalForces(makeVector({-o.mass * o.gravity}));
      model.insert(beads.back());
    }
    // 2. The contacts: with the ground, y = q₀ − r, and between neighbours, y = q_{i+1} − q_i − 2r.
    const NewtonImpactNSL law(o.restitution);
    contacts.push_back(
        std::make_shared<Interaction>(law, LagrangianLinearTIR(makeMatrix({{1.}}), makeVector({-o.radius}))));
    contacts.back()->setName("ground");
    model.link(contacts.back(), beads.front());
    for (std::size_t i = 1; i < o.beads; ++i) {
      contacts.push_back(std::make_shared<Interaction>(
          law, LagrangianLinearTIR(makeMatrix({{-1., 1.}}), makeVector({-2. * o.radius}))));
      contacts.back()->setName("contact " + std::to_string(i));
      model.link(contacts.back(), beads[i - 1], beads[i]);
    }
  }
};

std::vector<std::string> columnNames(std::size_t beads) {
  std::vector<std::string> names{"t [s]", "contacts"};
  for (std::size_t i = 0; i < beads; ++i) names.push_back("q" + std::to_string(i) + " [m]");
  for (std::size_t i = 0; i < beads; ++i) names.push_back("lambda" + std::to_string(i) + " [N s]");
  return names;
}

void simulate(const Options& o) {
  Column column(o);

  // 3. The simulation. The default LCP is sparse and warm started: a step costs about as much a bead for 1000 beads at
  // rest as for 10.
  TimeStepping simulation(column.model, TimeDiscretisation(0., o.step), MoreauJeanOSI(o.theta), LCP());

  // 4. The run, with a row at the start and after every so many steps.
  const std::filesystem::path path = std::filesystem::path(o.output) / "trajectory.csv";
  TableWriter table(path, columnNames(o.beads));
  std::vector<double> row;
  const auto record = [&] {
    row.assign({simulation.time(), static_cast<double>(simulation.lastStep().problemSize)});
    for (const auto& bead : column.beads) row.push_back(bead->q()(0));
    for (const auto& contact : column.contacts) row.push_back(contact->lambda(1)(0));
    table.writeRow(row);
  };
  const auto start = std::chrono::steady_clock::now();
  ExampleRun run(o.run, simulation, "column of beads", o.output);
  run.keep(table);
  run.toTheEnd(record, [&] {
    if (simulation.stepIndex() % o.every == 0 || !simulation.hasNextStep()) record();
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%s\nTrajectory: %s (%.3g s in all, writing included)\n", simulation.statistics().summary().c_str(),
              path.c_str(), seconds);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("N beads that fall on the ground and on one another (Moreau-Jean time stepping)");
  app.option_defaults()->always_capture_default();
  Options options;
  app.add_option("--beads", options.beads, "Number of beads")->check(CLI::Range(1, 100000));
  app.add_option("--mass", options.mass, "Mass of a bead, kg");
  app.add_option("--radius", options.radius, "Radius of a bead, m");
  app.add_option("--gravity", options.gravity, "Acceleration of gravity, m/s^2");
  app.add_option("--height", options.height, "Initial height of the lowest bead's centre, m");
  app.add_option("--distance", options.distance, "Initial distance of the centres, m");
  app.add_option("--restitution", options.restitution, "Coefficient of restitution of every contact");
  app.add_option("--step", options.step, "Step h, s");
  app.add_option("--end", options.end, "Final time, s");
  app.add_option("--theta", options.theta, "Theta of the Moreau-Jean scheme");
  app.add_option("--every", options.every, "Steps between two rows of the trajectory")->check(positiveNumber());
  app.add_option("--output", options.output, "Folder for trajectory.csv");
  options.run.addTo(app);
  return runProgram("column_of_beads", app, argc, argv, [&] { simulate(options); });
}
