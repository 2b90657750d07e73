// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>

// The scaled error measures in extended precision, straight from their definitions: a reference for certificates.
namespace delassus::test {

/// As documented beside errorOf() of the class; infinite where the unknown is not finite.
///@{
long double extendedResidual(const numerics::LinearComplementarityProblem& problem, const Vector& z);
long double extendedResidual(const numerics::MixedLinearComplementarityProblem& problem, const Vector& z);
long double extendedResidual(const numerics::RelayProblem& problem, const Vector& z);
long double extendedResidual(const numerics::FrictionContactProblem& problem, const Vector& r);
long double extendedResidual(const numerics::GlobalFrictionContactProblem& problem, const Vector& x);
long double extendedResidual(const numerics::GenericMechanicalProblem& problem, const Vector& lambda);
///@}

}  // namespace delassus::test
