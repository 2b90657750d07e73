// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/numerics/problem/Certificate.hpp>
#include <memory>
#include <string>
#include <vector>

namespace delassus {

/// The one-step problem that the laws of the model ask for, which is found again whenever interactions come or go:
///
///     complementarity alone, or no law                     LCP
///     Coulomb friction alone, of one dimension d           FrictionContact(d)
///     multipliers in intervals, polyhedra; equalities
///       between first-order systems                        Relay
///     joints (equalities between bodies), mixtures with
///       friction, rolling, sets of one's own               GenericMechanical
///     joints and polyhedra                               Relay
///
/// It depends on the laws of the model as it is, and on nothing that was before. The solvers are those that the chosen
/// problem has by default. TimeStepping takes this where no problem is given.
class ProblemByLaws final : public OneStepNSProblem {
 public:
  /// That of the chosen problem; "ProblemByLaws" before a model is bound.
  std::string_view name() const override { return chosen_ ? chosen_->name() : className(); }
  std::string_view className() const override { return "ProblemByLaws"; }
  /// Throws Error naming an interaction where there is no problem that takes all laws together.
  void bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) override;
  /// See bind(): a model must be bound.
  numerics::SolveReport attempt(StepEquations& equations) override {
    chosen_->setTimeLimit(timeLimit());
    chosen_->setRelaxation(relaxation());
    return chosen_->attempt(equations);
  }
  numerics::SolveReport certify(StepEquations& equations) override { return chosen_->certify(equations); }
  void serializeState(StateArchive& archive) override;
  std::size_t size() const override { return chosen_ ? chosen_->size() : 0; }
  std::string whyNotUnique() override { return chosen_ ? chosen_->whyNotUnique() : std::string(); }
  std::string activeNames() const override { return chosen_ ? chosen_->activeNames() : std::string(); }
  /// Adds the solver that has this name in the catalogue of the chosen problem, and of each problem that is chosen
  /// later. Throws Error, as bind() may then do, if there is none.
  void addSolver(std::string_view solverName) override;
  /// Sets the tolerance of the chosen problem, and of each that is chosen later. Throws Error unless it is positive and
  /// finite.
  void setTolerance(double tolerance) override;
  /// Throws Error before a model is bound.
  void saveProblem(const std::filesystem::path& path) const override;

  /// The problem that the laws asked for when the model was bound last; null before that.
  const OneStepNSProblem* chosen() const { return chosen_.get(); }

 private:
  struct Rule;

  const Rule* rule_ = nullptr;  // by which the problem was chosen
  std::unique_ptr<OneStepNSProblem> chosen_;
  // What is asked of the solvers of the chosen problem, and of those that are chosen later.
  double tolerance_ = numerics::defaultTolerance;
  std::vector<std::string> addedSolvers_;
};

}  // namespace delassus
