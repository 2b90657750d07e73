// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/lcp/AutomaticLcpSolver.hpp>
#include <delassus/numerics/lcp/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/FischerBurmeisterSolver.hpp>
#include <delassus/numerics/lcp/LcpActiveSetSolver.hpp>
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

template <class Method, class Options>
std::unique_ptr<Method> make(double tolerance) {
  Options options;
  options.tolerance = tolerance;
  return std::make_unique<Method>(options);
}

}  // namespace

AutomaticLcpSolver::AutomaticLcpSolver(AutomaticLcpOptions options)
    : FallbackChain("AutomaticLcpSolver", options.tolerance), options_(options) {
  const double tolerance = options.tolerance;
  add(make<BlockPivotingSolver, BlockPivotingOptions>(tolerance));
  add(make<LcpActiveSetSolver, LcpActiveSetOptions>(tolerance));
  auto method = make<LemkeSolver, LemkeOptions>(tolerance);
  lemke_ = method.get();
  add(std::move(method));
  add(make<LcpInteriorPointSolver, LcpInteriorPointOptions>(tolerance));
  add(make<NewtonMinSolver, NewtonMinOptions>(tolerance));
  add(make<FischerBurmeisterSolver, FischerBurmeisterOptions>(tolerance));
  EnumerationOptions bases;
  bases.tolerance = tolerance;
  bases.maxSize = std::max(bases.maxSize, options.enumerateSize);
  add(std::make_unique<EnumerationSolver>(bases));
  add(make<LcpProximalSolver, LcpProximalOptions>(tolerance));
  add(make<BlockGaussSeidelSolver, BlockGaussSeidelOptions>(tolerance));
}

void AutomaticLcpSolver::plan(const LinearComplementarityProblem& problem, std::vector<std::size_t>& order) {
  if (stamp_ != problem.stamp()) {
    symmetric_ = problem.M().isSymmetric(symmetryTolerance);
    stamp_ = problem.stamp();
  }
  if (problem.size() > options_.denseSize) {
    if (symmetric_) order.assign({blockPivoting, proximal});
    order.push_back(blockGaussSeidel);
    return;
  }
  if (symmetric_) {
    order.assign({blockPivoting, activeSet, lemke, interiorPoint, fischerBurmeister});
  } else {
    order.assign({lemke, interiorPoint, newtonMin, fischerBurmeister});
  }
  if (problem.size() <= options_.enumerateSize) order.push_back(enumeration);
}

bool AutomaticLcpSolver::proves(std::size_t index, const LinearComplementarityProblem& problem, const SolveReport&) {
  if (index == lemke) return lemke_->ray().size() == problem.size() && provesInfeasible(problem, lemke_->ray());
  return index == activeSet || index == interiorPoint || index == enumeration;
}

}  // namespace delassus::numerics
