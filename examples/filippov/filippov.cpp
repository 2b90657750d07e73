// SPDX-License-Identifier: Apache-2.0
//
// Filippov's example: two switching surfaces, and a spiral that reaches their intersection in finite time after
// infinitely many turns. See README.md for the equations.
//
//     filippov
//     filippov --step 1e-5 --output results/fine
//     filippov --method event-driven --output results/events
//     filippov --coupling 3 --x1 -2 --x2 0.5 --output results/loose

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
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
  RunOptions run{.step = 1e-4, .end = 2., .theta = 0.5, .output = "filippov"};
};

/// The trajectory beside the exact one, row by row, and what it says of the end of the spiral.
class Record {
 public:
  Record(const Options& o, const FirstOrderDS& particle, const Interaction& relays)
      : particle_(particle),
        relays_(relays),
        exact_({o.x1, o.x2}, o.gain, o.coupling),
        table_(o.run.file("trajectory.csv"), {"t [s]", "x1", "x2", "lambda1", "lambda2", "x1 exact", "x2 exact"}) {}

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
    std::printf("Largest error of x: %.1e\n", error_);
  }

 private:
  const FirstOrderDS& particle_;
  const Interaction& relays_;
  ExactSpiral exact_;
  TableWriter table_;
  double error_ = 0., reached_ = -1., rest_ = 0.;
};

/// The switchings: kind 0 is a switching, 1 the beginning of sliding, 2 the end of the spiral, passed at once with
/// `left` to go.
void writeEvents(const Options& o, const std::vector<Event>& events) {
  TableWriter table(o.run.file("events.csv"), {"t [s]", "kind", "x1", "x2", "left [s]"});
  for (const Event& event : events) {
    const double kind = event.kind == EventKind::accumulation ? 2. : event.kind == EventKind::sliding ? 1. : 0.;
    table.writeRow({event.t, kind, event.before(0), event.before(1), event.duration});
  }
  table.close();
  if (!events.empty() && events.back().kind == EventKind::accumulation) {
    std::printf("The last %.1e s of the spiral, from t = %.9f s on, are passed at once: its end is at t = %.12f s\n",
                events.back().duration, events.back().t, events.back().t + events.back().duration);
  }
}

/// 3. The run, with either simulation; a row at the start and one after each step or output.
template <class Simulation>
void run(const Options& o, Simulation& simulation, Record& record) {
  ExampleRun run(o.run, simulation);
  record.keepIn(run);
  run.toTheEnd([&] { record.add(simulation.time()); });
  record.print();
}

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  // 1. The system: ẋ = r, nothing else.
  const auto particle = model.insert(
      "particle", std::make_shared<FirstOrderLinearTIDS>(makeVector({o.x1, o.x2}), makeMatrix({{0., 0.}, {0., 0.}})));

  // 2. Two relays: y = x, r = g [1 −b; b 1] λ, λ ∈ −sgn(y).
  const double g = o.gain;
  const double b = o.coupling;
  const auto relays = model.link(
      "relays", RelayNSL(2), FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{g, -g * b}, {g * b, g}})), particle);

  Record record(o, *particle, *relays);
  const TimeDiscretisation times(0., o.run.step);
  if (o.method == "event-driven") {
    EventDriven simulation(model, times);
    run(o, simulation, record);
    writeEvents(o, simulation.events());
  } else {
    TimeStepping simulation(model, times, EulerMoreauOSI(o.run.theta));
    run(o, simulation, record);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--method", o.method, "How to simulate").oneOf({"time-stepping", "event-driven"});
    line.add("--gain", o.gain, "Gain g of the relays, 1/s");
    line.add("--coupling", o.coupling, "Coupling b of the relays").between(1. + 1e-9, 1e9);
    line.add("--x1", o.x1, "Initial x1");
    line.add("--x2", o.x2, "Initial x2");
  };
  return runExample(
      argc, argv,
      "Filippov's example with two switching surfaces, by time stepping (Euler-Moreau) or from event to event", o.run,
      options, [&] { simulate(o); });
}
