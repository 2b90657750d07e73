// SPDX-License-Identifier: Apache-2.0
//
// A buck converter with its controller: thousands of switchings without any search for events. The circuit is
// buck_converter.cir; see README.md for the equations.
//
//     buck_converter
//     buck_converter --load 50 --output results/discontinuous
//     buck_converter --reference 3.3 --step 1e-8 --end 2e-3 --every 1

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>

#include "../support/CircuitExample.hpp"

using namespace delassus;

namespace {

struct Regulation {
  double mean = 0.;    // of v_o, V
  double ripple = 0.;  // of v_o within a period, V
  double duty = 0.;    // mean of s
};

// What averaging over a period of straight lines gives at the mean output V_ref.
Regulation expectedRegulation(const CircuitExample& p) {
  const double T = 1. / p["f"], V = p["vref"], I = V / p["load"], supply = p["vin"], L = p["l"], esr = p["rc"];
  // Continuous conduction: mean voltages with the losses at the mean current.
  const double off = p["vf"] + p["rd"] * I;
  double duty = (V + p["rl"] * I + off) / (supply - p["rs"] * I + off);
  double rise = (supply - (p["rs"] + p["rl"]) * I - V) / L;
  double fall = duty / (1. - duty) * rise;
  double lowest = I - 0.5 * rise * duty * T;
  if (lowest < 0.) {
    // Discontinuous conduction: triangles from zero with the mean I; the resistances hardly matter.
    rise = (supply - V) / L;
    fall = (V + p["vf"]) / L;
    duty = std::sqrt(2. * I / (T * rise * (1. + rise / fall)));
    lowest = 0.;
  }
  // The ripple of ρ i + q / C, q the charge that i − I has brought: extreme at corners of i or inside a segment.
  const double onTime = duty * T, offTime = onTime * rise / fall;
  double smallest = 0., largest = 0., charge = 0., current = lowest - I;
  const double start = esr * current;
  for (const auto& [time, slope] : {std::array{onTime, rise}, std::array{offTime, -fall}}) {
    const double inside = -(esr * p["c"] + current / slope);
    for (const double t : {std::clamp(inside, 0., time), time}) {
      const double q = charge + (current + 0.5 * slope * t) * t;
      const double v = esr * (current + slope * t) + q / p["c"] - start;
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
  Meter(double frequency, double end) : frequency_(frequency), begin_(0.5 * end * frequency) {}

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

void simulate(const CircuitExample& example, std::size_t every) {
  // 1. The circuit, and its run: Euler-Moreau on a uniform grid, in each step a mixed problem.
  NonSmoothDynamicalSystem model(0., example.run.end);
  CircuitInstance converter = example.circuit().insertInto(model, "converter");
  TimeStepping simulation(model, example.run.step, EulerMoreauOSI(example.run.theta));
  converter.attach(simulation);

  // 2. A row at the start and one each `every` steps.
  TableWriter table(example.run.file("trajectory.csv"),
                    {"t [s]", "i_L [A]", "v_o [V]", "v [V]", "i_D [A]", "i_S [A]", "s"});
  const auto record = [&] {
    table.writeRow({simulation.time(), converter.current("L1"), converter.voltage("out"), converter.voltage("x"),
                    converter.current("D2"), converter.current("D1"), converter.voltage("s")});
  };
  Meter meter(example["f"], example.run.end);
  ExampleRun run(example.run, simulation);
  run.keep(table);
  run.keep("meter", [&](StateArchive& archive) { meter.serializeState(archive); });
  run.toTheEnd(record, [&] {
    meter.add(simulation.time(), example.run.step, converter.voltage("out"), converter.voltage("s"));
    if (simulation.stepIndex() % every == 0) record();
  });

  // 3. The regulated output against the averaged model.
  const Regulation found = meter.regulation();
  const Regulation expected = expectedRegulation(example);
  std::printf("%zu switchings\n", meter.switchings());
  std::printf("               second half   averaged model\n");
  std::printf("mean v_o [V]   %11.4f   %14.4f\n", found.mean, expected.mean);
  std::printf("ripple  [mV]   %11.4f   %14.4f\n", 1e3 * found.ripple, 1e3 * expected.ripple);
  std::printf("duty cycle     %11.4f   %14.4f\n", found.duty, expected.duty);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t every = 10;
  return runCircuitExample(
      argc, argv, "buck_converter", 1.,
      {{"--supply", "vin", "Supply voltage, V"},
       {"--reference", "vref", "Wanted output voltage, V"},
       {"--load", "load", "Load, ohm; above 8 the conduction is discontinuous"},
       {"--inductance", "l", "Inductance, H"},
       {"--inductor-resistance", "rl", "Series resistance of the inductor, ohm"},
       {"--capacitance", "c", "Capacitance, F"},
       {"--esr", "rc", "Series resistance of the capacitor, ohm"},
       {"--switch-resistance", "rs", "Resistance of the closed switch, ohm"},
       {"--diode-resistance", "rd", "Resistance of the diode, ohm"},
       {"--diode-drop", "vf", "Voltage of the diode at its threshold, V", false},
       {"--frequency", "f", "Frequency of the sawtooth, Hz"},
       {"--kp", "kp", "Proportional gain", false},
       {"--ki", "ki", "Integral gain, 1/s", false},
       {"--kd", "kd", "Derivative gain, s", false}},
      [&](const CircuitExample& example) { simulate(example, every); },
      [&](CommandLine& line) { line.add("--every", every, "Steps between two rows of the table").positive(); });
}
