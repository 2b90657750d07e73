// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/problems/LinearOSNS.hpp>
#include <delassus/numerics/algebra/SparseInverse.hpp>
#include <delassus/numerics/problem/GlobalMechanicalProblem.hpp>
#include <memory>
#include <utility>

namespace delassus {

/// The common part of one-step problems in global form: changes v − v_free of the velocities and multipliers p with
///
///     W (v − v_free) = Gᵀ p,     y = G (v − v_free) + q,     (y, p) in the laws,
///
/// q the free outputs, W the iteration matrices of all systems, sparse. G W⁻¹ Gᵀ is not made, unless a solver needs it;
/// W is factored when it changes. Relations and laws with a part of their own (compliance, feedthrough) are refused.
template <class Problem>
class GlobalOSNS : public LinearOSNS<Problem> {
 public:
  /// See OneStepNSProblem.
  void serializeState(StateArchive& archive) override;

 protected:
  GlobalOSNS() = default;
  /// With solvers of the caller.
  explicit GlobalOSNS(typename LinearOSNS<Problem>::Given solvers) : LinearOSNS<Problem>(std::move(solvers)) {}

 private:
  void checkScheme(const StepEquations& equations) const final;
  void state(DelassusAssembly& assembly, const StepEquations& equations, Problem& problem) final;
  /// The problem of these matrices, without forces and free outputs.
  virtual Problem make(const DelassusAssembly& assembly, std::shared_ptr<const SparseInverse> W,
                       SparseMatrix G) const = 0;

  MadeFrom<std::uint64_t> matricesFrom_;  // StepEquations::blocksVersion, with the present rows
  std::shared_ptr<const SparseInverse> inverse_;
  Vector q_, lower_, upper_;
};

}  // namespace delassus
