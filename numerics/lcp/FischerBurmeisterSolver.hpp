// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BasisFinish.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/lcp/FischerBurmeisterNewton.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>

namespace delassus::numerics {

/// Options of FischerBurmeisterSolver and MlcpFischerBurmeisterSolver.
struct FischerBurmeisterOptions {
  double tolerance = 1e-8;          ///< for the certificate
  std::size_t maxIterations = 500;  ///< Newton steps

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "Newton steps"}};
  }
};

/// Semismooth Newton on the equality rows and the Fischer–Burmeister equations of the pairs, with Armijo search on
/// ½‖Φ‖² and Levenberg–Marquardt steps where the Jacobian is singular or not square (see FischerBurmeisterNewton). Any
/// M; for P₀-matrices every stationary point of the merit function is a solution, for others the method may end in one
/// that is not, and the report says so. Whenever two steps agree on which z are positive, the complementary basis of
/// that guess is solved, so that answers are exact to rounding also where convergence is slow (degenerate solutions).
/// Dense: one LU factorisation of the size of the problem per step. Warm starts from z.
///
/// FischerBurmeisterSolver takes an LCP, MlcpFischerBurmeisterSolver an MLCP.
template <class Problem>
class FischerBurmeisterMethod final : public WithOptions<Solver<Problem>, FischerBurmeisterOptions> {
 public:
  /// Throws Error on options out of range.
  explicit FischerBurmeisterMethod(FischerBurmeisterOptions options = {});

  /// By the problem: "FischerBurmeisterSolver", "MlcpFischerBurmeisterSolver".
  std::string_view name() const override;

 private:
  using Outcome = typename Solver<Problem>::Outcome;

  Outcome compute(const Problem& problem, Vector& z) override;

  DenseBox box_;
  FischerBurmeisterNewton newton_;
  BasisFinish finish_;
};

/// For LCPs.
using FischerBurmeisterSolver = FischerBurmeisterMethod<LinearComplementarityProblem>;

}  // namespace delassus::numerics
