// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/LocalSolves.hpp>

namespace delassus::numerics {

void LocalSolves::prepare(const ProblemOverSets& problem) {
  scales_.compute(problem);
  if (factors_.size() < problem.partCount()) factors_.resize(problem.partCount());
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    problem.set(part).prepareLocal(problem.matrix().diagonalBlock(part), problem.rows(part), factors_[part]);
  }
}

void LocalSolves::update(const ProblemOverSets& problem, std::size_t part, double* w, double* lambda) const {
  problem.set(part).solveLocal(scales_.rows(problem, part), problem.matrix().diagonalBlock(part), factors_[part], w,
                               lambda);
}

}  // namespace delassus::numerics
