// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/SolverCatalogue.hpp>
#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>

namespace delassus::numerics {
namespace {

using Made = std::unique_ptr<LcpSolver>;

Made makeBlockPivoting(const SolverSettings& settings) {
  BlockPivotingOptions options;
  options.tolerance = settings.tolerance;
  if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  return std::make_unique<BlockPivotingSolver>(options);
}

Made makeLemke(const SolverSettings& settings) {
  LemkeOptions options;
  options.tolerance = settings.tolerance;
  options.maxPivots = settings.maxIterations;
  return std::make_unique<LemkeSolver>(options);
}

Made makeGaussSeidel(const SolverSettings& settings) {
  ProjectedGaussSeidelOptions options;
  options.tolerance = settings.tolerance;
  if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  return std::make_unique<ProjectedGaussSeidelSolver>(options);
}

Made makeEnumeration(const SolverSettings& settings) {
  EnumerationOptions options;
  options.tolerance = settings.tolerance;
  return std::make_unique<EnumerationSolver>(options);
}

constexpr std::array<SolverEntry<LinearComplementarityProblem>, 4> solvers{
    {{"lemke", "Lemke's pivoting, dense", makeLemke},
     {"block_pivoting", "block principal pivoting, for symmetric positive definite M", makeBlockPivoting},
     {"pgs", "projected Gauss-Seidel", makeGaussSeidel},
     {"enumeration", "all complementary bases, for small problems", makeEnumeration}}};

}  // namespace

template <>
std::span<const SolverEntry<LinearComplementarityProblem>> solversFor<LinearComplementarityProblem>() {
  return solvers;
}

}  // namespace delassus::numerics
