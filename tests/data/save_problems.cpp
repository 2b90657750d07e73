// SPDX-License-Identifier: Apache-2.0
//
// Saves one-step problems of small models in the classes that no example uses: mixed problems of loops with redundant
// joints, friction in the global form, rolling. make_problems.sh runs it, after the examples.
//
//     save_problems FOLDER

#include <array>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <support/Circuits.hpp>
#include <support/Linkages.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double gravity = 9.81;
constexpr double density = 1000.;

// The problem of the last of so many steps.
void saveLast(TimeStepping& simulation, std::size_t steps, const std::filesystem::path& path) {
  while (simulation.stepIndex() < steps) simulation.step();
  simulation.problem().saveProblem(path);
  std::printf("%s: %zu rows\n", path.c_str(), simulation.problem().size());
}

template <class Problem>
void save(NonSmoothDynamicalSystem& model, double h, std::size_t steps, Problem problem,
          const std::filesystem::path& path) {
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI::semiExplicit(), std::move(problem));
  saveLast(simulation, steps, path);
}

std::shared_ptr<Interaction> hinge(const PivotJointR& pivot) {
  return std::make_shared<Interaction>(EqualityConditionNSL(5), pivot);
}

// A platform on parallel rods that fall over until it meets a stop: a parallelogram with more rods than it needs. With
// n rods there are 6 (n + 1) velocities and 10 n equations, of which one motion is left.
struct Platform {
  explicit Platform(std::size_t rods) {
    constexpr double lean = 0.4, length = 0.5, spacing = 0.3;
    const Vector3 axis{0., 1., 0.};
    const Vector3 along{length * std::sin(lean), 0., length * std::cos(lean)};
    const double span = spacing * static_cast<double>(rods - 1);
    const auto platform = makeRod(along, along + Vector3{span, 0., 0.}, 4., gravity);
    model.insert(platform);
    for (std::size_t k = 0; k < rods; ++k) {
      const Vector3 foot{spacing * static_cast<double>(k), 0., 0.};
      const Vector3 head = foot + along;
      const auto rod = makeRod(foot, head, 1., gravity);
      model.insert(rod);
      const PivotJointR bearing = PivotJointR::at(foot, axis, rod->q());
      model.link(hinge(bearing), rod);
      model.link(hinge(PivotJointR::at(head, axis, platform->q(), rod->q())), platform, rod);
      // Each rod has a stop, all at the same angle: they act together.
      model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.), bearing.angle().below(0.6)), rod);
    }
  }

  NonSmoothDynamicalSystem model{0., 10.};
};

// Disks that lie on each other as bricks do, between two walls, in the plane of x and y.
struct DiskPile {
  DiskPile(std::size_t rows, double friction) {
    constexpr double radius = 0.1, gap = 1e-3;
    const NewtonImpactFrictionNSL law(0., 0., friction, 2);
    const double width = (2. * radius + gap) * static_cast<double>(rows) + gap;
    const std::array<Plane, 3> planes{Plane::through({}, {0., 1., 0.}), Plane::through({}, {1., 0., 0.}),
                                      Plane::through({width, 0., 0.}, {-1., 0., 0.})};
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t k = 0; k + row < rows; ++k) {
        const double x = radius + gap + (2. * radius + gap) * (static_cast<double>(k) + 0.5 * static_cast<double>(row));
        const double y = radius + gap + 1.8 * radius * static_cast<double>(row);
        disks.push_back(std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({x, y, 0.}), Vector(6), 1.,
                                                        NewtonEulerDS::cylinderInertia(1., radius, 0.02)));
        disks.back()->setExternalForces(makeVector({0., -gravity, 0.}));
        model.insert(disks.back());
        for (const Plane& plane : planes) {
          model.link(std::make_shared<Interaction>(law, NewtonEuler2DR(DiskPlane(radius, plane))), disks.back());
        }
        for (std::size_t other = 0; other + 1 < disks.size(); ++other) {
          model.link(std::make_shared<Interaction>(law, NewtonEuler2DR(DiskDisk(radius, radius))), disks.back(),
                     disks[other]);
        }
      }
    }
  }

  NonSmoothDynamicalSystem model{0., 10.};
  std::vector<std::shared_ptr<NewtonEulerDS>> disks;
};

// Bodies that fall on a floor.
struct Heap {
  template <class Law>
  explicit Heap(const Law& law) : contacts(std::make_shared<CollisionManager>(2e-3, law)) {
    contacts->insertObstacle(Plane{});
  }

  template <class S>
  void add(const Vector3& x, double mass, const Matrix& inertia, const S& shape) {
    const auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x), Vector(6), mass, inertia);
    body->setExternalForces(makeVector({0., 0., -gravity * mass}));
    model.insert(body);
    contacts->insert(body, shape);
  }
  void addBox(const Vector3& x, const Vector3& edges) {
    const double mass = density * edges[0] * edges[1] * edges[2];
    add(x, mass, NewtonEulerDS::boxInertia(mass, edges[0], edges[1], edges[2]), BoxShape(edges[0], edges[1], edges[2]));
  }
  void addBall(const Vector3& x, double radius) {
    const double mass = 4.19 * density * radius * radius * radius;
    add(x, mass, NewtonEulerDS::ballInertia(mass, radius), SphereShape(radius));
  }

  template <class Problem>
  void save(double h, std::size_t steps, Problem problem, const std::filesystem::path& path) {
    TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI::semiExplicit(), std::move(problem));
    simulation.setInteractionManager(contacts);
    saveLast(simulation, steps, path);
  }

  NonSmoothDynamicalSystem model{0., 10.};
  std::shared_ptr<CollisionManager> contacts;
};

// Boxes of these edges on each other: four contacts a pair of faces, six velocities a box.
struct Tower : Heap {
  explicit Tower(const std::vector<double>& edges) : Heap(NewtonImpactFrictionNSL(0., 0., 0.6)) {
    double z = 0.;
    for (const double edge : edges) {
      addBox({0.1 * edge, 0., z + 0.5 * edge + 1e-4}, {edge, 0.8 * edge, edge});
      z += edge + 1e-4;
    }
  }
};

// Four balls on the floor, one on top, and a heavy one that falls on them and parts them.
struct Balls : Heap {
  template <class Law>
  explicit Balls(const Law& law) : Heap(law) {
    constexpr double r = 0.1;
    for (const double x : {-r, r}) {
      for (const double y : {-r, r}) addBall({1.001 * x, 1.001 * y, r}, r);
    }
    addBall({0., 0., 2.5 * r}, r);
    addBall({0.02, 0.01, 5. * r}, 1.4 * r);
  }
};

void saveMixed(const std::filesystem::path& folder) {
  SpatialSliderCrank crank(0.5, 12., 10.);
  save(crank.model, 1e-3, 40, MLCP(), folder / "slider_crank_loop.dat");
  SpatialFourBar bars(1., 3., gravity, 10.);
  save(bars.model, 1e-3, 100, MLCP(), folder / "four_bar_loop.dat");
  Platform light(3);
  save(light.model, 1e-3, 50, MLCP(), folder / "platform_falls.dat");
  Platform stopped(3);
  save(stopped.model, 1e-3, 400, MLCP(), folder / "platform_at_stops.dat");
  Platform wide(6);
  save(wide.model, 1e-3, 400, MLCP(), folder / "wide_platform_at_stops.dat");
  DiodeLadder ladder(12, 10.);
  TimeStepping simulation(ladder.model, TimeDiscretisation(0., 0.05), EulerMoreauOSI(1.), MLCP());
  saveLast(simulation, 60, folder / "diode_ladder.dat");
}

void savePlanar(const std::filesystem::path& local, const std::filesystem::path& global) {
  DiskPile falling(4, 0.4);
  save(falling.model, 2e-3, 20, FrictionContact(2), local / "disks_fall.dat");
  DiskPile rest(4, 0.4);
  save(rest.model, 2e-3, 500, FrictionContact(2), local / "disks_at_rest.dat");
  DiskPile slippery(4, 0.05);
  save(slippery.model, 2e-3, 60, FrictionContact(2), local / "disks_slide.dat");
  DiskPile again(4, 0.4);
  save(again.model, 2e-3, 500, GlobalFrictionContact(2), global / "disks_at_rest_2d.dat");
  DiskPile sliding(3, 0.05);
  save(sliding.model, 2e-3, 60, GlobalFrictionContact(2), global / "disks_slide_2d.dat");
}

void saveSpatial(const std::filesystem::path& folder) {
  const std::vector<double> tapered{0.2, 0.17, 0.14, 0.12, 0.1}, topHeavy{0.04, 0.06, 0.1, 0.2, 0.4};
  Tower(tapered).save(2.5e-3, 100, GlobalFrictionContact(3), folder / "global/tower_at_rest.dat");
  Tower(topHeavy).save(2.5e-3, 20, GlobalFrictionContact(3), folder / "global/top_heavy_tower.hdf5");
  Tower(topHeavy).save(2.5e-3, 20, FrictionContact(3), folder / "friction3d/top_heavy_tower.dat");
  const NewtonImpactFrictionNSL rough(0., 0., 0.8);
  Balls(rough).save(2.5e-3, 60, GlobalFrictionContact(3), folder / "global/balls_hit.hdf5");
  Balls(rough).save(2.5e-3, 150, FrictionContact(3), folder / "friction3d/balls_scatter.dat");
  const NewtonImpactRollingFrictionNSL rolling(0., 0., 0.8, 2e-3);
  Balls(rolling).save(2.5e-3, 60, GenericMechanical(), folder / "mechanical/rolling_balls_hit.dat");
  Balls(rolling).save(2.5e-3, 600, GenericMechanical(), folder / "mechanical/rolling_balls_settle.dat");
  Platform platform(4);
  save(platform.model, 1e-3, 400, GenericMechanical(), folder / "mechanical/platform_at_stops.dat");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: save_problems FOLDER\n");
    return 1;
  }
  try {
    const std::filesystem::path folder(argv[1]);
    saveMixed(folder / "mlcp");
    savePlanar(folder / "friction2d", folder / "global");
    saveSpatial(folder);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "save_problems: %s\n", error.what());
    return 1;
  }
  return 0;
}
