// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <delassus/kernel/hybrid/SundialsSolver.hpp>

namespace delassus {

/// Backward differentiation of order 1 to 5 (CVODE), with a dense Jacobian by differences. A restart begins with order
/// 1 and short steps.
class BdfSolver final : public SundialsSolver {
 public:
  BdfSolver(OdeEquations& equations, const OdeOptions& options, bool withRoots);
  ~BdfSolver() override;

  void restart(double t, const Vector& z) override;
  Outcome step(double end) override;

 private:
  void create();

  void* memory_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
};

}  // namespace delassus
