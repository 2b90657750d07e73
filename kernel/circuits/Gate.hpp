// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace delassus {

/// When a controlled element (switch, thyristor, transistor) is told to conduct. Kinds:
///
/// - `Gate(true)`, `Gate(false)`: constant until CircuitInstance::setGate changes it, as a controller on a clock does;
/// - `Gate::pulses({.period = T, .width = d T})`: closed during the pulses of a train, edges at their instants;
/// - `Gate::switching(instant)`: changes at instant(0) ≤ instant(1) ≤ …, which other actions may move until they pass
///   (ClockedSimulation::addSwitching); two that are equal cancel, as edges of a pulse of no width do, and no more than
///   three in a row are equal (between pulses of duty 1 and 0);
/// - `Gate::where(f)`: closed where f(t) > 0;
/// - `Gate::voltage(plus, minus, …)`: closed by a voltage, with hysteresis.
///
/// Edges of the second and third kind cut steps of TimeStepping; those of the others are found at the end of a step
/// there, and located by EventDriven.
class Gate {
 public:
  /// A periodic train of pulses.
  struct Pulses {
    double period = 1.;                                      ///< s; infinite: one pulse
    double width = std::numeric_limits<double>::infinity();  ///< closed time of a pulse, s
    double delay = 0.;                                       ///< beginning of the first pulse, s
  };
  /// A voltage that controls: closes where it rises above `closes`, opens where it falls below `opens`; swapped
  /// (closes < opens) for an element that closes at low voltage.
  struct Thresholds {
    double closes = 0.;      ///< V
    double opens = 0.;       ///< V
    bool initially = false;  ///< state where the voltage at the start is between the two
  };
  /// How edges are found; for CircuitInstance.
  enum class Kind { manual, pulses, instants, function, voltage };

  /// As told by the program.
  Gate(bool closed = false);  // NOLINT: implicit by intention
  /// Throws Error unless the period is positive, the width not negative and not longer than the period.
  static Gate pulses(const Pulses& pulses);
  /// Throws Error if the function is empty.
  static Gate switching(std::function<double(std::size_t k)> instant, bool initially = false);
  /// Throws Error if the function is empty.
  static Gate where(std::function<double(double t)> f);
  /// The voltage of node `plus` against `minus`. Throws Error unless the thresholds are finite.
  static Gate voltage(std::string plus, std::string minus, const Thresholds& thresholds);

  Kind kind() const { return kind_; }                           ///< of the list above
  bool initially() const { return initially_; }                 ///< before any edge
  const std::string& plus() const { return plus_; }             ///< node of a control voltage
  const std::string& minus() const { return minus_; }           ///< node of a control voltage
  const Thresholds& thresholds() const { return thresholds_; }  ///< of a control voltage
  /// Instant of edge k of pulses (closing edges are even, unless the gate begins closed) or of switching; infinite past
  /// the last.
  double instant(std::size_t k) const { return instant_(k); }
  /// f of where().
  double f(double t) const { return f_(t); }

 private:
  Kind kind_ = Kind::manual;
  bool initially_ = false;
  std::function<double(std::size_t)> instant_;
  std::function<double(double)> f_;
  std::string plus_, minus_;
  Thresholds thresholds_;
};

}  // namespace delassus
