// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/PenalisedOperator.hpp>
#include <delassus/numerics/distributed/DistributedDelassus.hpp>
#include <memory>

namespace delassus::distributed {

/// Systems with W + R over ranks, by PETSc: conjugate gradients with the inverse blocks of contacts as preconditioner,
/// to a residual of `accuracy` times that of zero. Options of PETSc with the prefix `delassus_` choose something else,
/// as the factors of MUMPS: -delassus_ksp_type preonly -delassus_pc_type cholesky -delassus_pc_factor_mat_solver_type
/// mumps.
///
/// All functions are collective.
class PenalisedDelassus final : public numerics::PenalisedOperator {
 public:
  static constexpr double accuracy = 1e-3;  ///< enough for the alternating directions, which correct what is left

  /// W must outlive it.
  explicit PenalisedDelassus(const DistributedDelassus& W);
  ~PenalisedDelassus() override;

  bool factor(const std::vector<double>& penalties) override;
  void solve(double* x) override;
  double work() const override;

 private:
  struct System;

  const DistributedDelassus& W_;
  std::unique_ptr<System> system_;
};

}  // namespace delassus::distributed
