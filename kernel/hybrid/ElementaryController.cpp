// SPDX-License-Identifier: Apache-2.0
#include <arkode/arkode_erkstep.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/ElementaryController.hpp>

namespace delassus {

double ElementaryController::nextStep(double h, double error) {
  constexpr int order = 7;  // of the error estimate
  constexpr double safety = 0.9;
  constexpr double mostGrowth = 8.;
  constexpr double leastGrowth = 0.1;
  const double wanted = safety * std::pow(std::max(error, 1e-30), -1. / (order + 1));
  step_ = h * std::clamp(wanted, leastGrowth, mostGrowth);
  isAtLeast_ = wanted > mostGrowth;
  return step_;
}

#if DELASSUS_SUNDIALS_7_1

ElementaryController::~ElementaryController() {
  if (handle_ != nullptr) SUNAdaptController_DestroyEmpty(handle_);
}

int ElementaryController::attachTo(void* arkode, SUNContext context) {
  handle_ = SUNAdaptController_NewEmpty(context);
  if (handle_ == nullptr) return ARK_MEM_FAIL;
  handle_->content = this;
  handle_->ops->gettype = [](SUNAdaptController) { return SUN_ADAPTCONTROLLER_H; };
  handle_->ops->estimatestep = [](SUNAdaptController self, double h, int, double error, double* next) -> SUNErrCode {
    *next = static_cast<ElementaryController*>(self->content)->nextStep(h, error);
    return SUN_SUCCESS;
  };
  return ARKodeSetAdaptController(arkode, handle_);
}

#else

ElementaryController::~ElementaryController() = default;

int ElementaryController::attachTo(void* arkode, SUNContext) {
  ERKStepSetErrorBias(arkode, 1.);
  const auto estimate = [](N_Vector, double, double h, double, double, double error, double, double, int, int,
                           double* next, void* self) {
    *next = static_cast<ElementaryController*>(self)->nextStep(h, error);
    return 0;
  };
  return ERKStepSetAdaptivityFn(arkode, estimate, this);
}

#endif

}  // namespace delassus
