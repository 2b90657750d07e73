// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/StateArchive.hpp>

#include "../diode_bridge/ParallelCircuit.hpp"
#include "../support/PhaseCount.hpp"

/// The exact motion of an LC oscillator with a diode and a resistor in series across it: a conductance 1/R while x₁ >
/// 0, nothing while x₁ < 0. Piece by piece, with the zeros of x₁ by bisection to rounding.
class ExactRlcDiode {
 public:
  using State = ParallelCircuit::State;

  ExactRlcDiode(const ParallelCircuit& circuit, double resistance, const State& start)
      : circuit_(circuit), conductance_(1. / resistance), x_(start), conducts_(conductsIn(start)) {}

  /// Goes on by dt, which must be short against the period.
  void advance(double dt) {
    for (PhaseCount phases("exact solution of the circuit"); left(flow(dt)); phases.next()) {
      double before = 0.;
      double after = dt;
      for (int i = 0; i < 80; ++i) {
        const double middle = 0.5 * (before + after);
        (left(flow(middle)) ? after : before) = middle;
      }
      x_ = flow(after);
      x_[0] = 0.;
      dt -= after;
      conducts_ = !conducts_;
      ++switchings_;
    }
    x_ = flow(dt);
  }

  void serializeState(delassus::StateArchive& archive) {
    archive.values("exact", x_.data(), x_.size());
    archive.value("mode", conducts_);
    archive.value("switchings", switchings_);
  }

  const State& x() const { return x_; }
  double diodeCurrent() const { return conducts_ ? conductance_ * x_[0] : 0.; }
  std::size_t switchings() const { return switchings_; }

 private:
  // At x₁ = 0 the sign of its rate −x₂/C decides.
  static bool conductsIn(const State& x) { return x[0] > 0. || (x[0] == 0. && x[1] < 0.); }
  bool left(const State& x) const { return conducts_ ? x[0] < 0. : x[0] > 0.; }
  State flow(double t) const { return circuit_.flow(x_, t, conducts_ ? conductance_ : 0.); }

  ParallelCircuit circuit_;
  double conductance_;
  State x_;
  bool conducts_;
  std::size_t switchings_ = 0;
};
