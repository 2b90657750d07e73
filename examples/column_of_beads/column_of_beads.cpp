// SPDX-License-Identifier: Apache-2.0
//
// N beads above each other fall on the ground and on one another. See README.md for the equations.
//
//     column_of_beads
//     column_of_beads --beads 100 --restitution 0.5 --end 4
//     column_of_beads --beads 1000 --distance 0.2 --height 0.1 --restitution 0 --end 0.5 --output results/resting

#include <chrono>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <string>
#include <vector>

#include "../support/ExampleRun.hpp"

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
  std::size_t every = 1;
  RunOptions run{.step = 5e-4, .end = 2., .theta = 0.5, .output = "column_of_beads"};
};

struct Column {
  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> beads;
  std::vector<std::shared_ptr<Interaction>> contacts;

  explicit Column(const Options& o) : model(0., o.run.end) {
    // 1. The beads: m v̇ = −m g + p, one above the other.
    for (std::size_t i = 0; i < o.beads; ++i) {
      const double q0 = o.height + o.distance * static_cast<double>(i);
      beads.push_back(
          std::make_shared<LagrangianLinearTIDS>(makeVector({q0}), makeVector({0.}), makeMatrix({{o.mass}})));
      beads.back()->setExternalForces(makeVector({-o.mass * o.gravity}));
      model.insert("bead " + std::to_string(i), beads.back());
    }
    // 2. The contacts: with the ground, y = q₀ − r, and between neighbours, y = q_{i+1} − q_i − 2r.
    const NewtonImpactNSL law(o.restitution);
    const LagrangianLinearTIR onGround(makeMatrix({{1.}}), makeVector({-o.radius}));
    contacts.push_back(model.link("ground", law, onGround, beads.front()));
    for (std::size_t i = 1; i < o.beads; ++i) {
      const LagrangianLinearTIR between(makeMatrix({{-1., 1.}}), makeVector({-2. * o.radius}));
      contacts.push_back(model.link("contact " + std::to_string(i), law, between, beads[i - 1], beads[i]));
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

  // 3. The simulation. The problem is an LCP, sparse and warm started: a step costs about as much a bead for 1000 beads
  // at rest as for 10.
  TimeStepping simulation(column.model, o.run.step, MoreauJeanOSI(o.run.theta));

  // 4. The run, with a row at the start and after every so many steps.
  TableWriter table(o.run.file("trajectory.csv"), columnNames(o.beads));
  std::vector<double> row;
  const auto record = [&] {
    row.assign({simulation.time(), static_cast<double>(simulation.lastStep().problemSize)});
    for (const auto& bead : column.beads) row.push_back(bead->q()(0));
    for (const auto& contact : column.contacts) row.push_back(contact->lambda(1)(0));
    table.writeRow(row);
  };
  const auto start = std::chrono::steady_clock::now();
  ExampleRun(o.run, simulation).keep(table).toTheEnd(record, [&] {
    if (simulation.stepIndex() % o.every == 0 || !simulation.hasNextStep()) record();
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%.3g s in all, writing included\n", seconds);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--beads", o.beads, "Number of beads").between(1, 100000);
    line.add("--mass", o.mass, "Mass of a bead, kg");
    line.add("--radius", o.radius, "Radius of a bead, m");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    line.add("--height", o.height, "Initial height of the lowest bead's centre, m");
    line.add("--distance", o.distance, "Initial distance of the centres, m");
    line.add("--restitution", o.restitution, "Coefficient of restitution of every contact");
    line.add("--every", o.every, "Steps between two rows of the trajectory").positive();
  };
  return runExample(argc, argv, "N beads that fall on the ground and on one another (Moreau-Jean time stepping)", o.run,
                    options, [&] { simulate(o); });
}
