// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>

#include <algorithm>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/MakeSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/methods/LcpActiveSetSolver.hpp>
#include <delassus/numerics/methods/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/methods/LcpProximalSolver.hpp>
#include <delassus/numerics/methods/LeastNormSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/ProjectedGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/RestartingSolver.hpp>
#include <delassus/numerics/methods/SparseEliminationSolver.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>

namespace delassus::numerics {
namespace {

// Up to this size all bases cost less than many starts of Newton's method, and prove that there is no solution.
constexpr std::size_t enumerateFirst = 10;
constexpr std::size_t restartSize = 64;
constexpr std::size_t boxStarts = 300;
constexpr std::size_t stepsOfABoxStart = 40;  // what converges does so in fewer, mostly
// With more rows, a sparse M that is not symmetric is factored sparse.
constexpr std::size_t sparseSize = 100;

// Half of the z_j are 0, the others of the size at which their column outweighs q.
void drawUnknown(const ProblemOverSets& problem, std::size_t, RandomGenerator& generator, Vector& z) {
  std::uniform_real_distribution<double> share(0., 1.);
  std::bernoulli_distribution isPositive;
  const BlockSparseMatrix& M = problem.matrix();
  const double size = normInf(problem.q());
  setZero(z);
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) {
      const double* entry = M.block(k);
      const std::size_t first = M.offset(M.column(k));
      for (std::size_t j = first; j < first + M.blockSize(M.column(k)); ++j) {
        for (std::size_t i = 0; i < M.blockSize(row); ++i, ++entry) z(j) = std::max(z(j), std::abs(*entry));
      }
    }
  }
  for (double& entry : z.data()) {
    const double drawn = share(generator) * size;
    entry = isPositive(generator) ? drawn / (entry > 0. ? entry : 1.) : 0.;
  }
}

// `diagonal` and `isUsed` are room for the work.
bool hasEmptyRowOrColumn(const BlockSparseMatrix& M, Vector& diagonal, std::vector<char>& isUsed) {
  assignZero(diagonal, M.size());
  M.diagonal(data(diagonal));
  if (std::find(diagonal.begin(), diagonal.end(), 0.) == diagonal.end()) return false;
  isUsed.assign(2 * M.size(), 0);
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) {
      const double* entry = M.block(k);
      for (std::size_t j = M.offset(M.column(k)); j < M.offset(M.column(k) + 1); ++j) {
        for (std::size_t i = M.offset(row); i < M.offset(row + 1); ++i, ++entry) {
          if (*entry != 0.) isUsed[i] = isUsed[M.size() + j] = 1;
        }
      }
    }
  }
  return std::find(isUsed.begin(), isUsed.end(), 0) != isUsed.end();
}

std::unique_ptr<SolverOverSets> makeRestarts(const SolverSettings& common) {
  auto steps = optionsFrom<FischerBurmeisterOptions>(common);
  steps.maxIterations = common.maxIterations > 0 ? std::min(common.maxIterations, stepsOfABoxStart) : stepsOfABoxStart;
  return std::make_unique<RestartingSolver<ProblemOverSets>>(std::make_unique<FischerBurmeisterSolver>(steps),
                                                             drawUnknown, boxStarts);
}

}  // namespace

AutomaticBoxSolver::AutomaticBoxSolver(AutomaticBoxOptions options)
    : WithOptions("AutomaticBoxSolver", options, "AutomaticBoxSolver", options.tolerance) {
}

AutomaticBoxSolver::Member AutomaticBoxSolver::make(std::size_t number) {
  const double tolerance = options_.tolerance;
  const SolverSettings common{tolerance, options_.maxIterations};
  switch (number) {
    case definitePivoting:
      return std::make_unique<BlockPivotingSolver>(optionsFrom(common, BlockPivotingOptions{.definiteOnly = true}));
    case pivoting:
      return std::make_unique<BlockPivotingSolver>(optionsFrom<BlockPivotingOptions>(common));
    case activeSet:
      return std::make_unique<LcpActiveSetSolver>(optionsFrom<LcpActiveSetOptions>(common));
    case direct:  // without enumeration, which comes last here
      return std::make_unique<DirectSolver>(
          optionsFrom(common, DirectOptions{.rememberSize = options_.rememberSize, .enumerateSize = 0}));
    case mixedDirect:
      return std::make_unique<DirectSolver>(
          optionsFrom(common, DirectOptions{.rememberSize = options_.denseSize, .enumerateSize = 0}));
    case lemke:
      return std::make_unique<LemkeSolver>(LemkeOptions{.tolerance = tolerance, .maxPivots = options_.maxIterations});
    case lcpForm:
      return std::make_unique<LcpFormSolver>(optionsFrom<LcpFormOptions>(common));
    case interiorPoint:
      return std::make_unique<LcpInteriorPointSolver>(optionsFrom<LcpInteriorPointOptions>(common));
    case newton:
      return std::make_unique<NewtonSolver>(optionsFrom(common, NewtonOptions::afterSweeps()));
    case fischerBurmeister:
      return std::make_unique<FischerBurmeisterSolver>(optionsFrom<FischerBurmeisterOptions>(common));
    case restarts:
      return makeRestarts(common);
    case leastNorm:
      return std::make_unique<LeastNormSolver>(LeastNormOptions{tolerance});
    case enumeration:
      return std::make_unique<EnumerationSolver>(EnumerationOptions{
          .tolerance = tolerance, .maxSize = std::max(options_.enumerateSize, options_.enumerateOthers)});
    case proximal:
      return std::make_unique<LcpProximalSolver>(optionsFrom<LcpProximalOptions>(common));
    case blockSweeps:
      return std::make_unique<BlockGaussSeidelSolver>(optionsFrom<BlockGaussSeidelOptions>(common));
    case sweeps:
      return std::make_unique<ProjectedGaussSeidelSolver>(optionsFrom<ProjectedGaussSeidelOptions>(common));
    case sparseElimination:
      return std::make_unique<SparseEliminationSolver>(SparseEliminationOptions{.tolerance = tolerance});
    case eliminationAndSweeps:
      return solverNamed<MixedLinearComplementarityProblem>("pgs", common);
    default:
      return nullptr;
  }
}

bool AutomaticBoxSolver::enumerates(const ProblemOverSets& problem) const {
  if (intervals_.areHalfLines()) return problem.size() <= options_.enumerateSize;
  return hasFewBases(intervals_, options_.enumerateOthers);
}

void AutomaticBoxSolver::plan(const ProblemOverSets& problem, std::vector<std::size_t>& order) {
  if (!intervals_.take(problem)) return order.push_back(direct);  // which says why
  if (intervals_.areMixed() && !intervals_.areHalfLines()) {
    if (problem.size() > options_.denseSize) return order.assign({pivoting, sparseElimination, sweeps});
    emptyFrom_.renew(problem.stamp(), [&] { hasEmpty_ = hasEmptyRowOrColumn(problem.matrix(), diagonal_, isUsed_); });
    return planMixed(problem, order);
  }
  symmetricFrom_.renew(problem.stamp(), [&] { symmetric_ = problem.matrix().isSymmetric(); });
  intervals_.areHalfLines() ? planComplementarity(problem, order) : planIntervals(problem, order);
}

void AutomaticBoxSolver::planMixed(const ProblemOverSets& problem, std::vector<std::size_t>& order) const {
  // As that of rectangular problems, whose equalities are too many or too few.
  if (hasEmpty_) {
    order.assign({leastNorm, mixedDirect});
  } else {
    const bool isSparse = problem.size() > options_.rememberSize && !PrincipalLU::isNearlyFull(problem.matrix());
    if (isSparse) order.push_back(pivoting);
    order.insert(order.end(), {mixedDirect, leastNorm});
  }
  order.insert(order.end(), {fischerBurmeister, eliminationAndSweeps});
  if (enumerates(problem)) order.push_back(enumeration);
}

void AutomaticBoxSolver::planComplementarity(const ProblemOverSets& problem, std::vector<std::size_t>& order) const {
  const bool isSparse = !symmetric_ && problem.size() > sparseSize && !PrincipalLU::isNearlyFull(problem.matrix());
  if (problem.size() > options_.denseSize) {
    if (symmetric_) order.assign({definitePivoting, proximal});
    if (isSparse) order.push_back(definitePivoting);
    order.push_back(blockSweeps);
    return;
  }
  if (symmetric_) {
    order.assign({definitePivoting, activeSet, lemke, interiorPoint, fischerBurmeister});
  } else {
    if (isSparse) order.push_back(definitePivoting);
    order.insert(order.end(), {direct, interiorPoint, newton, fischerBurmeister});
  }
  const bool isTiny = problem.size() <= enumerateFirst;
  if (enumerates(problem) && isTiny) order.push_back(enumeration);
  if (problem.size() <= restartSize) order.push_back(restarts);
  if (enumerates(problem) && !isTiny) order.push_back(enumeration);
}

void AutomaticBoxSolver::planIntervals(const ProblemOverSets& problem, std::vector<std::size_t>& order) const {
  if (problem.size() <= options_.rememberSize) {
    order.assign({direct, lcpForm, sweeps});
  } else if (2 * problem.size() <= options_.denseSize) {
    order.assign({pivoting, lcpForm, sweeps});
  } else if (symmetric_ || !PrincipalLU::isNearlyFull(problem.matrix())) {
    order.assign({pivoting, sweeps});
  } else {
    order.assign({sweeps, pivoting});
  }
  if (enumerates(problem)) order.push_back(enumeration);
}

}  // namespace delassus::numerics
