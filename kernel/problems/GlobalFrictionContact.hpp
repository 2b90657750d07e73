// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <delassus/kernel/problems/ActiveBlocks.hpp>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/kernel/problems/SolverList.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/choice/AutomaticGlobalFrictionSolver.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactSolver.hpp>
#include <memory>
#include <utility>

namespace delassus {

/// The one-step problem of contacts with Coulomb friction in global form: changes v − v_free of the velocities and
/// impulses p with
///
///     W (v − v_free) = Gᵀ p,     u = G (v − v_free) + q,     (u, p) in the law of NewtonImpactFrictionNSL at each
///     contact,
///
/// q the free outputs, W the iteration matrices of all systems, sparse. Where systems are large (finite elements), or
/// where there are far more contacts than degrees of freedom, this avoids the dense G W⁻¹ Gᵀ of FrictionContact; the
/// answer is the same.
///
///     GlobalFrictionContact(3)                               AutomaticGlobalFrictionSolver, to 1e-8
///     GlobalFrictionContact(3, GlobalAdmmSolver{})           one solver, or several that are tried in turn
///
/// W must be symmetric: with gyroscopic forces take MoreauJeanOSI::semiExplicit, or FrictionContact. ([Siconos 2017],
/// 16.2.)
class GlobalFrictionContact final : public OneStepNSProblem {
 public:
  /// Base class of the solvers of this problem class.
  using NumericsSolver = numerics::GlobalFrictionContactSolver;

  /// Throws Error unless the dimension is 2 or 3.
  explicit GlobalFrictionContact(std::size_t dimension = 3);
  /// With the caller's solvers, tried in this order. Throws Error unless the dimension is 2 or 3.
  template <std::derived_from<NumericsSolver>... Solvers>
  requires(sizeof...(Solvers) > 0) explicit GlobalFrictionContact(std::size_t dimension, Solvers... solvers)
      : GlobalFrictionContact(dimension, Chain(std::move(solvers)...)) {}

  std::string_view name() const override { return "GlobalFrictionContact"; }
  void bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) override;
  Attempt attempt(StepEquations& equations) override;
  /// By the certificate of the first solver.
  numerics::SolveReport certify(StepEquations& equations) override;
  Settings settings() const override;
  void serializeState(StateArchive& archive) override;
  std::size_t size() const override { return blocks_.size(); }
  std::string whyNotUnique() override;
  std::string activeNames() const override { return blocks_.activeNames(); }

  void addSolver(std::string_view solverName) override { solvers_.add(solverName); }
  /// See OneStepNSProblem.
  void setTolerance(double tolerance) override;
  void saveProblem(const std::filesystem::path& path) const override;

  /// The last problem that was assembled, for diagnosis.
  const numerics::GlobalFrictionContactProblem& problem() const { return problem_; }

 private:
  /// The rows of the problem; they notify it of changes.
  struct Rows final : ActiveBlocks {
    using ActiveBlocks::forgetIndexSet;
    using ActiveBlocks::update;
  };

  using Chain = SolverList<numerics::GlobalFrictionContactProblem>;

  GlobalFrictionContact(std::size_t dimension, Chain solvers);
  void assemble(const StepEquations& equations);
  void gatherStart(StepEquations& equations);
  void startVelocities(const StepEquations& equations);
  SparseMatrix iterationMatrices(const StepEquations& equations) const;
  SparseMatrix transposedJacobian(const StepEquations& equations) const;

  std::size_t dimension_;
  Chain solvers_;
  Rows blocks_;
  MadeFrom<std::uint64_t> matricesFrom_;  // StepEquations::blocksVersion, with the present rows
  std::vector<std::size_t> starts_;       // first degree of freedom of each node, and their number
  numerics::GlobalFrictionContactProblem problem_;
  Vector start_, x_, u_;
};

}  // namespace delassus
