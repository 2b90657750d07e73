// SPDX-License-Identifier: Apache-2.0
//
// Filippov's example: two switching surfaces, and a spiral that reaches their intersection in finite time after
// infinitely many turns. See README.md for the equations.
//
//     filippov
//     filippov --step 1e-5 --output results/fine
//     filippov --method event-driven --output results/events
//     filippov --coupling 3 --x1 -2 --x2 0.5 --output results/loose

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "ExactSpiral.hpp"

using namespace delassus;

namespace {

struct Options {
  std::string method = "time-stepping";
  double gain = 2.;
  double coupling = 26.;
  double x1 = 3.;
  double x2 = 3.;
  double step = 1e-4;
  double end = 2.;
  double theta = 0.5;
  std::string output = "filippov";
  RunOptions run;
};

/// The trajectory beside the exact one, row by row, and what it says of the end of the spiral.
class Record {
 public:
  Record(const Options& o, const FirstOrderDS& particle, const Interaction& relays)
      : particle_(particle),
        relays_(relays),
        exact_({o.x1, o.x2}, o.gain, o.coupling),
        path_(std::filesystem::path(o.output) / "trajectory.csv"),
        table_(path_, {"t [s]", "x1", "x2", "lambda1", "lambda2", "x1 exact", "x2 exact"}) {}

  void add(double t) {
    const Vector& x = particle_.x();
    const Vector& lambda = relays_.lambda(0);
    const std::array<double, 2> e = exact_.at(t);
    table_.writeRow({t, x(0), x(1), lambda(0), lambda(1), e[0], e[1]});
    error_ = std::max({error_, std::abs(x(0) - e[0]), std::abs(x(1) - e[1])});
    const bool inside = t > 0. && std::abs(lambda(0)) < 1. && std::abs(lambda(1)) < 1.;
    if (reached_ < 0. && inside) reached_ = t;
    if (reached_ >= 0.) rest_ = std::max({rest_, std::abs(x(0)), std::abs(x(1))});
  }

  void keepIn(ExampleRun& run) {
    run.keep(table_);
    run.keep("errors", {&error_, &reached_, &rest_});
  }

  void print() const {
    if (reached_ >= 0.) {
      std::printf("The origin is reached at t = %.5f s (exact %.5f s) and left by no more than %.1e from then on.\n",
                  reached_, exact_.reachingTime(), rest_);
    } else {
      std::printf("The origin is not reached before the end (exact: %.5f s).\n", exact_.reachingTime());
    }
    std::printf("Largest error of x: %.1e\nTrajectory: %s\n", error_, path_.c_str());
  }

 private:
  const FirstOrderDS& particle_;
  const Interaction& relays_;
  ExactSpiral exact_;
  std::filesystem::path path_;
  TableWriter table_;
  double error_ = 0., reached_ = -1., rest_ = 0.;
};

/// The switchings: kind 0 is a switching, 1 the beginning of sliding, 2 the end of the spiral, passed at once with
/// `left` to go.
void writeEvents(const Options& o, const std::vector<Event>& events) {
  const std::filesystem::path path = std::filesystem::path(o.output) / "events.csv";
  TableWriter table(path, {"t [s]", "kind", "x1", "x2", "left [s]"});
  for (const Event& event : events) {
    const double kind = event.kind == EventKind::accumulation ? 2. : event.kind == EventKind::sliding ? 1. : 0.;
    table.writeRow({event.t, kind, event.before(0), event.before(1), event.duration});
  }
  table.close();
  if (!events.empty() && events.back().kind == EventKind::accumulation) {
    std::printf("The last %.1e s of the spiral, from t = %.9f s on, are passed at once: its end is at t = %.12f s\n",
                events.back().duration, events.back().t, events.back().t + events.back().duration);
  }
  std::printf("Events: %s\n", path.c_str());
}

/// 4. The run, with either simulation; a row at the start and one after each step or output.
template <class Simulation>
void run(const Options& o, Simulation& simulation, Record& record) {
  ExampleRun run(o.run, simulation, "filippov", o.output);
  record.keepIn(run);
  run.toTheEnd([&] { record.add(simulation.time()); });
  std::printf("%s\n", simulation.summary().c_str());
  record.print();
}

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

  Record record(o, *particle, *relays);
  const TimeDiscretisation times(0., o.step);
  if (o.method == "event-driven") {
    EventDriven simulation(model, times);
    run(o, simulation, record);
    writeEvents(o, simulation.events());
  } else {
    TimeStepping simulation(model, times, EulerMoreauOSI(o.theta), Relay());
    run(o, simulation, record);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Filippov's example with two switching surfaces, by time stepping (Euler-Moreau) or from event to event");
  app.option_defaults()->always_capture_default();
  Options options;
  app.add_option("--method", options.method, "How to simulate")
      ->check(CLI::IsMember({"time-stepping", "event-driven"}));
  app.add_option("--gain", options.gain, "Gain g of the relays, 1/s");
  app.add_option("--coupling", options.coupling, "Coupling b of the relays")->check(CLI::Range(1. + 1e-9, 1e9));
  app.add_option("--x1", options.x1, "Initial x1");
  app.add_option("--x2", options.x2, "Initial x2");
  app.add_option("--step", options.step, "Step h, s; event-driven: interval of the output");
  app.add_option("--end", options.end, "Final time, s");
  app.add_option("--theta", options.theta, "Theta of the Euler-Moreau scheme (without effect: the system has no A)");
  app.add_option("--output", options.output, "Folder for trajectory.csv");
  options.run.addTo(app);
  return runProgram("filippov", app, argc, argv, [&] { simulate(options); });
}
