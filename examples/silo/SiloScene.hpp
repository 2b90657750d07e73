// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <delassus/kernel/shapes/Plane.hpp>
#include <random>
#include <vector>

#include "../support/CommandLine.hpp"

/// The silo and the spheres of the example, for one process and for ranks.
struct SiloScene {
  static constexpr double pi = 3.141592653589793;

  /// The members of a collision, by which laws are chosen.
  enum Member : std::size_t { grains, wall };
  /// A sphere before it falls.
  struct Ball {
    double radius;        ///< m
    delassus::Vector3 x;  ///< m
    std::size_t layer;    ///< of the grid, from below
  };
  /// How far a layer that is poured sinks until the next one is released, in radii: each is then let go 0.6 radii above
  /// the place of the one before, which is about what a layer adds to the heap.
  static constexpr double sinking = 1.6;

  std::size_t spheres = 1000;
  double radius = 0.02;    ///< of the largest sphere, m; the smallest has 0.8 of it
  double density = 2500.;  ///< kg/m³
  double gravity = 9.81;   ///< m/s²
  double diameter = 16.;   ///< radii
  std::size_t sides = 16;
  double friction = 0.5;      ///< of the spheres, and with the floor
  double wallFriction = 0.4;  ///< of the spheres with the wall

  void addTo(CommandLine& line) {
    line.add("--spheres", spheres, "Number of spheres").between(1, 1000000);
    line.add("--radius", radius, "Largest radius of the spheres, m; the smallest is 0.8 of it").between(1e-6, 10.);
    line.add("--density", density, "Density, kg/m^3");
    line.add("--gravity", gravity, "Acceleration of gravity, m/s^2");
    line.add("--diameter", diameter, "Width of the silo, in radii").between(4., 1000.);
    line.add("--sides", sides, "Sides of the silo").between(3, 200);
    line.add("--friction", friction, "Coefficient of friction of the spheres, and with the floor");
    line.add("--wall-friction", wallFriction, "Coefficient of friction with the wall");
  }

  /// From the axis to the middle of a side, m.
  double halfWidth() const { return 0.5 * diameter * radius; }
  double massOf(const Ball& ball) const { return 4. / 3. * pi * std::pow(ball.radius, 3) * density; }
  double angleOf(std::size_t side) const { return 2. * pi * static_cast<double>(side) / static_cast<double>(sides); }

  /// A prism of many sides, open above and below.
  std::vector<delassus::Plane> walls() const {
    std::vector<delassus::Plane> planes;
    for (std::size_t side = 0; side < sides; ++side) {
      const delassus::Vector3 inwards{-std::cos(angleOf(side)), -std::sin(angleOf(side)), 0.};
      planes.push_back(delassus::Plane::through(-halfWidth() * inwards, inwards));
    }
    return planes;
  }

  /// Layer over layer of a loose grid, each sphere a little off its place and of its own size.
  std::vector<Ball> balls() const {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> jitter(-0.05 * radius, 0.05 * radius), size(0.8, 1.);
    const double spacing = 2.2 * radius;
    const int reach = static_cast<int>(halfWidth() / spacing);
    std::vector<Ball> all;
    for (std::size_t layer = 0; all.size() < spheres; ++layer) {
      const double height = 1.1 * radius + static_cast<double>(layer) * spacing;
      for (int i = -reach; i <= reach; ++i) {
        for (int j = -reach; j <= reach && all.size() < spheres; ++j) {
          if (std::hypot(i * spacing, j * spacing) > halfWidth() - 1.1 * radius) continue;
          const double r = radius * size(random);
          all.push_back({r, {i * spacing + jitter(random), j * spacing + jitter(random), height}, layer});
        }
      }
    }
    return all;
  }
};
