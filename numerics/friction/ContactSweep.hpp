// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <delassus/numerics/friction/OneContactSolver.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// What a sweep of Gauss–Seidel over contacts does at each of them, in whatever order: it solves the contact with the
/// others held and moves its reaction by ω times the change. The velocities come from the matrix W or from its factors.
class ContactSweep {
 public:
  /// `local` solves one contact; HybridOneContactSolver where it is null.
  explicit ContactSweep(std::shared_ptr<const OneContactSolver> local);

  /// Whether it has the W of the problem.
  bool has(const FrictionContactProblem& problem) const;
  /// Takes W, which must outlive the sweeps.
  void prepare(const FrictionContactProblem& problem);
  /// Starts from r, which was changed by others than update().
  void begin(const Vector& r) { sweep_->begin(data(r)); }
  /// Updates a contact; gives the square of the velocity that its change amounts to. Several threads may update
  /// contacts that have no block of W in common.
  double update(const FrictionContactProblem& problem, std::size_t contact, double relaxation, Vector& r);

 private:
  std::shared_ptr<const OneContactSolver> local_;
  const DelassusOperator* operator_ = nullptr;  // the sweep refers to it, …
  const BlockSparseMatrix* matrix_ = nullptr;   // … and to this; copies of both have the same stamp elsewhere
  std::uint64_t stamp_ = 0;
  std::unique_ptr<DelassusSweep> sweep_;
  std::vector<double> blocks_;  // diagonal blocks of W
  std::vector<double> scales_;
};

}  // namespace delassus::numerics
