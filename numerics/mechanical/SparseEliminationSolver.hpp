// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/RestoredStamp.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <delassus/numerics/mechanical/MechanicalSolver.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// Options of SparseEliminationSolver.
struct SparseEliminationOptions {
  double tolerance = 1e-8;        ///< for the certificate
  std::size_t maxRest = 1000;     ///< rows that are no equalities; the problem of these is dense
  std::size_t maxIterations = 3;  ///< refinements of λ_E by its residual

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxRest", &maxRest, range::notNegative, "rows that are no equalities; problems with more are refused"},
            {"maxIterations", &maxIterations, range::notNegative, "refinements of the multipliers of the equalities"}};
  }
};

/// Eliminates the equality rows E by a sparse factor of W_EE and solves the dense problem of the remaining rows R, as
/// MechanicalEliminationSolver does it: for many equations of which few have inequalities, such as circuits, pipes or
/// finite elements with some contacts. W_EE must be regular, and need not be symmetric. The factor and the matrix of
/// the rest, of as many sparse solves as R has rows, are kept while W stays.
class SparseEliminationSolver final : public WithOptions<Solver<ProblemOverSets>, SparseEliminationOptions> {
 public:
  /// `inner` solves what is left, by default EqualityFreeMechanicalSolver. Throws Error on options out of range.
  explicit SparseEliminationSolver(SparseEliminationOptions options = {},
                                   std::unique_ptr<MechanicalSolver> inner = nullptr);

  std::string_view name() const override { return "SparseEliminationSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& lambda) override;
  bool isLaidOutAs(const ProblemOverSets& problem) const;
  void layOut(const ProblemOverSets& problem);
  bool factor(const ProblemOverSets& problem);
  void fillRestMatrix();
  void fillRest(const ProblemOverSets& problem, const Vector& lambda);
  void expand(Vector& lambda);
  double refine(const ProblemOverSets& problem, Vector& lambda);

  std::unique_ptr<MechanicalSolver> inner_;
  std::uint64_t stamp_ = 0;
  RestoredStamp restored_;  // of the matrix of reduced_
  bool regular_ = false;
  bool isFinite_ = true;            // the matrix of reduced_
  std::vector<char> isFree_;        // by parts
  std::vector<std::size_t> place_;  // of each row among the equalities, or among the others
  std::vector<char> isEquality_;    // by rows
  std::vector<std::size_t> rest_;   // parts that stay
  SparseMatrix block_, across_;     // W_EE, W_RE
  SparseLUFactorization factor_;
  Matrix response_, rest0_;  // W_EE⁻¹ W_ER, W_RR
  Vector free_;              // W_EE⁻¹ q_E
  GenericMechanicalProblem reduced_;
  Vector restLambda_, restW_, step_, w_, trial_;
};

}  // namespace delassus::numerics
