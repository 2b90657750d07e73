// SPDX-License-Identifier: Apache-2.0
//
// The silo over the ranks of MPI. See README.md.
//
//     mpirun -n 2 silo_mpi --spheres 10000 --diameter 36 --output results/silo
//     mpirun -n 8 silo_mpi --spheres 10000 --diameter 36 --output results/silo --resume

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <delassus/kernel/distributed/GranularRecorder.hpp>
#include <delassus/kernel/distributed/GranularSimulation.hpp>
#include <delassus/kernel/distributed/GranularVtkWriter.hpp>
#include <limits>
#include <optional>
#include <string>

#include "../support/RanksProgram.hpp"
#include "SiloScene.hpp"

using namespace delassus;
using namespace delassus::distributed;

namespace {

struct Options {
  SiloScene silo;
  double step = 5e-3;
  double end = 3.;
  double tolerance = 1e-3;
  std::string output = "silo";
  std::string vtk;
  double vtkInterval = 0.04;
  std::string record;
  std::size_t checkpointEvery = 50;
  bool resume = false;

  std::filesystem::path file(const std::string& name) const { return std::filesystem::path(output) / name; }
  void addTo(CommandLine& line) {
    silo.addTo(line);
    line.add("--step", step, "Time step, s").positive();
    line.add("--end", end, "Final time, s").positive();
    line.add("--tolerance", tolerance, "Tolerance of the solver").positive();
    line.add("--output", output, "Folder for the table and the checkpoint");
    line.add("--vtk", vtk, "Folder for VTK files of the spheres, for ParaView (none)");
    line.add("--vtk-interval", vtkInterval, "Time between their frames, s").positive();
    line.add("--record", record, "HDF5 file for the states of all spheres, with a folder of steps beside it (none)");
    line.add("--checkpoint-every", checkpointEvery, "Steps between checkpoints; 0: none");
    line.addFlag("--resume", resume, "Go on from the checkpoint in the output folder, on any number of ranks");
  }
};

// What the floor carries in the last step, N.
double floorLoad(const GranularSimulation& silo, std::size_t floor) {
  double sum = 0.;
  for (const CollisionManager::Contact& contact : silo.contacts().contacts()) {
    if (!contact.second && contact.obstacle == floor) sum += contact.interaction->lambda(0)(0);
  }
  silo.ranks().sum({&sum, 1});
  return sum;
}

// On a terminal: how far it is, at most once a second.
class Progress {
 public:
  explicit Progress(const Ranks& ranks) : isShown_(ranks.isFirst() && isatty(STDERR_FILENO) != 0) {}
  ~Progress() {
    if (isShown_) std::fputs("\n", stderr);
  }
  void tell(double t, double end) {
    const auto now = std::chrono::steady_clock::now();
    if (!isShown_ || now - last_ < std::chrono::seconds(1)) return;
    last_ = now;
    std::fprintf(stderr, "\rt = %.3f of %.3f s", t, end);
  }

 private:
  bool isShown_;
  std::chrono::steady_clock::time_point last_;
};

void simulate(const Ranks& ranks, const Options& o) {
  // 1. All ranks know the silo; each gives some of the spheres.
  GranularSimulation silo(ranks, NewtonImpactFrictionNSL(0., 0., o.silo.friction),
                          {.step = o.step,
                           .end = o.end,
                           .gravity = {0., 0., -o.silo.gravity},
                           .margin = 0.05 * o.silo.radius,
                           .tolerance = o.tolerance});
  silo.setLaw(SiloScene::grains, SiloScene::wall, NewtonImpactFrictionNSL(0., 0., o.silo.wallFriction));
  const std::size_t floor = silo.insertObstacle(Plane{}, {}, {1., 0., 0., 0.}, SiloScene::grains);
  for (const Plane& side : o.silo.walls()) silo.insertObstacle(side, {}, {1., 0., 0., 0.}, SiloScene::wall);
  const std::vector<SiloScene::Ball> balls = o.silo.balls();
  double weight = 0.;
  for (const SiloScene::Ball& ball : balls) weight += o.silo.massOf(ball) * o.silo.gravity;
  if (o.resume) {
    silo.restore(o.file("silo.checkpoint"));
  } else {
    for (std::size_t k = ranks.rank(); k < balls.size(); k += ranks.size()) {
      silo.insert(Grain::ball(k, balls[k].radius, o.silo.density, balls[k].x));
    }
  }

  // 2. The run: a row a step, by the first rank.
  std::optional<TableWriter> table;
  if (ranks.isFirst()) {
    const std::string name = o.resume ? "trajectory_from_step_" + std::to_string(silo.stepIndex()) : "trajectory";
    table.emplace(o.file(name + ".csv"),
                  std::vector<std::string>{"t [s]", "contacts", "kinetic energy [J]", "floor load [N]", "weight [N]",
                                           "iterations", "error", "wall time [ms]"});
  }
  GranularVtkWriter vtk(o.vtk);
  GranularRecorder recorder(o.record);
  Progress progress(ranks);
  const auto framesAt = [&](double t) { return static_cast<std::uint64_t>(t / o.vtkInterval * (1. + 1e-9)); };
  const auto begun = std::chrono::steady_clock::now();
  const std::size_t first = silo.stepIndex();
  while (silo.hasNextStep()) {
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t frames = framesAt(silo.time());
    silo.step();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double load = floorLoad(silo, floor), energy = silo.totals().kineticEnergy;
    if (table) {
      table->writeRow({silo.time(), static_cast<double>(silo.contactsOfAll()), energy, load, weight,
                       static_cast<double>(silo.lastReport().iterations), silo.lastReport().error, 1e3 * seconds});
    }
    if (!o.vtk.empty() && framesAt(silo.time()) > frames) vtk.write(silo);
    if (!o.record.empty()) recorder.record(silo);
    const bool isLast = !silo.hasNextStep();
    if (o.checkpointEvery > 0 && (isLast || silo.stepIndex() % o.checkpointEvery == 0)) {
      silo.save(o.file("silo.checkpoint"));
    }
    progress.tell(silo.time(), o.end);
  }
  const double load = floorLoad(silo, floor);
  if (!ranks.isFirst()) return;
  table->close();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::printf("%zu steps on %zu ranks in %.1f s, each certified to %g.\nThe floor carries %.1f %% of the weight.\n",
              silo.stepIndex() - first, ranks.size(), seconds, o.tolerance, 100. * load / weight);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  return runProgramOnRanks(
      argc, argv, "Spheres that collapse into a silo, over the ranks of MPI", [&](CommandLine& line) { o.addTo(line); },
      [&](const Ranks& ranks) { simulate(ranks, o); });
}
