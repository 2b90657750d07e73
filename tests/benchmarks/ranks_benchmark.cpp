// SPDX-License-Identifier: Apache-2.0
//
// Spheres that fall into a box, over the ranks of MPI: wall time, and what is sent, by twenty steps.
//
//     mpirun -n 2 ranks_benchmark [spheres] [steps] [tolerance]
//
// Set OPENBLAS_NUM_THREADS=1. Counts are exact on more ranks than there are cores, too; times are not worth anything
// there.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <delassus/kernel/distributed/GranularSimulation.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/numerics/distributed/Ranks.hpp>
#include <string>

#include "FallingSpheres.hpp"

namespace {

using namespace delassus;
using namespace delassus::distributed;

constexpr double h = 5e-3;
constexpr double mu = 0.5;
constexpr std::size_t stepsInTurn = 20;

void fill(GranularSimulation& pile, std::size_t spheres) {
  const benchmarks::Scene scene = benchmarks::fallingSpheres(spheres);
  for (const Plane& wall : scene.walls) pile.insertObstacle(wall);
  const std::size_t ranks = pile.ranks().size();
  for (std::size_t k = pile.ranks().rank(); k < scene.balls.size(); k += ranks) {
    const benchmarks::Scene::Ball& ball = scene.balls[k];
    pile.insert(Grain::ball(k, ball.radius, 2500., ball.centre));
  }
}

double peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.;
}

int simulate(const Ranks& ranks, std::size_t spheres, std::size_t steps, double tolerance) {
  GranularSimulation pile(
      ranks, NewtonImpactFrictionNSL(0., 0., mu),
      {.step = h, .end = h * static_cast<double>(steps), .margin = benchmarks::margin, .tolerance = tolerance});
  fill(pile, spheres);
  if (ranks.isFirst()) {
    std::printf(
        "%zu spheres on %zu ranks, to %g; a step of a rank: mean of the ranks (most of any)\n%5s %8s %8s %9s "
        "%18s %22s %11s %8s %9s\n",
        spheres, ranks.size(), tolerance, "step", "contacts", "sweeps", "ms a step", "messages", "kB", "collectives",
        "ghosts", "divisions");
  }
  const auto begun = std::chrono::steady_clock::now();
  for (std::size_t step = 0; step < steps; step += stepsInTurn) {
    const std::size_t count = std::min(stepsInTurn, steps - step);
    const Traffic before = traffic();
    const auto start = std::chrono::steady_clock::now();
    std::size_t sweeps = 0;
    for (std::size_t k = 0; k < count; ++k) {
      pile.step();
      sweeps += pile.lastReport().iterations;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const Traffic own = traffic() - before, of = mean(ranks, own), most = largest(ranks, own);
    double ghosts = static_cast<double>(pile.statistics().ghosts);
    ranks.sum({&ghosts, 1});
    if (!ranks.isFirst()) continue;
    const auto each = static_cast<double>(count);
    std::printf("%5zu %8zu %8.1f %9.2f %9.1f (%6.1f) %10.2f (%9.2f) %11.1f %8.0f %9zu\n", step + count,
                pile.contactsOfAll(), static_cast<double>(sweeps) / each, 1e3 * seconds / each, of.messages / each,
                most.messages / each, 1e-3 * of.bytes / each, 1e-3 * most.bytes / each, of.collectives / each, ghosts,
                pile.statistics().divisions);
    std::fflush(stdout);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  const GranularTotals totals = pile.totals();
  if (ranks.isFirst()) {
    std::printf("together: %.1f s; kinetic energy %.3g J; peak of the first rank %.0f MB\n", seconds,
                totals.kineticEnergy, peakMegabytes());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return runOnRanks("ranks_benchmark", [&](const Ranks& ranks) {
    const auto argument = [&](int k, const char* other) { return std::string(argc > k ? argv[k] : other); };
    return simulate(ranks, std::stoul(argument(1, "1000")), std::stoul(argument(2, "600")),
                    std::stod(argument(3, "1e-3")));
  });
}
