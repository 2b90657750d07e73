// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arkode/arkode_erkstep.h>
#include <sundials/sundials_config.h>

// What differs between SUNDIALS 6 and 7. Since 7.0 the handler of messages belongs to the context. Since 7.1 all
// steppers of ARKODE share one set of functions, and an object chooses the step lengths.
#define DELASSUS_SUNDIALS_7 (SUNDIALS_VERSION_MAJOR >= 7)
#define DELASSUS_SUNDIALS_7_1 (SUNDIALS_VERSION_MAJOR * 100 + SUNDIALS_VERSION_MINOR >= 701)
// Version 7.2 mended a defect of ARKODE that 6.4 does not have (pull request 614 of SUNDIALS).
#define DELASSUS_SUNDIALS_GUESSES_TANGENT                         \
  (SUNDIALS_VERSION_MAJOR * 100 + SUNDIALS_VERSION_MINOR > 604 && \
   SUNDIALS_VERSION_MAJOR * 100 + SUNDIALS_VERSION_MINOR < 702)

#if !DELASSUS_SUNDIALS_7_1
namespace delassus {

/// The names since 7.1, which the sources use.
///@{
constexpr auto ARKodeFree = ERKStepFree;
constexpr auto ARKodeSStolerances = ERKStepSStolerances;
constexpr auto ARKodeSetUserData = ERKStepSetUserData;
constexpr auto ARKodeSetFixedStepBounds = ERKStepSetFixedStepBounds;
constexpr auto ARKodeSetMaxNumSteps = ERKStepSetMaxNumSteps;
constexpr auto ARKodeSetInterpolantDegree = ERKStepSetInterpolantDegree;
constexpr auto ARKodeSetMaxStep = ERKStepSetMaxStep;
constexpr auto ARKodeSetInitStep = ERKStepSetInitStep;
constexpr auto ARKodeSetStopTime = ERKStepSetStopTime;
constexpr auto ARKodeRootInit = ERKStepRootInit;
constexpr auto ARKodeSetRootDirection = ERKStepSetRootDirection;
constexpr auto ARKodeSetNoInactiveRootWarn = ERKStepSetNoInactiveRootWarn;
constexpr auto ARKodeEvolve = ERKStepEvolve;
constexpr auto ARKodeGetLastStep = ERKStepGetLastStep;
constexpr auto ARKodeGetCurrentTime = ERKStepGetCurrentTime;
constexpr auto ARKodeGetRootInfo = ERKStepGetRootInfo;
constexpr auto ARKodeGetDky = ERKStepGetDky;
///@}

}  // namespace delassus
#endif
