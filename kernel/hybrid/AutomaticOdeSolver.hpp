// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <memory>

namespace delassus {

/// The explicit method, and the implicit one for the rest of a piece (until the next restart) in which the explicit one
/// turns out to be held back by its stability: after many steps, those that no end cuts stay long against the fastest
/// rate of change, h ρ above 2, where accuracy alone would ask for a fraction of that (for relative tolerances of up to
/// 1e-5; with looser ones it stays explicit). ρ, the spectral radius of ∂f/∂z, is found by power iteration on
/// differences of f, as in stabilised Runge–Kutta methods (Sommeijer, Shampine, Verwer, J. Comp. Appl. Math. 88, 1997).
class AutomaticOdeSolver final : public OdeSolver {
 public:
  /// Throws Error as OdeSolver::make does.
  AutomaticOdeSolver(OdeEquations& equations, const OdeOptions& options, bool withRoots);

  void restart(double t, const Vector& z) override;
  void setMaximalStep(double step) override;
  Outcome step(double end) override;
  void serializeState(StateArchive& archive) override;
  void resume() override;
  void serializeMemory(StateArchive& archive) override;

 private:
  OdeSolver& solver() { return isImplicit_ ? *implicit_ : *explicit_; }
  void makeImplicit();
  void takeResults();
  bool isHeldBack();
  double spectralRadius();
  double norm(const Vector& change) const;

  OdeEquations& equations_;
  OdeOptions options_;
  double maximalStep_;  // as it was set
  bool withRoots_;
  std::unique_ptr<OdeSolver> explicit_, implicit_;  // the second one when it is first needed
  bool isImplicit_ = false;                         // in this piece
  bool isStiff_ = false;                            // this piece, or the last one that was long enough to tell
  std::size_t held_ = 0;                            // looks in a row that found that
  std::size_t stepsSinceLook_ = 0;                  // explicit ones that no end has cut
  std::size_t inRow_ = 0;                           // the same, since the last end
  std::array<double, 6> times_{};                   // when the last of these ended, and before
  std::size_t evaluationsHere_ = 0;                 // for the spectral radius
  Vector rate_, change_, changedRate_, changed_;
};

}  // namespace delassus
