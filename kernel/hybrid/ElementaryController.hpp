// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sundials/sundials_context.h>

#include <delassus/kernel/hybrid/SundialsVersion.hpp>

namespace delassus {

/// Chooses the next step of ARKODE: the one whose error estimate, of order p, would be 0.9^(p+1) of the tolerance, with
/// p of RungeKuttaSolver's table.
class ElementaryController {
 public:
  ElementaryController() = default;
  ElementaryController(const ElementaryController&) = delete;
  ElementaryController& operator=(const ElementaryController&) = delete;
  ~ElementaryController();

  /// Makes the solver `arkode` use this object, which must live as long; returns ARKODE's flag.
  int attachTo(void* arkode, SUNContext context);

  /// The step that the last error estimate asks for, before ARKODE cuts it to fit into an interval.
  double step() const { return step_; }
  /// Whether the estimate allows more than `step`.
  bool isAtLeast() const { return isAtLeast_; }

  /// The next step after one of length `h` with this error, relative to the tolerance.
  double nextStep(double h, double error);

 private:
  double step_ = 0.;
  bool isAtLeast_ = false;
#if DELASSUS_SUNDIALS_7_1
  SUNAdaptController handle_ = nullptr;
#endif
};

}  // namespace delassus
