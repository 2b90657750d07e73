// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/numerics/algebra/RankRevealingLU.hpp>
#include <delassus/numerics/friction/HybridOneContactSolver.hpp>
#include <delassus/numerics/mechanical/GenericMechanicalProblem.hpp>
#include <delassus/numerics/mechanical/RollingContactSolver.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// The local solve of Gauss–Seidel for one part, with the reactions of all others held.
class LocalPartSolver {
 public:
  virtual ~LocalPartSolver() = default;

  /// Called once after each change of W.
  virtual void prepare(const GenericMechanicalProblem& problem) { static_cast<void>(problem); }

  /// Sets `lambda`, the rows of `part`, to a solution of its law, `w` being the velocity at the old `lambda`, of which
  /// the rows are overwritten.
  virtual void update(const GenericMechanicalProblem& problem, std::size_t part, double* w, double* lambda) = 0;

 protected:
  LocalPartSolver() = default;
  LocalPartSolver(const LocalPartSolver&) = default;
  LocalPartSolver& operator=(const LocalPartSolver&) = default;
};

/// λ_p −= W_pp⁻¹ w_p by a rank-revealing factor, so that a joint may have redundant rows.
class LocalEqualitySolver final : public LocalPartSolver {
 public:
  void prepare(const GenericMechanicalProblem& problem) override;
  void update(const GenericMechanicalProblem& problem, std::size_t part, double* w, double* lambda) override;

 private:
  std::vector<RankRevealingLU> factors_;  // by parts, those of the others unused
};

/// Row by row the closed form; a row without stiffness goes to the bound in the direction of its velocity, if there is
/// one.
class LocalBoxSolver final : public LocalPartSolver {
 public:
  void update(const GenericMechanicalProblem& problem, std::size_t part, double* w, double* lambda) override;
};

/// HybridOneContactSolver.
class LocalCoulombSolver final : public LocalPartSolver {
 public:
  void update(const GenericMechanicalProblem& problem, std::size_t part, double* w, double* lambda) override;

 private:
  HybridOneContactSolver contact_;
};

/// RollingContactSolver.
class LocalRollingSolver final : public LocalPartSolver {
 public:
  void update(const GenericMechanicalProblem& problem, std::size_t part, double* w, double* lambda) override;

 private:
  RollingContactSolver contact_;
};

/// The four, by PartKind.
class LocalPartSolvers {
 public:
  LocalPartSolvers();
  /// Prepares all four, see LocalPartSolver::prepare.
  void prepare(const GenericMechanicalProblem& problem);
  /// The one for parts of this kind.
  LocalPartSolver& of(PartKind kind) { return *solvers_[static_cast<std::size_t>(kind)]; }

 private:
  std::array<std::unique_ptr<LocalPartSolver>, 4> solvers_;
};

}  // namespace delassus::numerics
