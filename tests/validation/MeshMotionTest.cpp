// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <kernel/collision/CollisionModels.hpp>

// Bodies that move on meshes: flat ones as on a plane, curved ones as on the surface that they stand for.

namespace delassus {
namespace {

using testing::gravity;

// Flat ground of triangles of all directions and sizes, or a plane.
struct Ground {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> manager;

  Ground(double seconds, double mu, bool isMesh)
      : model(0., seconds), manager(std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., mu))) {
    model.setGravity({0., 0., -gravity});
    if (isMesh) {
      manager->insertObstacle(irregular());
    } else {
      manager->insertObstacle(Plane{});
    }
  }
  static TriangleMesh irregular() {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> shift(-0.05, 0.05);
    const std::size_t n = 22;
    std::vector<Vector3> points;
    std::vector<MeshTopology::Triangle> triangles;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        points.push_back({0.15 * static_cast<double>(i) - 0.5 + shift(random),
                          0.15 * static_cast<double>(j) - 1.6 + shift(random), 0.});
        if (i + 1 == n || j + 1 == n) continue;
        const std::size_t near = i * n + j, far = near + n;
        if ((i + j) % 2 == 0) {
          triangles.push_back({near, far, far + 1});
          triangles.push_back({near, far + 1, near + 1});
        } else {
          triangles.push_back({near, far, near + 1});
          triangles.push_back({near + 1, far, far + 1});
        }
      }
    }
    return TriangleMesh(std::move(points), std::move(triangles));
  }
  template <class S>
  std::shared_ptr<NewtonEulerDS> add(const S& shape, const Vector3& x, const Quaternion& p = {1., 0., 0., 0.}) {
    auto body = NewtonEulerDS::ofShape(shape, 1000., x, p);
    model.insert(body);
    manager->insert(body, shape, placementInBody(shape));
    return body;
  }
  void run(double h) {
    TimeStepping simulation(model, h);
    simulation.setInteractionManager(manager);
    simulation.run();
  }
};

const Quaternion alongY = rotations::exponential({0.5 * std::acos(-1.), 0., 0.});

// Where a body is after a slide or a roll over many seams.
template <class S>
Vector travel(const S& shape, double height, const Quaternion& p, double mu, const Vector& twist, bool isMesh) {
  Ground ground(1., mu, isMesh);
  const auto body = ground.add(shape, {0., 0., height}, p);
  body->setState(body->q(), twist);
  ground.run(2e-3);
  Vector all(13);
  for (std::size_t k = 0; k < 13; ++k) all(k) = k < 7 ? body->q()(k) : body->velocity()(k - 7);
  return all;
}

// The solver's tolerance of 1e-8 over 500 steps.
TEST(MeshMotion, NothingNoticesTheSeamsOfFlatGround) {
  const auto expectSame = [](const auto& shape, double height, const Quaternion& p, double mu, const Vector& twist) {
    const Vector onMesh = travel(shape, height, p, mu, twist, true);
    const Vector onPlane = travel(shape, height, p, mu, twist, false);
    for (std::size_t k = 0; k < 13; ++k) EXPECT_NEAR(onMesh(k), onPlane(k), 1e-6) << shape.className() << ' ' << k;
  };
  const Quaternion upright{1., 0., 0., 0.};
  expectSame(SphereShape(0.1), 0.1, upright, 0.5, makeVector({1., 0.3, 0., 0., 0., 0.}));
  expectSame(SphereShape(0.1), 0.1, upright, 0., makeVector({1., 0.3, 0., 0., 2., 0.}));
  expectSame(BoxShape(0.2, 0.2, 0.1), 0.05, upright, 0., makeVector({1.5, 0.4, 0., 0., 0., 0.}));
  expectSame(CylinderShape(0.1, 0.2), 0.1, alongY, 0.5, makeVector({1., 0., 0., 0., 0., -10.}));
  expectSame(CapsuleShape(0.1, 0.2), 0.1, alongY, 0.5, makeVector({1., 0., 0., 0., 0., -10.}));
  expectSame(EllipsoidShape(0.12, 0.15, 0.1), 0.1, upright, 0.5, makeVector({0.6, 0., 0., 0., 6., 0.}));
}

// Level and tilted boxes that land and slide on cells smaller than they are: points come and go in each step, and what
// one of them carried must not stay behind.
TEST(MeshMotion, BoxesLandAndSlideOnFineCells) {
  for (const double tilt : {0., 0.02}) {
    NonSmoothDynamicalSystem model(0., 0.3);
    model.setGravity({0., 0., -gravity});
    const auto manager = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.));
    Matrix heights(41, 41);
    for (double& height : heights.data()) height = 0.;
    manager->insertObstacle(TriangleMesh::ofHeights(heights, 0.05, 0.05), {-0.5, -0.5, 0.});
    const BoxShape shape(0.1, 0.2, 0.15);
    const Quaternion p =
        rotations::product(rotations::exponential({0., 0., 0.3}), rotations::exponential({tilt, 0., 0.}));
    const auto box = NewtonEulerDS::ofShape(shape, 1000., {0., 0., 0.085}, p);
    box->setState(box->q(), makeVector({2., 1., 0., 0., 0., 0.}));
    model.insert(box);
    manager->insert(box, shape);
    TimeStepping simulation(model, 1e-3);
    simulation.setInteractionManager(manager);
    double lowest = 1., highest = 0.;
    simulation.run([&] {
      lowest = std::min(lowest, box->q()(2));
      if (simulation.time() > 0.2) highest = std::max(highest, box->q()(2));
    });
    EXPECT_NEAR(box->velocity()(0), 2., 1e-4) << tilt;  // of the weight in the rounding of normals, over 300 steps
    EXPECT_NEAR(box->velocity()(1), 1., 1e-4) << tilt;
    EXPECT_GT(lowest, 0.075 - 1e-3) << tilt;  // the way that it falls in a step, 0.3 mm, and what a tilt adds
    EXPECT_LT(highest, 0.075 + 5e-4) << tilt;
  }
}

// Over the edge of a slope, whichever triangles come first, and back.
TEST(MeshMotion, ABoxSlidesOverAConvexEdge) {
  for (const bool flatFirst : {true, false}) {
    for (const double speed : {-1., 1.}) {
      const std::vector<Vector3> points{{-2., -1., 0.}, {0., -1., 0.},  {0., 1., 0.},
                                        {-2., 1., 0.},  {2., -1., -1.}, {2., 1., -1.}};
      std::vector<MeshTopology::Triangle> flat{{0, 1, 2}, {0, 2, 3}}, slope{{1, 4, 5}, {1, 5, 2}};
      std::vector<MeshTopology::Triangle> all = flatFirst ? flat : slope;
      for (const auto& triangle : flatFirst ? slope : flat) all.push_back(triangle);
      NonSmoothDynamicalSystem model(0., 0.2);
      model.setGravity({0., 0., -gravity});
      const auto manager = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.));
      manager->insertObstacle(TriangleMesh(points, all));
      const BoxShape shape(0.1, 0.1, 0.1);
      // Its lower face is over the edge, its middle over the flat part.
      const auto box = NewtonEulerDS::ofShape(shape, 1000., {speed < 0. ? -0.01 : -0.25, 0., 0.05});
      box->setState(box->q(), makeVector({speed, 0., 0., 0., 0., 0.}));
      model.insert(box);
      manager->insert(box, shape);
      TimeStepping simulation(model, 1e-3);
      simulation.setInteractionManager(manager);
      double highest = 0.;
      simulation.run([&] { highest = std::max(highest, box->q()(2)); });
      EXPECT_NEAR(box->velocity()(0), speed, 1e-6) << flatFirst;
      EXPECT_LT(highest, 0.05 + 1e-6) << flatFirst;
    }
  }
}

// At the edge of a closed mesh, and of a box that is the same.
TEST(MeshMotion, ACubeAtTheEdgeOfAClosedMeshMovesAsAtThatOfABox) {
  const auto run = [](bool isMesh) {
    NonSmoothDynamicalSystem model(0., 0.1);
    const auto manager = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.));
    model.setGravity({0., 0., -gravity});
    if (isMesh) {
      manager->insertObstacle(TriangleMesh::of(Surface::box(1., 1., 1.)), {0., 0., -0.5});
    } else {
      manager->insertObstacle(BoxShape(1., 1., 1.), {0., 0., -0.5});
    }
    const BoxShape shape(0.1, 0.1, 0.1);
    const auto cube = NewtonEulerDS::ofShape(shape, 1000., {0.499, 0.1, 0.05});
    cube->setState(cube->q(), makeVector({-0.5, 0., 0., 0., 0., 0.}));
    model.insert(cube);
    manager->insert(cube, shape);
    TimeStepping simulation(model, 1e-3);
    simulation.setInteractionManager(manager);
    simulation.run();
    return cube->velocity();
  };
  const Vector onMesh = run(true), onBox = run(false);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(onMesh(k), onBox(k), 1e-6) << k;
  EXPECT_NEAR(onMesh(0), -0.5, 1e-6);
}

// Sliding boxes have more points on a mesh, so that friction is shared otherwise: the sum is what counts.
TEST(MeshMotion, ABoxSlidesAsFarAsOnAPlane) {
  const double v = 2., mu = 0.5;
  Ground ground(0.6, mu, true);
  const auto box = ground.add(BoxShape(0.2, 0.2, 0.1), {0., 0., 0.05});
  box->setState(box->q(), makeVector({v, 0., 0., 0., 0., 0.}));
  ground.run(1e-3);
  EXPECT_NEAR(box->q()(0), 0.5 * v * v / (mu * gravity), 1e-3 * v);
  EXPECT_NEAR(box->q()(1), 0., 0.01);
  EXPECT_NEAR(box->q()(2), 0.05, 1e-8);
}

// A ball that slides without friction on a bowl z = r²/(2 R) swings with ω = √(g/R) in small amplitudes; triangles of
// 1 cm stand for the bowl to (1 cm)²/(8 R).
TEST(MeshMotion, ABallSwingsInABowlOfTriangles) {
  const double R = 1., radius = 0.1, cell = 0.02;
  const std::size_t n = 41;
  Matrix heights(n, n);
  const double middle = 0.5 * cell * static_cast<double>(n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double x = cell * static_cast<double>(i) - middle, y = cell * static_cast<double>(j) - middle;
      heights(i, j) = (x * x + y * y) / (2. * R);
    }
  }
  NonSmoothDynamicalSystem model(0., 4.);
  model.setGravity({0., 0., -gravity});
  const auto manager = std::make_shared<CollisionManager>(1e-3, NewtonImpactNSL(0.));
  manager->insertObstacle(TriangleMesh::ofHeights(heights, cell, cell), {-middle, -middle, 0.});
  const double amplitude = 0.15;
  // The centre moves on the surface at the distance of the radius.
  const auto body = NewtonEulerDS::ofShape(SphereShape(radius), 1000.,
                                           {amplitude, 0., radius + amplitude * amplitude / (2. * (R - radius))});
  model.insert(body);
  manager->insert(body, SphereShape(radius));
  TimeStepping simulation(model, 1e-3);
  simulation.setInteractionManager(manager);
  std::vector<double> crossings;
  double before = amplitude, highest = 0.;
  simulation.run([&] {
    const double x = body->q()(0);
    if (before > 0. && x <= 0.) crossings.push_back(simulation.time());
    before = x;
    if (simulation.time() > 3.) highest = std::max(highest, std::abs(x));
  });
  ASSERT_GE(crossings.size(), 2u);
  const double period = 2. * std::acos(-1.) * std::sqrt((R - radius) / gravity);
  EXPECT_NEAR(crossings[1] - crossings[0], period, 0.02 * period);
  EXPECT_NEAR(body->q()(1), 0., 0.02);
  EXPECT_GT(highest, 0.5 * amplitude);  // edges take a little energy
  EXPECT_LT(highest, 1.01 * amplitude);
}

// Twenty-four bodies of four kinds fall onto hilly ground. Their centres stay above it, whose triangles are up to
// (0.1 m)² · 1.1² · 0.1 m / 8 below the function of the heights, and energy rises by no more than depth that is taken
// back gives: it is of order h² a step.
TEST(MeshMotion, HillsHoldWhatFallsOnThem) {
  const auto heightAt = [](double x, double y) { return 0.1 * std::sin(11. * (x + 1.2)) * std::cos(7. * (y + 1.2)); };
  const std::size_t n = 25;
  Matrix heights(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      heights(i, j) = heightAt(0.1 * static_cast<double>(i) - 1.2, 0.1 * static_cast<double>(j) - 1.2);
    }
  }
  for (const unsigned seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    NonSmoothDynamicalSystem model(0., 2.);
    model.setGravity({0., 0., -gravity});
    const auto manager = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.6));
    manager->insertObstacle(TriangleMesh::ofHeights(heights, 0.1, 0.1), {-1.2, -1.2, 0.});
    std::vector<std::shared_ptr<NewtonEulerDS>> bodies;
    for (int k = 0; k < 24; ++k) {
      const Vector3 x{-0.6 + 0.3 * (k % 5), -0.6 + 0.3 * (k / 5), 0.3 + 0.02 * (k % 7)};
      const auto add = [&](const auto& shape) {
        bodies.push_back(NewtonEulerDS::ofShape(shape, 1000., x, testing::randomRotation(random)));
        model.insert(bodies.back());
        manager->insert(bodies.back(), shape, placementInBody(shape));
      };
      if (k % 4 == 0) add(SphereShape(0.06));
      if (k % 4 == 1) add(BoxShape(0.12, 0.1, 0.08));
      if (k % 4 == 2) add(CapsuleShape(0.04, 0.1));
      if (k % 4 == 3) add(CylinderShape(0.06, 0.1));
    }
    const auto energy = [&] {
      double sum = 0.;
      for (const auto& body : bodies) sum += body->kineticEnergy() + body->scalarMass() * gravity * body->q()(2);
      return sum;
    };
    TimeStepping simulation(model, 2e-3);
    simulation.setInteractionManager(manager);
    const double first = energy();
    double before = first, largestRise = 0.;
    simulation.run([&] {
      largestRise = std::max(largestRise, energy() - before);
      before = energy();
    });
    EXPECT_LT(largestRise, 1e-4 * first) << seed;
    EXPECT_LT(energy(), first) << seed;
    for (const auto& body : bodies) {
      const double ground = heightAt(body->q()(0), body->q()(1));
      EXPECT_GT(body->q()(2), ground - 0.015) << seed << ' ' << body->name();
      EXPECT_LT(norm(vector3(data(body->velocity()))), 1.) << seed;  // it has fallen with 2.4 m/s
    }
  }
}

}  // namespace
}  // namespace delassus
