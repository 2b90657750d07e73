// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/contacts/CylinderPlane.hpp>
#include <delassus/kernel/contacts/Disk.hpp>
#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/contacts/SurfacePoint.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/Matchers.hpp>

// Bodies on planes, at rest and moving, against closed forms.

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = 10.;
constexpr double mass = 2.;
// Initial depth of bodies at rest in the ground: rounding could leave some of their points above it, and the first step
// without contact there.
constexpr double hair = 1e-12;

// A body under gravity along −z with one interaction of contact.
struct OnPlane {
  template <class Geometry>
  OnPlane(const Vector& q, const Vector& v, const Matrix& inertia, Geometry geometry, double e, double mu, double end)
      : OnPlane(q, v, inertia,
                std::make_shared<Interaction>(NewtonImpactFrictionNSL(e, 0., mu), NewtonEuler3DR(geometry)),
                {0., 0., -1.}, end) {}

  OnPlane(const Vector& q, const Vector& v, const Matrix& inertia, std::shared_ptr<Interaction> interaction,
          const Vector3& down, double end)
      : model(0., end), contact(std::move(interaction)) {
    body = std::make_shared<NewtonEulerDS>(q, v, mass, inertia);
    const Vector3 weight = mass * g * down;
    body->setExternalForces(makeVector({weight[0], weight[1], weight[2]}));
    model.insert(body);
    model.link(contact, body);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> body;
  std::shared_ptr<Interaction> contact;
};

Vector twist(const Vector3& v, const Vector3& omega) {
  return makeVector({v[0], v[1], v[2], omega[0], omega[1], omega[2]});
}

TEST(MovingPlane, ABallDroppedOnABeltSlipsAndThenRollsAtTwoSeventhsOfItsSpeed) {
  const double belt = 1.4;
  const double radius = 0.1;
  const double mu = 0.2;
  const double h = 1e-3;
  const MovingPlane conveyor(Plane{}, automatic([=](const auto& t, auto& q) { q(0) = belt * t; }));
  OnPlane ball(NewtonEulerDS::at({0., 0., radius - hair}), Vector(6), NewtonEulerDS::ballInertia(mass, radius),
               SpherePlane(radius, conveyor), 0., mu, 0.5);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI(), FrictionContact(3));
  const double rolling = 2. * belt / (7. * mu * g);
  simulation.run([&] {
    const double t = simulation.time();
    const double expected = t < rolling ? mu * g * t : 2. / 7. * belt;
    EXPECT_NEAR(ball.body->velocity()(0), expected, 1e-6);
    EXPECT_NEAR(ball.body->velocity()(2), 0., 1e-6);
  });
  EXPECT_GT(0.5, rolling);
}

// A ball that rolls on a turntable goes round circles at 2/7 of its rate, wherever and however it is started.
// (Routh, Dynamics of a System of Rigid Bodies, Advanced Part, 1905.)
// A ball that falls with spin ω, bounces and sticks has v = (2/7) r ω after each impact, whatever the gap at which the
// contact acts; so it rolls. Half the gap more of lever is an error g/(2r) times 5/7.
template <class Geometry>
double largestErrorOfBounces(Geometry geometry, double radius) {
  const double omega = 30.;
  OnPlane ball(NewtonEulerDS::at({0., 0., radius + 0.05}), twist({0., 0., 0.}, {0., omega, 0.}),
               NewtonEulerDS::ballInertia(mass, radius), geometry, 0.7, 5., 1.5);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI(), FrictionContact(3));
  const double rolling = 2. / 7. * radius * omega;
  double worst = 0.;
  bool touched = false;
  simulation.run([&] {
    touched = touched || ball.contact->isActive();
    if (touched) worst = std::max(worst, std::abs(ball.body->velocity()(0) - rolling) / rolling);
  });
  EXPECT_TRUE(touched);
  return worst;
}

TEST(SurfacePoint, GivesABallThatBouncesAndRollsItsOwnRadiusAsLever) {
  const double radius = 0.1;
  EXPECT_LT(largestErrorOfBounces(SurfacePoint(SpherePlane(radius, Plane{})), radius),
            1e-12);  // one sticking contact is solved exactly
  EXPECT_GT(largestErrorOfBounces(SpherePlane(radius, Plane{}), radius), 1e-3);
}

TEST(MovingPlane, ABallOnATurntableGoesRoundAtTwoSeventhsOfItsRate) {
  const double rate = 3.5;
  const double radius = 0.1;
  const MovingPlane table(Plane{}, automatic([=](const auto& t, auto& q) {
                            using std::cos;
                            using std::sin;
                            q(3) = cos(0.5 * rate * t);
                            q(6) = sin(0.5 * rate * t);
                          }));
  const Vector3 x{0.5, 0.2, radius - hair};
  const Vector3 v{0.3, -0.2, 0.};
  const Vector3 up{0., 0., 1.};
  // Rolling: v − r ω × n = Ω n × x.
  const Vector3 omega = 1. / radius * cross(up, v - rate * cross(up, {x[0], x[1], 0.}));
  const double end = 2.;
  std::vector<double> errors;
  for (const double h : {1e-2, 5e-3}) {
    OnPlane ball(NewtonEulerDS::at(x), twist(v, omega), NewtonEulerDS::ballInertia(mass, radius),
                 SpherePlane(radius, table), 0., 10., end);
    TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI(), FrictionContact(3));
    simulation.run();
    const double angle = 2. / 7. * rate * end;
    const double vx = std::cos(angle) * v[0] - std::sin(angle) * v[1];
    const double vy = std::sin(angle) * v[0] + std::cos(angle) * v[1];
    // The centre of the circle: x − n × v / (2Ω/7)… so that v = (2Ω/7) n × (x − c).
    const double spin = 2. / 7. * rate;
    const double cx = x[0] - v[1] / spin;
    const double cy = x[1] + v[0] / spin;
    errors.push_back(std::hypot(ball.body->velocity()(0) - vx, ball.body->velocity()(1) - vy) +
                     std::hypot(ball.body->q()(0) - (cx + vy / spin), ball.body->q()(1) - (cy - vx / spin)));
  }
  std::printf("turntable: error %.3e, and %.3e with half the step\n", errors[0], errors[1]);
  EXPECT_LT(errors[1], 0.6 * errors[0]);  // order 1 at least
  EXPECT_LT(errors[1], 1e-2);
}

TEST(MovingPlane, ABoxStaysOnAShakenTableUntilItsAccelerationIsThatOfGravity) {
  const double frequency = 20.;
  for (const double part : {0.9, 1.5}) {
    const double stroke = part * g / (frequency * frequency);
    const MovingPlane table(Plane{}, automatic([=](const auto& t, auto& q) {
                              using std::cos;
                              q(2) = stroke * (1. - cos(frequency * t));
                            }));
    OnPlane box(NewtonEulerDS::at({0., 0., 0.1 - hair}), Vector(6), NewtonEulerDS::boxInertia(mass, 0.4, 0.3, 0.2),
                BoxPlane(0.4, 0.3, 0.2, table), 0., 0.5, 1.);
    TimeStepping simulation(box.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(3));
    double widest = 0.;
    simulation.run([&] {
      for (std::size_t k = 0; k < 8; ++k) {
        const double gap = box.contact->y(0)(3 * k);
        if (gap < 0.1) widest = std::max(widest, gap);
      }
    });
    if (part < 1.) {
      EXPECT_LT(widest, 1e-5);  // the trapezoidal sum of velocities: h² a/8
    } else {
      EXPECT_GT(widest, 0.1 * stroke);
    }
  }
}

TEST(BoxPlane, StaysAtRestOnAnIncline) {
  const Plane slope = Plane::through({0., 0., 0.}, {std::sin(0.3), 0., std::cos(0.3)});
  const Quaternion turned{std::cos(0.15), 0., std::sin(0.15), 0.};
  OnPlane box(NewtonEulerDS::at((0.1 - hair) * slope.normal, turned), Vector(6),
              NewtonEulerDS::boxInertia(mass, 0.4, 0.3, 0.2), BoxPlane(0.4, 0.3, 0.2, slope), 0., 0.5, 2.);
  const Vector q0 = box.body->q();
  TimeStepping simulation(box.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(3));
  simulation.run();
  expectNear(box.body->q(), q0, 1e-7);
}

TEST(CylinderPlane, ThatLiesSlidesAndThenRollsAtTwoThirdsOfItsSpeed) {
  const double radius = 0.1;
  const double mu = 0.2;
  const double half = std::sqrt(0.5);
  // Axis along y: z of the body to −y.
  OnPlane cylinder(NewtonEulerDS::at({0., 0., radius - hair}, {half, half, 0., 0.}), twist({1.5, 0., 0.}, {0., 0., 0.}),
                   NewtonEulerDS::cylinderInertia(mass, radius, 0.5), CylinderPlane(radius, 0.5, Plane{}), 0., mu, 1.);
  TimeStepping simulation(cylinder.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(3));
  const double rolling = 1.5 / (3. * mu * g);
  // The tolerance of the solver may leave an end open for a step: it falls by g h², and its friction is μ g h.
  simulation.run([&] {
    const double t = simulation.time();
    EXPECT_NEAR(cylinder.body->velocity()(0), t < rolling ? 1.5 - mu * g * t : 1., mu * g * 1e-3);
    EXPECT_NEAR(cylinder.body->q()(2), radius, 2. * g * 1e-6);
    EXPECT_NEAR(cylinder.body->velocity()(1), 0., mu * g * 1e-3);
  });
  EXPECT_NEAR(cylinder.body->velocity()(0), 1., 1e-4);
  EXPECT_NEAR(cylinder.body->velocity()(5), -1. / radius, 1e-3);
}

TEST(CylinderPlane, ThatStandsStaysAtRest) {
  for (const Quaternion& p : {Quaternion{1., 0., 0., 0.}, Quaternion{0., 1., 0., 0.}}) {
    OnPlane cylinder(NewtonEulerDS::at({0., 0., 0.25 - hair}, p), Vector(6),
                     NewtonEulerDS::cylinderInertia(mass, 0.1, 0.5), CylinderPlane(0.1, 0.5, Plane{}), 0., 0.5, 2.);
    const Vector q0 = cylinder.body->q();
    TimeStepping simulation(cylinder.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(3));
    simulation.run();
    expectNear(cylinder.body->q(), q0, 1e-7);
  }
}

// Tilted by less than the angle where its weight is above the rim it comes back and stands; by more it falls and lies.
TEST(CylinderPlane, ThatIsTiltedStandsUpOrFalls) {
  const double radius = 0.1;
  const double height = 0.3;
  const double critical = std::atan(2. * radius / height);
  for (const double part : {0.5, 1.1}) {
    const double tilt = part * critical;
    const double centre = 0.5 * height * std::cos(tilt) + radius * std::sin(tilt);
    OnPlane cylinder(NewtonEulerDS::at({0., 0., centre - hair}, {std::cos(0.5 * tilt), 0., std::sin(0.5 * tilt), 0.}),
                     Vector(6), NewtonEulerDS::cylinderInertia(mass, radius, height),
                     CylinderPlane(radius, height, Plane{}, 6), 0., 0.8, 6.);
    TimeStepping simulation(cylinder.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(3));
    simulation.run();
    const double cosine = cylinder.body->rotation()[8];
    if (part < 1.) {
      EXPECT_NEAR(cosine, 1., 1e-5);
      EXPECT_NEAR(cylinder.body->q()(2), 0.5 * height, 1e-4);
    } else {
      // Its upper end lands with 1.5 m/s in the middle of a step: half a step deep.
      EXPECT_NEAR(cosine, 0., 0.75e-3 / height);
      EXPECT_NEAR(cylinder.body->q()(2), radius, 0.5e-3);
    }
  }
}

// In the plane z = 0, with two rows.
TEST(DiskPlane, SlidesAndThenRollsInThePlaneAtTwoThirdsOfItsSpeed) {
  const double radius = 0.1;
  const double mu = 0.2;
  const auto contact =
      std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 2),
                                    NewtonEuler2DR(DiskPlane(radius, Plane::through({0., 0., 0.}, {0., 1., 0.}))));
  OnPlane disk(NewtonEulerDS::at({0., radius - hair, 0.}), twist({1.5, 0., 0.}, {0., 0., 0.}),
               NewtonEulerDS::cylinderInertia(mass, radius, 0.1), contact, {0., -1., 0.}, 1.);
  TimeStepping simulation(disk.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(2));
  const double rolling = 1.5 / (3. * mu * g);
  simulation.run([&] {
    const double t = simulation.time();
    EXPECT_NEAR(disk.body->velocity()(0), t < rolling ? 1.5 - mu * g * t : 1., 1e-6);
    EXPECT_NEAR(disk.contact->y(1)(1), t < rolling ? 1.5 - 3. * mu * g * t : 0., 1e-6);
  });
  EXPECT_NEAR(disk.body->velocity()(5), -1. / radius, 1e-5);
  for (const std::size_t outOfPlane : {std::size_t{2}, std::size_t{3}, std::size_t{4}}) {
    EXPECT_EQ(disk.body->velocity()(outOfPlane), 0.);
  }
}

// Oblique impact of two equal disks: p_N = (1 + e) m u_N/2 and p_T = min(μ p_N, m u_T/6), W_TT = 2 (1/m + r²/I) = 6/m.
TEST(DiskDisk, CollideAsInTheClosedForm) {
  const double r = 0.2;
  const double e = 0.6;
  for (const double mu : {0.1, 1.}) {
    NonSmoothDynamicalSystem model(0., 1.);
    std::vector<std::shared_ptr<NewtonEulerDS>> disks;
    for (const double x : {2. * r, 0.}) {
      disks.push_back(std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({x, 0., 0.}),
                                                      x > 0. ? twist({-1., 0.9, 0.}, {0., 0., 0.}) : Vector(6), mass,
                                                      NewtonEulerDS::cylinderInertia(mass, r, 0.1)));
      model.insert(disks.back());
    }
    const auto contact =
        std::make_shared<Interaction>(NewtonImpactFrictionNSL(e, 0., mu, 2), NewtonEuler2DR(DiskDisk(r, r)));
    model.link(contact, disks[0], disks[1]);
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-7), MoreauJeanOSI(), FrictionContact(2));
    simulation.step();
    const double pN = 0.5 * (1. + e) * mass;
    const double pT = std::min(mu * pN, 0.9 * mass / 6.);
    EXPECT_NEAR(disks[0]->velocity()(0), -1. + pN / mass, 1e-6);
    EXPECT_NEAR(disks[0]->velocity()(1), 0.9 - pT / mass, 1e-6);
    EXPECT_NEAR(disks[1]->velocity()(0), -pN / mass, 1e-6);
    EXPECT_NEAR(disks[1]->velocity()(1), pT / mass, 1e-6);
    // Both turn the same way: r p_T / I.
    for (const auto& disk : disks) EXPECT_NEAR(disk->velocity()(5), 2. * pT / (mass * r), 1e-5);
  }
}

}  // namespace
