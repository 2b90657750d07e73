// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/DerivedStamp.hpp>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/methods/LocalSolves.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <memory>
#include <string_view>
#include <vector>

namespace delassus::numerics {

/// Eliminates the equality rows E (ProblemOverSets::isFreeRow) and solves the problem of the remaining rows R,
///
///     w_R = (W_RR − W_RE W_EE⁺ W_ER) λ_R + q_R − W_RE W_EE⁺ q_E,    λ_E = −W_EE⁺ (q_E + W_ER λ_R),
///
/// then refines λ_E by its residual. Without equality rows all is left to the other solver. A rest of one part is
/// solved in closed form where that suffices. What was factored is kept while W stays.
///
/// Equalities factors W_EE: DenseEqualities (MechanicalEliminationSolver) or SparseEqualities
/// (SparseEliminationSolver). It has Options (with a tolerance, and the most refinements as maxIterations), the name of
/// the solver, refusal(), factor() and the elimination() of an EqualityElimination.
template <class Equalities>
class EliminationSolver final : public WithOptions<Solver<ProblemOverSets>, typename Equalities::Options> {
 public:
  /// `inner` solves what is left, by default EqualityFreeMechanicalSolver. Throws Error on options out of range.
  explicit EliminationSolver(typename Equalities::Options options = {},
                             std::unique_ptr<SolverOverSets> inner = nullptr);

  std::string_view name() const override { return Equalities::name; }

  void serializeState(StateArchive& archive) override;

 private:
  using Outcome = Solver<ProblemOverSets>::Outcome;

  Outcome compute(const ProblemOverSets& problem, Vector& lambda) override;
  Outcome passOn(const ProblemOverSets& problem, Vector& lambda);
  Outcome finish(const ProblemOverSets& problem, Outcome outcome);
  bool isLaidOutAs(const ProblemOverSets& problem) const;
  void layOut(const ProblemOverSets& problem);
  std::string_view factor(const ProblemOverSets& problem);
  bool fillRestMatrix();
  void fillRest(const ProblemOverSets& problem, const Vector& lambda);
  void solvePart();
  void expand(const ProblemOverSets& problem, Vector& lambda);
  void refine(const ProblemOverSets& problem, Vector& lambda);
  bool isRankDeficient() { return equalities_.elimination().rank() < equalityRows_; }
  bool contradicts(const ProblemOverSets& problem);

  std::unique_ptr<SolverOverSets> inner_;
  Equalities equalities_;
  LocalSolves local_;
  DerivedStamp reducedFrom_;
  std::string_view failure_;        // of these factors; empty if there is none
  std::vector<Part> layout_;        // that the places below belong to
  std::vector<std::size_t> place_;  // of each row: equalities first
  std::vector<std::size_t> rest_;   // parts of which rows stay
  std::vector<std::size_t> restRows_;
  std::size_t equalityRows_ = 0;
  GenericMechanicalProblem reduced_;
  Vector restLambda_, restW_;
  Vector ordered_, step_;  // vectors in the order of places
  Vector w_, proof_;
  double error_ = 0.;
};

}  // namespace delassus::numerics
