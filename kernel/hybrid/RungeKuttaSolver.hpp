// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/ElementaryController.hpp>
#include <delassus/kernel/hybrid/SundialsSolver.hpp>

namespace delassus {

/// The explicit Runge–Kutta method of order 8 with an error estimate of order 7 of Prince and Dormand (RK8(7)13M, J.
/// Comp. Appl. Math. 7, 1981), run by ARKODE. A one-step method: it loses nothing by a restart. It also restarts after
/// each end, so that it continues from (t, z) and the step length alone.
class RungeKuttaSolver final : public SundialsSolver {
 public:
  RungeKuttaSolver(OdeEquations& equations, const OdeOptions& options, bool withRoots);
  ~RungeKuttaSolver() override;

  void restart(double t, const Vector& z) override;
  Outcome step(double end) override;
  void serializeState(StateArchive& archive) override;
  void serializeMemory(StateArchive& archive) override;

 private:
  void create();
  void findRoots();
  Outcome finishStep(double end);
  void begin();
  const double* stateForRoots(double t, const double* z) override;

  void* memory_ = nullptr;
  std::size_t rootCalls_ = 0;  // since the last begin
  Vector rate_, tangent_;      // at the last begin, and the state a little later on it
  ElementaryController controller_;
  double goodStep_ = 0.;  // the best guess; 0: not known
  bool fresh_ = true;     // the next step is the first after a restart
};

}  // namespace delassus
