// SPDX-License-Identifier: Apache-2.0
//
// Spheres that fall into a box, simulated with all defaults: what a step costs, and how many of its problems are
// accepted at a relaxed tolerance. Set OPENBLAS_NUM_THREADS=1.
//
//     defaults_benchmark [spheres] [steps] [relaxation]
#include <chrono>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <exception>
#include <memory>
#include <string>

#include "FallingSpheres.hpp"

using namespace delassus;

int main(int argc, char** argv) {
  try {
    const auto argument = [&](int k, const char* other) { return std::string(argc > k ? argv[k] : other); };
    const std::size_t spheres = std::stoul(argument(1, "100")), steps = std::stoul(argument(2, "200"));
    constexpr double h = 5e-3;
    NonSmoothDynamicalSystem model(0., h * static_cast<double>(steps));
    const auto manager = std::make_shared<CollisionManager>(benchmarks::margin, NewtonImpactFrictionNSL(0., 0., 0.5));
    benchmarks::fill(model, *manager, spheres);
    TimeSteppingOptions options;
    if (argc > 3) options.relaxation = std::stod(argv[3]);
    TimeStepping simulation(model, h, options);
    simulation.setInteractionManager(manager);
    const auto begun = std::chrono::steady_clock::now();
    simulation.run();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    std::printf("%zu spheres, %zu steps: %.2f s\n%s\n", spheres, steps, seconds,
                simulation.statistics().summary().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "defaults_benchmark: %s\n", error.what());
    return 1;
  }
}
