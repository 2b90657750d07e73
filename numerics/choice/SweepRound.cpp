// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/SweepRound.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t boldSweeps = 3000;  // fewer do not come near, more go round
constexpr std::size_t calmSweeps = 600;
constexpr std::size_t gradientSteps = 300;
constexpr std::size_t errorInterval = 60;  // often enough for so many

std::unique_ptr<NonsmoothGaussSeidelSolver> sweepsOfRound(double tolerance, std::size_t limit, bool momentum,
                                                          const std::shared_ptr<ContactSweep>& contacts) {
  NonsmoothGaussSeidelOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.momentum = momentum;
  if (momentum) options.errorInterval = errorInterval;
  return std::make_unique<NonsmoothGaussSeidelSolver>(contacts, options);
}

}  // namespace

SweepRound::Tables SweepRound::tables() {
  static constexpr Line lines[] = {
      {"sweeps with momentum",
       [](const Self& s) -> Member { return sweepsOfRound(s.tolerance(), boldSweeps, true, s.contacts_); }, nullptr,
       Start::best},
      {"sweeps", [](const Self& s) -> Member { return sweepsOfRound(s.tolerance(), calmSweeps, false, s.contacts_); },
       nullptr, Start::best},
      {"gradients",
       [](const Self& s) -> Member {
         return std::make_unique<AcceleratedGradientSolver>(
             AcceleratedGradientOptions{.tolerance = s.tolerance(), .maxIterations = gradientSteps});
       },
       nullptr, Start::best},
  };
  static constexpr Table all[] = {lines};
  return all;
}

}  // namespace delassus::numerics
