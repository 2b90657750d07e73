// SPDX-License-Identifier: Apache-2.0
// What misfits.cpp includes, precompiled once for all its cases.
#pragma once

#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/FirstOrderType1R.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/relations/NewtonEulerR.hpp>
#include <delassus/kernel/relations/PrescribedMotionR.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
