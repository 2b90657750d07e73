// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/TriangleMesh.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/shapes/BoxShape.hpp>
#include <delassus/kernel/shapes/MeshTriangle.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <numbers>
#include <random>

namespace delassus {
namespace {

using Triangles = std::vector<MeshTopology::Triangle>;

const double nan = std::numeric_limits<double>::quiet_NaN();

void expectSameMass(const MassProperties& found, const MassProperties& expected, double tolerance) {
  EXPECT_NEAR(found.mass, expected.mass, tolerance * expected.mass);
  EXPECT_NEAR(norm(found.centre - expected.centre), 0., tolerance);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(found.inertia[k], expected.inertia[k], tolerance * expected.mass);
}

TEST(TriangleMesh, HasTheMassOfWhatItEncloses) {
  const double rounding = 1e-14;
  expectSameMass(TriangleMesh::of(Surface::box(0.3, 0.5, 0.7)).massProperties(700.),
                 BoxShape(0.3, 0.5, 0.7).massProperties(700.), rounding);
  const Placement at = Placement::at({3., -2., 5.}, {0.8, 0.3, 0.4, 0.2});
  expectSameMass(TriangleMesh::of(Surface().with(Surface::box(0.3, 0.5, 0.7), at)).massProperties(700.),
                 BoxShape(0.3, 0.5, 0.7).massProperties(700.).placed(at), 1e-12);  // five metres away
  // A ring of rectangular section that is a polygon of n sides: Pappus for the polygon, not the circle.
  const std::size_t n = 200;
  const double inner = 0.4, outer = 0.5, height = 0.2;
  const double circle = 0.5 * n * std::sin(2. * std::numbers::pi / n);
  const Surface ring =
      Surface::revolution({{inner, -0.1}, {outer, -0.1}, {outer, 0.1}, {inner, 0.1}, {inner, -0.1}}, n);
  const MassProperties mass = TriangleMesh::of(ring).massProperties(1.);
  EXPECT_NEAR(mass.mass, circle * (outer * outer - inner * inner) * height, 1e-12);
  EXPECT_NEAR(norm(mass.centre), 0., 1e-12);
}

TEST(TriangleMesh, HasNoMassUnlessItEnclosesAVolume) {
  const TriangleMesh open({{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}}, {{0, 1, 2}});
  EXPECT_FALSE(open.topology().isClosed());
  EXPECT_THROW(open.massProperties(1.), Error);
  Surface inside = Surface::box(1., 1., 1.);
  for (Surface::Polygon& polygon : inside.polygons) std::reverse(polygon.begin(), polygon.end());
  EXPECT_TRUE(TriangleMesh::of(inside).topology().isClosed());
  EXPECT_THROW(TriangleMesh::of(inside).massProperties(1.), Error);
  EXPECT_THROW(TriangleMesh::of(Surface::box(1., 1., 1.)).massProperties(0.), Error);
}

TEST(TriangleMesh, RefusesWhatIsNoSurface) {
  const std::vector<Vector3> square{{0., 0., 0.}, {1., 0., 0.}, {1., 1., 0.}, {0., 1., 0.}};
  EXPECT_NO_THROW(TriangleMesh(square, {{0, 1, 2}, {0, 2, 3}}));
  EXPECT_THROW(TriangleMesh(square, {}), Error);
  EXPECT_THROW(TriangleMesh(square, {{0, 1, 4}}), Error);             // no such point
  EXPECT_THROW(TriangleMesh(square, {{0, 1, 1}}), Error);             // no area
  EXPECT_THROW(TriangleMesh(square, {{0, 1, 2}, {0, 3, 2}}), Error);  // turned inside out
  EXPECT_THROW(TriangleMesh(square, {{0, 1, 2}, {0, 1, 3}}), Error);  // on top of each other
  EXPECT_THROW(TriangleMesh({{0., 0., 0.}, {1., 0., 0.}, {2., 0., 0.}}, {{0, 1, 2}}), Error);
  EXPECT_THROW(TriangleMesh({{0., nan, 0.}, {1., 0., 0.}, {0., 1., 0.}}, {{0, 1, 2}}), Error);
  EXPECT_THROW(TriangleMesh({{0., 0., 0.}, {1e200, 0., 0.}, {0., 1e200, 0.}}, {{0, 1, 2}}), Error);
}

TEST(TriangleMesh, IsMadeOfHeights) {
  Matrix heights(3, 4);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) heights(i, j) = 0.1 * static_cast<double>(i * i) + 0.2 * static_cast<double>(j);
  }
  const TriangleMesh ground = TriangleMesh::ofHeights(heights, 0.5, 0.25);
  EXPECT_EQ(ground.parts().size(), 12u);
  const Bounds bounds = ground.bounds({});
  EXPECT_EQ(bounds.lower, (Vector3{0., 0., 0.}));
  EXPECT_EQ(bounds.upper, (Vector3{1., 0.75, 0.4 + 0.2 * 3.}));
  for (std::size_t k = 0; k < 12; ++k) EXPECT_GT(ground.topology().normal(k)[2], 0.);
  EXPECT_THROW(TriangleMesh::ofHeights(heights, 0., 1.), Error);
  EXPECT_THROW(TriangleMesh::ofHeights(Matrix(1, 4), 1., 1.), Error);
  heights(1, 1) = nan;
  EXPECT_THROW(TriangleMesh::ofHeights(heights, 1., 1.), Error);
}

// A roof and a valley: two squares at an angle.
TEST(MeshTriangle, KnowsWhereTheSurfaceGoesOnAndWhereItFallsOff) {
  for (const double rise : {-0.5, 0., 0.5}) {
    const std::vector<Vector3> points{{-1., 0., rise}, {0., 0., 0.}, {0., 1., 0.}, {1., 0., rise}};
    const TriangleMesh mesh(points, {{0, 1, 2}, {1, 3, 2}});
    EXPECT_EQ(mesh.topology().edge(0, 1).neighbour, 1u);
    EXPECT_EQ(mesh.topology().edge(0, 1).goesOn, rise >= 0.);
    EXPECT_EQ(mesh.topology().edge(0, 0).neighbour, MeshTopology::none);
    const ConvexShape& first = *mesh.parts()[0].shape->convex();
    const ConvexShape& second = *mesh.parts()[1].shape->convex();
    const Vector3 up{0., 0., 1.}, edge{0., 0.3, 0.};
    EXPECT_EQ(first.admits(edge, up), rise <= 0.);  // the ridge, as part of the first; on flat ground both faces
    EXPECT_EQ(second.admits(edge, up), rise == 0.);
    const Vector3 leaning{std::sin(0.3), 0., std::cos(0.3)};  // between the normals of a roof
    EXPECT_EQ(first.admits(edge, leaning), rise < 0.);
    EXPECT_FALSE(first.admits({-0.3, 0.3, 0.3 * rise}, leaning));
    EXPECT_EQ(first.beyondRidge(1) != nullptr, rise < 0.);
    EXPECT_NE(first.beyondRidge(0), nullptr);  // the end of the surface
    EXPECT_EQ(second.beyondRidge(2), nullptr);
    EXPECT_TRUE(first.isWithin({-0.1, 0.3, 0.1 * rise}, 0.));
    EXPECT_EQ(first.isWithin({0.01, 0.3, 0.}, 0.1), rise > 0.);  // below a valley
    EXPECT_FALSE(first.isWithin({0.2, 0.3, 0.}, 0.1));
    const Vector3 over{0.2, 0.3, 1.};  // beyond the edge
    const SurfaceFoot foot = first.footBeyond(over, 1);
    if (rise < 0.) {
      EXPECT_NEAR(foot.point[0], 0., 1e-15);
    } else {
      EXPECT_NEAR(dot(foot.normal, mesh.topology().normal(0)), 1., 1e-15);
    }
  }
}

// Folded back, a surface ends at the fold.
TEST(MeshTriangle, DoesNotGoOnInANeighbourThatIsFoldedBack) {
  const TriangleMesh blade({{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}}, {{0, 1, 2}, {0, 2, 1}});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_FALSE(blade.topology().edge(0, k).goesOn);
}

TEST(TriangleMesh, ChecksASurface) {
  Surface surface;
  surface.points = {{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}};
  surface.polygons = {{0, 1, 7}};
  EXPECT_THROW(TriangleMesh::of(surface), Error);
}

// Triangles of random points: a sentence or a mesh, whose questions have answers.
TEST(TriangleMesh, TakesOrRefusesAnyTriangles) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> entry(-1., 1.);
  std::size_t taken = 0, refused = 0;
  for (int k = 0; k < 20000; ++k) {
    std::vector<Vector3> points(3 + random() % 6);
    for (Vector3& point : points) point = {entry(random), entry(random), random() % 3 == 0 ? 0. : entry(random)};
    if (random() % 50 == 0) points[0][random() % 3] = nan;
    if (random() % 20 == 0) points[1] = points[0];
    Triangles triangles(1 + random() % 4);
    for (MeshTopology::Triangle& triangle : triangles) {
      for (std::size_t& point : triangle) point = random() % (points.size() + (random() % 40 == 0 ? 1 : 0));
    }
    try {
      const TriangleMesh mesh(points, triangles);
      ++taken;
      for (const PlacedShape& part : mesh.parts()) {
        const SurfaceFoot foot = part.shape->convex()->foot({entry(random), entry(random), entry(random)});
        ASSERT_NEAR(norm(foot.normal), 1., 1e-12);
        ASSERT_TRUE(isFinite(foot.point));
      }
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(taken, 1000u);
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace delassus
