// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/hybrid/FlowFactors.hpp>
#include <delassus/kernel/hybrid/FlowModel.hpp>
#include <map>
#include <string>
#include <vector>

namespace delassus {

/// Values of a guard that are zero up to rounding, as a part of its scale.
inline constexpr double guardRounding = 2e-14;

/// Where a row of a law is: its multiplier at a bound, or its output held at zero.
enum class FlowBranch : char { lower = 'l', held = 'h', upper = 'u' };

/// The flow of a FlowModel in a mode, a branch for each row:
///
///     λ_i = l_i or u_i on rows at a bound,   y_i = 0 on held rows,
///
/// solved for the multipliers and ẋ as FlowFactors says. Everything is evaluated at the state projected along B_H on N
/// y_H = 0, the outputs that are held by the state alone, so that these do not drift. Linear relations with constant C,
/// D and B (and M) are solved at once, with factors stored for each mode; others by Newton's method from the
/// multipliers with which the mode began, so that results depend on (t, x) alone.
class FlowMode {
 public:
  /// One branch a row of the model.
  using Branches = std::vector<FlowBranch>;

  /// Without a mode until select(). `model` must outlive it.
  explicit FlowMode(FlowModel& model) : model_(model) {}

  /// Forgets factors: the model has changed.
  void forget();

  /// Selects a mode at (t, x), with a first guess of the multipliers. Returns false if its multipliers are not
  /// determined; factors() then names a row.
  bool select(const Branches& branches, double t, const double* x, const Vector& lambda);
  /// Those of the last select().
  const Branches& branches() const { return branches_; }
  /// Factors for the rows that the mode holds, at the (t, x) of the last solve if C, D or B vary.
  const FlowFactors& factors() const { return *factors_; }

  /// The multipliers and rates at (t, x); that (t, x) is remembered. Throws Error where Newton's method fails.
  void solve(double t, const double* x);
  /// Results of the last solve(): the projected state, λ, y and ẋ there.
  ///@{
  const Vector& x() const { return x_; }
  const Vector& lambda() const { return lambda_; }
  const Vector& y() const { return y_; }
  const Vector& xDot() const { return xDot_; }
  ///@}

  /// p, by which the last solve() has projected the state: x = place + B p, zero on rows that are not held. Where
  /// relations are linear D_HH p = 0.
  const Vector& impulse() const { return impulse_; }

  /// Magnitudes of the rates of the states and of the contributions of multipliers to them, at the last solve: if a
  /// mode holds everything, the former are zero.
  void stateRates(Vector& rates) const;

  /// How far the state was from the constraints of the mode.
  struct Mismatch {
    std::size_t row = 0;   ///< of the model
    double output = 0.;    ///< what the row was off
    double time = 0.;      ///< the time that the rates of states and multipliers need for such a deviation, s
    double relative = 0.;  ///< of the terms of the output
  };
  /// At the last solve, the worst of all combinations by `time`.
  Mismatch mismatch() const;

  /// Two a row, positive in the mode: ±y and 1 at a bound, λ − l and u − λ where y is held.
  void guards(double* g) const;
  /// How large states count: as they are, by which instants are located, or as they have been in the run, by whose
  /// rounding modes are chosen.
  enum class Sizes {
    ofMoment,  ///< |x|
    ofRun      ///< FlowModel::sizes
  };
  /// The magnitudes that measure the rounding of guards: terms of outputs and their changes within `time`; multipliers
  /// of the interaction and their bounds.
  void guardScales(double time, double* s, Sizes sizes) const;

 private:
  void solveOnce(double t);
  void solveByNewton(double t);
  void project();
  double correct(double t);
  void factorHere();
  double sizeOf(std::size_t state) const;
  double termsOf(std::size_t row, const Vector& rates, double time, Sizes sizes) const;
  void amplifyScales(double* s, Sizes sizes) const;
  void spreadScales(double* s) const;

  FlowModel& model_;
  Branches branches_;
  std::vector<std::size_t> held_;
  std::vector<char> wanted_;  // interactions whose ∂h/∂t is needed
  std::map<std::string, FlowFactors> kept_;
  FlowFactors own_;
  const FlowFactors* factors_ = &own_;
  bool constantsTaken_ = false;
  bool solved_ = false;
  double t_ = 0.;
  Vector place_, guess_;
  Vector x_, lambda_, y_, xDot_, yDot_, change_, shift_;
  Vector mismatch_, impulse_;
};

}  // namespace delassus
