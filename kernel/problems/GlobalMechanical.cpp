// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/GlobalMechanical.hpp>

#include <vector>

namespace delassus {
numerics::GlobalMechanicalProblem GlobalMechanical::make(const DelassusAssembly& assembly,
                                                         std::shared_ptr<const SparseInverse> W, SparseMatrix G) const {
  std::vector<numerics::Part> parts;
  for (const ActiveBlocks::ActiveBlock& block : assembly.blocks()) {
    parts.push_back({assembly.law(block).set(), block.size});
  }
  Vector forces(W->size()), outputs(assembly.size());
  return {std::move(W), std::move(G), std::move(forces), std::move(outputs), std::move(parts)};
}

}  // namespace delassus
