// SPDX-License-Identifier: Apache-2.0
//
// Classes whose solvers are not there yet.
#include <delassus/numerics/SolverCatalogue.hpp>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>

namespace delassus::numerics {

template <>
std::span<const SolverEntry<MixedLinearComplementarityProblem>> solversFor<MixedLinearComplementarityProblem>() {
  return {};
}

template <>
std::span<const SolverEntry<RelayProblem>> solversFor<RelayProblem>() {
  return {};
}

template <>
std::span<const SolverEntry<FrictionContactProblem>> solversFor<FrictionContactProblem>() {
  return {};
}

template <>
std::span<const SolverEntry<GlobalFrictionContactProblem>> solversFor<GlobalFrictionContactProblem>() {
  return {};
}

}  // namespace delassus::numerics
