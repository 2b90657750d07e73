// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/FrictionContactSolver.hpp>
#include <memory>

namespace delassus::numerics {

/// Builds W of a problem that comes as factors (FactoredDelassus), and solves it by AutomaticFrictionSolver: for use
/// when the sweeps, which need no matrix, are not accurate enough. Allocates for a new W, which it keeps by its stamp.
/// Warm starts from r.
class AssemblySolver final : public Solver<FrictionContactProblem> {
 public:
  /// Throws Error unless the tolerance is positive and finite.
  explicit AssemblySolver(double tolerance = 1e-8);

  std::string_view name() const override { return "AssemblySolver"; }
  double tolerance() const override { return tolerance_; }

 private:
  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;

  double tolerance_;
  std::unique_ptr<FrictionContactSolver> solver_;
  std::uint64_t assembledStamp_ = 0;
  FrictionContactProblem assembled_;
  Vector velocity_;
};

}  // namespace delassus::numerics
