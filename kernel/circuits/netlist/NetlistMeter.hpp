// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/Netlist.hpp>
#include <functional>
#include <optional>
#include <vector>

namespace delassus {

/// Takes the measures of a netlist (`.meas`) along a run. Between two instants at which it is told to look an
/// expression counts as a straight line, of which averages, rms values and integrals are exact:
///
///     ∫ f dt = h (a + b) / 2,   ∫ f² dt = h (a² + a b + b²) / 3     on a step of length h from a to b.
///
/// Before the first instant it counts as what it is there. Where an expression may jump, it is looked at before and
/// after: cut() and goOn(). Without goOn() what comes after a cut counts as constant until the next instant, of which
/// the error is h²/2 of the slope. That value may be the mean of an impulse over its step (the charge that a switch
/// moves where it closes on a capacitor, over h), which the step after it knows nothing of: where the value of that
/// step is much farther from it than from the next one, it counts as constant, too. What an impulse carries at the
/// instant of a jump counts for averages and integrals, of an expression of signals s by the mean of these before and
/// after:
///
///     lim (f(s + r p) − f(s))/r,   r → ∞
///
/// with the impulses p, which is exact for charges (f = i) and energies (f = v i). An rms value of it would be
/// infinite, and leaves it out, as extremes do. No memory is taken after the constructor and setImpulses().
class NetlistMeter {
 public:
  /// Looks at a signal.
  using Probe = std::function<double()>;

  /// Measures without FROM and TO are of all from `start` to `end`. `probeOf` finds a signal. Throws NetlistError for a
  /// measure beyond.
  NetlistMeter(const std::vector<NetlistMeasure>& measures, double start, double end,
               const std::function<Probe(const NetlistSignal&)>& probeOf);

  /// What signals carry at once at the instant of goOn(); `impulseOf` finds that of a signal.
  void setImpulses(const std::function<Probe(const NetlistSignal&)>& impulseOf);

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
  struct Line {
    double begin = 0.;
    double end = 0.;  // begin: none
    double first = 0.;
    double last = 0.;
  };
  struct Track {
    const NetlistMeasure* measure = nullptr;
    std::vector<Probe> probes;
    std::vector<double> signals;
    std::vector<Probe> impulses;          // of signals, where they are known
    std::vector<double> before, carried;  // signals before a jump, and what they carry at it
    double from = 0.;
    double to = 0.;
    double last = 0.;  // value at the instant before
    bool hasLast = false;
    bool isSecond = false;  // the next step is the second one after a cut
    Line held;              // that step, until the next value
    double duration = 0.;
    double integral = 0.;
    double square = 0.;
    double smallest = 0.;
    double largest = 0.;
  };

  void add(Track& track, double t);
  static void count(Track& track, const Line& line);
  static void release(Track& track, std::optional<double> next);
  static void addImpulse(Track& track, double t);

  double previous_;
  bool isCut_ = false;
  std::vector<Track> tracks_;
};

}  // namespace delassus
