// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <delassus/numerics/methods/EqualityElimination.hpp>

namespace delassus::numerics {

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

}  // namespace delassus::numerics
