// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/DistributedFrictionSolver.hpp>

#include <delassus/numerics/distributed/DistributedGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <utility>

namespace delassus::distributed {
namespace {

using numerics::SolverOverSets;

std::unique_ptr<SolverOverSets> makeSweeps(const std::shared_ptr<const DistributedDelassus>& W, double tolerance,
                                           std::size_t limit, bool momentum) {
  DistributedGaussSeidelOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.momentum = momentum;
  return std::make_unique<DistributedGaussSeidelSolver>(W, options);
}

}  // namespace

DistributedFrictionSolver::DistributedFrictionSolver(std::shared_ptr<const DistributedDelassus> W, double tolerance)
    : TableSolver("DistributedFrictionSolver", tolerance), W_(std::move(W)) {
  if (!W_) throw Error("DistributedFrictionSolver", "the operator is null.");
}

template <std::size_t limit>
DistributedFrictionSolver::Member DistributedFrictionSolver::makeBold(const Self& self) {
  return makeSweeps(self.W_, self.tolerance(), limit, true);
}

template <std::size_t limit>
DistributedFrictionSolver::Member DistributedFrictionSolver::makeCalm(const Self& self) {
  return makeSweeps(self.W_, self.tolerance(), limit, false);
}

template <std::size_t limit>
DistributedFrictionSolver::Member DistributedFrictionSolver::makeGradients(const Self& self) {
  return std::make_unique<numerics::AcceleratedGradientSolver>(
      numerics::AcceleratedGradientOptions{.tolerance = self.tolerance(), .maxIterations = limit});
}

DistributedFrictionSolver::Tables DistributedFrictionSolver::tables() {
  constexpr Start best = Start::best;
  static constexpr Line lines[] = {
      {"sweeps with momentum", makeBold<2000>, nullptr, best},
      {"sweeps", makeCalm<600>, nullptr, best},
      {"gradients", makeGradients<300>, nullptr, best},
      {"more sweeps with momentum", makeBold<12000>, nullptr, best},
      {"more sweeps", makeCalm<3600>, nullptr, best},
      {"more gradients", makeGradients<1800>, nullptr, best},
      {"most sweeps with momentum", makeBold<72000>, nullptr, best},
      {"most sweeps", makeCalm<21600>, nullptr, best},
      {"most gradients", makeGradients<10800>, nullptr, best},
  };
  static constexpr Table all[] = {lines};
  return all;
}

}  // namespace delassus::distributed
