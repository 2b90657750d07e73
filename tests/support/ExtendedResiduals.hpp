// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <vector>

// The scaled error measures in extended precision, straight from their definitions: a reference for certificates.
namespace delassus::test {

/// As documented beside errorOf() of the class; infinite where the unknown is not finite.
///@{
long double extendedResidual(const numerics::LinearComplementarityProblem& problem, const Vector& z);
long double extendedResidual(const numerics::MixedLinearComplementarityProblem& problem, const Vector& z);
long double extendedResidual(const numerics::RelayProblem& problem, const Vector& z);
long double extendedResidual(const numerics::FrictionContactProblem& problem, const Vector& r);
long double extendedResidual(const numerics::GlobalFrictionContactProblem& problem, const Vector& r);
long double extendedResidual(const numerics::GlobalMechanicalProblem& problem, const Vector& lambda);
long double extendedResidual(const numerics::GenericMechanicalProblem& problem, const Vector& lambda);
///@}

/// Hᵀ M⁻¹ (H λ + f) + b, M⁻¹ by elimination.
std::vector<long double> globalOutputs(const numerics::GlobalMechanicalProblem& problem, const Vector& lambda);

}  // namespace delassus::test
