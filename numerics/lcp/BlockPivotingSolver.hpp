// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/PrincipalCholesky.hpp>
#include <delassus/numerics/algebra/PrincipalLU.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of BlockPivotingSolver.
struct BlockPivotingOptions {
  double tolerance = 1e-8;           ///< for the certificate; the answer itself is exact to rounding
  std::size_t maxIterations = 1000;  ///< factorisations; 2 to 10 are usual
  std::size_t patience = 10;         ///< block exchanges without progress before single exchanges
  bool symmetricOnly = true;         ///< an M that is not symmetric is `unsupported`; otherwise it is factored by LU

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "factorisations"},
            {"patience", &patience, range::notNegative, "block exchanges without progress before single ones"},
            {"symmetricOnly", &symmetricOnly, {}, "refuse an M that is not symmetric"}};
  }
};

/// Block principal pivoting for positive definite M and P-matrices, symmetric or not, dense or sparse, with warm start.
///
/// The active set S = { i : M_ii z_i ≥ w_i } of the start is solved, M_SS z_S = −q_S; then all indices with negative
/// z_i or w_i change sides at once, until there are none. If the number of such indices does not fall for `patience`
/// iterations, only the last one changes (Murty's rule), which makes the method finite for every P-matrix, including
/// positive definite ones. With a good start one solve suffices; the factor of M_SS (Cholesky, or LU if M is not
/// symmetric and the options allow it) is kept while neither M (by its stamp) nor S changes. Sparse M is factored
/// sparse: a column of N beads and a ladder circuit of N stages cost O(N). A singular M_SS (redundant constraints) ends
/// in `numericalFailure`: give such problems to LemkeSolver. A new sparsity pattern allocates, and so does each new
/// sparse LU factor; otherwise nothing does. (Júdice and Pires, Computers & Operations Research 21, 1994; Kostreva,
/// 1978; Murty, 1974.)
class BlockPivotingSolver final : public WithOptions<Solver<LinearComplementarityProblem>, BlockPivotingOptions> {
 public:
  /// Throws Error on options out of range.
  explicit BlockPivotingSolver(BlockPivotingOptions options = {});

  std::string_view name() const override { return "BlockPivotingSolver"; }

 private:
  Outcome compute(const LinearComplementarityProblem& problem, Vector& z) override;
  void guessActiveSet(const LinearComplementarityProblem& problem, const Vector& z);
  bool solveActiveSet(const LinearComplementarityProblem& problem, Vector& z);
  void findViolated(const LinearComplementarityProblem& problem, const Vector& z);

  PrincipalCholesky cholesky_;
  PrincipalLU lu_;
  std::uint64_t stamp_ = 0;
  bool symmetric_ = false;
  std::vector<char> active_;
  std::vector<std::size_t> violated_;
  Vector w_;
  Vector diagonal_;
};

}  // namespace delassus::numerics
