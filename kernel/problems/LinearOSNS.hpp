// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <delassus/kernel/problems/DelassusAssembly.hpp>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/numerics/Solver.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

using numerics::SolveReport;
using numerics::SolveStatus;

/// What the one-step problems have in common whose outputs are linear in the multipliers, w = W λ + q: assembly from
/// the blocks, several solvers that are tried one after the other until an answer is certified, and the way back of the
/// multipliers. A derived class says which laws it takes and states its problem of the numerics library. (A solver that
/// does not take the present matrix at all is not asked again until there is another.)
template <class Problem>
class LinearOSNS : public OneStepNSProblem {
 public:
  using NumericsSolver = numerics::Solver<Problem>;

  void bind(const NonSmoothDynamicalSystem& model, const OneStepBlocks& step) final;
  SolveReport solve(OneStepBlocks& step) final;
  std::size_t size() const final { return assembly_.size(); }
  Settings settings() const override;
  void serializeState(StateArchive& archive) override;
  /// By numerics::hasUniqueSolution (not of problems with friction, for which it throws Error); a matrix whose part of
  /// the multipliers has a positive definite symmetric part is seen before, at any size, and then auxiliary unknowns of
  /// laws need not be unique.
  std::string whyNotUnique() final;
  std::string activeNames() const final { return assembly_.activeNames(); }

  void addSolver(std::string_view solverName) final;
  void saveProblem(const std::filesystem::path& path) const final;

  /// The last problem that was assembled, for diagnosis.
  const Problem& problem() const { return problem_; }

 protected:
  LinearOSNS() = default;

  template <std::derived_from<NumericsSolver> Solver>
  void add(Solver solver) {
    add(std::make_unique<Solver>(std::move(solver)));
  }
  void add(std::unique_ptr<NumericsSolver> solver) { members_.push_back({std::move(solver)}); }

 private:
  struct Member {
    std::unique_ptr<NumericsSolver> solver;
    std::uint64_t refused = 0;  // stamp of a matrix that it does not take
  };

  std::string findWhyNotUnique() const;
  template <class Storage>
  std::string whyNotUniqueByMatrix(const Storage& storage) const;

  virtual bool takes(const NonSmoothLaw& law) const = 0;
  /// What `takes` is true for, in words: "laws of complementarity".
  virtual std::string_view takenLaws() const = 0;
  /// Number of the member to begin with.
  virtual std::size_t firstMember(const Problem&) { return 0; }
  virtual void state(DelassusAssembly& assembly, const OneStepBlocks& step, Problem& problem) = 0;

  std::vector<Member> members_;
  DelassusAssembly assembly_;
  Problem problem_;
  Vector start_;
  Vector z_;
  Vector best_;
  Vector w_;
  std::uint64_t testedStamp_ = 0;  // of the matrix that whyNotUnique_ is about
  std::string whyNotUnique_;
};

}  // namespace delassus
