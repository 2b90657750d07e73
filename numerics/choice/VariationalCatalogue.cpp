// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/choice/AutomaticVariationalSolver.hpp>
#include <delassus/numerics/choice/MakeSolver.hpp>
#include <delassus/numerics/nonlinear/ExtragradientSolver.hpp>
#include <delassus/numerics/nonlinear/VariationalNewtonSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::array<SolverEntry<VariationalInequality>, 4> variationalSolvers{{
    entry<AutomaticVariationalSolver, AutomaticVariationalOptions, VariationalInequality>(
        "automatic", "Newton's methods, then the extragradient method, then random starts"),
    entry<VariationalNewtonSolver, VariationalNewtonOptions, VariationalInequality>(
        "newton", "semismooth Newton on the natural map"),
    entry<JosephyNewtonSolver, VariationalNewtonOptions, VariationalInequality>(
        "josephy", "Newton's method whose steps solve the linearised problem over the sets"),
    entry<ExtragradientSolver, ExtragradientOptions, VariationalInequality>(
        "extragradient", "projections alone, for monotone functions"),
}};

}  // namespace

template <>
std::span<const SolverEntry<VariationalInequality>> solversFor<VariationalInequality>() {
  return variationalSolvers;
}

template <>
std::span<const SolverEntry<VariationalInequality>> solversFor<NonlinearComplementarityProblem>() {
  return variationalSolvers;
}

template <>
std::span<const SolverEntry<VariationalInequality>> solversFor<MixedComplementarityProblem>() {
  return variationalSolvers;
}

}  // namespace delassus::numerics
