// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/RankRevealingLU.hpp>
#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <vector>

namespace delassus::numerics {

/// The solves of one part each with the reactions of all others held, as Gauss–Seidel needs them.
class LocalSolves {
 public:
  /// To be called after each change of W or the parts. Allocates only where the problem is larger than any before.
  void prepare(const ProblemOverSets& problem);

  /// Sets `lambda`, the rows of `part`, to a solution of its law, `w` being the velocity at the old `lambda`, of which
  /// the rows are overwritten.
  void update(const ProblemOverSets& problem, std::size_t part, double* w, double* lambda) const;

  /// The scales of the rows of the prepared problem.
  const MechanicalScales& scales() const { return scales_; }

 private:
  MechanicalScales scales_;
  std::vector<RankRevealingLU> factors_;  // by parts, those of the others unused
};

}  // namespace delassus::numerics
