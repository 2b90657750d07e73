// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/hybrid/HybridEquations.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <limits>
#include <vector>

namespace delassus {

/// Whether the steps of an integration show how guards depend on time. The error control of a step sees the state
/// alone: while a source acts on no state, behind a diode that blocks, a step may span a whole swing of it, with a
/// guard that is positive at both ends and was below zero between.
///
/// A step is accepted where each guard, at the state with which the step begins, is a cubic of time: that through four
/// places in the step is met at three others, to a hundredth of what the guard varies by. Of a sine these are steps of
/// up to 1.6/ω whatever its phase is, and none from 3.7/ω on, in which a guard has at most one minimum, which root
/// finding sees. Looked at are steps that are longer than those that were well resolved in the same mode, and now and
/// then others.
class GuardResolution {
 public:
  /// For steps of at most `longest`, s; those below `shortest`, s, are not looked at.
  explicit GuardResolution(double shortest = 0., double longest = std::numeric_limits<double>::infinity())
      : shortest_(shortest), longest_(longest) {}

  /// After each event, and at the start: guards may be others.
  void enterMode();
  /// Whether a step from t0 at the state z0 to t1 shows how guards go. If not, it is to be made again from its start,
  /// of at most limit().
  bool accepts(HybridEquations& equations, double t0, const Vector& z0, double t1);
  /// The longest step to be made next, s.
  double limit() const { return limit_ < longest_ ? limit_ : longest_; }

  /// Saves or restores what further steps depend on.
  void serializeState(StateArchive& archive);

 private:
  struct Deviation {
    double ofVariation = 0., ofGuard = 0.;
  };
  bool sample(HybridEquations& equations, double t0, const Vector& z0, double h);
  Deviation largestDeviation() const;
  void refuse(double t0, double h, double deviation);
  void tryLonger(double h, double deviation);

  double shortest_;
  double longest_;
  double limit_ = std::numeric_limits<double>::infinity();
  double known_ = 0.;        // the longest step of this mode that was well resolved
  std::size_t since_ = 0;    // steps since the last look
  std::size_t atLimit_ = 0;  // looks at steps that might have been longer
  bool isSettled_ = false;   // guards are not smooth: no looks until the next event
  // These four describe the last step that was refused.
  std::size_t refused_ = 0;  // how often it was refused in a row
  double refusedAt_ = 0., refusedStep_ = 0., refusedDeviation_ = 0.;
  std::array<std::vector<double>, 7> guards_;
};

}  // namespace delassus
