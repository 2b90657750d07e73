// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <delassus/kernel/problems/DelassusAssembly.hpp>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/kernel/problems/SolverList.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/problem/Certificate.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

using numerics::SolveReport;
using numerics::SolveStatus;

/// The common part of one-step problems whose outputs are linear in the multipliers, w = W λ + q: assembly from the
/// blocks, several solvers that are tried in turn until an answer is certified, and the transfer of the multipliers
/// back. A derived class says which laws it accepts and states its problem of the numerics library.
template <class Problem>
class LinearOSNS : public OneStepNSProblem {
 public:
  /// Base class of the solvers that take the problem.
  using NumericsSolver = numerics::AnySolver<Problem>;

  /// Throws Error naming an interaction whose law it does not accept, and the laws it accepts.
  void bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) final;
  /// The answer is the first that is certified, or the one of least error.
  Attempt attempt(StepEquations& equations) final;
  /// By the certificate of the first solver.
  SolveReport certify(StepEquations& equations) final;
  /// Scalar rows of the last problem, auxiliary unknowns included.
  std::size_t size() const final { return assembly_.size(); }
  /// The solvers and their options, in the order in which they are tried.
  Settings settings() const override;
  /// Saves or restores the start of the next solve, and what the solvers remember.
  void serializeState(StateArchive& archive) override;
  /// The first few; the number of the others.
  std::string activeNames() const final { return assembly_.activeNames(); }
  /// Throws Error, listing the names, if the catalogue of the problem class has no solver of this name.
  void addSolver(std::string_view solverName) final { solvers_.add(solverName); }
  /// See OneStepNSProblem.
  void setTolerance(double tolerance) final;
  /// Throws Error if the file cannot be written.
  void saveProblem(const std::filesystem::path& path) const final;
  /// By numerics::hasUniqueSolution (except for problems with friction, for which it throws Error). A matrix whose
  /// multiplier block has a positive definite symmetric part is accepted first; auxiliary unknowns of laws need not be
  /// unique then. Throws Error beyond 4000 rows: the tests are dense.
  std::string whyNotUnique() final;

  /// The last problem that was assembled, for diagnosis.
  const Problem& problem() const { return problem_; }

 protected:
  /// The solvers of the problem.
  using Chain = SolverList<Problem>;

  /// With one solver or more.
  explicit LinearOSNS(Chain solvers) : solvers_(std::move(solvers)) {}

 private:
  std::string findWhyNotUnique() const;
  std::string whyNotUniqueByMatrix(const BlockSparseMatrix& storage) const;

  virtual bool takes(const NonSmoothLaw& law) const = 0;
  /// The laws that `takes` accepts, in words: "complementarity (multiplier >= 0)".
  virtual std::string_view takenLaws() const = 0;
  /// Number of the default solver to begin with.
  virtual std::size_t firstMember(const Problem&) { return 0; }
  /// Throws Error where the problem cannot be stated from the equations of this scheme.
  virtual void checkScheme(const StepEquations&) const {}
  virtual void state(DelassusAssembly& assembly, const StepEquations& equations, Problem& problem) = 0;

  Chain solvers_;
  DelassusAssembly assembly_;
  Problem problem_;
  Vector start_;
  Vector z_;
  Vector w_;
  MadeFrom<std::uint64_t> whyNotUniqueFrom_;
  std::string whyNotUnique_;
};

}  // namespace delassus
