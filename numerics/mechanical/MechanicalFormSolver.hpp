// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/FrictionContactSolver.hpp>
#include <delassus/numerics/mechanical/AutomaticMechanicalSolver.hpp>

namespace delassus::numerics {

/// Solves a friction contact problem as a GenericMechanicalProblem of contacts alone, by AutomaticMechanicalSolver: for
/// use when the solvers of the class itself miss the tolerance, for example on small hyperstatic piles. W is copied in
/// each solve. Warm starts from r.
class MechanicalFormSolver final : public FrictionContactSolver {
 public:
  /// Throws Error unless the tolerance is positive and finite.
  explicit MechanicalFormSolver(double tolerance = 1e-8);

  std::string_view name() const override { return "MechanicalFormSolver"; }
  double tolerance() const override { return tolerance_; }
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;

  double tolerance_;
  AutomaticMechanicalSolver solver_;
  Vector w_;
};

}  // namespace delassus::numerics
