// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/GenericMechanical.hpp>

namespace delassus {
namespace {

// Bounds distinguish equality and complementarity, as for every law without a cone.
numerics::PartKind kindOf(MultiplierSet set) {
  switch (set) {
    case MultiplierSet::free:
      return numerics::PartKind::equality;
    case MultiplierSet::coulombCone:
      return numerics::PartKind::coulomb;
    case MultiplierSet::rollingCone:
      return numerics::PartKind::rolling;
    default:
      return numerics::PartKind::box;
  }
}

}  // namespace

void GenericMechanical::state(DelassusAssembly& assembly, const OneStepBlocks& step,
                              numerics::GenericMechanicalProblem& problem) {
  if (assembly.assembleMatrix(step, problem.W())) {
    problem.parts().clear();
    for (const ActiveBlocks::ActiveBlock& block : assembly.blocks()) {
      const NonSmoothLaw& law = assembly.law(block);
      const ConeCoefficients cone = law.cone();
      problem.parts().push_back({kindOf(law.multiplierSet()), block.size, cone.friction, cone.rolling});
    }
  }
  assembly.updateBounds(step, problem.lower(), problem.upper());
  assembly.assembleVector(step, problem.q());
}

}  // namespace delassus
