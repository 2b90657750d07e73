// SPDX-License-Identifier: Apache-2.0
#include "PileProblems.hpp"

#include "FallingSpheres.hpp"

#include <algorithm>
#include <delassus/delassus.hpp>
#include <functional>
#include <support/RandomContacts.hpp>
#include <utility>

namespace delassus::benchmarks {
namespace {

using numerics::FrictionContactProblem;

constexpr double h = 5e-3, friction = 0.5, pi = 3.141592653589793;

// What a step gives to its solver.
struct Captured {
  bool isWanted = false;
  FrictionContactProblem problem;
  Vector start;
};

// Sweeps, which keep the problem that is wanted.
class CapturingSolver final : public numerics::Solver<FrictionContactProblem> {
 public:
  explicit CapturingSolver(std::shared_ptr<Captured> captured) : captured_(std::move(captured)) {
    numerics::NonsmoothGaussSeidelOptions options;
    options.tolerance = 1e-4;
    options.maxIterations = 1000;
    sweeps_ = std::make_unique<numerics::NonsmoothGaussSeidelSolver>(options);
  }
  CapturingSolver(CapturingSolver&&) = default;
  std::string_view name() const override { return "CapturingSolver"; }
  double tolerance() const override { return 1e-4; }

 private:
  Outcome compute(const FrictionContactProblem& problem, Vector& r) override {
    if (captured_->isWanted) {
      BlockSparseMatrix W;
      problem.W().assemble(W);
      captured_->problem = FrictionContactProblem(3, std::move(W), problem.q(), problem.mu());
      captured_->start = r;
    }
    Vector u;
    const numerics::SolveReport report = sweeps_->solve(problem, r, u);
    return {report.status, report.iterations, report.reason};
  }

  std::shared_ptr<Captured> captured_;
  std::unique_ptr<numerics::NonsmoothGaussSeidelSolver> sweeps_;
};

struct Moment {
  std::string name;
  std::size_t step;  // of which the problem is taken
};

// A scene with its bodies.
struct World {
  NonSmoothDynamicalSystem model{0., 100.};
  std::shared_ptr<CollisionManager> contacts =
      std::make_shared<CollisionManager>(margin, NewtonImpactFrictionNSL(0., 0., friction));
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;

  World() { model.setGravity({0., 0., -9.81}); }
  void addBox(const Vector3& x, const Vector3& edges, const Quaternion& p = {1., 0., 0., 0.}) {
    const double mass = 1800. * edges[0] * edges[1] * edges[2];
    auto box = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x, p), Vector(6), mass,
                                               NewtonEulerDS::boxInertia(mass, edges[0], edges[1], edges[2]));
    model.insert(box);
    contacts->insert(box, BoxShape(edges[0], edges[1], edges[2]));
    bodies.push_back(std::move(box));
  }
  void addBall(const Vector3& x, double radius, const Vector3& v = {}) {
    const double mass = 2500. * 4. / 3. * pi * radius * radius * radius;
    auto ball = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x), makeVector({v[0], v[1], v[2], 0., 0., 0.}), mass,
                                                NewtonEulerDS::ballInertia(mass, radius));
    model.insert(ball);
    contacts->insert(ball, SphereShape(radius));
    bodies.push_back(std::move(ball));
  }
  void enclose(double halfWidth) {
    contacts->insertObstacle(Plane{});
    for (const double side : {1., -1.}) {
      contacts->insertObstacle(Plane::through({-side * halfWidth, 0., 0.}, {side, 0., 0.}));
      contacts->insertObstacle(Plane::through({0., -side * halfWidth, 0.}, {0., side, 0.}));
    }
  }
};

using BeforeStep = std::function<void(World&, std::size_t)>;

void run(World& world, const std::string& scene, const std::vector<Moment>& moments, std::vector<PileProblem>& problems,
         const BeforeStep& beforeStep = {}) {
  const auto captured = std::make_shared<Captured>();
  TimeStepping simulation(world.model, TimeDiscretisation(h), MoreauJeanOSI::semiExplicit(),
                          FrictionContact(3, CapturingSolver(captured)));
  simulation.setInteractionManager(world.contacts);
  simulation.setFailurePolicy(FailureAction::accept);
  std::size_t step = 0;
  for (const Moment& moment : moments) {
    for (; step <= moment.step; ++step) {
      if (beforeStep) beforeStep(world, step);
      captured->isWanted = step == moment.step;
      simulation.step();
    }
    problems.push_back({scene + ", " + moment.name, captured->problem, captured->start});
  }
}

void addSpheres(std::size_t spheres, std::vector<PileProblem>& problems) {
  World world;
  const Scene scene = fallingSpheres(spheres);
  for (const Plane& wall : scene.walls) world.contacts->insertObstacle(wall);
  for (const Scene::Ball& ball : scene.balls) world.addBall(ball.centre, ball.radius);
  run(world, "spheres " + std::to_string(spheres), {{"falling", 100}, {"settling", 200}, {"settled", 400}}, problems);
}

// Turned at random, on a grid from which they cannot touch at first.
void addBoxes(std::size_t boxes, std::vector<PileProblem>& problems) {
  World world;
  std::mt19937 random(2);
  std::normal_distribution<double> entry;
  const auto across = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(boxes))));
  const double spacing = 0.16;
  world.enclose(0.5 * spacing * static_cast<double>(across));
  const Vector3 sizes[] = {{0.12, 0.08, 0.05}, {0.07, 0.07, 0.07}, {0.1, 0.04, 0.06}};
  for (std::size_t k = 0; k < boxes; ++k) {
    const auto place = [&](std::size_t i) {
      return spacing * (static_cast<double>(i) - 0.5 * static_cast<double>(across - 1));
    };
    const Vector3 x{place(k % across), place(k / across % across),
                    0.1 + spacing * static_cast<double>(k / (across * across))};
    world.addBox(x, sizes[k % 3], rotations::normalised({entry(random), entry(random), entry(random), entry(random)}));
  }
  run(world, "boxes " + std::to_string(boxes), {{"settling", 120}, {"settled", 400}}, problems);
}

void addWall(std::size_t rows, std::size_t columns, std::vector<PileProblem>& problems) {
  World world;
  world.contacts->insertObstacle(Plane{});
  const Vector3 brick{0.15, 0.3, 0.1};
  for (std::size_t row = 0; row < rows; ++row) {
    const bool isOdd = row % 2 == 1;
    double y = -0.5 * brick[1] * static_cast<double>(columns);
    const auto lay = [&](double width) {
      world.addBox({0., y + 0.5 * width, brick[2] * (static_cast<double>(row) + 0.5)},
                   {brick[0], width - 2e-3, brick[2]});
      y += width;
    };
    if (isOdd) lay(0.5 * brick[1]);
    for (std::size_t k = 0; k < columns - (isOdd ? 1 : 0); ++k) lay(brick[1]);
    if (isOdd) lay(0.5 * brick[1]);
  }
  // It comes from 8 m/s away by its own law: above the floor and as heavy as six bricks, it hits at 0.4 s.
  const double radius = 0.15;
  world.addBall({-0.075 - radius - 8. * 0.4, 0., 0.06 * static_cast<double>(rows) + 0.5 * 9.81 * 0.16}, radius,
                {8., 0., 0.});
  run(world, "wall " + std::to_string(rows) + " x " + std::to_string(columns), {{"standing", 60}, {"hit", 84}},
      problems);
}

// Stones whose lower edges touch on a half circle, leaning on two boxes that are obstacles.
void placeArch(World& world, std::size_t stones, double y) {
  const double radius = 1., thickness = 0.25, angle = pi / static_cast<double>(stones);
  const double width = 2. * radius * std::tan(0.5 * angle);
  for (std::size_t k = 0; k < stones; ++k) {
    const double at = angle * (static_cast<double>(k) + 0.5), reach = radius + 0.5 * thickness;
    // The stone's own z points outwards.
    const Quaternion p = rotations::exponential({0., 0.5 * pi - at, 0.});
    world.addBox({reach * std::cos(at), y, reach * std::sin(at)}, {width, 0.3, thickness}, p);
  }
  for (const double side : {1., -1.}) {
    world.contacts->insertObstacle(BoxShape(0.4, 1., 0.6), {side * (radius + thickness + 0.2), y, 0.3});
  }
}

void addArch(std::size_t stones, std::vector<PileProblem>& problems) {
  World world;
  world.contacts->insertObstacle(Plane{});
  placeArch(world, stones, 0.);
  run(world, "arch " + std::to_string(stones), {{"standing", 10}}, problems);
}

// Of 9 to 21 stones, side by side.
void addArches(std::size_t arches, std::vector<PileProblem>& problems) {
  World world;
  world.contacts->insertObstacle(Plane{});
  for (std::size_t k = 0; k < arches; ++k) placeArch(world, 9 + 2 * (k % 7), 2. * static_cast<double>(k));
  run(world, "arches " + std::to_string(arches), {{"standing", 10}}, problems);
}

void addHopper(std::size_t spheres, std::vector<PileProblem>& problems) {
  World world;
  const double radius = 0.02, outlet = 4. * radius;
  const double across = std::ceil(std::cbrt(static_cast<double>(spheres) / 1.5)), spacing = 2.2 * radius;
  const double silo = 0.5 * spacing * across + radius, top = silo - outlet, length = (silo - outlet) * std::sqrt(2.);
  for (int side = 0; side < 4; ++side) {
    const Quaternion about = rotations::exponential({0., 0., 0.5 * pi * side});
    const Quaternion tilted = rotations::product(about, rotations::exponential({0., -0.25 * pi, 0.}));
    const Vector3 edge = rotations::rotate(about, {outlet, 0., 0.});
    world.contacts->insertObstacle(BoxShape(length, 2. * silo, 0.25 * length),
                                   edge + rotations::rotate(tilted, {0.5 * length, 0., -0.125 * length}), tilted);
    const Vector3 inwards = rotations::rotate(about, {-1., 0., 0.});
    world.contacts->insertObstacle(Plane::through(-silo * inwards, inwards));
  }
  const std::size_t gate =
      world.contacts->insertObstacle(BoxShape(5. * outlet, 5. * outlet, radius), {0., 0., -0.5 * radius});
  std::mt19937 random(3);
  std::uniform_real_distribution<double> jitter(-0.05 * radius, 0.05 * radius), size(0.8, 1.);
  const auto row = static_cast<std::size_t>(across);
  for (std::size_t k = 0; k < spheres; ++k) {
    const auto place = [&](std::size_t i) {
      return spacing * (static_cast<double>(i) - 0.5 * (across - 1.)) + jitter(random);
    };
    world.addBall({place(k % row), place(k / row % row), top + radius + spacing * static_cast<double>(k / (row * row))},
                  radius * size(random));
  }
  run(world, "hopper " + std::to_string(spheres), {{"closed", 150}, {"open", 164}}, problems,
      [gate](World& it, std::size_t step) {
        if (step == 160) it.contacts->removeObstacle(gate);
      });
}

}  // namespace

std::vector<PileProblem> pileProblems(std::size_t contacts) {
  std::vector<PileProblem> problems;
  addArch(11, problems);
  if (contacts >= 1500) addArches(30, problems);
  addWall(6, 5, problems);
  if (contacts >= 1500) addWall(20, 12, problems);
  for (std::size_t spheres = 50; 5 * spheres / 2 <= contacts && spheres <= 12000; spheres *= spheres < 1000 ? 20 : 10) {
    addSpheres(spheres, problems);
  }
  addBoxes(std::min<std::size_t>(contacts / 8, 400), problems);
  addHopper(std::min<std::size_t>(contacts / 3, 2000), problems);
  using test::assembled;
  using test::sphereLattice;
  if (contacts >= 9675)
    problems.push_back({"lattice 15 x 15 x 15", assembled(sphereLattice(15, 15, 15, friction)), {}});
  if (contacts >= 9922) problems.push_back({"lattice 41 x 41 x 2", assembled(sphereLattice(41, 41, 2, friction)), {}});
  return problems;
}

}  // namespace delassus::benchmarks
