// SPDX-License-Identifier: Apache-2.0
//
// Boxes on faces, whose contacts are far more than the coordinates of their bodies: a pyramid that stands, and dominoes
// of which the first one is pushed. Milliseconds of a step, from the answer of the step before. On one thread; set
// OPENBLAS_NUM_THREADS=1.
//
//     boxes_benchmark [rows of the pyramid] [steps] [dominoes]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/numerics/Log.hpp>
#include <memory>
#include <vector>

namespace {

using namespace delassus;

constexpr double g = 9.81;

struct Scene {
  Scene(double mu, double end)
      : model(0., end), manager(std::make_shared<CollisionManager>(0.01, NewtonImpactFrictionNSL(0., 0., mu))) {
    model.setGravity({0., 0., -g});
    manager->insertObstacle(Plane{});
  }
  void addBox(const Vector3& x, const Vector3& edges, double mass, const Vector& twist) {
    last = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x), twist, mass,
                                           NewtonEulerDS::boxInertia(mass, edges[0], edges[1], edges[2]));
    model.insert(last);
    manager->insert(last, BoxShape(edges[0], edges[1], edges[2]));
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> manager;
  std::shared_ptr<NewtonEulerDS> last;
};

void fillPyramid(Scene& scene, std::size_t rows) {
  constexpr double edge = 0.1;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < rows - row; ++k) {
      const double place = static_cast<double>(k) + 0.5 * static_cast<double>(row);
      scene.addBox({1.1 * edge * place, 0., edge * (0.5 + static_cast<double>(row))}, {edge, edge, edge}, 1.,
                   Vector(6));
    }
  }
}

void fillDominoes(Scene& scene, std::size_t count) {
  Vector push(6);
  push(0) = 0.1;
  push(4) = 1.5;  // about its lower edge, roughly
  for (std::size_t k = 0; k < count; ++k) {
    scene.addBox({0.06 * static_cast<double>(k), 0., 0.1}, {0.02, 0.1, 0.2}, 0.3, k == 0 ? push : Vector(6));
  }
}

void run(const char* name, Scene& scene, double h, std::size_t steps, double tolerance) {
  TimeStepping simulation(scene.model, TimeDiscretisation(0., h), MoreauJeanOSI(),
                          FrictionContact(3, numerics::AutomaticFrictionSolver(tolerance)));
  simulation.setInteractionManager(scene.manager);
  simulation.setFailurePolicy(FailureAction::accept);
  const Vector3 begin = vector3(data(scene.last->q()));
  std::vector<double> times;
  std::size_t contacts = 0, uncertified = 0;
  for (std::size_t k = 0; k < steps; ++k) {
    const auto before = std::chrono::steady_clock::now();
    simulation.step();
    times.push_back(1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
    contacts = std::max(contacts, simulation.problem().size() / 3);
    if (!simulation.lastStep().solve.converged()) ++uncertified;
  }
  double sum = 0.;
  for (const double time : times) sum += time;
  std::sort(times.begin(), times.end());
  const double moved = norm(vector3(data(scene.last->q())) - begin);
  std::printf("%-16s %7.0e %8zu %8.2f %8.2f %8.1f %5zu %12.1e %12.1e\n", name, tolerance, contacts,
              times[times.size() / 2], sum / static_cast<double>(steps), times.back(), uncertified, moved,
              simulation.statistics().motion.depth.value);
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int k, std::size_t otherwise) {
    return argc > k ? static_cast<std::size_t>(std::strtoul(argv[k], nullptr, 10)) : otherwise;
  };
  const std::size_t rows = argument(1, 6), steps = argument(2, 20), dominoes = argument(3, 5);
  Log::setTerminal(LogLevel::none);
  std::printf("%-16s %7s %8s %8s %8s %8s %5s %12s %12s\n", "scene", "to", "contacts", "median", "mean", "longest",
              "not", "last moved", "deepest (m)");
  for (const double tolerance : {1e-3, 1e-4, 1e-8}) {
    Scene pyramid(0.5, 5e-3 * static_cast<double>(steps + 1));
    fillPyramid(pyramid, rows);
    run("pyramid", pyramid, 5e-3, steps, tolerance);
    Scene row(0.4, 2e-3 * static_cast<double>(steps + 1));
    fillDominoes(row, dominoes);
    run("dominoes", row, 2e-3, steps, tolerance);
  }
}
