// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/collision/NarrowPhase.hpp>

#include "CollisionModels.hpp"
#include "ConvexSamples.hpp"

// Boxes on ground with ridges and valleys, where what is the way out of one triangle is not that of the surface.

namespace delassus {
namespace {

using namespace test;
using testing::randomRotation;

constexpr double cell = 0.15;
constexpr std::size_t cells = 23;

// Waves both ways, with slopes of up to about 7 per m of their height.
TriangleMesh wavyGround(double rise) {
  Matrix heights(cells + 1, cells + 1);
  for (std::size_t i = 0; i <= cells; ++i) {
    for (std::size_t j = 0; j <= cells; ++j) {
      heights(i, j) = rise * std::sin(1.1 * static_cast<double>(i)) * std::cos(0.9 * static_cast<double>(j));
    }
  }
  return TriangleMesh::ofHeights(heights, cell, cell);
}

double crossed(const Vector3& a, const Vector3& b) {
  return a[0] * b[1] - a[1] * b[0];
}

// How far a box has to be lifted to leave one triangle after the other, at its corners, at those of the triangle, and
// where edges cross.
class Lift {
 public:
  Lift(const BoxShape& box, const Placement& at) : box_(box), at_(at) {
    for (const RoundEdge& edge : box.edges()) {
      const Vector3 middle = at.place(edge.middle), way = multiply(at.rotation, edge.half * edge.direction);
      edges_.push_back({middle - way, middle + way});
    }
  }

  void outOf(const std::array<Vector3, 3>& triangle, const Vector3& n) {
    for (const RoundCorner& corner : box_.corners()) {
      const Vector3 p = at_.place(corner.centre);
      bool isOver = true;
      for (std::size_t k = 0; k < 3; ++k) {
        isOver = isOver && crossed(triangle[(k + 1) % 3] - triangle[k], p - triangle[k]) >= 0.;
      }
      if (isOver) take(dot(n, triangle[0] - p) / n[2]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      takeCorner(triangle[k]);
      for (const auto& [from, to] : edges_) takeEdges(triangle[k], triangle[(k + 1) % 3], from, to);
    }
  }

  double height() const { return height_; }

 private:
  void take(double height) { height_ = std::max(height_, height); }

  void takeCorner(const Vector3& p) {
    double lowest = -1., highest = 1.;
    for (const Face& face : box_.faces()) {
      const Vector3 n = multiply(at_.rotation, face.normal);
      const double z = (face.offset + dot(n, at_.position) - n[0] * p[0] - n[1] * p[1]) / n[2];
      (n[2] > 0. ? highest : lowest) = n[2] > 0. ? std::min(highest, z) : std::max(lowest, z);
    }
    if (lowest <= highest) take(p[2] - lowest);
  }

  void takeEdges(const Vector3& p, const Vector3& q, const Vector3& from, const Vector3& to) {
    const Vector3 along = q - p, way = to - from, between = from - p;
    const double area = crossed(along, way), a = crossed(between, way) / area, b = crossed(between, along) / area;
    if (a >= 0. && a <= 1. && b >= 0. && b <= 1.) take(p[2] + a * along[2] - from[2] - b * way[2]);
  }

  const BoxShape& box_;
  const Placement& at_;
  std::vector<std::array<Vector3, 2>> edges_;
  double height_ = -1.;
};

double liftOf(const BoxShape& box, const Placement& at, const MeshTopology& ground) {
  Lift lift(box, at);
  for (std::size_t t = 0; t < ground.triangles().size(); ++t) {
    const std::array<Vector3, 3> corners{ground.corner(t, 0), ground.corner(t, 1), ground.corner(t, 2)};
    if (norm(corners[0] - at.position) < 1.) lift.outOf(corners, ground.normal(t));
  }
  return lift.height();
}

// A box that is in the ground by half a millimetre to 5 mm has a contact with it, about as deep.
TEST(Ridges, WhateverIsALittleInTheGroundIsMet) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> place(1., 2.4), depth(0.5e-3, 5e-3);
  std::size_t tested = 0, missed = 0, wrong = 0;
  for (const double rise : {0.01, 0.02, 0.04}) {
    const TriangleMesh ground = wavyGround(rise);
    for (const Vector3& edges : {Vector3{0.1, 0.1, 0.1}, Vector3{0.2, 0.12, 0.04}, Vector3{0.6, 0.2, 0.2}}) {
      const BoxShape box(edges[0], edges[1], edges[2]);
      for (int k = 0; k < 400; ++k) {
        Placement at = Placement::at({place(random), place(random), 0.}, randomRotation(random));
        const double deep = depth(random);
        at.position[2] += liftOf(box, at, ground.topology()) - deep;
        Manifold manifold;
        double gap = std::numeric_limits<double>::infinity();
        for (const PlacedShape& part : ground.parts()) {
          if (!part.shape->bounds(Placement{}).overlaps(box.bounds(at))) continue;
          findManifold(box, at, *part.shape, Placement{}, 0.006, manifold);
          gap = std::min(gap, manifold.gap());
        }
        ++tested;
        if (gap > 0.) ++missed;
        if (gap > -0.5 * deep || gap < -1.05 * deep) ++wrong;
      }
    }
  }
  // At the end of a ridge, where its edge and that of a box cross beyond it.
  EXPECT_LE(missed, 1u) << "of " << tested;
  EXPECT_LE(wrong, missed + 2) << "of " << tested;
}

// Two corners of a cube come down on both sides of a ridge.
TEST(Ridges, ACubeDoesNotFallThroughThem) {
  const auto ground = std::make_shared<TriangleMesh>(wavyGround(0.04));
  const auto cube = std::make_shared<BoxShape>(0.1, 0.1, 0.1);
  for (const double h : {5e-4, 1e-3}) {
    NonSmoothDynamicalSystem model(0., 0.6);
    model.setGravity({0., 0., -9.81});
    const auto manager = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0.2, 0., 0.4));
    manager->insertObstacle(ground, {-1.7, -1.7, 0.});
    const auto body = NewtonEulerDS::ofShape(
        *cube, 1000., {-0.069247194630838491, -0.12369172982172376, 1.},
        Quaternion{0.91447066799711341, -0.018647962936973645, 0.4030223060574033, -0.031123490668418931});
    body->setState(body->q(), makeVector({0.68193864961129447, 0.75709947938713906, 0., 0.66939957608894729,
                                          -0.58006112267007903, 0.}));
    model.insert(body);
    manager->insert(body, cube);
    TimeStepping simulation(model, h);
    simulation.setInteractionManager(manager);
    simulation.run();
    EXPECT_GT(body->position()[2], -0.05) << "h = " << h;
  }
}

}  // namespace
}  // namespace delassus
