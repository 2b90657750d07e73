// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/DistributedFrictionSolver.hpp>

#include <delassus/numerics/distributed/DistributedGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <utility>

namespace delassus::distributed {
namespace {

enum Method : std::size_t { momentum, plainSweeps, gradients, methods };

constexpr std::size_t rounds = 3;
constexpr std::size_t growth = 6;                               // of the limits from round to round
constexpr std::size_t firstLimits[methods] = {2000, 600, 300};  // iterations

}  // namespace

DistributedFrictionSolver::DistributedFrictionSolver(std::shared_ptr<const DistributedDelassus> W, double tolerance)
    : FallbackChain("DistributedFrictionSolver", tolerance), W_(std::move(W)) {
  if (!W_) throw Error("DistributedFrictionSolver", "the operator is null.");
}

void DistributedFrictionSolver::plan(const numerics::FrictionContactProblem&, std::vector<std::size_t>& order) {
  for (std::size_t number = 0; number < rounds * methods; ++number) order.push_back(number);
}

DistributedFrictionSolver::Member DistributedFrictionSolver::make(std::size_t number) {
  const std::size_t method = number % methods;
  std::size_t limit = firstLimits[method];
  for (std::size_t round = 0; round < number / methods; ++round) limit *= growth;
  if (method == gradients) {
    return std::make_unique<numerics::AcceleratedGradientSolver>(
        numerics::AcceleratedGradientOptions{.tolerance = tolerance(), .maxIterations = limit});
  }
  DistributedGaussSeidelOptions options;
  options.tolerance = tolerance();
  options.maxIterations = limit;
  options.momentum = method == momentum;
  return std::make_unique<DistributedGaussSeidelSolver>(W_, options);
}

}  // namespace delassus::distributed
