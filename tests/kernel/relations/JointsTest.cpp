// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <lapacke.h>

#include <cmath>
#include <delassus/kernel/contacts/DiskInRing.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/joints/CylindricalJointR.hpp>
#include <delassus/kernel/relations/joints/DistanceJointR.hpp>
#include <delassus/kernel/relations/joints/FixedJointR.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/relations/joints/PrismaticJointR.hpp>
#include <delassus/kernel/relations/joints/SphericalJointR.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <limits>
#include <memory>
#include <numbers>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Vector3 random3(Generator& generator) {
  const Vector v = randomVector(generator, 3);
  return {v(0), v(1), v(2)};
}

Vector randomBody(Generator& generator) {
  const Vector p = randomVector(generator, 4);
  return NewtonEulerDS::at(random3(generator), {p(0), p(1), p(2), p(3)});
}

JointFrame randomFrame(Generator& generator) {
  return {random3(generator), random3(generator), random3(generator)};
}

Vector stacked(const Vector& first, const Vector& second, std::size_t bodies) {
  Vector q = first;
  if (bodies == 2) append(second, q);
  return q;
}

using Joints = std::vector<std::shared_ptr<JointR>>;

// All joints and coordinates between two frames.
Joints allJoints(const JointFrame& first, const JointFrame& second) {
  const JointAngleR angle(first, second);
  const JointDisplacementR way(first, second);
  const JointDistanceR distance(first, second);
  const Motion motion([](double t) { return std::sin(t); }, [](double t) { return std::cos(t); });
  return {std::make_shared<SphericalJointR>(first, second),
          std::make_shared<PivotJointR>(first, second),
          std::make_shared<CylindricalJointR>(first, second),
          std::make_shared<PrismaticJointR>(first, second),
          std::make_shared<FixedJointR>(first, second),
          std::make_shared<DistanceJointR>(first.anchor(), second.anchor(), 0.7),
          std::make_shared<JointAngleR>(angle.below(2.).following(motion)),
          std::make_shared<JointDisplacementR>(way.times(3.).following(motion).above(0.3)),
          std::make_shared<JointDistanceR>(distance.below(0.9))};
}

class JointsOfBodies : public testing::TestWithParam<std::size_t> {};

TEST_P(JointsOfBodies, HaveTheJacobiansOfTheirOutputsAtAnyConfiguration) {
  // The bodies need not be where the joint wants them.
  const std::size_t bodies = GetParam();
  for (unsigned seed = 0; seed < 20; ++seed) {
    Generator generator(seed);
    const Vector q = stacked(randomBody(generator), randomBody(generator), bodies);
    for (const auto& joint : allJoints(randomFrame(generator), randomFrame(generator))) {
      joint->checkDimensions(q.size(), 6 * bodies);
      EXPECT_NO_THROW(joint->checkJacobians(0.4, q, 6 * bodies, {}, std::string(joint->className())));
    }
  }
}

// Where both bodies turn and move together, nothing between them changes.
TEST(Joints, HaveOutputsThatTurnWithBothBodies) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Generator generator(seed);
    const Vector first = randomBody(generator), second = randomBody(generator), way = randomBody(generator);
    const Quaternion turn{way(3), way(4), way(5), way(6)};
    const auto moved = [&](const Vector& q) {
      const Vector3 x = rotations::rotate(turn, {q(0), q(1), q(2)}) + Vector3{way(0), way(1), way(2)};
      return NewtonEulerDS::at(x, rotations::product(turn, {q(3), q(4), q(5), q(6)}));
    };
    const JointFrame one = randomFrame(generator), two = randomFrame(generator);
    const Joints joints = allJoints(one, two), same = allJoints(one, two);
    for (std::size_t k = 0; k < joints.size(); ++k) {
      Vector y(joints[k]->size()), after(joints[k]->size());
      joints[k]->computeOutput(0.4, stacked(first, second, 2), {}, y);
      same[k]->computeOutput(0.4, stacked(moved(first), moved(second), 2), {}, after);
      expectNear(after, y, 1e-13);  // rounding of places some metres away
    }
  }
}

// Smallest singular value of G by the eigenvalues of G Gᵀ.
double smallestSingularValue(const Matrix& G) {
  const auto m = static_cast<lapack_int>(G.size1());
  Matrix product(G.size1(), G.size1());
  for (std::size_t i = 0; i < G.size1(); ++i) {
    for (std::size_t j = 0; j < G.size1(); ++j) {
      for (std::size_t k = 0; k < G.size2(); ++k) product(i, j) += G(i, k) * G(j, k);
    }
  }
  Vector values(G.size1());
  LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', m, data(product), m, data(values));
  return std::sqrt(std::max(0., values(0)));
}

TEST_P(JointsOfBodies, HaveIndependentRowsWhereTheyFit) {
  const std::size_t bodies = GetParam();
  for (unsigned seed = 0; seed < 20; ++seed) {
    Generator generator(seed);
    const Vector first = randomBody(generator);
    const Vector second = randomBody(generator);
    const JointFrame frame = randomFrame(generator);
    const JointFrame other = bodies == 2 ? frame.seenFrom(second) : frame;
    const Vector q = stacked(first, second, bodies);
    for (const auto& joint : allJoints(frame.seenFrom(first), other)) {
      if (joint->className().find("Distance") != std::string_view::npos) continue;  // of anchors that are apart
      Matrix G(joint->size(), 6 * bodies);
      joint->computeJacobian(0., q, Vector(joint->size()), G);
      // Directions are orthonormal, and moments do not reach a force to cancel it: arms here are up to 4.
      EXPECT_GT(smallestSingularValue(G), 0.1) << joint->className() << ", seed " << seed;
    }
  }
}

TEST_P(JointsOfBodies, AreClosedWhereTheyWereMade) {
  const std::size_t bodies = GetParam();
  Generator generator(3);
  const Vector first = randomBody(generator);
  const Vector second = randomBody(generator);
  const Vector3 anchor = random3(generator);
  const Vector3 axis = random3(generator);
  const Vector q = stacked(first, second, bodies);
  Joints joints;
  if (bodies == 1) {
    joints = {std::make_shared<SphericalJointR>(SphericalJointR::at(anchor, first)),
              std::make_shared<PivotJointR>(PivotJointR::at(anchor, axis, first)),
              std::make_shared<CylindricalJointR>(CylindricalJointR::at(anchor, axis, first)),
              std::make_shared<PrismaticJointR>(PrismaticJointR::at(anchor, axis, first)),
              std::make_shared<FixedJointR>(FixedJointR::at(anchor, first)),
              std::make_shared<DistanceJointR>(DistanceJointR::at(anchor, axis, first))};
  } else {
    joints = {std::make_shared<SphericalJointR>(SphericalJointR::at(anchor, first, second)),
              std::make_shared<PivotJointR>(PivotJointR::at(anchor, axis, first, second)),
              std::make_shared<CylindricalJointR>(CylindricalJointR::at(anchor, axis, first, second)),
              std::make_shared<PrismaticJointR>(PrismaticJointR::at(anchor, axis, first, second)),
              std::make_shared<FixedJointR>(FixedJointR::at(anchor, first, second)),
              std::make_shared<DistanceJointR>(DistanceJointR::at(anchor, axis, first, second))};
  }
  for (const auto& joint : joints) {
    Vector y(joint->size());
    joint->computeOutput(0., q, Vector(joint->size()), y);
    expectNear(y, Vector(joint->size()), 1e-14);  // rounding of numbers up to 4
    EXPECT_NO_THROW(joint->checkConfiguration(0., q, "joint"));
  }
}

INSTANTIATE_TEST_SUITE_P(OneAndTwo, JointsOfBodies, testing::Values(1, 2));

TEST(Joints, PushTheBodiesWithOppositeWrenches) {
  // Gᵀ λ has no resultant force, and about the origin no resultant moment, wherever the bodies are.
  Generator generator(5);
  const Vector q = stacked(randomBody(generator), randomBody(generator), 2);
  for (const auto& joint : allJoints(randomFrame(generator), randomFrame(generator))) {
    if (joint->className() == "SphericalJointR" || joint->className() == "PivotJointR" ||
        joint->className() == "FixedJointR") {
      continue;  // their forces act at two anchors, which are one point where the joint fits
    }
    const std::size_t m = joint->size();
    Matrix G(m, 12);
    joint->computeJacobian(0., q, Vector(m), G);
    for (std::size_t row = 0; row < m; ++row) {
      Vector3 force{}, moment{};
      for (std::size_t body = 0; body < 2; ++body) {
        const double* const at = data(q) + 7 * body;
        const Vector3 f{G(row, 6 * body), G(row, 6 * body + 1), G(row, 6 * body + 2)};
        const Vector3 M{G(row, 6 * body + 3), G(row, 6 * body + 4), G(row, 6 * body + 5)};
        force += f;
        moment = moment + (cross(vector3(at), f) + rotations::rotate({at[3], at[4], at[5], at[6]}, M));
      }
      EXPECT_NEAR(norm(force), 0., 1e-14) << joint->className();
      EXPECT_NEAR(norm(moment), 0., 1e-13) << joint->className();
    }
  }
}

// The world's frame and a body at the origin turned by `angle` about z and moved along it.
Vector turnedBody(double angle, double height = 0.) {
  return NewtonEulerDS::at({0., 0., height}, {std::cos(angle / 2.), 0., 0., std::sin(angle / 2.)});
}

TEST(Joints, RefuseBadFrames) {
  expectError([] { JointFrame({0., nan, 0.}); }, {"JointFrame", "anchor", "finite"});
  expectError([] { JointFrame({0., 0., 0.}, {0., 0., 0.}); }, {"axis", "not be zero"});
  expectError([] { JointFrame({0., 0., 0.}, {0., nan, 0.}); }, {"axis", "finite"});
  expectError([] { JointFrame({0., 0., 0.}, {0., 2., 0.}, {0., -1., 0.}); }, {"parallel"});
  expectError([] { JointFrame({0., 0., 0.}).seenFrom(Vector(6)); }, {"JointFrame", "7"});
  expectError([] { JointFrame({0., 0., 0.}).seenFrom(Vector(7)); }, {"unit quaternion", "norm 0"});
  expectError([] { PivotJointR::at({0., 0., 0.}, {0., 0., 0.}, turnedBody(0.)); }, {"axis", "not be zero"});
}

TEST(Joints, RefuseBadNumbers) {
  expectError([] { DistanceJointR({0., 0., 0.}, {1., 0., 0.}, 0.); }, {"DistanceJointR", "positive", "got 0"});
  expectError([] { DistanceJointR({0., 0., 0.}, {1., 0., 0.}, nan); }, {"DistanceJointR", "nan"});
  expectError([] { DistanceJointR::at({1., 0., 0.}, {1., 0., 0.}, turnedBody(0.)); }, {"SphericalJointR"});
  SphericalJointR ball = SphericalJointR::at({0., 0., 0.}, turnedBody(0.));
  expectError([&] { ball.setTolerance(0.); }, {"SphericalJointR", "tolerance"});
  JointAngleR angle = PivotJointR::at({0., 0., 0.}, {0., 0., 1.}, turnedBody(0.)).angle();
  expectError([&] { angle.above(nan); }, {"JointAngleR", "limit", "finite"});
  expectError([&] { angle.times(0.); }, {"JointAngleR", "factor", "not zero"});
  expectError([&] { angle.startNear(nan); }, {"JointAngleR", "finite"});
  const Motion motion([](double) { return 0.; });
  expectError([&] { angle.following(motion).following(motion); }, {"follows a motion already"});
  expectError([] { Motion(Motion::Function{}); }, {"Motion", "empty"});
  expectError([] { Motion([](double t) { return t; }, {}); }, {"Motion", "rate"});
}

std::shared_ptr<NewtonEulerDS> body(const Vector& q) {
  return std::make_shared<NewtonEulerDS>(q, Vector(6), 1., NewtonEulerDS::ballInertia(1., 0.5));
}

template <class Joint>
void initialiseWith(Joint joint, const std::vector<std::shared_ptr<NewtonEulerDS>>& bodies) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto interaction = std::make_shared<Interaction>(EqualityConditionNSL(joint.size()), std::move(joint));
  interaction->setName("knee");
  for (const auto& each : bodies) model.insert(each);
  switch (bodies.size()) {
    case 1:
      model.link(interaction, bodies[0]);
      break;
    case 2:
      model.link(interaction, bodies[0], bodies[1]);
      break;
    default:
      model.link(interaction, bodies[0], bodies[1], bodies[2]);
  }
  TimeStepping(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(0.5), Relay()).initialise();
}

TEST(Joints, AreRefusedWhereTheyDoNotFit) {
  const JointFrame here({0., 0., 0.}, {0., 0., 1.});
  const JointFrame there({0.25, 0., 0.}, {0., 0., 1.});
  const JointFrame askew({0., 0., 0.}, {0., std::sin(0.125), std::cos(0.125)});
  const auto at = body(turnedBody(0.));
  expectError([&] { initialiseWith(SphericalJointR(here, there), {at}); },
              {"Interaction 'knee'", "SphericalJointR", "0.25 m apart", "tolerance 1e-06", "the world"});
  expectError(
      [&] {
        initialiseWith(PivotJointR(here, askew), {at, body(turnedBody(0.))});
      },
      {"Interaction 'knee'", "PivotJointR", "0.125 rad askew", "the two bodies"});
  expectError([&] { initialiseWith(CylindricalJointR(here, there), {at}); }, {"CylindricalJointR", "0.25 m apart"});
  expectError([&] { initialiseWith(PrismaticJointR(here, there), {at}); }, {"PrismaticJointR", "0.25 m apart"});
  expectError([&] { initialiseWith(FixedJointR(here, JointFrame({0., 0., 0.})), {at}); }, {"FixedJointR", "rad askew"});
  expectError(
      [&] {
        initialiseWith(DistanceJointR({0., 0., 0.}, {3., 0., 0.}, 2.75), {at});
      },
      {"DistanceJointR", "0.25 m apart", "DistanceJointR::below()"});  // for a rope that is slack
  const JointAngleR angle(here, here);
  expectError([&] { initialiseWith(angle.following(Motion([](double t) { return 0.25 + t; })), {at}); },
              {"JointAngleR", "does not fit"});
  SphericalJointR loose(here, there);
  loose.setTolerance(0.3);
  EXPECT_NO_THROW(initialiseWith(loose, {at}));
  // An axis that points the other way is no pivot, though its output is zero.
  expectError(
      [&] {
        initialiseWith(PivotJointR(here, JointFrame({0., 0., 0.}, {0., 0., -1.})), {at});
      },
      {"PivotJointR", "3.14159"});
}

TEST(Joints, RefuseOtherNumbersOfBodiesAndOtherSystems) {
  const JointFrame here({0., 0., 0.});
  const auto at = [] { return body(turnedBody(0.)); };
  expectError(
      [&] {
        initialiseWith(SphericalJointR(here, here), {at(), at(), at()});
      },
      {"SphericalJointR", "3 bodies"});
  const auto mass = std::make_shared<LagrangianLinearTIDS>(Vector(3), Vector(3), identityMatrix(3));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  const auto joint = std::make_shared<Interaction>(EqualityConditionNSL(3), SphericalJointR(here, here));
  expectError([&] { model.link(joint, mass); }, {"SphericalJointR", "rigid bodies"});
}

TEST(Joints, AreNotRefusedForTheDriftThatComesLater) {
  Interaction joint(EqualityConditionNSL(3), SphericalJointR::at({0., 0., 0.}, turnedBody(0.)));
  EXPECT_NO_THROW(joint.requireConfiguration(0., turnedBody(0.)));
  EXPECT_NO_THROW(joint.requireConfiguration(1., turnedBody(0., 1e-3)));
  joint.reset();
  EXPECT_THROW(joint.requireConfiguration(1., turnedBody(0., 1e-3)), Error);
}

TEST(DiskInRing, HasTheGapAndItsDerivativeAtAnyConfiguration) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Generator generator(seed);
    const Vector q = stacked(randomBody(generator), randomBody(generator), 2);
    NewtonEuler1DR contact(DiskInRing(0.3, 0.5, random3(generator), random3(generator), random3(generator)));
    EXPECT_NO_THROW(contact.checkJacobians(0., q, 12, {}, "DiskInRing"));
  }
  NewtonEuler1DR contact(DiskInRing(0.3, 0.5, {0., 0., 1.}));
  const auto gapAt = [&](const Vector& first) {
    Vector y(1);
    contact.computeOutput(0., stacked(first, turnedBody(1.), 2), Vector(1), y);
    return y(0);
  };
  EXPECT_NEAR(gapAt(turnedBody(0.)), 0.2, 1e-15);
  EXPECT_NEAR(gapAt(NewtonEulerDS::at({0.03, 0.04, 9.})), 0.15, 1e-15);
  EXPECT_NEAR(contact.contacts()[0].normal[0], -0.6, 1e-15);
  EXPECT_NEAR(contact.contacts()[0].tangent[0], -0.8, 1e-15);
  EXPECT_NEAR(contact.contacts()[0].tangent[2], 0., 1e-15);
  EXPECT_NEAR(contact.contacts()[0].point[1], 0.8 * (0.5 - 0.075), 1e-15);
}

TEST(DiskInRing, RefusesBadShapes) {
  const Vector3 z{0., 0., 1.};
  expectError([&] { DiskInRing(0.5, 0.5, z); }, {"DiskInRing", "fit into the ring"});
  expectError([&] { DiskInRing(-0.1, 0.5, z); }, {"DiskInRing", "not negative"});
  expectError([&] { DiskInRing(0.1, nan, z); }, {"DiskInRing", "nan"});
  expectError([&] { DiskInRing(0.1, 0.5, {0., 0., 0.}); }, {"DiskInRing", "axis"});
  expectError([&] { DiskInRing(0.1, 0.5, z, {nan, 0., 0.}); }, {"DiskInRing", "finite"});
}

}  // namespace
