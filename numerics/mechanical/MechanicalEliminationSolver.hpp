// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/RestoredStamp.hpp>
#include <delassus/numerics/mechanical/EqualityElimination.hpp>
#include <delassus/numerics/mechanical/LocalSolves.hpp>
#include <delassus/numerics/mechanical/MechanicalSolver.hpp>
#include <memory>

namespace delassus::numerics {

/// Options of MechanicalEliminationSolver.
struct MechanicalEliminationOptions {
  double tolerance = 1e-8;        ///< for the certificate
  std::size_t maxSize = 2000;     ///< rows; above, the dense copy of W is not made
  double rankTolerance = 1e-11;   ///< pivots of the equilibrated W_EE below this are redundant rows
  std::size_t maxIterations = 3;  ///< refinements of λ_E by its residual

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxSize", &maxSize, range::positive, "rows; larger problems are refused"},
            {"rankTolerance", &rankTolerance, range::between(0., 1.),
             "pivots of the scaled equality rows below this are redundant rows"},
            {"maxIterations", &maxIterations, range::notNegative, "refinements of the reactions of the equalities"}};
  }
};

/// Eliminates the equality rows E and solves the problem of the remaining rows R,
///
///     w_R = (W_RR − W_RE W_EE⁺ W_ER) λ_R + q_R − W_RE W_EE⁺ q_E,    λ_E = −W_EE⁺ (q_E + W_ER λ_R).
///
/// For mechanisms: joints, which make any iteration slow, are eliminated exactly, and a few limits and contacts remain.
/// A problem of equalities alone costs one Cholesky factorisation and a solve. Where W_EE is singular (closed loops,
/// redundant joints) the factorisation is pivoted, and λ_E the solution of least Σ W_ii λ_i² for symmetric semidefinite
/// W, some solution otherwise. Rows that contradict each other are reported as `infeasible` where provesInfeasible()
/// confirms it. Factors are kept while W stays; repeated solves of one layout do not allocate. Dense: `unsupported`
/// above `maxSize` rows, or where no row is an equality.
class MechanicalEliminationSolver final : public WithOptions<Solver<ProblemOverSets>, MechanicalEliminationOptions> {
 public:
  /// `inner` solves what is left, by default EqualityFreeMechanicalSolver. Throws Error on options out of range.
  explicit MechanicalEliminationSolver(MechanicalEliminationOptions options = {},
                                       std::unique_ptr<MechanicalSolver> inner = nullptr);

  std::string_view name() const override { return "MechanicalEliminationSolver"; }

  void serializeState(StateArchive& archive) override;

 private:
  // What the places of the rows depend on.
  struct LaidOut {
    std::shared_ptr<const ConvexSet> set;
    bool isFree = false;
    std::size_t rows = 0;
    bool operator==(const LaidOut& other) const { return isFree == other.isFree && rows == other.rows; }
  };

  Outcome compute(const ProblemOverSets& problem, Vector& lambda) override;
  Outcome finish(const ProblemOverSets& problem, Outcome outcome);
  bool isLaidOutAs(const ProblemOverSets& problem) const;
  void layOut(const ProblemOverSets& problem);
  void layOutRest(const ProblemOverSets& problem);
  void assemble(const ProblemOverSets& problem);
  void factor(const ProblemOverSets& problem);
  void fillRestMatrix();
  void fillRest(const ProblemOverSets& problem, const Vector& lambda);
  void solvePart();
  void expand(const ProblemOverSets& problem, Vector& lambda);
  void refine(const ProblemOverSets& problem, Vector& lambda);
  bool contradicts(const ProblemOverSets& problem);

  std::unique_ptr<MechanicalSolver> inner_;
  LocalSolves local_;
  std::uint64_t stamp_ = 0;
  std::vector<LaidOut> layout_;           // parts that the places below belong to
  RestoredStamp restored_;                // of the matrix of reduced_
  bool redundant_ = false;                // the last factorisation found dependent rows, with …
  std::vector<LaidOut> redundantLayout_;  // … these parts
  std::vector<std::size_t> place_;        // of each row: equalities first
  std::vector<std::size_t> rest_;         // parts that stay
  std::size_t equalities_ = 0;            // rows
  Matrix dense_;                          // W in that order
  RegularElimination regular_;
  SingularElimination singular_;
  EqualityElimination* elimination_ = nullptr;
  std::vector<double> size_;  // (n ε W_ii)^½ of the rows that stay
  GenericMechanicalProblem reduced_;
  Vector restLambda_, restW_;
  Vector ordered_, step_;  // vectors in the order of places
  Vector w_, proof_;
  double error_ = 0.;
};

}  // namespace delassus::numerics
