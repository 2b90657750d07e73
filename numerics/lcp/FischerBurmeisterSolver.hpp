// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BasisFinish.hpp>
#include <delassus/numerics/lcp/FischerBurmeisterNewton.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>

namespace delassus::numerics {

/// Options of FischerBurmeisterSolver.
struct FischerBurmeisterOptions {
  double tolerance = 1e-8;          ///< for the certificate
  std::size_t maxIterations = 500;  ///< Newton steps

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "Newton steps"}};
  }
};

/// Semismooth Newton on the Fischer–Burmeister equations with Armijo search on ½‖Φ‖² (see FischerBurmeisterNewton). Any
/// M; for P₀-matrices every stationary point of the merit function is a solution, for others the method may end in one
/// that is not, and the report says so. Whenever two steps agree on which z are positive, the complementary basis of
/// that guess is solved, so that answers are exact to rounding also where convergence is slow (degenerate solutions).
/// Dense: one LU factorisation of size n per step. Warm starts from z.
class FischerBurmeisterSolver final : public WithOptions<LcpSolver, FischerBurmeisterOptions> {
 public:
  /// Throws Error on options out of range.
  explicit FischerBurmeisterSolver(FischerBurmeisterOptions options = {});

  std::string_view name() const override { return "FischerBurmeisterSolver"; }

 private:
  Outcome compute(const LinearComplementarityProblem& problem, Vector& z) override;

  DenseLcp dense_;
  FischerBurmeisterNewton newton_;
  BasisFinish finish_;
};

}  // namespace delassus::numerics
