// SPDX-License-Identifier: Apache-2.0
//
// Spheres that fall into a box and pile up: the time of a step, stage by stage, for 100, 1,000 and 10,000 of them.
//
// Most of the time of a pile at rest is that of the sweeps, which grow with the depth of the pile; a limit on them
// shows the other stages by themselves. Steps that reach it go on with the best answer so far and are counted as
// failed.
//
// Below, whole steps beside those of Bullet's own world, where it is installed: the same scene, each with a few limits
// on its iterations, and the residual of the laws of contact that is left, by one formula.
//
//     spheres_benchmark [steps] [largest number of sweeps] [number of spheres]...
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <utility>
#include <vector>

#include "BulletSpheres.hpp"
#include "FallingSpheres.hpp"

namespace {

using namespace delassus;

constexpr double h = 5e-3;
constexpr double mu = 0.5;

// Processor time since the last call, so that other programs on the machine do not count.
class Stopwatch {
 public:
  double lap() {
    const double now = time();
    return now - std::exchange(last_, now);
  }

 private:
  static double time() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  double last_ = time();
};

struct Times {
  double detection = 0.;   // broad and narrow phase
  double link = 0.;        // link and remove
  double bind = 0.;        // workspaces of integrator and problem
  double integrator = 0.;  // forces, free state, Jacobians
  double assembly = 0.;
  double solve = 0.;
  double update = 0.;  // state and outputs

  double total() const { return detection + link + bind + integrator + assembly + solve + update; }
};

class TimedManager final : public InteractionManager {
 public:
  TimedManager(std::shared_ptr<CollisionManager> manager, Stopwatch& watch, Times& times)
      : manager_(std::move(manager)), watch_(watch), times_(times) {}
  void updateInteractions(NonSmoothDynamicalSystem& model, double t, double size) override {
    const CollisionStatistics before = manager_->statistics();
    watch_.lap();
    manager_->updateInteractions(model, t, size);
    const double both = watch_.lap();
    // The manager's own clock says which part is which.
    const double detection = manager_->statistics().detectionSeconds - before.detectionSeconds;
    const double link = manager_->statistics().linkingSeconds - before.linkingSeconds;
    times_.detection += both * detection / (detection + link);
    times_.link += both * link / (detection + link);
  }

 private:
  std::shared_ptr<CollisionManager> manager_;
  Stopwatch& watch_;
  Times& times_;
};

class TimedSolver final : public numerics::Solver<numerics::FrictionContactProblem> {
 public:
  TimedSolver(std::size_t sweeps, Stopwatch& watch, Times& times)
      : solver_(options(sweeps)), watch_(watch), times_(times) {}
  std::string_view name() const override { return solver_.name(); }
  double tolerance() const override { return solver_.tolerance(); }

 private:
  static NonsmoothGaussSeidelOptions options(std::size_t sweeps) {
    NonsmoothGaussSeidelOptions options;
    options.maxIterations = sweeps;
    return options;
  }

  Outcome compute(const numerics::FrictionContactProblem& problem, Vector& r) override {
    times_.assembly += watch_.lap();
    const numerics::SolveReport report = solver_.solve(problem, r, u_);
    adoptCertificate(report.error, u_);
    times_.solve += watch_.lap();
    return {report.status, report.iterations, report.reason};
  }

  NonsmoothGaussSeidelSolver solver_;
  Vector u_;
  Stopwatch& watch_;
  Times& times_;
};

// The stage before each call is that of the integrator: binding, or the free state.
class TimedProblem final : public OneStepNSProblem {
 public:
  TimedProblem(std::size_t sweeps, Stopwatch& watch, Times& times)
      : problem_(3, TimedSolver(sweeps, watch, times)), watch_(watch), times_(times) {}
  std::string_view name() const override { return problem_.name(); }
  void bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) override {
    problem_.bind(model, equations);
    times_.bind += watch_.lap();
  }
  numerics::SolveReport attempt(StepEquations& equations) override {
    times_.integrator += watch_.lap();
    const numerics::SolveReport report = problem_.attempt(equations);
    times_.assembly += watch_.lap();
    return report;
  }
  std::size_t size() const override { return problem_.size(); }
  std::string whyNotUnique() override { return problem_.whyNotUnique(); }
  std::string activeNames() const override { return problem_.activeNames(); }

 private:
  FrictionContact problem_;
  Stopwatch& watch_;
  Times& times_;
};

// The residual counts active contacts alone, as that of Bullet counts those that are not open.
double residualOf(const NonSmoothDynamicalSystem& model) {
  double squares = 0.;
  std::size_t count = 0;
  for (const auto& interaction : model.topology().indexSet(1)) {
    double inverseMass = 0.;
    for (const auto& system : model.topology().systemsOf(*interaction)) {
      inverseMass += 1. / static_cast<const NewtonEulerDS&>(*system).scalarMass();
    }
    squares += benchmarks::contactResidual(data(interaction->y(1)), data(interaction->lambda(1)), 1. / inverseMass, mu);
    ++count;
  }
  return count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0.;
}

double peakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.;
}

void run(std::size_t spheres, std::size_t steps, std::size_t sweeps) {
  NonSmoothDynamicalSystem model(0., 1e3);
  const auto manager = std::make_shared<CollisionManager>(benchmarks::margin, NewtonImpactFrictionNSL(0., 0., mu));
  benchmarks::fill(model, *manager, spheres);
  Stopwatch watch;
  Times times;
  TimeStepping simulation(model, TimeDiscretisation(0., h),
                          std::make_unique<MoreauJeanOSI>(MoreauJeanOSI::semiExplicit()),
                          std::make_unique<TimedProblem>(sweeps, watch, times));
  simulation.setInteractionManager(std::make_shared<TimedManager>(manager, watch, times));
  simulation.setFailurePolicy(FailureAction::accept);
  double contacts = 0.;
  double links = 0.;
  for (std::size_t k = 0; k < steps; ++k) {
    watch.lap();
    simulation.step();
    times.update += watch.lap();
    contacts += static_cast<double>(simulation.problem().size()) / 3.;
    links += static_cast<double>(manager->contactCount());
  }
  const double n = static_cast<double>(steps);
  const auto ms = [n](double seconds) { return 1e3 * seconds / n; };
  std::printf("%7zu %6zu %9.0f %9.0f %8.1f %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %8.0f %6.1f %5zu\n", spheres,
              steps, contacts / n, links / n, static_cast<double>(manager->statistics().linked) / n, ms(times.total()),
              ms(times.detection), ms(times.link), ms(times.bind), ms(times.integrator), ms(times.assembly),
              ms(times.solve), ms(times.update), peakMegabytes(),
              static_cast<double>(simulation.statistics().solverIterations) / n,
              simulation.statistics().acceptedFailures);
  std::fflush(stdout);
}

// Whole steps, without a clock in between.
benchmarks::SphereRun runWhole(std::size_t spheres, std::size_t steps, std::size_t sweeps) {
  NonSmoothDynamicalSystem model(0., 1e3);
  const auto manager = std::make_shared<CollisionManager>(benchmarks::margin, NewtonImpactFrictionNSL(0., 0., mu));
  benchmarks::fill(model, *manager, spheres);
  NonsmoothGaussSeidelOptions options;
  options.maxIterations = sweeps;
  TimeStepping simulation(model, TimeDiscretisation(0., h),
                          std::make_unique<MoreauJeanOSI>(MoreauJeanOSI::semiExplicit()),
                          std::make_unique<FrictionContact>(3, NonsmoothGaussSeidelSolver(options)));
  simulation.setInteractionManager(manager);
  simulation.setFailurePolicy(FailureAction::accept);
  benchmarks::SphereRun run;
  Stopwatch watch;
  const double n = static_cast<double>(steps);
  for (std::size_t k = 0; k < steps; ++k) {
    watch.lap();
    simulation.step();
    run.seconds += watch.lap() / n;
    run.contacts += static_cast<double>(simulation.problem().size()) / 3. / n;
    run.residual += residualOf(model) / (n * 9.81 * h);
  }
  return run;
}

void print(std::size_t spheres, const char* what, std::size_t limit, const benchmarks::SphereRun& run) {
  std::printf("%7zu %10s %6zu %9.0f %9.3f %11.2e\n", spheres, what, limit, run.contacts, 1e3 * run.seconds,
              run.residual);
  std::fflush(stdout);
}

void compare(std::size_t spheres, std::size_t steps) {
  for (const std::size_t limit : {5U, 10U, 50U}) {
    print(spheres, "delassus", limit, runWhole(spheres, steps, limit));
  }
#ifdef DELASSUS_HAS_BULLET_DYNAMICS
  for (const std::size_t limit : {10U, 50U}) {
    print(spheres, "bullet", limit, benchmarks::runBulletSpheres(spheres, steps, static_cast<int>(limit), h, mu));
  }
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int k) { return static_cast<std::size_t>(std::strtoul(argv[k], nullptr, 10)); };
  const std::size_t steps = argc > 1 ? argument(1) : 200;
  const std::size_t sweeps = argc > 2 ? argument(2) : 10000;
  std::vector<std::size_t> numbers;
  for (int k = 3; k < argc; ++k) numbers.push_back(argument(k));
  if (numbers.empty()) numbers = {100, 1000, 10000};
  std::printf("Means of all steps, in ms; memory is the peak of the whole program, in MB.\n");
  std::printf(
      "spheres  steps  contacts    linked  new/step     total detection      link      bind integr.   assembly"
      "     solve    update   memory sweeps failed\n");
  for (const std::size_t number : numbers) run(number, steps, sweeps);
  std::printf("\nWhole steps in ms, and the residual relative to g h, of laws on rates alone: ours also keeps gaps.\n");
  std::printf("spheres    program  limit  contacts   ms/step    residual\n");
  for (const std::size_t number : numbers) compare(number, steps);
#ifndef DELASSUS_HAS_BULLET_DYNAMICS
  std::printf("(Bullet's own world is left out: its library BulletDynamics-float64 was not found.)\n");
#endif
  return 0;
}
