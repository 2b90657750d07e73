// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/PrincipalCholesky.hpp>
#include <delassus/numerics/algebra/PrincipalLU.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of RelayPivotingSolver.
struct RelayPivotingOptions {
  double tolerance = 1e-8;           ///< for the certificate; the answer itself is exact to rounding
  std::size_t maxIterations = 1000;  ///< factorisations; 2 to 10 are usual
  std::size_t patience = 10;         ///< block exchanges without progress before single exchanges
  std::size_t denseSize = 4000;      ///< up to this size an M that is not sparse is copied if it has no Cholesky factor

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "factorisations"},
            {"patience", &patience, range::notNegative, "block exchanges without progress before single ones"},
            {"denseSize", &denseSize, range::notNegative,
             "up to this size an M that is not sparse is copied if it has no Cholesky factor"}};
  }
};

/// Block principal pivoting on the box problem itself, of size n and not 2n, with warm start. Each component is at its
/// lower bound, at its upper one, or free with w_i = 0; it solves for z_F; then all components that leave the box go to
/// their bounds and all whose w has the wrong sign become free, at once. If the number of such components does not fall
/// for `patience` iterations only the last one changes (Murty's rule), which makes the method finite for P-matrices.
///
/// Symmetric M is factored by Cholesky, dense or sparse, and the factor is kept while neither M nor the free set
/// changes; other M, or symmetric ones that are not definite, by LU: dense where M is at least a quarter full, up to
/// `denseSize`, or the free set small, and sparse otherwise (a ladder circuit of n rows costs O(n)), where each new
/// factor allocates. A singular M_FF ends in `numericalFailure`: give such problems to RelayLemkeSolver. (Júdice and
/// Pires, Computers & Operations Research 21, 1994; Murty, 1974.)
class RelayPivotingSolver final : public WithOptions<Solver<RelayProblem>, RelayPivotingOptions> {
 public:
  /// Throws Error on options out of range.
  explicit RelayPivotingSolver(RelayPivotingOptions options = {});

  std::string_view name() const override { return "RelayPivotingSolver"; }

 private:
  enum class State : char { lower, free, upper };

  Outcome compute(const RelayProblem& problem, Vector& z) override;
  void guess(const RelayProblem& problem, Vector& z);
  bool factorFree(const RelayProblem& problem);
  void solveResidual(const RelayProblem& problem, const Vector& z);
  bool solveFree(const RelayProblem& problem, Vector& z);
  void refine(const RelayProblem& problem, Vector& z);
  void findViolated(const RelayProblem& problem, const Vector& z);
  State exchanged(const RelayProblem& problem, const Vector& z, std::size_t i) const;

  std::uint64_t stamp_ = 0;
  bool symmetric_ = false;
  bool usesCholesky_ = false;
  PrincipalCholesky cholesky_;
  PrincipalLU lu_;
  std::vector<State> state_;
  std::vector<char> isFree_;
  std::vector<std::size_t> free_, violated_;
  Vector w_, diagonal_, refined_;
};

}  // namespace delassus::numerics
