// SPDX-License-Identifier: Apache-2.0
//
// Relay feedback around third-order plants: one that slides between its swings, and one with a limit cycle of known
// period. See README.md for the equations.
//
//     relay_feedback
//     relay_feedback --mode limit_cycle --end 60 --output results/cycle
//     relay_feedback --mode limit_cycle --step 1e-3 --theta 1 --output results/fine

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <memory>
#include <string>

#include "../support/ExampleRun.hpp"
#include "LagLimitCycle.hpp"

using namespace delassus;

namespace {

struct Options {
  std::string mode = "sliding";
  double xi = -0.07;
  double omega = 10.;
  double rate = 0.05;
  double sigma = -1.;
  double rho = 1.;
  double gain = 1.;
  RunOptions run{.step = 0.01, .end = 100., .theta = 0.5, .output = "relay_feedback"};
};

/// ẋ = A x + B λ, y = x₁.
struct Plant {
  Vector x0;
  Matrix A;
  Matrix B;
};

Plant slidingPlant(const Options& o) {
  const double w2 = o.omega * o.omega;
  return {makeVector({0., 0.5, 0.}),
          makeMatrix({{-(2. * o.xi * o.omega + o.rate), 1., 0.},
                      {-(2. * o.xi * o.omega * o.rate + w2), 0., 1.},
                      {-o.rate * w2, 0., 0.}}),
          makeMatrix({{o.gain}, {2. * o.gain * o.sigma * o.rho}, {o.gain * o.rho * o.rho}})};
}

Plant threeLags() {
  return {makeVector({0.3, 0., 0.}), makeMatrix({{-1., 1., 0.}, {0., -1., 1.}, {0., 0., -1.}}),
          makeMatrix({{0.}, {0.}, {1.}})};
}

/// Steps between the bounds of the relay, and how far y and λ are there from 0 and the equivalent control.
class SlidingMeter {
 public:
  explicit SlidingMeter(const Plant& plant, double theta) : plant_(plant), theta_(theta), before_(plant.x0) {}

  void add(const Vector& x, double lambda) {
    if (std::abs(lambda) < 1. && plant_.B(0, 0) != 0.) {
      double rate = 0.;
      for (std::size_t j = 0; j < 3; ++j) rate += plant_.A(0, j) * (theta_ * x(j) + (1. - theta_) * before_(j));
      output_ = std::max(output_, std::abs(x(0)));
      // A step that comes onto the surface from outside has to bring y to 0 as well.
      if (slides_) control_ = std::max(control_, std::abs(lambda + rate / plant_.B(0, 0)));
      ++steps_;
    }
    slides_ = std::abs(lambda) < 1.;
    before_ = x;
  }

  void serializeState(StateArchive& archive) {
    archive.value("before", before_);
    archive.value("slides", slides_);
    archive.value("steps", steps_);
    archive.value("output", output_);
    archive.value("control", control_);
  }

  std::size_t steps() const { return steps_; }
  double output() const { return output_; }
  double control() const { return control_; }

 private:
  Plant plant_;
  double theta_;
  Vector before_;
  bool slides_ = false;
  std::size_t steps_ = 0;
  double output_ = 0.;
  double control_ = 0.;
};

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);

  // 1. The system: the plant of the mode.
  const bool limitCycle = o.mode == "limit_cycle";
  const Plant plant = limitCycle ? threeLags() : slidingPlant(o);
  const auto system = model.insert("plant", std::make_shared<FirstOrderLinearTIDS>(plant.x0, plant.A));

  // 2. The relay: y = x₁, r = B λ, λ ∈ −sgn(y).
  const auto relay = model.link("relay", RelayNSL(), FirstOrderLinearTIR(makeMatrix({{1., 0., 0.}}), plant.B), system);

  // 3. The run; a row at the start and one after each step.
  TimeStepping simulation(model, o.run.step, EulerMoreauOSI(o.run.theta));
  simulation.initialise();
  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "x1", "x2", "x3", "lambda"});
  const auto record = [&] {
    const Vector& x = system->x();
    table.writeRow({simulation.time(), x(0), x(1), x(2), relay->lambda(0)(0)});
  };
  SlidingMeter sliding(plant, o.run.theta);
  CycleMeter cycle;
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("sliding", [&](StateArchive& archive) { sliding.serializeState(archive); });
  run.keep("cycle", [&](StateArchive& archive) { cycle.serializeState(archive); });
  run.toTheEnd(record, [&] {
    record();
    sliding.add(system->x(), relay->lambda(0)(0));
    cycle.add(simulation.time(), system->x()(0));
  });

  // 4. What is known of the solution.
  if (limitCycle) {
    const LagLimitCycle exact;
    if (cycle.cycles() > 0) {
      std::printf("Limit cycle: period %.5f s (exact %.5f s), amplitude %.5f (exact %.5f)\n", cycle.period(),
                  exact.period(), cycle.amplitude(), exact.amplitude());
    }
  } else {
    std::printf("%zu of %zu steps slide; there |y| <= %.1e, and lambda is the equivalent control to within %.1e\n",
                sliding.steps(), simulation.steps(), sliding.output(), sliding.control());
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--mode", o.mode, "The plant: an oscillator that slides, or three lags with a limit cycle")
        .oneOf({"sliding", "limit_cycle"});
    line.add("--xi", o.xi, "Damping ratio xi of the oscillator (mode sliding, as the next five)");
    line.add("--omega", o.omega, "Its angular frequency, rad/s");
    line.add("--rate", o.rate, "Its real pole, 1/s");
    line.add("--sigma", o.sigma, "Damping ratio sigma of its zeros");
    line.add("--rho", o.rho, "Angular frequency of its zeros, rad/s");
    line.add("--gain", o.gain, "Gain k");
  };
  return runExample(argc, argv, "Relay feedback with sliding or with a limit cycle (Euler-Moreau time stepping)", o.run,
                    options, [&] { simulate(o); });
}
