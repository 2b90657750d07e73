// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <kernel/contacts/ContactCases.hpp>
#include <random>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

Matrix jacobianOf(SecondOrderR& relation, const Vector& q, std::size_t velocities) {
  Matrix G(relation.size(), velocities);
  relation.computeJacobian(0., q, Vector(relation.size()), G);
  return G;
}

// Whatever the multipliers, Gᵀλ is no force and no moment about the origin on the two bodies together.
TEST(NewtonEulerContactR, KeepsLinearAndAngularMomentumOfTwoBodies) {
  std::mt19937 random(11);
  for (const ContactCase& contact : contactCases()) {
    if (contact.geometry->bodies() != 2) continue;
    NewtonEuler5DR relation(contact.geometry);
    for (int trial = 0; trial < 20; ++trial) {
      const Vector q = randomConfiguration(contact, random);
      const Matrix G = jacobianOf(relation, q, 12);
      for (std::size_t row = 0; row < relation.size(); ++row) {
        Vector3 momentum{}, angular{};
        for (std::size_t body = 0; body < 2; ++body) {
          Vector3 force{}, moment{};
          for (std::size_t i = 0; i < 3; ++i) {
            force[i] = G(row, 6 * body + i);
            moment[i] = G(row, 6 * body + 3 + i);
          }
          const double* const x = data(q) + 7 * body;
          momentum += force;
          angular = angular + (cross(vector3(x), force) + rotations::rotate({x[3], x[4], x[5], x[6]}, moment));
        }
        EXPECT_EQ(norm(momentum), 0.) << contact.name;
        EXPECT_NEAR(norm(angular), 0., 4e-15) << contact.name;  // rounding of places of size 3
      }
    }
  }
}

TEST(NewtonEulerContactR, HasRowsOfOneTwoThreeOrFiveAPoint) {
  std::mt19937 random(12);
  const auto box = std::make_shared<BoxPlane>(0.3, 0.5, 0.7, Plane{});
  const Vector q = randomConfiguration(1, random);
  NewtonEuler5DR five(box);
  const Matrix all = jacobianOf(five, q, 6);
  NewtonEuler1DR one(box);
  NewtonEuler2DR two(box);
  NewtonEuler3DR three(box);
  ASSERT_EQ(five.size(), 40U);
  for (SecondOrderR* const relation :
       {static_cast<SecondOrderR*>(&one), static_cast<SecondOrderR*>(&two), static_cast<SecondOrderR*>(&three)}) {
    const std::size_t rows = relation->size() / 8;
    const Matrix G = jacobianOf(*relation, q, 6);
    for (std::size_t point = 0; point < 8; ++point) {
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(G(rows * point + row, j), all(5 * point + row, j));
      }
    }
  }
}

TEST(NewtonEulerContactR, HasGapsAndZerosForOutputs) {
  NewtonEuler3DR relation(SphereSphere(0.2, 0.3));
  Vector q(14), y(3);
  q(0) = 1.;
  q(3) = q(10) = 1.;
  relation.computeOutput(0., q, Vector(3), y);
  EXPECT_DOUBLE_EQ(y(0), 0.5);
  EXPECT_EQ(y(1), 0.);
  EXPECT_EQ(y(2), 0.);
  EXPECT_FALSE(relation.isTimeDependent());
}

// One that forgets that its sphere has a radius when it says where the contact is.
class WrongGeometry final : public ContactGeometry {
 public:
  explicit WrongGeometry(double driftError) : driftError_(driftError) {}
  std::string_view className() const override { return "WrongGeometry"; }
  std::size_t bodies() const override { return 1; }
  bool isTimeDependent() const override { return driftError_ != 0.; }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override {
    contacts->normal = {0., 0., 1.};
    contacts->gap = q(2) + (driftError_ != 0. ? t : q(0));
    contacts->point = vector3(data(q));
    contacts->obstacleVelocity = {0., 0., driftError_ - 1.};
  }

 private:
  double driftError_;
};

TEST(NewtonEulerContactR, NamesAGapThatItsRowsAreNotTheDerivativeOf) {
  const Vector q = NewtonEulerDS::at({0.1, 0.2, 0.3});
  NewtonEuler3DR wrong(WrongGeometry(0.));
  expectError([&] { wrong.checkJacobians(0., q, 6, {}, "Interaction 'c'"); }, {"Interaction 'c'", "gaps", "(0, 0)"});
  NewtonEuler3DR drifting(WrongGeometry(0.5));
  expectError([&] { drifting.checkJacobians(0., q, 6, {}, "Interaction 'c'"); }, {"gaps", "respect to t"});
}

TEST(NewtonEulerContactR, RefusesAnotherNumberOfBodies) {
  expectError([] { NewtonEuler3DR(std::shared_ptr<ContactGeometry>()); }, {"geometry is null"});
  NonSmoothDynamicalSystem model(0., 1.);
  const auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 1.}), Vector(6), 1.,
                                                    NewtonEulerDS::ballInertia(1., 0.1));
  model.insert(body);
  const auto contact =
      std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.3), NewtonEuler3DR(SphereSphere(0.1, 0.1)));
  expectError([&] { model.link(contact, body); }, {"NewtonEuler3DR", "SphereSphere", "2 bodies", "1 are linked"});
}

}  // namespace
