// SPDX-License-Identifier: Apache-2.0
//
// A buck converter with its controller: thousands of switchings without any search for events. See README.md for the
// equations.
//
//     buck_converter
//     buck_converter --load 50 --output results/discontinuous
//     buck_converter --reference 3.3 --step 1e-8 --end 2e-3 --every 1

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>

#include "../support/ExampleRun.hpp"
#include "BuckCircuit.hpp"

using namespace delassus;

namespace {

struct Options {
  BuckConverterParameters parameters;
  std::size_t every = 10;
  RunOptions run{.step = 5e-8, .theta = 1., .output = "buck_converter"};
};

struct Regulation {
  double mean = 0.;    // of v_o, V
  double ripple = 0.;  // of v_o within a period, V
  double duty = 0.;    // mean of s
};

// What averaging over a period of straight lines gives at the mean output V_ref.
Regulation expectedRegulation(const BuckConverterParameters& p) {
  const double T = 1. / p.frequency, V = p.reference, I = V / p.load;
  // Continuous conduction: mean voltages with the losses at the mean current.
  const double off = p.diodeDrop + p.diodeResistance * I;
  double duty = (V + p.inductorResistance * I + off) / (p.supply - p.switchResistance * I + off);
  double rise = (p.supply - (p.switchResistance + p.inductorResistance) * I - V) / p.inductance;
  double fall = duty / (1. - duty) * rise;
  double lowest = I - 0.5 * rise * duty * T;
  if (lowest < 0.) {
    // Discontinuous conduction: triangles from zero with the mean I; the resistances hardly matter.
    rise = (p.supply - V) / p.inductance;
    fall = (V + p.diodeDrop) / p.inductance;
    duty = std::sqrt(2. * I / (T * rise * (1. + rise / fall)));
    lowest = 0.;
  }
  // The ripple of ρ i + q / C, q the charge that i − I has brought: extreme at corners of i or inside a segment.
  const double onTime = duty * T, offTime = onTime * rise / fall;
  double smallest = 0., largest = 0., charge = 0., current = lowest - I;
  const double start = p.capacitorResistance * current;
  for (const auto& [time, slope] : {std::array{onTime, rise}, std::array{offTime, -fall}}) {
    const double inside = -(p.capacitorResistance * p.capacitance + current / slope);
    for (const double t : {std::clamp(inside, 0., time), time}) {
      const double q = charge + (current + 0.5 * slope * t) * t;
      const double v = p.capacitorResistance * (current + slope * t) + q / p.capacitance - start;
      smallest = std::min(smallest, v);
      largest = std::max(largest, v);
    }
    charge += (current + 0.5 * slope * time) * time;
    current += slope * time;
  }
  return {V, largest - smallest, duty};
}

// Means over whole periods of the second half of the run.
class Meter {
 public:
  explicit Meter(const BuckConverterParameters& p) : frequency_(p.frequency), begin_(0.5 * p.end * p.frequency) {}

  void add(double t, double step, double v, double state) {
    const bool closed = state > 0.5;
    if (closed != closed_) ++switchings_;
    closed_ = closed;
    const double period = std::floor((t - 0.5 * step) * frequency_);
    if (period < begin_) return;
    if (period != period_) finishPeriod();
    period_ = period;
    smallest_ = std::min(smallest_, v);
    largest_ = std::max(largest_, v);
    time_ += step;
    voltage_ += v * step;
    closedTime_ += state * step;
  }

  void serializeState(StateArchive& archive) {
    for (double* const number :
         {&period_, &smallest_, &largest_, &ripple_, &periods_, &time_, &voltage_, &closedTime_}) {
      archive.value("meter", *number);
    }
    archive.value("closed", closed_);
    archive.value("switchings", switchings_);
  }

  std::size_t switchings() const { return switchings_; }
  Regulation regulation() const { return {voltage_ / time_, ripple_ / periods_, closedTime_ / time_}; }

 private:
  void finishPeriod() {
    if (largest_ >= smallest_) {
      ripple_ += largest_ - smallest_;
      periods_ += 1.;
    }
    smallest_ = HUGE_VAL;
    largest_ = -HUGE_VAL;
  }

  double frequency_;
  double begin_;
  double period_ = -1.;
  double smallest_ = HUGE_VAL, largest_ = -HUGE_VAL;
  double ripple_ = 0., periods_ = 0., time_ = 0., voltage_ = 0., closedTime_ = 0.;
  bool closed_ = false;
  std::size_t switchings_ = 0;
};

void simulate(const Options& o) {
  // 1. The model: power stage and controller by their elements.
  requireParameters(o.parameters);
  NonSmoothDynamicalSystem model(0., o.parameters.end);
  CircuitInstance converter = makeBuckCircuit(o.parameters).insertInto(model, "converter");

  // 2. The simulation: Euler-Moreau on a uniform grid, in each step a mixed problem.
  TimeStepping simulation(model, o.run.step, EulerMoreauOSI(o.run.theta));
  converter.attach(simulation);

  // 3. The trajectory: a row at the start and one each `every` steps.
  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "i_L [A]", "v_o [V]", "v [V]", "i_D [A]", "i_S [A]", "s"});
  const auto record = [&] {
    table.writeRow({simulation.time(), converter.current("L"), converter.voltage("out"), converter.voltage("x"),
                    converter.current("D"), converter.current("S"), converter.voltage("s")});
  };

  // 4. The run.
  Meter meter(o.parameters);
  ExampleRun run(o.run, simulation);
  run.keep(table);
  run.keep("meter", [&](StateArchive& archive) { meter.serializeState(archive); });
  run.toTheEnd(record, [&] {
    meter.add(simulation.time(), o.run.step, converter.voltage("out"), converter.voltage("s"));
    if (simulation.stepIndex() % o.every == 0) record();
  });

  // 5. The regulated output against the averaged model.
  const Regulation found = meter.regulation();
  const Regulation expected = expectedRegulation(o.parameters);
  std::printf("%zu switchings\n", meter.switchings());
  std::printf("               second half   averaged model\n");
  std::printf("mean v_o [V]   %11.4f   %14.4f\n", found.mean, expected.mean);
  std::printf("ripple  [mV]   %11.4f   %14.4f\n", 1e3 * found.ripple, 1e3 * expected.ripple);
  std::printf("duty cycle     %11.4f   %14.4f\n", found.duty, expected.duty);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    BuckConverterParameters& p = o.parameters;
    line.add("--supply", p.supply, "Supply voltage, V");
    line.add("--reference", p.reference, "Wanted output voltage, V");
    line.add("--load", p.load, "Load, ohm; above 8 the conduction is discontinuous");
    line.add("--inductance", p.inductance, "Inductance, H");
    line.add("--capacitance", p.capacitance, "Capacitance, F");
    line.add("--esr", p.capacitorResistance, "Series resistance of the capacitor, ohm");
    line.add("--frequency", p.frequency, "Frequency of the sawtooth, Hz");
    line.add("--kp", p.proportionalGain, "Proportional gain");
    line.add("--ki", p.integralGain, "Integral gain, 1/s");
    line.add("--kd", p.derivativeGain, "Derivative gain, s");
    line.add("--end", p.end, "Final time, s");
    line.add("--every", o.every, "Steps between two rows of the table").positive();
  };
  return runExample(argc, argv,
                    "A buck converter with PID controller and pulse-width modulation (Euler-Moreau time stepping)",
                    o.run, options, [&] { simulate(o); });
}
