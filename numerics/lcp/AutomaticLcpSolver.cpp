// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/MakeSolver.hpp>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/RestartingSolver.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>
#include <delassus/numerics/lcp/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/FischerBurmeisterSolver.hpp>
#include <delassus/numerics/lcp/LcpActiveSetSolver.hpp>
#include <delassus/numerics/lcp/LcpDirectSolver.hpp>
#include <delassus/numerics/lcp/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/lcp/LcpProximalSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/sets/Infeasibility.hpp>

namespace delassus::numerics {
namespace {

enum Number : std::size_t {
  blockPivoting,
  activeSet,
  direct,
  lemke,
  interiorPoint,
  newtonMin,
  fischerBurmeister,
  restarts,
  enumeration,
  proximal,
  blockGaussSeidel
};

using Problem = LinearComplementarityProblem;

// Up to this size all bases cost less than many starts of Newton's method, and prove that there is no solution.
constexpr std::size_t enumerateFirst = 10;
constexpr std::size_t restartSize = 64;
constexpr std::size_t starts = 300;
constexpr std::size_t stepsOfAStart = 40;  // what converges does so in fewer, mostly
// With more rows, a sparse M that is not symmetric is factored sparse.
constexpr std::size_t sparseSize = 100;

// `method`, which `known` points to from now on.
template <class Method>
std::unique_ptr<Method> keep(Method*& known, Method method) {
  auto kept = std::make_unique<Method>(std::move(method));
  known = kept.get();
  return kept;
}

// Half of the z_j are 0, the others of the size at which their column outweighs q.
void drawUnknown(const LinearComplementarityProblem& problem, std::size_t, RandomGenerator& generator, Vector& z) {
  std::uniform_real_distribution<double> share(0., 1.);
  std::bernoulli_distribution isPositive;
  const BlockSparseMatrix& M = problem.M();
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

}  // namespace

AutomaticLcpSolver::AutomaticLcpSolver(AutomaticLcpOptions options)
    : WithOptions("AutomaticLcpSolver", options, "AutomaticLcpSolver", options.tolerance) {
}

AutomaticLcpSolver::Member AutomaticLcpSolver::make(std::size_t number) {
  const SolverSettings common{options_.tolerance, options_.maxIterations};
  switch (number) {
    case blockPivoting:
      return std::make_unique<BlockPivotingSolver>(optionsFrom(common, BlockPivotingOptions{.symmetricOnly = false}));
    case activeSet:
      return makeSolver<Problem, LcpActiveSetSolver, LcpActiveSetOptions>(common);
    case direct:
      return keep(direct_, LcpDirectSolver(optionsFrom(common, LcpDirectOptions{.enumerateSize = 0})));
    case lemke:
      return keep(lemke_,
                  LemkeSolver(LemkeOptions{.tolerance = options_.tolerance, .maxPivots = options_.maxIterations}));
    case interiorPoint:
      return makeSolver<Problem, LcpInteriorPointSolver, LcpInteriorPointOptions>(common);
    case newtonMin:
      return std::make_unique<NewtonSolver>(optionsFrom(common, NewtonOptions::afterSweeps()));
    case fischerBurmeister:
      return makeSolver<Problem, FischerBurmeisterSolver, FischerBurmeisterOptions>(common);
    case restarts: {
      auto steps = optionsFrom<FischerBurmeisterOptions>(common);
      steps.maxIterations =
          options_.maxIterations > 0 ? std::min(options_.maxIterations, stepsOfAStart) : stepsOfAStart;
      return std::make_unique<RestartingSolver<Problem>>(std::make_unique<FischerBurmeisterSolver>(steps), drawUnknown,
                                                         starts);
    }
    case enumeration:
      return std::make_unique<EnumerationSolver>(EnumerationOptions{
          .tolerance = options_.tolerance, .maxSize = std::max(EnumerationOptions().maxSize, options_.enumerateSize)});
    case proximal:
      return makeSolver<Problem, LcpProximalSolver, LcpProximalOptions>(common);
    case blockGaussSeidel:
      return makeSolver<Problem, BlockGaussSeidelSolver, BlockGaussSeidelOptions>(common);
    default:
      return nullptr;
  }
}

void AutomaticLcpSolver::plan(const LinearComplementarityProblem& problem, std::vector<std::size_t>& order) {
  symmetricFrom_.renew(problem.stamp(), [&] { symmetric_ = problem.M().isSymmetric(); });
  const bool isSparse = !symmetric_ && problem.size() > sparseSize && !PrincipalLU::isNearlyFull(problem.M());
  if (problem.size() > options_.denseSize) {
    if (symmetric_) order.assign({blockPivoting, proximal});
    if (isSparse) order.push_back(blockPivoting);
    order.push_back(blockGaussSeidel);
    return;
  }
  if (symmetric_) {
    order.assign({blockPivoting, activeSet, lemke, interiorPoint, fischerBurmeister});
  } else {
    if (isSparse) order.push_back(blockPivoting);
    order.insert(order.end(), {direct, interiorPoint, newtonMin, fischerBurmeister});
  }
  const bool enumerates = problem.size() <= options_.enumerateSize;
  if (enumerates && problem.size() <= enumerateFirst) order.push_back(enumeration);
  if (problem.size() <= restartSize) order.push_back(restarts);
  if (enumerates && problem.size() > enumerateFirst) order.push_back(enumeration);
}

bool AutomaticLcpSolver::proves(std::size_t number, const LinearComplementarityProblem& problem, const SolveReport&) {
  if (number == lemke || number == direct) {
    const Vector& ray = number == lemke ? lemke_->ray() : direct_->ray();
    return ray.size() == problem.size() && provesInfeasible(problem, ray);
  }
  return number == activeSet || number == interiorPoint || number == enumeration;
}

}  // namespace delassus::numerics
