// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/EqualityElimination.hpp>
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
  void sharpen(const ProblemOverSets& problem, Outcome& outcome, Vector& lambda);
  SolverOverSets& makeTighter();
  Outcome solveRest(const ProblemOverSets& problem, SolverOverSets& solver, Vector& lambda);
  void fillRest(const ProblemOverSets& problem, const Vector& lambda);
  void solvePart();
  void expand(const ProblemOverSets& problem, Vector& lambda);
  void refine(const ProblemOverSets& problem, Vector& lambda);
  bool isRankDeficient() { return equalities_.elimination().rank() < equalityRows_; }
  bool contradicts(const ProblemOverSets& problem);

  std::unique_ptr<SolverOverSets> inner_, tighter_;  // of the rest
  bool isOwn_;                                       // the inner one
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
  Vector w_, proof_, before_;
  double error_ = 0.;
};

/// Options of MechanicalEliminationSolver.
struct MechanicalEliminationOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxSize, 2000, range::positive,
                    "rows; larger problems are refused, since W is copied as a dense matrix"),
                   (double, rankTolerance, 1e-11, range::between(0., 1.),
                    "pivots of the scaled equality rows below this are redundant rows"),
                   (std::size_t, maxIterations, 3, range::notNegative,
                    "refinements of the reactions of the equalities"))
};

/// For EliminationSolver: dense factors of equality rows that may be redundant.
class DenseEqualities {
 public:
  using Options = MechanicalEliminationOptions;                            ///< of the solver
  static constexpr std::string_view name = "MechanicalEliminationSolver";  ///< of the solver

  /// Takes the limits in the options.
  explicit DenseEqualities(const Options& options) : maxSize_(options.maxSize), singular_(options.rankTolerance) {}

  /// Why it does not take so many rows, or nothing.
  std::string_view refusal(std::size_t equalities, std::size_t others) const {
    return equalities + others <= maxSize_ ? "" : "the problem has more rows than are eliminated dense";
  }
  /// Takes W with the rows in the order of `place`, of which the first are the equalities. True.
  bool factor(const BlockSparseMatrix& W, const std::vector<std::size_t>& place, std::size_t equalities);
  /// That of the last factor().
  EqualityElimination& elimination() {
    if (isRegular_) return regular_;
    return singular_;
  }
  void serializeState(StateArchive& archive);  ///< whether rows were redundant

 private:
  std::size_t maxSize_;
  bool isRegular_ = true;
  std::uint64_t redundant_ = 0;      // equality rows of the last problem if some of them were dependent …
  std::uint64_t redundantSize_ = 0;  // … and all its rows
  Matrix dense_;                     // W in the order of places
  RegularElimination regular_;
  SingularElimination singular_;
};

/// EliminationSolver for mechanisms: joints, which make any iteration slow, are eliminated exactly, and a few limits
/// and contacts remain. A problem of equalities alone costs one Cholesky factorisation and a solve. Where W_EE is
/// singular (closed loops, redundant joints) the factorisation is pivoted, and λ_E the solution of least Σ W_ii λ_i²
/// for symmetric semidefinite W, some solution otherwise. Rows that contradict each other are reported as `infeasible`
/// where provesInfeasible() confirms it. Repeated solves of one layout do not allocate. Dense: `unsupported` above
/// `maxSize` rows.
using MechanicalEliminationSolver = EliminationSolver<DenseEqualities>;

/// Options of SparseEliminationSolver.
struct SparseEliminationOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxRest, 1000, range::notNegative,
                    "rows that are no equalities; problems with more are refused"),
                   (std::size_t, maxIterations, 3, range::notNegative,
                    "refinements of the multipliers of the equalities"))
};

/// For EliminationSolver: a sparse factor of equality rows that are regular, symmetric or not. Allocates in factor().
class SparseEqualities final : public ResponseElimination<SparseMatrix> {
 public:
  using Options = SparseEliminationOptions;                            ///< of the solver
  static constexpr std::string_view name = "SparseEliminationSolver";  ///< of the solver

  /// Takes the limit in the options.
  explicit SparseEqualities(const Options& options = {}) : maxRest_(options.maxRest) {}

  /// Why it does not take so many rows, or nothing.
  std::string_view refusal(std::size_t, std::size_t others) const {
    return others <= maxRest_ ? "" : "more rows than maxRest are no equalities";
  }
  /// Takes W with the rows in the order of `place`, of which the first are the equalities; false where their block is
  /// singular.
  bool factor(const BlockSparseMatrix& W, const std::vector<std::size_t>& place, std::size_t equalities);
  EqualityElimination& elimination() { return *this; }  ///< that of the last factor()
  void serializeState(StateArchive&) {}                 ///< nothing

  std::size_t rank() const override { return factor_.size(); }
  bool keepsRange() const override { return true; }
  void solve(double* x) override { factor_.solve(x); }

 private:
  std::size_t maxRest_;
  SparseLUFactorization factor_;
};

/// EliminationSolver for many equations of which few have inequalities, such as circuits, pipes or finite elements with
/// some contacts. W_EE must be regular, and need not be symmetric; the problem of the remaining rows is dense. The
/// matrix of that takes as many sparse solves as it has rows.
using SparseEliminationSolver = EliminationSolver<SparseEqualities>;

}  // namespace delassus::numerics
