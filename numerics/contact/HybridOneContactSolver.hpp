// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/contact/NewtonOneContactSolver.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>
#include <delassus/numerics/contact/ProjectionOneContactSolver.hpp>
#include <delassus/numerics/contact/QuarticOneContactSolver.hpp>

namespace delassus::numerics {

/// One contact, always solved to rounding where a solution exists: the methods in order of increasing cost, each answer
/// judged by its residual.
///
///  1. take-off, r = 0 where q_N ≥ 0;
///  2. stick, r = −W⁻¹q where that is in the cone;
///  3. slide: Newton's method for the one angle of SlidingEquation, from the direction of the start (two quotients in
///     dimension 2);
///  4. all roots of the quartic (QuarticOneContactSolver);
///  5. the Alart–Curnier Newton method from several starts (NewtonOneContactSolver), then projections, for singular W.
///
/// A start that slides is tried as 3 before 2. Steps 1 to 3 take 30 to 100 ns.
class HybridOneContactSolver final : public OneContactSolver {
 public:
  HybridOneContactSolver();

  std::string_view name() const override { return "HybridOneContactSolver"; }
  bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const override;

 private:
  bool solveHard(std::size_t dimension, const double* W, const double* q, double mu, double* r) const;

  QuarticOneContactSolver quartic_;
  NewtonOneContactSolver newton_;
  ProjectionOneContactSolver projection_;
};

}  // namespace delassus::numerics
