// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/Config.hpp>
#include <delassus/kernel/shapes/AllShapes.hpp>
#include <delassus/kernel/shapes/ConvexShapes.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include "ShapeModels.hpp"

namespace delassus {
namespace {

using test::randomPlacement;
using test::randomVector;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
// Sizes are below 1 m: results of a few operations are right to this.
constexpr double rounding = 2e-15;

struct Weighted {
  double weight;
  Vector3 point;
};
using Quadrature = std::vector<Weighted>;

constexpr std::array<double, 3> gaussNodes{-0.774596669241483377, 0., 0.774596669241483377};
constexpr std::array<double, 3> gaussWeights{5. / 9., 8. / 9., 5. / 9.};

// Gauss along z from z0 to z1: calls addSlice(z, weight).
void addSlices(double z0, double z1, const std::function<void(double, double)>& addSlice) {
  for (std::size_t k = 0; k < 3; ++k) {
    addSlice(0.5 * (z0 + z1) + 0.5 * (z1 - z0) * gaussNodes[k], 0.5 * (z1 - z0) * gaussWeights[k]);
  }
}

// A disc in polar coordinates: exact for polynomials of degree 4, since sums over 8 equal angles are.
void addDisc(Quadrature& all, double z, double weight, double radius) {
  constexpr int angles = 8;
  for (std::size_t i = 0; i < 3; ++i) {
    const double r = 0.5 * radius * (1. + gaussNodes[i]);
    for (int k = 0; k < angles; ++k) {
      const double angle = 2. * std::numbers::pi * k / angles;
      const double area = 0.5 * radius * gaussWeights[i] * r * 2. * std::numbers::pi / angles;
      all.push_back({weight * area, {r * std::cos(angle), r * std::sin(angle), z}});
    }
  }
}

// The parallelogram of points s (u a + v b), u and v in [-1, 1].
void addParallelogram(Quadrature& all, double z, double weight, double s, const Vector3& a, const Vector3& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Vector3 point = s * gaussNodes[i] * a + s * gaussNodes[j] * b + Vector3{0., 0., z};
      all.push_back({weight * gaussWeights[i] * gaussWeights[j] * s * s * norm(cross(a, b)), point});
    }
  }
}

Quadrature ofDiscs(const std::vector<double>& heights, const std::function<double(double)>& radius) {
  Quadrature all;
  for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
    addSlices(heights[k], heights[k + 1], [&](double z, double w) { addDisc(all, z, w, radius(z)); });
  }
  return all;
}

// A ball of radius 1, scaled along the axes.
Quadrature ofEllipsoid(const Vector3& half) {
  Quadrature all = ofDiscs({-1., 1.}, [](double z) { return std::sqrt(1. - z * z); });
  for (Weighted& each : all) {
    each.weight *= half[0] * half[1] * half[2];
    for (std::size_t i = 0; i < 3; ++i) each.point[i] *= half[i];
  }
  return all;
}

struct Case {
  std::shared_ptr<const ConvexShape> shape;
  Quadrature quadrature;  // exact up to the second moments: they are polynomials of degree 4 of z on each piece
};

Case octahedron() {
  Quadrature all;
  const double s = 0.3, third = 0.1;
  for (const double end : {-s, s}) {
    addSlices(std::min(0., end), std::max(0., end), [&](double z, double w) {
      addParallelogram(all, z, w, s - std::abs(z), {0.5, 0.5, 0.}, {0.5, -0.5, 0.});
    });
  }
  for (Weighted& each : all) each.point[0] += third;
  return {std::make_shared<const ConvexHull>(std::vector<Vector3>{
              {0.4, 0., 0.}, {-0.2, 0., 0.}, {0.1, 0.3, 0.}, {0.1, -0.3, 0.}, {0.1, 0., 0.3}, {0.1, 0., -0.3}}),
          all};
}

std::vector<Case> cases() {
  const double r = 0.2, half = 0.25;
  Quadrature box;
  addSlices(-0.1, 0.1, [&](double z, double w) { addParallelogram(box, z, w, 1., {0.2, 0., 0.}, {0., 0.3, 0.}); });
  std::vector<Case> all{
      {std::make_shared<const SphereShape>(r), ofDiscs({-r, r}, [=](double z) { return std::sqrt(r * r - z * z); })},
      {std::make_shared<const BoxShape>(0.4, 0.6, 0.2), box},
      {std::make_shared<const CapsuleShape>(r, 2. * half), ofDiscs({-half - r, -half, half, half + r},
                                                                   [=](double z) {
                                                                     const double over =
                                                                         std::max(0., std::abs(z) - half);
                                                                     return std::sqrt(r * r - over * over);
                                                                   })},
      {std::make_shared<const CylinderShape>(r, 2. * half), ofDiscs({-half, half}, [=](double) { return r; })},
      {std::make_shared<const EllipsoidShape>(0.3, 0.2, 0.1), ofEllipsoid({0.3, 0.2, 0.1})}};
  if (withQhull) all.push_back(octahedron());
  all.push_back({std::make_shared<const ConeShape>(r, 4. * half),
                 ofDiscs({-half, 3. * half}, [=](double z) { return r * (3. * half - z) / (4. * half); })});
  return all;
}

// By its definition: mass, first moment, and the moments about the centre.
void expectMass(const MassProperties& found, const Quadrature& quadrature, double density, double tolerance) {
  double mass = 0.;
  Vector3 first{};
  for (const Weighted& each : quadrature) {
    mass += density * each.weight;
    first += density * each.weight * each.point;
  }
  const Vector3 centre = 1. / mass * first;
  EXPECT_NEAR(found.mass, mass, tolerance * mass);
  EXPECT_NEAR(norm(found.centre - centre), 0., tolerance);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double expected = 0.;
      for (const Weighted& each : quadrature) {
        const Vector3 arm = each.point - centre;
        expected += density * each.weight * ((i == j ? dot(arm, arm) : 0.) - arm[i] * arm[j]);
      }
      EXPECT_NEAR(found.inertia[i + 3 * j], expected, tolerance * mass);
    }
  }
}

TEST(ShapeMass, IsThatOfQuadratureAndGrowsWithTheDensity) {
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.shape->className());
    // The quadrature is exact; it sums up to 100 terms.
    for (const double density : {1., 700., 1e-3}) {
      expectMass(each.shape->massProperties(density), each.quadrature, density, 1e-14);
    }
  }
}

TEST(ShapeMass, OfAPlacedShapeIsThatOfThePlacedQuadrature) {
  std::mt19937 random(11);
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.shape->className());
    const Placement at = randomPlacement(random);
    Quadrature placed = each.quadrature;
    for (Weighted& point : placed) point.point = at.place(point.point);
    expectMass(each.shape->massProperties(5.).placed(at), placed, 5., 1e-14);
  }
}

// Of different lengths, so that the common centre is of neither.
TEST(ShapeMass, OfTwoBoxesThatMakeOneIsThatOfTheOne) {
  std::mt19937 random(12);
  const Placement at = randomPlacement(random);
  const MassProperties whole = BoxShape(1., 0.3, 0.2).massProperties(3.).placed(at);
  const MassProperties left =
      BoxShape(0.7, 0.3, 0.2).massProperties(3.).placed(at.place(Placement::at({-0.15, 0., 0.})));
  const MassProperties right =
      BoxShape(0.3, 0.3, 0.2).massProperties(3.).placed(at.place(Placement::at({0.35, 0., 0.})));
  const CompoundShape compound = CompoundShape()
                                     .with(BoxShape(0.7, 0.3, 0.2), at.place(Placement::at({-0.15, 0., 0.})))
                                     .with(BoxShape(0.3, 0.3, 0.2), at.place(Placement::at({0.35, 0., 0.})));
  for (const MassProperties& both : {left + right, right + left, compound.massProperties(3.)}) {
    EXPECT_NEAR(both.mass, whole.mass, rounding);
    EXPECT_NEAR(norm(both.centre - whole.centre), 0., rounding);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(both.inertia[k], whole.inertia[k], rounding);
  }
  const MassProperties alone = MassProperties{} + whole;
  EXPECT_NEAR(norm(alone.centre - whole.centre), 0., rounding);
  EXPECT_EQ((MassProperties{} + MassProperties{}).mass, 0.);
}

TEST(ShapeNames, MakeTheShapesAgain) {
  std::vector<std::string_view> made;
  for (const Case& each : cases()) {
    const ConvexShape& shape = *each.shape;
    SCOPED_TRACE(shape.className());
    made.push_back(shape.className());
    const std::vector<double> parameters = shape.parameters();
    const auto again = makeConvexShape(shape.className(), parameters);
    EXPECT_EQ(again->className(), shape.className());
    EXPECT_EQ(again->parameters(), parameters);
    EXPECT_TRUE(again->settings() == shape.settings());
    for (const std::size_t wrong : {std::size_t{0}, parameters.size() - 1, parameters.size() + 1}) {
      EXPECT_THROW(makeConvexShape(shape.className(), std::vector<double>(wrong, 1.)), Error) << wrong;
    }
    EXPECT_THROW(makeConvexShape(shape.className(), std::vector<double>(parameters.size(), nan)), Error);
  }
  const auto names = convexShapeNames();
  EXPECT_EQ(std::ranges::equal(names, made), withQhull);
  for (const char* wrong : {"", "Torus", "sphereshape", "SphereShape ", "HalfSpace", "CompoundShape"}) {
    EXPECT_THROW(makeConvexShape(wrong, std::vector<double>{1.}), Error) << wrong;
  }
}

TEST(ShapeInput, ThatIsNotPositiveAndFiniteIsRefused) {
  for (const double bad : {0., -1., -0., nan, infinity, -infinity}) {
    EXPECT_THROW(SphereShape{bad}, Error);
    for (int k = 0; k < 3; ++k) EXPECT_THROW(BoxShape(k == 0 ? bad : 1., k == 1 ? bad : 1., k == 2 ? bad : 1.), Error);
    EXPECT_THROW(CapsuleShape(bad, 1.), Error);
    EXPECT_THROW(CapsuleShape(1., bad), Error);
    EXPECT_THROW(CylinderShape(bad, 1.), Error);
    EXPECT_THROW(CylinderShape(1., bad), Error);
    EXPECT_THROW(ConeShape(bad, 1.), Error);
    EXPECT_THROW(ConeShape(1., bad), Error);
    EXPECT_THROW(EllipsoidShape(bad, 1., 1.), Error);
    EXPECT_THROW(EllipsoidShape(1., 1., bad), Error);
    for (const Case& each : cases()) EXPECT_THROW(each.shape->massProperties(bad), Error) << each.shape->className();
    EXPECT_THROW(CompoundShape().with(SphereShape(1.)).massProperties(bad), Error);
  }
}

TEST(ShapeInput, AHalfSpaceHasNoMassAndNoSurfaceAndIsNoPart) {
  const HalfSpace halfSpace(Plane{{0., 0., 4.}, 2., {}});
  EXPECT_NEAR(halfSpace.plane()->normal[2], 1., rounding);
  EXPECT_NEAR(halfSpace.plane()->offset, 0.5, rounding);
  EXPECT_EQ(halfSpace.bounds({}).lower[0], -infinity);
  EXPECT_EQ(halfSpace.bounds({}).upper[2], infinity);
  EXPECT_THROW(halfSpace.massProperties(1.), Error);
  EXPECT_THROW(halfSpace.surface(12), Error);
  EXPECT_THROW(placementInBody(halfSpace), Error);
  EXPECT_THROW(NewtonEulerDS::ofShape(halfSpace, 1.), Error);
  EXPECT_THROW(CompoundShape().with(halfSpace), Error);
  EXPECT_THROW(CompoundShape().with(nullptr), Error);
  EXPECT_THROW(HalfSpace(Plane{{0., 0., 0.}, 0., {}}), Error);
  EXPECT_THROW(HalfSpace(Plane{{0., nan, 1.}, 0., {}}), Error);
  EXPECT_THROW(HalfSpace(Plane{{0., 0., 1.}, infinity, {}}), Error);
}

// One that was forgotten to be filled must not vanish in silence.
TEST(ShapeCompound, RefusesPartsWithoutParts) {
  EXPECT_EQ(CompoundShape().massProperties(1.).mass, 0.);
  EXPECT_THROW(NewtonEulerDS::ofShape(CompoundShape(), 1.), Error);
  EXPECT_THROW(CompoundShape().with(CompoundShape()), Error);
}

// A reflection is no rotation, and two placements that are.
TEST(ShapeCompound, RefusesPlacementsThatAreNone) {
  const BoxShape box(1., 1., 1.);
  EXPECT_THROW(CompoundShape().with(box, {{nan, 0., 0.}, Placement{}.rotation}), Error);
  EXPECT_THROW(CompoundShape().with(box, {{}, {1., 0., 0., 0., 1., 0., 0., 0., -1.}}), Error);
  EXPECT_THROW(CompoundShape().with(box, {{}, {2., 0., 0., 0., 1., 0., 0., 0., 1.}}), Error);
  EXPECT_NO_THROW(CompoundShape().with(box, {{}, {-1., 0., 0., 0., 1., 0., 0., 0., -1.}}));
}

// A nested compound gives its parts, placed twice; bounds are the least that hold the samples of both.
TEST(ShapeCompound, BoundsAndSurfaceAreThoseOfPlacedParts) {
  std::mt19937 random(18);
  const Placement a = randomPlacement(random), b = randomPlacement(random), at = randomPlacement(random);
  const CompoundShape inner = CompoundShape().with(BoxShape(0.4, 0.6, 0.2), a);
  const CompoundShape compound = CompoundShape().with(inner, b).with(BoxShape(0.1, 0.2, 0.3));
  ASSERT_EQ(compound.parts().size(), 2u);
  EXPECT_NEAR(norm(compound.parts()[0].at.place({1., 2., 3.}) - b.place(a.place({1., 2., 3.}))), 0., 1e-14);
  Bounds least{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (const Vector3& point : compound.surface(12).points) least.add({at.place(point), at.place(point)});
  const Bounds bounds = compound.bounds(at);
  EXPECT_NEAR(norm(bounds.lower - least.lower), 0., rounding);
  EXPECT_NEAR(norm(bounds.upper - least.upper), 0., rounding);
}

TEST(ShapeBody, OfACompoundIsAboutItsCentreOfMass) {
  const CompoundShape hammer = CompoundShape()
                                   .with(BoxShape(0.1, 0.1, 0.4), Placement::at({0., 0.3, 0.}))
                                   .with(BoxShape(0.3, 0.1, 0.1), Placement::at({0.1, 0.3, 0.25}));
  // The quaternion has the length 2, which counts for nothing.
  const Quaternion unit = rotations::exponential({0.3, -0.2, 0.5});
  const auto body =
      NewtonEulerDS::ofShape(hammer, 1000., {1., 2., 3.}, {2. * unit[0], 2. * unit[1], 2. * unit[2], 2. * unit[3]});
  const MassProperties found = hammer.massProperties(1000.);
  EXPECT_NEAR(body->scalarMass(), 7., 1e-14);
  const Vector3 centre{0.1 * 3. / 7., 0.3, 0.25 * 3. / 7.};
  EXPECT_NEAR(norm(body->position() - Vector3{1., 2., 3.} - rotations::rotate(unit, centre)), 0., rounding);
  // ∫ xz of both about the centre: the reduced mass 12/7 times the arms between them.
  EXPECT_NEAR(body->inertia()(0, 2), -12. / 7. * 0.1 * 0.25, rounding);
  EXPECT_NEAR(body->inertia()(0, 0), 4. * 0.17 / 12. + 3. * 0.02 / 12. + 12. / 7. * 0.25 * 0.25, rounding);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(body->inertia()(k % 3, k / 3), found.inertia[k]);
  // The shape's frame is where it was put: its origin at (1, 2, 3).
  const Placement ofBody{body->position(), body->rotation()};
  const Placement ofShape = ofBody.place(placementInBody(hammer));
  EXPECT_NEAR(norm(ofShape.position - Vector3{1., 2., 3.}), 0., rounding);
  EXPECT_EQ(body->velocity()(0), 0.);
  for (const double bad : {0., -1., nan, infinity}) EXPECT_THROW(NewtonEulerDS::ofShape(hammer, bad), Error);
  EXPECT_THROW(NewtonEulerDS::ofShape(hammer, 1., {}, {0., 0., 0., 0.}), Error);
  EXPECT_THROW(NewtonEulerDS::ofShape(hammer, 1., {nan, 0., 0.}), Error);
}

}  // namespace
}  // namespace delassus
