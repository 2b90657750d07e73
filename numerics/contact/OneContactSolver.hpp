// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace delassus::numerics {

/// A method for one contact with Coulomb friction: given W (d x d, column-major, symmetric positive semidefinite), q
/// and μ ≥ 0, find r with
///
///     u = W r + q,    K* ∋ û ⟂ r ∈ K,    û = (u_N + μ‖u_T‖, u_T),
///
/// dimension d = 2 or 3, normal component first. Gauss–Seidel calls it once for each contact. A solution exists if W is
/// positive definite; for large μ there may be several, and any of them is an answer.
class OneContactSolver {
 public:
  virtual ~OneContactSolver() = default;

  /// Name of the class.
  virtual std::string_view name() const = 0;

  /// `r` is the start and the answer. True if the residual of oneContactResidual() reached rounding (or the solver's
  /// own tolerance); otherwise r is the best point found. Does not allocate; several threads may call it.
  virtual bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const = 0;

 protected:
  OneContactSolver() = default;
  OneContactSolver(const OneContactSolver&) = default;
  OneContactSolver& operator=(const OneContactSolver&) = default;
};

}  // namespace delassus::numerics
