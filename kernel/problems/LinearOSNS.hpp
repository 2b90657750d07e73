// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <delassus/kernel/problems/DelassusAssembly.hpp>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/choice/SolversInTurn.hpp>
#include <delassus/numerics/problem/Certificate.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

using numerics::SolveReport;
using numerics::SolveStatus;

/// The common part of one-step problems whose outputs are linear in the multipliers, w = W λ + q: assembly from the
/// blocks, one solver that certifies its answer, and the transfer of the multipliers back. The solver is an automatic
/// choice of the numerics library, or the caller's; several are tried in turn (SolversInTurn). A derived class says
/// which laws it accepts, and which choice it takes.
template <class Problem>
class LinearOSNS : public OneStepNSProblem {
 public:
  /// Base class of the solvers that take the problem.
  using NumericsSolver = numerics::SolverOverSets;

  /// Throws Error naming an interaction whose law it does not accept, and the laws it accepts.
  void bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) final;
  /// By the solver; its answer stays where it has an error, even if it is not certified.
  SolveReport attempt(StepEquations& equations) final;
  /// By the certificate of the solver.
  SolveReport certify(StepEquations& equations) final;
  /// Scalar rows of the last problem, auxiliary unknowns included.
  std::size_t size() const final { return assembly_.size(); }
  /// The solver and its options; of several, each in the order in which they are tried.
  Settings settings() const override;
  /// Saves or restores the start of the next solve, and what the solvers remember.
  void serializeState(StateArchive& archive) override;
  /// The first few; the number of the others.
  std::string activeNames() const final { return assembly_.activeNames(); }
  /// Throws Error, listing the names, if the catalogue of the problem class has no solver of this name.
  void addSolver(std::string_view solverName) final;
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
  /// Solvers of the caller.
  using Given = std::vector<std::unique_ptr<NumericsSolver>>;

  /// With the automatic choice for the class of problems, to numerics::defaultTolerance, and these of its options.
  explicit LinearOSNS(Settings options = {});
  /// Throws Error, naming `owner`, if there is none, or one is null.
  explicit LinearOSNS(Given solvers, const char* owner = "one-step problem");

  /// Solvers given by value.
  template <std::derived_from<NumericsSolver>... Solvers>
  static Given given(Solvers... solvers) {
    Given list;
    (list.push_back(std::make_unique<Solvers>(std::move(solvers))), ...);
    return list;
  }

 private:
  void makeAutomatic(double tolerance);
  void append(std::string_view solverName);
  std::string findWhyNotUnique() const;
  std::string whyNotUniqueByMatrix(const BlockSparseMatrix& storage) const;

  virtual bool takes(const NonSmoothLaw& law) const = 0;
  /// The laws that `takes` accepts, in words: "complementarity (multiplier >= 0)".
  virtual std::string_view takenLaws() const = 0;
  /// Throws Error where the problem cannot be stated from the equations of this scheme.
  virtual void checkScheme(const StepEquations&) const {}
  /// In local form: W over the active blocks, the sets or bounds, and q.
  virtual void state(DelassusAssembly& assembly, const StepEquations& equations, Problem& problem);
  SolveReport reportOn(double error) const;
  NumericsSolver& solver() const { return inTurn_ ? *inTurn_ : *solver_; }

  // One of both.
  std::unique_ptr<NumericsSolver> solver_;
  std::unique_ptr<numerics::SolversInTurn> inTurn_;
  // Of the solver that was given; those in turn keep their limits.
  double ownTimeLimit_ = std::numeric_limits<double>::infinity();  // s
  double ownLeniency_ = 1.;
  bool isAutomatic_ = false;        // where no solvers were given
  Settings options_;                // of the automatic choice
  std::vector<std::string> added_;  // by name
  DelassusAssembly assembly_;
  Problem problem_;
  Vector start_;
  Vector z_;
  Vector w_;
  MadeFrom<std::uint64_t> whyNotUniqueFrom_;
  std::string whyNotUnique_;
};

}  // namespace delassus
