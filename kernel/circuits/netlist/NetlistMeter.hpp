// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/Netlist.hpp>
#include <functional>
#include <vector>

namespace delassus {

/// Takes the measures of a netlist (`.meas`) along a run. Between two instants at which it is told to look an
/// expression counts as a straight line, of which averages, rms values and integrals are exact:
///
///     ∫ f dt = h (a + b) / 2,   ∫ f² dt = h (a² + a b + b²) / 3     on a step of length h from a to b.
///
/// Before the first instant it counts as what it is there. Where an expression may jump, it is looked at before and
/// after: cut() and goOn(). Without goOn() what comes after a cut counts as constant until the next instant, of which
/// the error is h²/2 of the slope. No memory is taken after the constructor.
class NetlistMeter {
 public:
  /// Looks at a signal.
  using Probe = std::function<double()>;

  /// Measures without FROM and TO are of all from `start` to `end`. `probeOf` finds a signal. Throws NetlistError for a
  /// measure beyond.
  NetlistMeter(const std::vector<NetlistMeasure>& measures, double start, double end,
               const std::function<Probe(const NetlistSignal&)>& probeOf);

  /// Looks at all signals, at instants that ascend. Throws NetlistError where an expression divides by zero or is not
  /// finite.
  void look(double t);
  /// Looks just before a jump at t, where the line ends. What look() sees at the same instant has no effect.
  void cut(double t);
  /// Looks just after a jump at t: a line begins there.
  void goOn(double t);
  /// The value of a measure by its index; NaN before its interval is entered.
  double value(std::size_t measure) const;

 private:
  struct Track {
    const NetlistMeasure* measure = nullptr;
    std::vector<Probe> probes;
    std::vector<double> signals;
    double from = 0.;
    double to = 0.;
    double last = 0.;  // value at the instant before
    bool hasLast = false;
    double duration = 0.;
    double integral = 0.;
    double square = 0.;
    double smallest = 0.;
    double largest = 0.;
  };

  void add(Track& track, double t);

  double previous_;
  bool isCut_ = false;
  std::vector<Track> tracks_;
};

}  // namespace delassus
