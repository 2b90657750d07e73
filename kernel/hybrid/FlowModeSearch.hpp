// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/hybrid/FlowMode.hpp>
#include <delassus/kernel/hybrid/FlowModel.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <set>
#include <string>
#include <vector>

namespace delassus {

/// Finds the mode that goes on from a state. For a linear system that is the one of the relay problem
///
///     y = h + C (ε + ε² A + ε³ A²) ẋ + M(ε) λ,   M(ε) = D + ε C B + ε² C A B + ε³ C A² B,   l ≤ λ ≤ u ⟂ y
///
/// for all small ε > 0, a step of Euler's implicit scheme up to ε⁴: the rational complementarity problem, which covers
/// rows of relative degree 0 and 1 and mixtures of them. Its answer for one ε is only a proposal: a mode is taken if
/// its multipliers are determined, the outputs that the state must hold at zero are zero, and all guards are positive
/// after flowing for ε (two Runge–Kutta steps of order 4 that agree with one). Where a row feeds itself, M_ii < 0,
/// several modes may hold: the present one lasts, and is proposed first. If guards turn negative, their rows
/// change branches and the mode is examined again; then so is the mode that also holds rows at a bound whose outputs
/// are zero in the answer; then ε is divided by ten repeatedly; with few rows all modes are tried as a last resort. The
/// first mode that holds is taken, even if there are several. (Heemels, Schumacher and Weiland, The rational
/// complementarity problem, Linear Algebra Appl. 294, 1999.)
class FlowModeSearch {
 public:
  /// One branch a row of the model.
  using Branches = FlowMode::Branches;

  /// `model` must outlive it.
  explicit FlowModeSearch(FlowModel& model);

  /// How far outputs that the state must hold at zero may deviate; beyond both limits only a jump of the state would
  /// help.
  struct Allowance {
    double time = 0.;      ///< outputs to be held count as zero if the rates would bring them to zero within this time,
                           ///< s
    double relative = 0.;  ///< or if they are smaller than this fraction of their terms
  };

  /// Selects a mode for (t, x) in `mode`; `lambda` are multipliers to begin with, `step` the largest ε. False if none
  /// holds: reason() then says why the first that was proposed does not.
  ///
  /// With `mayJump`, where no mode holds at x, a jump along the multipliers may come first, to mode.x() = x⁺. The
  /// impulse p and x⁺ are those of
  ///
  ///     x⁺ = x + B p,   p in K,   D p in K*,   p ⟂ D p,   C x⁺ + e in Q*,   p ⟂ C x⁺ + e,
  ///
  /// K the directions in which [l, u] is unbounded, Q all p that the first three allow, * for dual cones: the limit for
  /// ε → 0 of a step of Euler's implicit scheme, ε λ → p, after which a mode goes on without another jump (see
  /// FlowModeJump.cpp). No impulse acts by a relation that is not linear. (Heemels, Schumacher and Weiland 2000;
  /// Çamlıbel, Heemels and Schumacher 2002; Frasca and others 2010.)
  bool find(FlowMode& mode, double t, const double* x, const Vector& lambda, double step, const Allowance& allowance,
            bool mayJump = false);
  /// p of the last find(), row by row; empty if the state has not jumped.
  const Vector& impulse() const { return impulse_; }
  /// Why the first refused mode does not hold, naming its row, without the final full stop; empty if a mode was found
  /// and none was refused before it.
  const std::string& reason() const { return reason_; }

  /// Saves or restores what the solver remembers.
  void serializeState(StateArchive& archive) { solver_.serializeState(archive); }

 private:
  enum class Verdict { holds, undetermined, jumps, leaves };

  void stateProblem(double t, const double* x, const Vector& lambda, double step);
  bool goOn(FlowMode& mode, double t, const double* x, const Vector& lambda, double step, const Allowance& allowance);
  bool propose(Branches& branches);
  // Whether a row feeds itself: its output falls with its own multiplier.
  bool turnsBack(std::size_t row) const { return matrix_(row, row) < 0.; }
  Verdict examine(FlowMode& mode, const Branches& branches, double t, const double* x, const Vector& lambda,
                  double step, const Allowance& allowance);
  Verdict flow(FlowMode& mode, double t, const double* x, double step, double violation);
  void advance(FlowMode& mode, double t, Vector& x, double step);
  void exchange(Branches& branches, bool leaps) const;
  bool searchFrom(Branches branches, FlowMode& mode, double t, const double* x, const Vector& lambda, double step,
                  const Allowance& allowance, bool isIdle = false);
  double numberOfModes() const;
  bool tryAll(FlowMode& mode, double t, const double* x, const Vector& lambda, double step, const Allowance& allowance);
  bool jump(FlowMode& mode, double t, const double* x, const Vector& lambda, double step, const Allowance& allowance,
            bool onlyReciprocal);
  bool isReciprocal(const Vector& p) const;
  double stepOfJump(double t, const double* x, const Vector& lambda);
  bool jumpIn(Branches branches, FlowMode& mode, double t, const double* x, const Vector& lambda);
  bool findWrongImpulses(const FlowMode& mode, const Vector& p);
  Vector impulseOf(const FlowMode& mode, const double* x) const;
  double roundJump(FlowMode& mode, double t, const double* x, Vector& after) const;
  void explain(const std::string& text);

  FlowModel& model_;
  numerics::AutomaticBoxSolver solver_;
  Matrix matrix_;         // of the relay problem
  Vector constant_;       // of its outputs
  Vector lower_, upper_;  // of its multipliers
  std::set<Branches> seen_;
  bool isFar_ = false;               // the state is far from what the mode that was examined last holds
  std::vector<std::size_t> idle_;    // rows that the last proposal has at a bound although their outputs are zero
  std::vector<std::size_t> fallen_;  // guards of the mode that was examined last
  std::string reason_;
  Vector impulse_;
};

}  // namespace delassus
