// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/GlobalOSNS.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <string>
#include <vector>

namespace delassus {
namespace {

// First degree of freedom of each node, and their number.
std::vector<std::size_t> startsOf(const StepEquations& equations) {
  std::vector<std::size_t> starts(1, 0);
  for (const StepEquations::Node& node : equations.nodes()) starts.push_back(starts.back() + node.freeState->size());
  return starts;
}

SparseMatrix iterationMatrices(const StepEquations& equations) {
  const std::vector<std::size_t> starts = startsOf(equations);
  std::vector<Triplet> entries;
  for (std::size_t node = 0; node + 1 < starts.size(); ++node) {
    forEachEntry(*equations.nodes()[node].matrix, [&](std::size_t i, std::size_t j, double entry) {
      if (entry != 0.) entries.push_back({starts[node] + i, starts[node] + j, entry});
    });
  }
  return sparseFromTriplets(starts.back(), starts.back(), std::move(entries));
}

SparseMatrix transposedJacobian(const StepEquations& equations, const ActiveBlocks& blocks) {
  const std::vector<std::size_t> starts = startsOf(equations);
  std::vector<Triplet> entries;
  for (const ActiveBlocks::ActiveBlock& block : blocks.blocks()) {
    for (std::size_t c = equations.couplingBegin(block.interaction); c < equations.couplingEnd(block.interaction);
         ++c) {
      const StepEquations::Coupling& coupling = equations.couplings()[c];
      for (std::size_t i = 0; i < block.outputs; ++i) {
        for (std::size_t j = 0; j < coupling.columns; ++j) {
          const double value = coupling.left[block.row + i + j * coupling.rows];
          if (value != 0.) entries.push_back({starts[coupling.node] + coupling.first + j, block.start + i, value});
        }
      }
    }
  }
  return sparseFromTriplets(starts.back(), blocks.size(), std::move(entries));
}

void refuseOwnParts(std::string_view name, const StepEquations& equations, const ActiveBlocks& blocks) {
  std::vector<double> own;
  for (const ActiveBlocks::ActiveBlock& block : blocks.blocks()) {
    own.assign(block.size * block.size, 0.);
    blocks.law(block).addBlock(own.data());
    const bool isZero = std::all_of(own.begin(), own.end(), [](double entry) { return entry == 0.; });
    if (isZero && equations.feedthrough(block.interaction) == nullptr) continue;
    throw Error(blocks.rowNames({block.start}),
                std::string(name) +
                    " takes outputs that depend on multipliers by way of velocities alone, but this "
                    "relation or law has a compliance of its own; use the problem in local form.");
  }
}

}  // namespace

template <class Problem>
void GlobalOSNS<Problem>::checkScheme(const StepEquations& equations) const {
  if (startsOf(equations).back() > 0) return;
  throw Error(std::string(this->name()), std::string(equations.scheme()) +
                                             " gives no iteration matrices; use the problem in local form, "
                                             "FrictionContact or GenericMechanical.");
}

template <class Problem>
void GlobalOSNS<Problem>::state(DelassusAssembly& assembly, const StepEquations& equations, Problem& problem) {
  if (assembly.update(equations)) matricesFrom_.forget();
  if (assembly.size() == 0) return;
  matricesFrom_.renew(equations.blocksVersion(), [&] {
    refuseOwnParts(this->name(), equations, assembly);
    SparseMatrix W = iterationMatrices(equations);
    if (inverse_ == nullptr || !areEqual(inverse_->matrix(), W)) {
      inverse_ =
          std::make_shared<const SparseInverse>(std::move(W), std::string(this->name()) + ": iteration matrices");
    }
    problem = make(assembly, inverse_, transposedJacobian(equations, assembly));
  });
  assembly.updateBounds(equations, lower_, upper_);
  assign(lower_, problem.lower());
  assign(upper_, problem.upper());
  // The unknown v − v_free is due to the impulses alone: where a body sticks, v itself is only rounding.
  assembly.assembleVector(equations, q_);
  problem.setFreeOutputs(q_);
}

// The matrices are computed again.
template <class Problem>
void GlobalOSNS<Problem>::serializeState(StateArchive& archive) {
  LinearOSNS<Problem>::serializeState(archive);
  if (archive.restores()) matricesFrom_.forget();
}

template class GlobalOSNS<numerics::GlobalFrictionContactProblem>;
template class GlobalOSNS<numerics::GlobalMechanicalProblem>;

}  // namespace delassus
