// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/nonlinear/AutomaticVariationalSolver.hpp>
#include <delassus/numerics/nonlinear/ExtragradientSolver.hpp>
#include <delassus/numerics/nonlinear/VariationalNewtonSolver.hpp>

namespace delassus::numerics {
namespace {

template <class Problem>
constexpr std::array<SolverEntry<Problem>, 4> variationalSolvers{{
    entry<AutomaticVariationalSolver, AutomaticVariationalOptions, Problem>(
        "automatic", "Newton's methods, then the extragradient method, then random starts"),
    entry<VariationalNewtonSolver, VariationalNewtonOptions, Problem>("newton", "semismooth Newton on the natural map"),
    entry<JosephyNewtonSolver, VariationalNewtonOptions, Problem>(
        "josephy", "Newton's method whose steps solve the linearised problem over the sets"),
    entry<ExtragradientSolver, ExtragradientOptions, Problem>("extragradient",
                                                              "projections alone, for monotone functions"),
}};

}  // namespace

template <>
std::span<const SolverEntry<VariationalInequality>> solversFor<VariationalInequality>() {
  return variationalSolvers<VariationalInequality>;
}

template <>
std::span<const SolverEntry<NonlinearComplementarityProblem>> solversFor<NonlinearComplementarityProblem>() {
  return variationalSolvers<NonlinearComplementarityProblem>;
}

template <>
std::span<const SolverEntry<MixedComplementarityProblem>> solversFor<MixedComplementarityProblem>() {
  return variationalSolvers<MixedComplementarityProblem>;
}

}  // namespace delassus::numerics
