// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>
#include <delassus/numerics/lcp/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/FischerBurmeisterSolver.hpp>
#include <delassus/numerics/lcp/LcpActiveSetSolver.hpp>
#include <delassus/numerics/lcp/LcpDirectSolver.hpp>
#include <delassus/numerics/lcp/LcpInfeasibility.hpp>
#include <delassus/numerics/lcp/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/lcp/LcpProximalSolver.hpp>
#include <delassus/numerics/lcp/NewtonMinSolver.hpp>

namespace delassus::numerics {
namespace {

// In the order of the constructor.
enum Member : std::size_t {
  blockPivoting,
  activeSet,
  direct,
  lemke,
  interiorPoint,
  newtonMin,
  fischerBurmeister,
  enumeration,
  proximal,
  blockGaussSeidel
};

// As in BlockPivotingSolver, which is the first to be tried on a symmetric M.
constexpr double symmetryTolerance = 1e-8;
// Of more rows, a sparse M that is not symmetric is factored sparse.
constexpr std::size_t sparseSize = 100;

template <class Method, class Options>
std::unique_ptr<Method> make(const AutomaticLcpOptions& settings) {
  Options options;
  options.tolerance = settings.tolerance;
  if (settings.maxIterations > 0) options.maxIterations = settings.maxIterations;
  return std::make_unique<Method>(options);
}

}  // namespace

AutomaticLcpSolver::AutomaticLcpSolver(AutomaticLcpOptions options)
    : FallbackChain("AutomaticLcpSolver", options.tolerance), options_(options) {
  BlockPivotingOptions exchanges;
  exchanges.tolerance = options.tolerance;
  if (options.maxIterations > 0) exchanges.maxIterations = options.maxIterations;
  exchanges.symmetricOnly = false;
  add(std::make_unique<BlockPivotingSolver>(exchanges));
  add(make<LcpActiveSetSolver, LcpActiveSetOptions>(options));
  LcpDirectOptions memory;
  memory.tolerance = options.tolerance;
  memory.enumerateSize = 0;  // it comes last here
  memory.maxIterations = options.maxIterations;
  auto remembering = std::make_unique<LcpDirectSolver>(memory);
  direct_ = remembering.get();
  add(std::move(remembering));
  LemkeOptions pivots;
  pivots.tolerance = options.tolerance;
  pivots.maxPivots = options.maxIterations;
  auto method = std::make_unique<LemkeSolver>(pivots);
  lemke_ = method.get();
  add(std::move(method));
  add(make<LcpInteriorPointSolver, LcpInteriorPointOptions>(options));
  add(make<NewtonMinSolver, NewtonMinOptions>(options));
  add(make<FischerBurmeisterSolver, FischerBurmeisterOptions>(options));
  EnumerationOptions bases;
  bases.tolerance = options.tolerance;
  bases.maxSize = std::max(bases.maxSize, options.enumerateSize);
  add(std::make_unique<EnumerationSolver>(bases));
  add(make<LcpProximalSolver, LcpProximalOptions>(options));
  add(make<BlockGaussSeidelSolver, BlockGaussSeidelOptions>(options));
}

void AutomaticLcpSolver::plan(const LinearComplementarityProblem& problem, std::vector<std::size_t>& order) {
  if (stamp_ != problem.stamp()) {
    symmetric_ = problem.M().isSymmetric(symmetryTolerance);
    stamp_ = problem.stamp();
  }
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
  if (problem.size() <= options_.enumerateSize) order.push_back(enumeration);
}

bool AutomaticLcpSolver::proves(std::size_t index, const LinearComplementarityProblem& problem, const SolveReport&) {
  if (index == lemke || index == direct) {
    const Vector& ray = index == lemke ? lemke_->ray() : direct_->ray();
    return ray.size() == problem.size() && provesInfeasible(problem, ray);
  }
  return index == activeSet || index == interiorPoint || index == enumeration;
}

Settings AutomaticLcpSolver::settings() const {
  Settings settings;
  settings.add("tolerance", options_.tolerance);
  settings.add("denseSize", options_.denseSize);
  settings.add("enumerateSize", options_.enumerateSize);
  settings.add("maxIterations", options_.maxIterations);
  return settings;
}

}  // namespace delassus::numerics
