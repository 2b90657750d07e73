// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <delassus/numerics/methods/EqualityElimination.hpp>

namespace delassus::numerics {

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
