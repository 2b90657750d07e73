// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BoxBasis.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>

namespace delassus::numerics {

/// Options of NewtonMinSolver.
struct NewtonMinOptions {
  double tolerance = 1e-8;          ///< for the certificate
  std::size_t maxIterations = 200;  ///< Newton steps
  std::size_t patience = 8;         ///< steps without a smaller error that are allowed before a damped one

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "Newton steps"},
            {"patience", &patience, range::notNegative, "steps without a smaller error before a damped one"}};
  }
};

/// Semismooth Newton on min(d z, M z + q) = 0, d_i = M_ii: each step solves w_A = 0, z = 0 outside A, with the active
/// set A = { d_i z_i > w_i } of the last point. It needs an M that is regular on the active sets met; converges in a
/// finite number of steps, a few as a rule, where M is an M-matrix or near it and from any start that is near a
/// solution.
///
/// The undamped method may cycle (on P-matrices from n = 3 on). So after `patience` steps without progress it goes back
/// to the best point and takes a damped step, down to which the error must fall, or else sweeps of projected
/// Gauss–Seidel; if neither reduces the error it stops and says so. A singular basis gets a proximal term. Dense: one
/// LU factorisation of the active part per step. Warm starts from z.
/// (Aganagić, Mathematical Programming 28, 1984; Hintermüller, Ito, Kunisch, SIAM J. Optim. 13, 2003; Ben Gharbia and
/// Gilbert, Mathematical Programming 134, 2012, on cycles.)
class NewtonMinSolver final : public WithOptions<Solver<LinearComplementarityProblem>, NewtonMinOptions> {
 public:
  /// Throws Error on options out of range.
  explicit NewtonMinSolver(NewtonMinOptions options = {});

  std::string_view name() const override { return "NewtonMinSolver"; }

 private:
  Outcome compute(const LinearComplementarityProblem& problem, Vector& z) override;
  bool newtonPoint(const BoxView& view, const Vector& z);
  bool proximalPoint(const BoxView& view, const Vector& z);
  bool dampedStep(const LinearComplementarityProblem& problem, const BoxView& view, double error, Vector& z);
  bool sweep(const LinearComplementarityProblem& problem, const BoxView& view, double error, Vector& z);

  DenseBox dense_;
  BoxBasis basis_;
  Vector best_, newton_;
  Matrix shifted_;
  Vector shiftedQ_;
};

}  // namespace delassus::numerics
