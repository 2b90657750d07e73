// SPDX-License-Identifier: Apache-2.0
//
// What recording costs: runs with and without, of the cam follower and of 1,000 spheres that pile up.
//
//     recording_benchmark [steps of the cam follower] [steps of the spheres] [number of spheres] [repetitions]
#include <sys/resource.h>

#include <CamFollower.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/io/Recorder.hpp>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "FallingSpheres.hpp"

namespace {

using namespace delassus;

const std::filesystem::path folder = std::filesystem::temp_directory_path() / "delassus_recording_benchmark";

// Processor time, in the program and in the system on its behalf.
double processorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Way {
  const char* name;
  std::function<std::shared_ptr<Recorder>()> make;  // none: without recording
  std::size_t every = 1;
  double best = std::numeric_limits<double>::infinity();  // s a step
  double bytes = 0.;                                      // a step
};

std::shared_ptr<Recorder> hdf5(int compression) {
  return std::make_shared<Recorder>(folder / "run.h5", RecordFileOptions{.compression = compression});
}

double bytesOfFiles() {
  double bytes = 0.;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += static_cast<double>(entry.file_size());
  return bytes;
}

// The best of the repetitions, which take turns, so that what else runs on the machine touches all alike.
void measure(const char* what, std::vector<Way> ways, std::size_t steps, std::size_t repetitions,
             const std::function<void(Way&)>& run) {
  for (std::size_t k = 0; k < repetitions; ++k) {
    for (Way& way : ways) {
      std::filesystem::remove_all(folder);
      std::filesystem::create_directories(folder);
      run(way);
      way.bytes = bytesOfFiles() / static_cast<double>(steps);
    }
  }
  std::printf("%s, %zu steps, best of %zu\n", what, steps, repetitions);
  std::printf("  %-34s %12s %12s %10s %14s\n", "", "us a step", "more, us", "overhead", "bytes a step");
  for (const Way& way : ways) {
    const double more = way.best - ways[0].best;
    std::printf("  %-34s %12.3f %12.3f %9.1f%% %14.1f\n", way.name, 1e6 * way.best, 1e6 * more,
                100. * more / ways[0].best, way.bytes);
  }
  std::filesystem::remove_all(folder);
}

void cam(Way& way, std::size_t steps) {
  CamFollowerParameters parameters;
  parameters.end = 1e-4 * static_cast<double>(steps);
  TranslatedCamFollower follower(parameters);
  TimeStepping simulation(follower.model(), TimeDiscretisation(0., 1e-4), MoreauJeanOSI(), LCP());
  if (way.make) {
    const auto recorder = way.make();
    const Topology& topology = follower.model().topology();
    recorder->record(topology.systems()[0], {{"q", "m"}, {"velocity", "m/s"}});
    recorder->record(topology.interactions()[0], {{"y0", "m"}, {"y1", "m/s"}, {"lambda1", "N s"}});
    recorder->every(way.every);
    simulation.addObserver(recorder);
  }
  const double begin = processorSeconds();
  simulation.run();
  way.best = std::min(way.best, (processorSeconds() - begin) / static_cast<double>(steps));
}

void spheres(Way& way, std::size_t steps, std::size_t number) {
  constexpr double h = 5e-3;
  NonSmoothDynamicalSystem model(0., h * static_cast<double>(steps));
  const auto manager =
      std::make_shared<CollisionManager>(0.02 * benchmarks::sphereRadius, NewtonImpactFrictionNSL(0., 0., 0.5));
  const auto balls = benchmarks::fill(model, *manager, number);
  NonsmoothGaussSeidelOptions sweeps;
  sweeps.maxIterations = 1000;
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI::semiExplicit(),
                          FrictionContact(3, NonsmoothGaussSeidelSolver(sweeps)));
  simulation.setInteractionManager(manager);
  simulation.setFailurePolicy(FailureAction::accept);
  if (way.make) {
    const auto recorder = way.make();
    recorder->recordTogether("spheres", balls);
    recorder->recordContacts();
    recorder->recordEnergy();
    recorder->recordSolver();
    recorder->every(way.every);
    simulation.addObserver(recorder);
  }
  const double begin = processorSeconds();
  simulation.run();
  way.best = std::min(way.best, (processorSeconds() - begin) / static_cast<double>(steps));
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int k, std::size_t usual) {
    return argc > k ? static_cast<std::size_t>(std::strtoul(argv[k], nullptr, 10)) : usual;
  };
  const std::size_t camSteps = argument(1, 1000000), sphereSteps = argument(2, 200), number = argument(3, 1000),
                    repetitions = argument(4, 5);
  const auto compressed = [] { return hdf5(1); };
  const auto plain = [] { return hdf5(0); };
  const auto csv = [] { return std::make_shared<CsvRecorder>(folder / "run.csv"); };
  measure("Cam follower: q, v, y, y', impulse",
          {{"without", {}},
           {"HDF5, every step", compressed},
           {"HDF5, every step, not compressed", plain},
           {"HDF5, every 10 steps", compressed, 10},
           {"HDF5, every 100 steps", compressed, 100},
           {"CSV, every 10 steps", csv, 10}},
          camSteps, repetitions, [&](Way& way) { cam(way, camSteps); });
  measure("Spheres: q, v, all contacts, energy, solver",
          {{"without", {}},
           {"HDF5, every step", compressed},
           {"HDF5, every step, not compressed", plain},
           {"HDF5, every 10 steps", compressed, 10}},
          sphereSteps, repetitions, [&](Way& way) { spheres(way, sphereSteps, number); });
  return 0;
}
