// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/kernel/contacts/CylinderPlane.hpp>
#include <delassus/kernel/contacts/Disk.hpp>
#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/contacts/SurfacePoint.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <functional>
#include <kernel/contacts/ContactCases.hpp>
#include <limits>
#include <random>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

class EveryGeometry : public testing::TestWithParam<ContactCase> {};

TEST_P(EveryGeometry, HasGapsWhoseGradientIsTheFirstRow) {
  const ContactCase& contact = GetParam();
  std::mt19937 random(7);
  NewtonEuler3DR relation(contact.geometry);
  for (int trial = 0; trial < 20; ++trial) {
    const Vector q = randomConfiguration(contact, random);
    EXPECT_NO_THROW(relation.checkJacobians(0.3 * trial, q, 6 * contact.geometry->bodies(), {}, contact.name));
  }
}

// The rows of velocities and rotations against differences of the places of matter, in 1e-7 s either way: the error of
// second order is 1e-14 times third derivatives of up to a thousand, and rounding 1e-16 / 1e-7.
TEST_P(EveryGeometry, HasTheVelocitiesOfMatterAtTheContact) {
  const ContactCase& contact = GetParam();
  std::mt19937 random(8);
  NewtonEuler5DR relation(contact.geometry);
  const std::size_t bodies = contact.geometry->bodies();
  const std::size_t points = contact.geometry->points();
  for (int trial = 0; trial < 10; ++trial) {
    const double t = 0.2 * trial;
    const Vector q = randomConfiguration(contact, random);
    Vector v(6 * bodies);
    std::uniform_real_distribution<double> velocity(-2., 2.);
    for (double& entry : v.data()) entry = velocity(random);

    Matrix G(5 * points, 6 * bodies);
    Vector drift(5 * points), none(5 * points);
    relation.computeJacobian(t, q, none, G);
    if (relation.isTimeDependent()) relation.computeDrift(t, q, drift);
    const std::vector<ContactPoint> contacts = relation.contacts();
    for (std::size_t k = 0; k < points; ++k) {
      const Vector3 first = matterVelocity(q, v, 0, contacts[k].point);
      const Vector3 second =
          bodies == 2 ? matterVelocity(q, v, 1, contacts[k].point) : obstacleVelocity(contact, t, contacts[k].point);
      const Vector3 rotation =
          inertialRotation(q, v, 0) - (bodies == 2 ? inertialRotation(q, v, 1) : obstacleRotation(contact, t));
      const Matrix3 frame = contacts[k].frame();
      for (std::size_t row = 0; row < 5; ++row) {
        double u = drift(5 * k + row);
        for (std::size_t j = 0; j < v.size(); ++j) u += G(5 * k + row, j) * v(j);
        const Vector3 axis = column(frame, row < 3 ? row : row - 2);
        EXPECT_NEAR(u, row < 3 ? dot(axis, first - second) : dot(axis, rotation), 1e-7)
            << "point " << k << ", row " << row;
      }
    }
  }
}

TEST_P(EveryGeometry, HasAnOrthonormalFrameAndUnitNormals) {
  const ContactCase& contact = GetParam();
  std::mt19937 random(9);
  std::vector<ContactPoint> contacts(contact.geometry->points());
  for (int trial = 0; trial < 20; ++trial) {
    contact.geometry->findContacts(0.1 * trial, randomConfiguration(contact, random), contacts.data());
    for (const ContactPoint& point : contacts) {
      const Matrix3 frame = point.frame();
      const Matrix3 product = multiply(transposed(frame), frame);
      for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(product[i], i % 4 == 0 ? 1. : 0., 1e-15);
      EXPECT_NEAR(dot(cross(column(frame, 0), column(frame, 1)), column(frame, 2)), 1., 1e-15);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Contacts, EveryGeometry, testing::ValuesIn(contactCases()),
                         [](const auto& parameter) { return parameter.param.name; });

ContactPoint only(ContactGeometry& geometry, const Vector& q, double t = 0.) {
  ContactPoint contact;
  geometry.findContacts(t, q, &contact);
  return contact;
}

TEST(SurfacePoint, IsOnTheSurfaceOfTheBodyThatIsAskedFor) {
  const Vector q = NewtonEulerDS::at({1., 2., 0.7});
  const SpherePlane geometry(0.5, Plane{});
  SurfacePoint ball(geometry), ground(geometry, SurfacePoint::Of::secondBody);
  EXPECT_NEAR(only(ball, q).point[2], 0.2, 1e-15);
  EXPECT_NEAR(only(ground, q).point[2], 0., 1e-15);
  EXPECT_NEAR(only(ball, q).gap, 0.2, 1e-15);
  expectError([] { SurfacePoint(std::shared_ptr<ContactGeometry>()); }, {"SurfacePoint", "null"});
}

TEST(BoxPlane, TouchesWithItsEightCorners) {
  BoxPlane box(2., 4., 6., Plane{});
  ASSERT_EQ(box.points(), 8U);
  std::vector<ContactPoint> contacts(8);
  box.findContacts(0., NewtonEulerDS::at({0., 0., 3.5}), contacts.data());
  int low = 0;
  for (const ContactPoint& contact : contacts) {
    EXPECT_TRUE(std::abs(contact.gap - 0.5) < 1e-15 || std::abs(contact.gap - 6.5) < 1e-15) << contact.gap;
    EXPECT_NEAR(std::abs(contact.point[0]), 1., 1e-15);
    EXPECT_NEAR(std::abs(contact.point[1]), 2., 1e-15);
    EXPECT_NEAR(contact.point[2], 0.5 * contact.gap, 1e-15);
    low += contact.gap < 1. ? 1 : 0;
  }
  EXPECT_EQ(low, 4);
}

TEST(PointsPlane, WithARadiusIsARoundedBody) {
  PointsPlane capsule({{-1., 0., 0.}, {1., 0., 0.}}, Plane{}, 0.25);
  std::vector<ContactPoint> contacts(2);
  capsule.findContacts(0., NewtonEulerDS::at({0., 0., 1.}), contacts.data());
  for (const ContactPoint& contact : contacts) EXPECT_NEAR(contact.gap, 0.75, 1e-15);
}

// The lowest of all points of both rims, by search.
double lowestOfRims(const Vector& q, double radius, double height) {
  const Quaternion p{q(3), q(4), q(5), q(6)};
  double lowest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 100000; ++k) {
    const double angle = 2. * 3.14159265358979323846 * k / 100000.;
    for (const double z : {-0.5 * height, 0.5 * height}) {
      const Vector3 point = rotations::rotate(p, {radius * std::cos(angle), radius * std::sin(angle), z});
      lowest = std::min(lowest, q(2) + point[2]);
    }
  }
  return lowest;
}

TEST(CylinderPlane, TouchesWithTheLowestPointsOfItsRims) {
  CylinderPlane cylinder(0.3, 1., Plane{});
  std::mt19937 random(3);
  std::vector<ContactPoint> contacts(cylinder.points());
  for (int trial = 0; trial < 20; ++trial) {
    const Vector q = randomConfiguration(1, random);
    cylinder.findContacts(0., q, contacts.data());
    double lowest = std::numeric_limits<double>::infinity();
    for (const ContactPoint& contact : contacts) lowest = std::min(lowest, contact.gap);
    // The search sees angles that are 3e-5 off, squared: 1e-9.
    EXPECT_NEAR(lowest, lowestOfRims(q, 0.3, 1.), 1e-9);
  }
}

TEST(CylinderPlane, LiesOnALine) {
  CylinderPlane cylinder(0.3, 1., Plane{});
  std::vector<ContactPoint> contacts(cylinder.points());
  const double half = std::sqrt(0.5);
  cylinder.findContacts(0., NewtonEulerDS::at({0., 0., 0.3}, {half, half, 0., 0.}), contacts.data());
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(contacts[k].gap, 0., 1e-15);
    EXPECT_NEAR(contacts[k].point[0], 0., 1e-15);
    EXPECT_NEAR(std::abs(contacts[k].point[1]), 0.5, 1e-15);
  }
  EXPECT_LT(contacts[0].point[1] * contacts[1].point[1], 0.);
  for (std::size_t k = 2; k < contacts.size(); ++k) EXPECT_GE(contacts[k].gap, ContactGeometry::absent);
}

TEST(CylinderPlane, HasNoSupportInTheWayOfItsRimWhereItTilts) {
  for (const std::size_t supports : {3U, 8U, 64U}) {
    CylinderPlane coin(0.3, 0.02, Plane{}, supports);
    std::vector<ContactPoint> contacts(coin.points());
    for (const double tilt : {5e-4, 2e-3, 0.04}) {
      coin.findContacts(0., NewtonEulerDS::at({0., 0., 0.1}, {std::cos(0.5 * tilt), 0., std::sin(0.5 * tilt), 0.}),
                        contacts.data());
      const Vector3 lowest = contacts[0].point;
      for (std::size_t k = 1; k < contacts.size(); ++k) {
        const Vector3& support = contacts[k].point;
        const double along = (lowest[0] * support[0] + lowest[1] * support[1]) / 0.09;  // cosine of the angle, nearly
        if (contacts[k].gap > 1.) continue;
        EXPECT_LT(along, tilt < 1e-3 ? 1.01 : 0.71) << supports << ", " << tilt;
      }
      const auto isThere = [](const ContactPoint& contact) { return contact.gap < 1.; };
      const auto count = static_cast<std::size_t>(std::ranges::count_if(contacts, isThere));
      EXPECT_GE(count, tilt < 1e-3 ? contacts.size() : 3U) << supports << ", " << tilt;
    }
  }
}

TEST(CylinderPlane, StandsOnAPolygonInItsRimEitherWayUp) {
  for (const Quaternion& p : {Quaternion{1., 0., 0., 0.}, Quaternion{0., 1., 0., 0.}}) {
    CylinderPlane cylinder(0.3, 1., Plane{}, 5);
    ASSERT_EQ(cylinder.points(), 6U);
    std::vector<ContactPoint> contacts(cylinder.points());
    cylinder.findContacts(0., NewtonEulerDS::at({0., 0., 0.5}, p), contacts.data());
    Vector3 sum{};
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      EXPECT_NEAR(contacts[k].gap, 0., 1e-15);
      EXPECT_NEAR(norm(contacts[k].point), 0.3, 1e-15);
      if (k > 0) sum += contacts[k].point;
    }
    EXPECT_NEAR(norm(sum), 0., 1e-15);  // it encloses the centre
  }
}

TEST(DiskPlane, HasItsTangentInThePlaneOfMotion) {
  DiskPlane disk(0.5, Plane::through({0., 0., 0.}, {0., 1., 0.}));
  const ContactPoint contact = only(disk, NewtonEulerDS::at({3., 0.75, 0.}, {std::cos(0.4), 0., 0., std::sin(0.4)}));
  EXPECT_NEAR(contact.gap, 0.25, 1e-15);
  EXPECT_NEAR(contact.point[0], 3., 1e-15);
  const Vector3 t1 = column(contact.frame(), 1);
  EXPECT_NEAR(t1[0], 1., 1e-15);
  // Flat on the plane, any point of the rim is the lowest.
  const double half = std::sqrt(0.5);
  const ContactPoint flat = only(disk, NewtonEulerDS::at({0., 0.2, 0.}, {half, half, 0., 0.}));
  EXPECT_NEAR(flat.gap, 0.2, 1e-15);
}

TEST(DiskDisk, HasItsTangentInThePlaneOfMotion) {
  DiskDisk disks(0.5, 1.);
  Vector q(14);
  for (std::size_t i = 0; i < 2; ++i) q(3 + 7 * i) = 1.;
  q(0) = 3.;
  q(1) = 4.;
  const ContactPoint contact = only(disks, q);
  EXPECT_NEAR(contact.gap, 3.5, 1e-15);
  const Vector3 t1 = column(contact.frame(), 1);
  EXPECT_NEAR(t1[0], 0.8, 1e-15);
  EXPECT_NEAR(t1[1], -0.6, 1e-15);
  EXPECT_NEAR(t1[2], 0., 1e-15);
  q(0) = q(1) = 0.;
  EXPECT_NEAR(std::abs(only(disks, q).normal[2]), 0., 1e-15);
}

TEST(SpherePlane, MayHaveItsCentreAnywhereInTheBody) {
  SpherePlane sphere(0.1, Plane{}, {0., 0., -0.4});
  EXPECT_NEAR(only(sphere, NewtonEulerDS::at({0., 0., 1.})).gap, 0.5, 1e-15);
  EXPECT_NEAR(only(sphere, NewtonEulerDS::at({0., 0., 1.}, {0., 1., 0., 0.})).gap, 1.3, 1e-15);
}

TEST(ContactPoint, TakesItsTangentWhereItIsNotAlongTheNormal) {
  ContactPoint contact;
  contact.normal = {0., 0., 1.};
  contact.tangent = {0., 5., 3.};
  EXPECT_NEAR(column(contact.frame(), 1)[1], 1., 1e-15);
  EXPECT_NEAR(column(contact.frame(), 2)[0], -1., 1e-15);
  contact.tangent = {0., 0., 2.};
  EXPECT_EQ(contact.frame(), contactFrame(contact.normal));
  contact.tangent = {};
  EXPECT_EQ(contact.frame(), contactFrame(contact.normal));
}

TEST(MovingPlane, SaysHowItsMatterMoves) {
  const double rate = 0.5;
  SpherePlane sphere(0.1, MovingPlane(Plane{}, automatic([=](const auto& t, auto& q) {
                                        using std::cos;
                                        using std::sin;
                                        q(0) = 2. * t;
                                        q(3) = cos(0.5 * rate * t);
                                        q(6) = sin(0.5 * rate * t);
                                      })));
  EXPECT_TRUE(sphere.isTimeDependent());
  const double t = 1.5;
  const ContactPoint contact = only(sphere, NewtonEulerDS::at({4., 1., 0.3}), t);
  EXPECT_NEAR(contact.gap, 0.2, 1e-15);
  expectNear(vectorOf(contact.obstacleRotation), makeVector({0., 0., rate}), 1e-15);
  // 2 along x, and ω × (1, 1, ·) as seen from (3, 0, 0).
  expectNear(vectorOf(contact.obstacleVelocity), makeVector({2. - rate, rate, 0.}), 1e-15);
}

TEST(MovingPlane, TakesItsRatesInAnyOfTheThreeWays) {
  const auto motion = [](const auto& t, auto& q) {
    using std::sin;
    q(1) = sin(t);
    q(3) = 1. + t;  // not normalised
    q(4) = t * t;
  };
  const auto rates = [](double t, Vector& rate) {
    rate(1) = std::cos(t);
    rate(3) = 1.;
    rate(4) = 2. * t;
  };
  const auto plain = [motion](double t, Vector& q) { motion(t, q); };
  const Vector q = NewtonEulerDS::at({0.4, 0.2, 0.3});
  SpherePlane exact(0.1, MovingPlane(Plane{}, automatic(motion)));
  SpherePlane given(0.1, MovingPlane(Plane{}, withJacobians(plain, rates)));
  SpherePlane rough(0.1, MovingPlane(Plane{}, differenced(plain)));
  const ContactPoint reference = only(exact, q, 0.7);
  EXPECT_EQ(only(given, q, 0.7).obstacleVelocity, reference.obstacleVelocity);
  expectNear(vectorOf(only(rough, q, 0.7).obstacleVelocity), vectorOf(reference.obstacleVelocity), 1e-9);
  expectNear(vectorOf(only(rough, q, 0.7).obstacleRotation), vectorOf(reference.obstacleRotation), 1e-9);
}

TEST(MovingPlane, WithoutAQuaternionOnlyTranslates) {
  SpherePlane sphere(0.1, MovingPlane(Plane{}, automatic([](const auto& t, auto& q) { q(2) = 3. * t; })));
  const ContactPoint contact = only(sphere, NewtonEulerDS::at({0., 0., 2.}), 0.5);
  EXPECT_NEAR(contact.gap, 0.4, 1e-15);
  EXPECT_EQ(contact.obstacleRotation, Vector3{});
  expectNear(vectorOf(contact.obstacleVelocity), makeVector({0., 0., 3.}), 1e-15);
}

TEST(MovingPlane, RefusesMotionsThatAreNotFinite) {
  SpherePlane sphere(0.1, MovingPlane(Plane{}, differenced([](double t, Vector& q) { q(0) = std::log(t - 1.); })));
  expectError([&] { only(sphere, NewtonEulerDS::at({0., 0., 1.}), 0.5); }, {"ObstacleMotion", "t = 0.5", "finite"});
  expectError([] { MovingPlane(Plane{}, ObstacleMotion::Function()); }, {"ObstacleMotion", "empty"});
  SpherePlane wrong(
      0.1, MovingPlane(Plane{}, withJacobians([](double, Vector& q) { q.resize(3); }, [](double, Vector&) {})));
  expectError([&] { only(wrong, NewtonEulerDS::at({0., 0., 1.})); }, {"ObstacleMotion", "size 7", "size 3"});
}

TEST(ContactGeometries, RefuseBadInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {-1., nan, infinity}) {
    expectError([&] { SpherePlane(bad, Plane{}); }, {"SpherePlane", "radius"});
    expectError([&] { SphereSphere(0.1, bad); }, {"SphereSphere", "radius"});
    expectError([&] { DiskPlane(bad, Plane{}); }, {"DiskPlane", "radius"});
    expectError([&] { DiskDisk(bad, 1.); }, {"DiskDisk", "radius"});
    expectError([&] { PointsPlane({{0., 0., 0.}}, Plane{}, bad); }, {"PointsPlane", "radius"});
    expectError([&] { BoxPlane(1., bad, 1., Plane{}); }, {"BoxPlane", "edges", "positive"});
    expectError([&] { RectanglePlane(1., bad, Plane{}); }, {"RectanglePlane", "edges", "positive"});
    expectError([&] { CylinderPlane(bad, 1., Plane{}); }, {"CylinderPlane", "radius"});
    expectError([&] { CylinderPlane(1., bad, Plane{}); }, {"CylinderPlane", "height"});
  }
  expectError([] { BoxPlane(1., 1., 0., Plane{}); }, {"BoxPlane", "edges"});
  expectError([] { CylinderPlane(1., 1., Plane{}, 2); }, {"CylinderPlane", "at least 3", "2"});
  expectError([] { PointsPlane({}, Plane{}); }, {"PointsPlane", "at least one"});
  expectError([&] { PointsPlane({{0., nan, 0.}}, Plane{}); }, {"PointsPlane", "finite"});
  expectError([&] { SpherePlane(1., Plane{}, {0., infinity, 0.}); }, {"SpherePlane", "centre"});
  expectError([&] { SphereSphere(1., 1., {0., 0., 0.}, {nan, 0., 0.}); }, {"SphereSphere", "centre"});
  expectError([] { DiskPlane(1., Plane{}, {0., 0., 0.}); }, {"DiskPlane", "axis"});
  expectError([&] { DiskDisk(1., 1., {0., nan, 0.}); }, {"DiskDisk", "axis"});
  expectError([] { SpherePlane(1., Plane{{0., 0., 0.}, 0., {}}); }, {"Plane", "normal"});
  expectError([&] { SpherePlane(1., Plane{{0., 0., 1.}, nan, {}}); }, {"Plane", "finite"});
  expectError([] { Plane::through({0., 0., 0.}, {0., 0., 2.}, {0., 0., 1.}); }, {"Plane", "tangent", "along"});
}

}  // namespace
