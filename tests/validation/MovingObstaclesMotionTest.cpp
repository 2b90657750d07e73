// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <kernel/collision/CollisionModels.hpp>

// Bodies on belts, turntables, shaken tables, in front of pistons and in drums, against closed forms, with all
// defaults.

namespace delassus {
namespace {

using testing::gravity;
using testing::makeBall;
using testing::makeBox;

struct Workshop {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> manager;

  Workshop(double seconds, double mu, double e = 0., const Vector3& weight = {0., 0., -gravity})
      : model(0., seconds), manager(std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(e, 0., mu))) {
    model.setGravity(weight);
  }
  template <class S>
  NewtonEulerDS& add(std::shared_ptr<NewtonEulerDS> body, const S& shape) {
    model.insert(body);
    manager->insert(body, shape);
    return *body;
  }
  NewtonEulerDS& addCube(const Vector3& x) { return add(makeBox(x, {0.1, 0.1, 0.1}), BoxShape(0.1, 0.1, 0.1)); }
  template <class AfterStep>
  void run(double h, const AfterStep& afterStep) {
    TimeStepping simulation(model, h);
    simulation.setInteractionManager(manager);
    simulation.run([&] { afterStep(simulation.time()); });
  }
  void run(double h) {
    run(h, [](double) {});
  }
};

ObstacleMotion turning(double rate) {
  return ObstacleMotion(automatic([=](const auto& t, auto& q) {
    using std::cos;
    using std::sin;
    q(3) = cos(0.5 * rate * t);
    q(6) = sin(0.5 * rate * t);
  }));
}

// The block slides until it has the speed of the belt, and is behind it by v²/(2 μ g). The step in which it comes to
// stick has an error of position of at most h² μ g / 2.
TEST(MovingObstaclesMotion, ABlockOnABeltSlidesUntilItGoesWithIt) {
  const double speed = 0.7, mu = 0.5, h = 1e-3, end = 0.6;
  const BoxShape floor(20., 2., 0.2);
  const ObstacleMotion low(automatic([](const auto&, auto& q) { q(2) = -0.1; }));
  const ObstacleMotion carried(automatic([=](const auto& t, auto& q) {
    q(0) = speed * t;
    q(2) = -0.1;
  }));
  for (const bool runs : {true, false}) {
    Workshop workshop(end, mu);
    NewtonEulerDS& block = workshop.addCube({0., 0., 0.05});
    workshop.manager->insertObstacle(floor, runs ? low.withSurface({speed, 0., 0.}) : carried);
    workshop.run(h, [&](double t) {
      EXPECT_NEAR(block.velocity()(0), std::min(speed, mu * gravity * t), 1e-7);  // the tolerance of the solver
    });
    EXPECT_NEAR(block.q()(0), speed * end - 0.5 * speed * speed / (mu * gravity), 0.5 * h * h * mu * gravity + 1e-7);
    EXPECT_NEAR(block.q()(2), 0.05, 1e-9);
  }
}

// The belt stops and goes back: speed as a function of time.
TEST(MovingObstaclesMotion, ABeltMayStopAndTurnBack) {
  Workshop workshop(2., 0.5);
  NewtonEulerDS& block = workshop.addCube({0., 0., 0.05});
  workshop.manager->insertObstacle(
      Plane{}, ObstacleMotion().withSurface({0.5, 0., 0.}, {}, [](double t) { return t < 1. ? 1. : -0.5; }));
  double before = 0.;
  workshop.run(1e-3, [&](double t) {
    if (t < 1.) before = block.velocity()(0);
  });
  EXPECT_NEAR(before, 0.5, 1e-7);
  EXPECT_NEAR(block.velocity()(0), -0.25, 1e-7);
}

// Up a belt at an angle, whose frame is tilted, and down it where friction is too small.
TEST(MovingObstaclesMotion, ABeltAtAnAngleCarriesUpWhatFrictionHolds) {
  const double angle = 0.3, speed = 0.4;
  const ObstacleMotion tilted(automatic([=](const auto&, auto& q) {
    q(3) = std::cos(0.5 * angle);
    q(5) = -std::sin(0.5 * angle);
  }));
  for (const double mu : {0.5, 0.2}) {
    const double end = 2.;
    const Vector3 up{-std::sin(angle), 0., std::cos(angle)}, along{std::cos(angle), 0., std::sin(angle)};
    Workshop workshop(end, mu);
    NewtonEulerDS& block = workshop.add(
        makeBox(0.05 * up, {0.1, 0.1, 0.1}, 1000., rotations::exponential({0., -angle, 0.})), BoxShape(0.1, 0.1, 0.1));
    workshop.manager->insertObstacle(Plane{}, tilted.withSurface({speed, 0., 0.}));
    workshop.run(1e-3);
    const double slide = gravity * (mu * std::cos(angle) - std::sin(angle));  // while the belt is faster
    const double expected = slide > 0. ? speed : slide * end;
    EXPECT_NEAR(dot(along, vector3(data(block.velocity()))), expected, 1e-6);
    EXPECT_NEAR(dot(up, vector3(data(block.q()))), 0.05, 1e-9);
  }
}

// On a disk that turns a block goes round with it as long as Ω² r < μ g; its path is a polygon of chords, which the
// friction of the step keeps on the circle to the order of h².
TEST(MovingObstaclesMotion, ABlockStaysOnATurntableUntilFrictionIsTooSmall) {
  const double radius = 0.8, mu = 0.3, end = 3., h = 1e-3;
  for (const double part : {0.9, 1.1}) {
    const double rate = std::sqrt(part * mu * gravity / radius);
    Workshop workshop(end, mu);
    NewtonEulerDS& block = workshop.addCube({radius, 0., 0.05});
    block.setState(block.q(), makeVector({0., rate * radius, 0., 0., 0., rate}));
    workshop.manager->insertObstacle(CylinderShape(9., 0.2), ObstacleMotion(automatic([=](const auto& t, auto& q) {
                                       using std::cos;
                                       using std::sin;
                                       q(2) = -0.1;
                                       q(3) = cos(0.5 * rate * t);
                                       q(6) = sin(0.5 * rate * t);
                                     })));
    workshop.run(h);
    const double distance = std::hypot(block.q()(0), block.q()(1));
    if (part < 1.) {
      EXPECT_NEAR(distance, radius, rate * rate * h * end * radius);
      const double angle = std::atan2(block.q()(1), block.q()(0));
      EXPECT_NEAR(std::remainder(angle - rate * end, 2. * std::acos(-1.)), 0., rate * rate * h * end);
    } else {
      EXPECT_GT(distance, 1.05 * radius);
    }
    EXPECT_NEAR(block.q()(2), 0.05, 1e-9);
  }
}

// A ball that rolls on a turntable goes round circles at 2/7 of its rate. (Routh, Advanced Part, 1905.) The disk turns,
// or its surface alone does.
TEST(MovingObstaclesMotion, ABallOnATurntableGoesRoundAtTwoSeventhsOfItsRate) {
  const double rate = 3.5, radius = 0.1, end = 2., spin = 2. / 7. * rate;
  const Vector3 v{0.3, -0.2, 0.}, up{0., 0., 1.}, x{0.5, 0.2, radius};
  const Vector3 omega = 1. / radius * cross(up, v - rate * cross(up, {x[0], x[1], 0.}));
  for (const bool turns : {true, false}) {
    const auto errorWith = [&](double h) {
      Workshop workshop(end, 10.);
      NewtonEulerDS& ball = workshop.add(makeBall(x, radius), SphereShape(radius));
      ball.setState(ball.q(), makeVector({v[0], v[1], 0., omega[0], omega[1], omega[2]}));
      const CompoundShape disk = CompoundShape().with(CylinderShape(3., 0.2), Placement::at({0., 0., -0.1}));
      workshop.manager->insertObstacle(disk, turns ? turning(rate) : ObstacleMotion().withSurface({}, {0., 0., rate}));
      workshop.run(h);
      const double vx = std::cos(spin * end) * v[0] - std::sin(spin * end) * v[1];
      const double vy = std::sin(spin * end) * v[0] + std::cos(spin * end) * v[1];
      const double cx = x[0] - v[1] / spin, cy = x[1] + v[0] / spin;  // the centre of the circle
      return std::hypot(ball.q()(0) - (cx + vy / spin), ball.q()(1) - (cy - vx / spin));
    };
    const double coarse = errorWith(1e-2), fine = errorWith(5e-3);
    EXPECT_LT(fine, 0.6 * coarse);  // of order one at least
    EXPECT_LT(fine, 1e-2);
  }
}

// A table that goes up and down: what lies on it stays until the table falls faster than it.
TEST(MovingObstaclesMotion, ABlockStaysOnAShakenTableUntilItsAccelerationIsThatOfGravity) {
  const double frequency = 20.;
  for (const double part : {0.9, 1.5}) {
    const double stroke = part * gravity / (frequency * frequency);
    const auto heightAt = [=](double t) { return stroke * (1. - std::cos(frequency * t)); };
    Workshop workshop(1., 0.5);
    NewtonEulerDS& block = workshop.addCube({0., 0., 0.05});
    workshop.manager->insertObstacle(BoxShape(1., 1., 0.2), ObstacleMotion(automatic([=](const auto& t, auto& q) {
                                       using std::cos;
                                       q(2) = stroke * (1. - cos(frequency * t)) - 0.1;
                                     })));
    double widest = 0., deepest = 0.;
    workshop.run(1e-3, [&](double t) {
      widest = std::max(widest, block.q()(2) - 0.05 - heightAt(t));
      deepest = std::min(deepest, block.q()(2) - 0.05 - heightAt(t));
    });
    if (part < 1.) {
      EXPECT_LT(widest, 1e-5);  // the trapezoidal sum of velocities: h² a/8
    } else {
      EXPECT_GT(widest, 0.1 * stroke);
    }
    EXPECT_GT(deepest, -2e-5);
  }
}

// v⁺ = (1 + e) w − e v of a ball that a piston with the velocity w hits; at rest before, it flies with (1 + e) w.
TEST(MovingObstaclesMotion, APistonThrowsABall) {
  const double w = 2., e = 0.8;
  Workshop workshop(0.2, 0.5, e, {});
  NewtonEulerDS& ball = workshop.add(makeBall({0.3, 0., 0.}, 0.1), SphereShape(0.1));
  NewtonEulerDS& cube = workshop.addCube({0.3, 0., 0.5});
  workshop.manager->insertObstacle(BoxShape(0.1, 2., 2.),
                                   ObstacleMotion(automatic([=](const auto& t, auto& q) { q(0) = w * t; })));
  workshop.run(1e-3);
  EXPECT_NEAR(ball.velocity()(0), (1. + e) * w, 1e-8);
  EXPECT_NEAR(cube.velocity()(0), (1. + e) * w, 1e-8);
}

// Sixteen bodies of four kinds in a drum of twelve staves that turns: none gets out, and none sinks in by more than 5
// mm, a tenth of a radius. Friction carries them up to the angle whose tangent is μ, where the drum is 0.43 m below its
// axis, and more than that: they lie in layers of 0.1 m.
TEST(MovingObstaclesMotion, ADrumKeepsWhatTumblesInIt) {
  const double radius = 0.5, length = 0.5, thickness = 0.1, half = std::acos(-1.) / 12.;
  CompoundShape drum;
  const double width = 2. * (radius + thickness) * std::tan(half);
  for (int k = 0; k < 12; ++k) {
    const Quaternion turn = rotations::exponential({0., 2. * half * k, 0.});
    const Vector3 out = rotations::rotate(turn, {0., 0., radius + 0.5 * thickness});
    drum = drum.with(BoxShape(width, length, thickness), Placement::at(out, turn));
  }
  for (const double side : {-1., 1.}) {
    drum = drum.with(BoxShape(1.4, thickness, 1.4), Placement::at({0., 0.5 * side * (length + thickness), 0.}));
  }
  Workshop workshop(4., 0.6);
  std::vector<NewtonEulerDS*> bodies;
  for (int k = 0; k < 16; ++k) {
    const Vector3 x{-0.18 + 0.12 * (k % 4), -0.15 + 0.3 * (k / 4 % 2), -0.1 + 0.2 * (k / 8)};
    const auto add = [&](const auto& shape) {
      bodies.push_back(&workshop.add(NewtonEulerDS::ofShape(shape, 1000., x), shape));
    };
    if (k % 4 == 0) add(SphereShape(0.05));
    if (k % 4 == 1) add(BoxShape(0.1, 0.08, 0.06));
    if (k % 4 == 2) add(CapsuleShape(0.03, 0.08));
    if (k % 4 == 3) add(CylinderShape(0.05, 0.08));
  }
  workshop.manager->insertObstacle(drum, ObstacleMotion(automatic([](const auto& t, auto& q) {
                                     using std::cos;
                                     using std::sin;
                                     q(3) = cos(1. * t);
                                     q(5) = sin(1. * t);
                                   })));
  double farthest = 0., highest = -1.;
  workshop.run(2e-3, [&](double t) {
    for (const NewtonEulerDS* body : bodies) {
      farthest = std::max(farthest, std::hypot(body->q()(0), body->q()(2)));
      if (t > 2.) highest = std::max(highest, body->q()(2));
      EXPECT_LT(std::abs(body->q()(1)), 0.5 * length);
    }
  });
  EXPECT_LT(farthest, radius / std::cos(half) - 0.03 + 0.005);  // half of the thinnest body from a corner
  EXPECT_GT(highest, -0.25);                                    // they are carried up the side
}

// A bar of 30 mm turns by 0.1 rad in a step, and meets a ball at rest in whatever phase of its steps, at its end by 45
// mm a step: for the ball half a step the bar has gone past it already.
TEST(MovingObstaclesMotion, ATurningBarHitsABallInEveryPhaseOfItsSteps) {
  constexpr double rate = 10., arm = 0.45, h = 0.01;
  for (int k = 0; k < 20; ++k) {
    const double before = 0.3 + 0.005 * k;  // rad
    Workshop workshop(0.06, 0., 0., {0., 0., 0.});
    workshop.manager->insertObstacle(std::make_shared<const BoxShape>(1., 0.03, 0.03),
                                     ObstacleMotion(automatic([=](const auto& t, auto& q) {
                                       using std::cos;
                                       using std::sin;
                                       q(3) = cos(0.5 * (rate * t - before));
                                       q(6) = sin(0.5 * (rate * t - before));
                                     })));
    const NewtonEulerDS& ball = workshop.add(makeBall({arm, 0., 0.}, 0.01), SphereShape(0.01));
    workshop.run(h);
    // It goes ahead of the bar, on which it slides outwards.
    const double speed = std::hypot(ball.velocity()(0), ball.velocity()(1));
    EXPECT_GT(speed, 0.95 * rate * arm) << "phase " << before;
    EXPECT_LT(speed, 1.2 * rate * arm) << "phase " << before;
  }
}

}  // namespace
}  // namespace delassus
