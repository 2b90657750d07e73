// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/HybridEquations.hpp>
#include <memory>
#include <vector>

namespace delassus {

/// Finds the instant of a root to rounding. The solver's root is as exact as interpolation within its step, which is
/// not as exact as the step: the locator integrates again from the beginning of the step to trial times that
/// safeguarded Newton steps (where the derivative of the root function is known) or secants give. The final time is
/// just after the root, not before it: there the function has crossed zero.
class EventLocator {
 public:
  /// Integrates with its own solver and these options. `equations` must outlive the locator and keep their sizes.
  /// Throws Error as OdeSolver::make does.
  EventLocator(HybridEquations& equations, const OdeOptions& options);

  /// Sets the beginning of the step to search.
  void setBegin(double t, const Vector& z);

  /// Locates root `root` between the beginning of the step and `end`, where it has crossed zero; `guess` lies between.
  /// Returns false for a guard that has not fallen there: the root was an error of interpolation.
  bool locate(std::size_t root, double guess, double end);
  /// The same for a function that was zero at the beginning of the step and left zero before it crossed it; false if it
  /// did not.
  bool locateReturn(std::size_t root, double end);
  /// Only integrates to t.
  void moveTo(double t);

  /// Where the last search or moveTo ended: t, z, and the values of all root functions there.
  ///@{
  double time() const { return t_; }
  const Vector& state() const { return z_; }
  const std::vector<double>& values() const { return values_; }
  ///@}
  /// Evaluations of the rates in all searches.
  std::size_t evaluations() const { return solver_->evaluations(); }
  /// Saves or restores what is kept from search to search.
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
