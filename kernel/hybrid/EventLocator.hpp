// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/HybridEquations.hpp>
#include <memory>
#include <vector>

namespace delassus {

/// Finds the instant of a root to rounding. The solver's root is as exact as interpolation within its step, which is
/// not as exact as the step: the locator integrates from the begin of the step again, to trial times that safeguarded
/// Newton steps (where the derivative of the root function is known) or secants give. The time it ends with is just
/// after the root, not before: seen from there, the function has crossed zero.
class EventLocator {
 public:
  /// Integrates with a solver of its own, with these options. `equations` must outlive the locator, and keep their
  /// sizes. Throws Error as OdeSolver::make does.
  EventLocator(HybridEquations& equations, const OdeOptions& options);

  /// The begin of the step to look into.
  void setBegin(double t, const Vector& z);

  /// Root `root` between the begin of the step and `end`, where it has crossed zero; `guess` lies between. False if it
  /// is a guard that has not fallen there: the root was one of interpolation only.
  bool locate(std::size_t root, double guess, double end);
  /// The same of a function that was zero at the begin of the step and went away from it before it crossed zero; false
  /// if it did not.
  bool locateReturn(std::size_t root, double end);
  /// Only integrates to t.
  void moveTo(double t);

  /// Where the last search or moveTo has ended: t, z, and the values of all root functions there.
  ///@{
  double time() const { return t_; }
  const Vector& state() const { return z_; }
  const std::vector<double>& values() const { return values_; }
  ///@}
  /// Of the rates, in all searches.
  std::size_t evaluations() const { return solver_->evaluations(); }
  /// Saves or restores what goes from search to search.
  void serializeMemory(StateArchive& archive) { solver_->serializeMemory(archive); }

 private:
  void locateBetween(std::size_t root, double low, double guess, double high);
  double value(std::size_t root) const { return sign_ * values_[root]; }
  void endJustAfter(std::size_t root, double end);

  HybridEquations& equations_;
  std::unique_ptr<OdeSolver> solver_;
  double begin_ = 0.;
  Vector stateAtBegin_;
  double t_ = 0.;
  Vector z_;
  double sign_ = 1.;  // with which the function falls
  std::vector<double> values_;
};

}  // namespace delassus
