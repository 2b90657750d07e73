// SPDX-License-Identifier: Apache-2.0
//
// Spheres that fall into a box, on one thread and on several: two simulations of one scene, in turn for 20 steps each,
// that must agree to the last bit. Set OPENBLAS_NUM_THREADS=1.
//
//     threads_benchmark [spheres] [steps] [threads] [alone] [tolerance]
//
// alone: 1 leaves the simulation on one thread out.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/numerics/Threads.hpp>
#include <memory>
#include <string>
#include <vector>

#include "FallingSpheres.hpp"

namespace {

using namespace delassus;

constexpr double h = 5e-3;
constexpr double mu = 0.5;
constexpr std::size_t stepsInTurn = 20;

class Pile {
 public:
  Pile(std::size_t spheres, std::size_t steps, double tolerance)
      : model_(0., h * static_cast<double>(steps + 1)),
        manager_(std::make_shared<CollisionManager>(benchmarks::margin, NewtonImpactFrictionNSL(0., 0., mu))),
        balls_(benchmarks::fill(model_, *manager_, spheres)),
        simulation_(model_, TimeDiscretisation(0., h), MoreauJeanOSI::semiExplicit(),
                    FrictionContact(3, AutomaticFrictionSolver(tolerance))) {
    simulation_.setInteractionManager(manager_);
    simulation_.setFailurePolicy(FailureAction::accept);
  }

  // Seconds for some steps on so many threads.
  double run(std::size_t steps, std::size_t threads) {
    setThreads(threads);
    sweeps_ = uncertified_ = 0;
    longest_ = 0.;
    const auto begun = std::chrono::steady_clock::now();
    auto last = begun;
    for (std::size_t k = 0; k < steps; ++k) {
      simulation_.step();
      const auto now = std::chrono::steady_clock::now();
      longest_ = std::max(longest_, std::chrono::duration<double>(now - last).count());
      last = now;
      sweeps_ += simulation_.lastStep().solve.iterations;
      if (!simulation_.lastStep().solve.converged()) ++uncertified_;
    }
    setThreads(1);
    return std::chrono::duration<double>(last - begun).count();
  }

  bool agreesWith(const Pile& other) const {
    for (std::size_t k = 0; k < balls_.size(); ++k) {
      const NewtonEulerDS &a = *balls_[k], &b = *other.balls_[k];
      if (!std::equal(a.q().begin(), a.q().end(), b.q().begin())) return false;
      if (!std::equal(a.velocity().begin(), a.velocity().end(), b.velocity().begin())) return false;
    }
    return true;
  }
  std::size_t contacts() { return simulation_.problem().size() / 3; }
  std::size_t sweeps() const { return sweeps_; }
  std::size_t uncertified() const { return uncertified_; }
  double longest() const { return longest_; }

 private:
  NonSmoothDynamicalSystem model_;
  std::shared_ptr<CollisionManager> manager_;
  std::vector<std::shared_ptr<NewtonEulerDS>> balls_;
  TimeStepping simulation_;
  std::size_t sweeps_ = 0, uncertified_ = 0;  // in the last run
  double longest_ = 0.;                       // step of it, s
};

double peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto argument = [&](int k, const char* other) { return std::string(argc > k ? argv[k] : other); };
    const std::size_t spheres = std::stoul(argument(1, "1000")), steps = std::stoul(argument(2, "600"));
    const std::size_t threads = std::stoul(argument(3, "2"));
    const bool isAlone = argument(4, "0") == "1";
    const double tolerance = std::stod(argument(5, "1e-3"));
    Pile several(spheres, steps, tolerance);
    std::unique_ptr<Pile> one;
    if (!isAlone) one = std::make_unique<Pile>(spheres, steps, tolerance);
    std::printf("%zu spheres, to %g\n%5s %8s %10s %8s %12s %9s %9s %9s  %s\n", spheres, tolerance, "step", "contacts",
                "iterations", "failed", "1 thread, s", (std::to_string(threads) + ", s").c_str(), "longest", "ratio",
                "same bits");
    double total = 0., totalOfOne = 0.;
    std::size_t failed = 0;
    for (std::size_t step = 0; step < steps; step += stepsInTurn) {
      const std::size_t count = std::min(stepsInTurn, steps - step);
      const double seconds = several.run(count, threads), ofOne = one ? one->run(count, 1) : 0.;
      total += seconds;
      totalOfOne += ofOne;
      failed += several.uncertified();
      std::printf("%5zu %8zu %10zu %8zu %12.3f %9.3f %9.3f %9.2f  %s\n", step + count, several.contacts(),
                  several.sweeps(), several.uncertified(), ofOne, seconds, several.longest(),
                  one ? seconds / ofOne : 0., one ? (several.agreesWith(*one) ? "yes" : "NO") : "");
      std::fflush(stdout);
    }
    std::printf("together: %.1f s on 1 thread, %.1f s on %zu; %zu steps not certified; peak %.0f MB\n", totalOfOne,
                total, threads, failed, peakMegabytes());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "threads_benchmark: %s\n", error.what());
    return 1;
  }
}
