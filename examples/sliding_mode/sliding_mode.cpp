// SPDX-License-Identifier: Apache-2.0
//
// Sliding-mode control of a double integrator under a disturbance: the sampled sign chatters, its implicit
// discretisation does not. See README.md for the equations.
//
//     sliding_mode
//     sliding_mode --step 0.1 --output results/coarse
//     sliding_mode --disturbance 0 --gain 4 --output results/undisturbed

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <functional>
#include <memory>
#include <utility>

#include "../support/ExampleRun.hpp"

using namespace delassus;

namespace {

struct Options {
  double gain = 2.;
  double slope = 1.;
  double disturbance = 0.7;
  double frequency = 3.;
  double position = 1.;
  double velocity = 0.;
  RunOptions run{.step = 0.02, .end = 6., .theta = 0.5, .output = "sliding_mode"};

  double slidingVariable(const Vector& x) const { return x(1) + slope * x(0); }
};

// 1. The system: ẋ₁ = x₂, ẋ₂ = u + d(t), under a control that is held over each step (a parameter z of the source).
std::shared_ptr<FirstOrderLinearTIDS> makePlant(const Options& o) {
  auto plant =
      std::make_shared<FirstOrderLinearTIDS>(makeVector({o.position, o.velocity}), makeMatrix({{0., 1.}, {0., 0.}}));
  plant->setB([=](double t, const Vector& z, Vector& b) { b(1) = z(0) + o.disturbance * std::sin(o.frequency * t); });
  plant->setZ(makeVector({0.}));
  return plant;
}

// 2. The relay: s = x₂ + c x₁, u = a λ, λ ∈ −sgn(s).
std::shared_ptr<Interaction> makeRelay(const Options& o) {
  return std::make_shared<Interaction>(RelayNSL(),
                                       FirstOrderLinearTIR(makeMatrix({{o.slope, 1.}}), makeMatrix({{0.}, {o.gain}})));
}

/// 3. The implicit controller: asks the nominal model, which knows of no disturbance, for the λ of one step ahead.
class ImplicitController {
 public:
  ImplicitController(const Options& o, double h)
      : gain_(o.gain),
        nominal_(std::make_shared<FirstOrderLinearTIDS>(makeVector({0., 0.}), makeMatrix({{0., 1.}, {0., 0.}}))),
        relay_(makeRelay(o)),
        model_(0., o.run.end) {
    model_.insert(nominal_);
    model_.link(relay_, nominal_);
    simulation_ = std::make_unique<TimeStepping>(model_, h, EulerMoreauOSI(o.run.theta));
  }

  double operator()(const Vector& x) {
    nominal_->setState(x);
    simulation_->step();
    return gain_ * relay_->lambda(0)(0);
  }

  Simulation& simulation() { return *simulation_; }

 private:
  double gain_;
  std::shared_ptr<FirstOrderLinearTIDS> nominal_;
  std::shared_ptr<Interaction> relay_;
  NonSmoothDynamicalSystem model_;
  std::unique_ptr<TimeStepping> simulation_;
};

/// The plant under a controller that samples its state; `afterStep` gets the time, the state and the control.
void control(const Options& o, double h, const std::function<double(const Vector&)>& controller,
             const std::function<void(double, const Vector&, double)>& afterStep) {
  const auto plant = makePlant(o);
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.insert(plant);
  TimeStepping simulation(model, h, EulerMoreauOSI(o.run.theta));
  while (simulation.hasNextStep()) {
    const double u = controller(plant->x());
    plant->setZ(makeVector({u}));
    simulation.step();
    afterStep(simulation.time(), plant->x(), u);
  }
}

double sampledSign(const Options& o, const Vector& x) {
  return o.slidingVariable(x) > 0. ? -o.gain : o.gain;
}

/// 4. The closed loop as one model: the relay acts in continuous time, its disturbance is part of the step.
void closedLoop(const Options& o, double h, const std::function<void(double, const Vector&, double)>& afterStep) {
  const auto plant = makePlant(o);
  const auto relay = makeRelay(o);
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.insert(plant);
  model.link(relay, plant);
  TimeStepping simulation(model, h, EulerMoreauOSI(o.run.theta));
  simulation.run([&] { afterStep(simulation.time(), plant->x(), o.gain * relay->lambda(0)(0)); });
}

// 5. What is left of s in the second half of the run, for several steps.
void compareSteps(const Options& o) {
  std::printf("Largest |s| in the second half of the run:\n  %-8s %-14s %-20s %-14s %s\n", "h [s]", "sampled sign",
              "implicit controller", "its bound", "closed loop in one model");
  for (const double h : {1e-1, 1e-2, 1e-3, 1e-4}) {
    double worst = 0.;
    const auto measure = [&](double t, const Vector& x, double) {
      if (t > 0.5 * o.run.end) worst = std::max(worst, std::abs(o.slidingVariable(x)));
    };
    control(
        o, h, [&](const Vector& x) { return sampledSign(o, x); }, measure);
    const double explicitly = std::exchange(worst, 0.);
    ImplicitController controller(o, h);
    control(o, h, std::ref(controller), measure);
    const double implicitly = std::exchange(worst, 0.);
    closedLoop(o, h, measure);
    std::printf("  %-8.0e %-14.2e %-20.2e %-14.2e %.1e\n", h, explicitly, implicitly,
                h * o.disturbance * (1. + 0.5 * o.slope * h), worst);
  }
}

// 6. The trajectory of both controllers at the given step.
void writeTrajectory(const Options& o) {
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "x1 [m]", "x2 [m/s]", "s [m/s]", "u [m/s^2]", "x1 explicit [m]", "x2 explicit [m/s]",
                     "s explicit [m/s]", "u explicit [m/s^2]"});
  const auto plant = makePlant(o);
  const auto other = makePlant(o);
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.insert(plant);
  model.insert(other);
  TimeStepping simulation(model, o.run.step, EulerMoreauOSI(o.run.theta));
  ImplicitController controller(o, o.run.step);
  double u = 0., v = 0.;
  const auto hold = [&] {
    plant->setZ(makeVector({u}));
    other->setZ(makeVector({v}));
  };
  const auto sample = [&] {
    u = controller(plant->x());
    v = sampledSign(o, other->x());
    hold();
  };
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("controllers", [&](StateArchive& archive) {
    archive.value("u", u);
    archive.value("v", v);
    controller.simulation().serializeState(archive);
    if (archive.restores()) hold();
  });
  run.toTheEnd(sample, [&] {
    const Vector& x = plant->x();
    const Vector& y = other->x();
    table.writeRow({simulation.time(), x(0), x(1), o.slidingVariable(x), u, y(0), y(1), o.slidingVariable(y), v});
    if (simulation.hasNextStep()) sample();
  });
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--gain", o.gain, "Gain a of the relay, m/s^2");
    line.add("--slope", o.slope, "Slope c of the sliding surface x2 + c x1 = 0, 1/s");
    line.add("--disturbance", o.disturbance, "Amplitude of the disturbance, m/s^2");
    line.add("--frequency", o.frequency, "Its angular frequency, rad/s");
    line.add("--position", o.position, "Initial position, m");
    line.add("--velocity", o.velocity, "Initial velocity, m/s");
  };
  return runExample(argc, argv, "Sliding-mode control, implicit and by the sampled sign (Euler-Moreau time stepping)",
                    o.run, options, [&] {
                      compareSteps(o);
                      writeTrajectory(o);
                    });
}
