// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/methods/ContactSweep.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <memory>
#include <utility>

namespace delassus::numerics {

/// Three methods for many contacts, each from the best answer of those before: NonsmoothGaussSeidelSolver with momentum
/// (3000 sweeps) and without (600), and AcceleratedGradientSolver (300 iterations). Momentum is the fastest, but may go
/// round about an answer, into which one of the others then settles. Of 67 problems of settling piles that 3000 sweeps
/// with momentum did not certify to 10⁻⁴ quickly, 66 were certified by up to 20 rounds from different starts: about 55
/// of them by gradients (docs/piles.md).
class SweepRound final : public TableSolver<FrictionContactProblem, SweepRound> {
 public:
  /// Throws Error unless the tolerance is positive and finite. Sweeps keep W in `contacts` (not null), which other
  /// solvers of a chain may share.
  explicit SweepRound(double tolerance,
                      std::shared_ptr<ContactSweep> contacts = std::make_shared<ContactSweep>(nullptr))
      : TableSolver("SweepRound", tolerance), contacts_(std::move(contacts)) {}

  /// See TableSolver.
  static Tables tables();

 private:
  std::shared_ptr<ContactSweep> contacts_;
};

}  // namespace delassus::numerics
