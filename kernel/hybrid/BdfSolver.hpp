// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <delassus/kernel/hybrid/SundialsSolver.hpp>
#include <vector>

namespace delassus {

/// Backward differentiation of order 1 to 5 (CVODE), with a dense Jacobian by differences. A restart begins with order
/// 1 and short steps. It records where it was last started and the ends since then: these determine the steps in
/// between, and CVODE's history cannot be saved.
class BdfSolver final : public SundialsSolver {
 public:
  BdfSolver(OdeEquations& equations, const OdeOptions& options, bool withRoots);
  ~BdfSolver() override;

  void restart(double t, const Vector& z) override;
  Outcome step(double end) override;
  void serializeState(StateArchive& archive) override;
  void resume() override;

 private:
  void create();
  void findRoots();
  Outcome finishStep(double end);
  void begin();

  void* memory_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  double restartTime_ = 0.;
  Vector restartState_;
  std::size_t stepsSince_ = 0;
  std::vector<double> ends_;  // since then
  double longest_ = 0.;       // step since then
};

}  // namespace delassus
