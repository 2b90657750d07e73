// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/SweepRound.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t boldSweeps = 3000;  // fewer do not come near, more go round
constexpr std::size_t calmSweeps = 600;
constexpr std::size_t gradientSteps = 300;
constexpr std::size_t errorInterval = 60;  // often enough for so many

std::unique_ptr<NonsmoothGaussSeidelSolver> sweeps(double tolerance, std::size_t limit, bool momentum,
                                                   const std::shared_ptr<ContactSweep>& contacts) {
  NonsmoothGaussSeidelOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.momentum = momentum;
  if (momentum) options.errorInterval = errorInterval;
  return std::make_unique<NonsmoothGaussSeidelSolver>(contacts, options);
}

}  // namespace

void SweepRound::plan(const FrictionContactProblem&, std::vector<std::size_t>& order) {
  order.assign({momentum, plainSweeps, gradients});
}

SweepRound::Member SweepRound::make(std::size_t number) {
  switch (number) {
    case momentum:
      return sweeps(tolerance(), boldSweeps, true, contacts_);
    case plainSweeps:
      return sweeps(tolerance(), calmSweeps, false, contacts_);
    case gradients:
      return std::make_unique<AcceleratedGradientSolver>(
          AcceleratedGradientOptions{.tolerance = tolerance(), .maxIterations = gradientSteps});
    default:
      return nullptr;
  }
}

}  // namespace delassus::numerics
