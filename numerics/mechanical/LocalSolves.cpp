// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/LocalSolves.hpp>

namespace delassus::numerics {

void LocalSolves::prepare(const GenericMechanicalProblem& problem) {
  scales_.compute(problem);
  if (factors_.size() < problem.parts().size()) factors_.resize(problem.parts().size());
  for (std::size_t part = 0; part < problem.parts().size(); ++part) {
    problem.set(part).prepareLocal(problem.W().diagonalBlock(part), problem.parts()[part].rows, factors_[part]);
  }
}

void LocalSolves::update(const GenericMechanicalProblem& problem, std::size_t part, double* w, double* lambda) const {
  problem.set(part).solveLocal(scales_.rows(problem, part), problem.W().diagonalBlock(part), factors_[part], w, lambda);
}

}  // namespace delassus::numerics
