// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BasisFinish.hpp>
#include <delassus/numerics/lcp/FischerBurmeisterNewton.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of MlcpFischerBurmeisterSolver.
struct MlcpFischerBurmeisterOptions {
  double tolerance = 1e-8;          ///< for the certificate
  std::size_t maxIterations = 500;  ///< Newton steps

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "Newton steps"}};
  }
};

/// Semismooth Newton on the equality rows and the Fischer–Burmeister equations of the pairs, with Armijo search on
/// ½‖Φ‖² and Levenberg–Marquardt steps where the Jacobian is singular or not square (see FischerBurmeisterNewton).
/// Whenever two steps agree on which z are positive, the complementary basis of that guess is solved, so that answers
/// are exact to rounding. It may end in a stationary point that is not a solution; the report then says so. One LU
/// factorisation of the size of the problem per step. Warm starts from z.
class MlcpFischerBurmeisterSolver final : public WithOptions<MlcpSolver, MlcpFischerBurmeisterOptions> {
 public:
  /// Throws Error on options out of range.
  explicit MlcpFischerBurmeisterSolver(MlcpFischerBurmeisterOptions options = {});

  std::string_view name() const override { return "MlcpFischerBurmeisterSolver"; }

 private:
  Outcome compute(const MixedLinearComplementarityProblem& problem, Vector& z) override;

  FischerBurmeisterNewton newton_;
  BasisFinish finish_;
};

}  // namespace delassus::numerics
