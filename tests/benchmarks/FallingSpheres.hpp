// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <memory>
#include <random>
#include <vector>

namespace delassus::benchmarks {

inline constexpr double sphereRadius = 0.05;           // the largest
inline constexpr double margin = 0.02 * sphereRadius;  // of gaps that detection lists

/// Spheres above a floor between four walls.
struct Scene {
  struct Ball {
    double radius, mass;
    Vector3 centre;
  };
  std::vector<Plane> walls;
  std::vector<Ball> balls;
};

/// A box whose floor takes a fifth of the spheres, and the spheres on a grid above it: the depth of the pile does not
/// depend on their number.
inline Scene fallingSpheres(std::size_t spheres) {
  constexpr double radius = sphereRadius;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> jitter(-0.1 * radius, 0.1 * radius), size(0.8 * radius, radius);
  const auto across = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(spheres) / 5.)));
  const double spacing = 2.25 * radius;
  const double width = spacing * static_cast<double>(across);
  Scene scene;
  scene.walls.push_back({{0., 0., 1.}, 0.});
  for (const double side : {1., -1.}) {
    scene.walls.push_back({{side, 0., 0.}, side > 0. ? 0. : -width});
    scene.walls.push_back({{0., side, 0.}, side > 0. ? 0. : -width});
  }
  for (std::size_t k = 0; k < spheres; ++k) {
    const auto place = [&](std::size_t i) { return spacing * (0.5 + static_cast<double>(i)) + jitter(random); };
    const double r = size(random);
    const double mass = 4. / 3. * 3.141592653589793 * r * r * r * 2500.;
    const Vector3 x{place(k % across), place(k / across % across), place(k / (across * across)) + radius};
    scene.balls.push_back({r, mass, x});
  }
  return scene;
}

/// The scene as a model with its collision manager.
inline std::vector<std::shared_ptr<NewtonEulerDS>> fill(NonSmoothDynamicalSystem& model, CollisionManager& manager,
                                                        std::size_t spheres) {
  constexpr double gravity = 9.81;
  const Scene scene = fallingSpheres(spheres);
  for (const Plane& wall : scene.walls) manager.insertObstacle(wall);
  std::vector<std::shared_ptr<NewtonEulerDS>> balls;
  for (const Scene::Ball& each : scene.balls) {
    auto ball = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(each.centre), Vector(6), each.mass,
                                                NewtonEulerDS::ballInertia(each.mass, each.radius));
    ball->setExternalForces(makeVector({0., 0., -each.mass * gravity}));
    model.insert(ball);
    manager.insert(ball, SphereShape(each.radius));
    balls.push_back(std::move(ball));
  }
  return balls;
}

}  // namespace delassus::benchmarks
