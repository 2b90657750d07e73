// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/FrictionContact.hpp>

namespace delassus {
FrictionContact::FrictionContact(std::size_t dimension) : dimension_("FrictionContact", dimension) {
}

FrictionContact::FrictionContact(std::size_t dimension, Given solvers)
    : LinearOSNS(std::move(solvers), "FrictionContact"), dimension_("FrictionContact", dimension) {
}

void FrictionContact::state(DelassusAssembly& assembly, const StepEquations& equations,
                            numerics::FrictionContactProblem& problem) {
  if (!matrix_) {
    matrix_ = std::make_shared<numerics::AssembledDelassus>(dimension_.value(), BlockSparseMatrix());
    factors_ = std::make_shared<numerics::FactoredDelassus>(dimension_.value());
    problem = numerics::FrictionContactProblem(dimension_.value(), matrix_, Vector(), Vector());
  }
  if (assembly.update(equations)) {
    assembly.assembleFriction(friction_);
    problem.setFriction(friction_);
    takesFactors_ = assembly.factorsPay(equations);
    // Of a large problem there is one form only.
    if (takesFactors_ && matrix_->size() > 0) matrix_->blocks() = BlockSparseMatrix();
  }
  if (takesFactors_) {
    assembly.fill(equations, *factors_);
    problem.setOperator(factors_);
  } else {
    assembly.fill(equations, matrix_->blocks());
    problem.setOperator(matrix_);
  }
  assembly.assembleVector(equations, problem.q());
}

}  // namespace delassus
