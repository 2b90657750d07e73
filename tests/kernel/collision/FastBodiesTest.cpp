// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/MeetingAhead.hpp>

#include <gtest/gtest.h>

#include <delassus/kernel/io/Checkpoint.hpp>
#include <filesystem>

#include "ConvexSamples.hpp"

// Bodies that move by many times their size in a step: they meet what is in their way, and nothing else.

namespace delassus {
namespace {

using namespace test;
using testing::letFall;
using testing::randomRotation;
using testing::randomVector;

struct Scheme {
  std::string name;
  MoreauJeanOSI scheme;
};
const std::vector<Scheme> schemes{{"default", MoreauJeanOSI()}, {"semiExplicit", MoreauJeanOSI::semiExplicit()}};

struct Flight {
  NonSmoothDynamicalSystem model{0., 1e3};
  std::shared_ptr<CollisionManager> manager;

  explicit Flight(double e, double mu = 0.3, double margin = 1e-3)
      : manager(std::make_shared<CollisionManager>(margin, NewtonImpactFrictionNSL(e, 0., mu))) {}

  std::shared_ptr<NewtonEulerDS> add(const std::shared_ptr<const Shape>& shape, const Vector3& x, const Vector3& v,
                                     const Vector3& spin = {}, const Quaternion& p = {1., 0., 0., 0.}) {
    auto body = NewtonEulerDS::ofShape(*shape, 1000., x, p);
    body->setState(body->q(), makeVector({v[0], v[1], v[2], spin[0], spin[1], spin[2]}));
    model.insert(body);
    manager->insert(body, shape, placementInBody(*shape));
    return body;
  }
  void run(const MoreauJeanOSI& scheme, double h, std::size_t steps) {
    TimeStepping simulation(model, TimeDiscretisation(0., h), scheme,
                            FrictionContact(3, AutomaticFrictionSolver(1e-10)));
    simulation.setInteractionManager(manager);
    for (std::size_t k = 0; k < steps; ++k) simulation.step();
  }
};

Vector3 velocityOf(const NewtonEulerDS& body) {
  return vector3(data(body.velocity()));
}

const auto smallBall = shareShape(SphereShape(0.005));
const auto smallBox = shareShape(BoxShape(0.01, 0.01, 0.01));

// For both schemes, steps and speeds; the distance from which it flies is not one of the steps.
template <class Shoot>
void forEachSpeed(std::mt19937& random, const Shoot& shoot) {
  std::uniform_real_distribution<double> part(0., 2.);
  for (const Scheme& scheme : schemes) {
    for (const double h : {1e-3, 3e-3, 1e-2}) {
      for (const double v : {10., 30., 100., 300.}) {
        for (const double e : {0., 0.5}) {
          SCOPED_TRACE(scheme.name + ", h = " + std::to_string(h) + ", v = " + std::to_string(v));
          const double way = 0.02 + part(random) * h * v;
          shoot(scheme.scheme, h, v, e, way, static_cast<std::size_t>(way / (h * v)) + 20);
        }
      }
    }
  }
}

TEST(FastBodies, DoNotPassThroughAThinWall) {
  std::mt19937 random(1);
  forEachSpeed(random, [&](const MoreauJeanOSI& scheme, double h, double v, double e, double way, std::size_t steps) {
    const auto board = shareShape(BoxShape(0.001, 20., 20.));
    const auto sheet = shareShape(
        TriangleMesh({{0., -10., -10.}, {0., -10., 10.}, {0., 10., 10.}, {0., 10., -10.}}, {{0, 1, 2}, {0, 2, 3}}));
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& shape = k == 0 ? smallBox : smallBall;
      Flight flight(e);
      flight.manager->insertObstacle(k < 2 ? board : sheet);
      Vector3 velocity = randomVector(random, 0.2 * v);
      velocity[0] = v;
      const auto body = flight.add(shape, {-way, 0., 0.}, velocity, {}, randomRotation(random));
      flight.run(scheme, h, steps);
      EXPECT_LT(body->position()[0], 0.) << shape->className() << (k < 2 ? " at a board" : " at a mesh");
    }
  });
}

TEST(FastBodies, DoNotPassThroughEachOther) {
  std::mt19937 random(2);
  const auto plate = shareShape(BoxShape(0.001, 0.2, 0.2));
  forEachSpeed(random, [&](const MoreauJeanOSI& scheme, double h, double v, double e, double way, std::size_t steps) {
    for (const auto& shape : {smallBall, smallBox}) {
      for (const auto& other : {smallBall, smallBox, plate}) {
        Flight flight(e);
        const auto first = flight.add(shape, {-way, 0., 0.}, {v, 0., 0.});
        const auto second = flight.add(other, {way, 0., 0.}, {-0.5 * v, 0., 0.});
        flight.run(scheme, h, steps);
        EXPECT_LT(first->position()[0], second->position()[0]);
        EXPECT_LE(first->velocity()(0), second->velocity()(0) + 1e-9 * v);
      }
    }
  });
}

TEST(FastBodies, ABarThatSpinsDoesNotPassThroughAThinWall) {
  std::mt19937 random(3);
  const auto bar = shareShape(BoxShape(0.01, 0.1, 0.01));
  std::uniform_real_distribution<double> part(0., 1.);
  for (const Scheme& scheme : schemes) {
    for (int k = 0; k < 40; ++k) {
      const double h = 1e-3, v = 10. * (1. + part(random)), spin = 200. * part(random);
      Flight flight(0.);
      flight.manager->insertObstacle(BoxShape(0.001, 2., 2.));
      const auto body = flight.add(bar, {-0.06 - 2. * part(random) * h * v, 0., 0.}, {v, 0., 0.}, {0., 0., spin});
      flight.run(scheme.scheme, h, 12);
      EXPECT_LT(body->position()[0], 0.) << scheme.name << ' ' << k;
    }
  }
}

// One that flies past anything else at a distance, however far the plane of a face goes on: its velocity stays, to the
// last bit. One that flies at it does not go on.
TEST(FastBodies, MeetWhatIsInTheirWayAndNothingElse) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> part(0., 1.);
  std::size_t passes = 0, hits = 0;
  for (int k = 0; k < 300; ++k) {
    const Sample sample = makeSample(Kind(static_cast<std::size_t>(k) % kinds), random);
    const Sample other = makeSample(Kind(static_cast<std::size_t>(k / 5) % kinds), random);
    const Placement at{randomVector(random, 1.), rotations::rotationMatrix(randomRotation(random))};
    const Quaternion turned = randomRotation(random);
    Vector3 way = -1. * at.position + randomVector(random, 0.25);  // about at the other one, in the origin
    way *= 1.2 + part(random);
    const double h = 1e-3;
    Flight flight(0., 0.);
    const auto body = flight.add(sample.shape, at.position, 1. / h * way, {}, turned);
    std::shared_ptr<NewtonEulerDS> second;
    if (k % 2 == 0) {
      flight.manager->insertObstacle(other.shape);
    } else {
      second = flight.add(other.shape, {}, {});
    }
    // Where they are nearest on the way, by small steps, to about 1e-4.
    double least = 1.;
    const Placement place = Placement::at(at.position, turned);
    for (int i = 0; i <= 200; ++i) {
      const Placement there{place.position + (double(i) / 200.) * way, place.rotation};
      least = std::min(least, findDistance(*sample.shape, there, *other.shape, Placement{}).gap);
    }
    const Vector3 before = velocityOf(*body);
    SCOPED_TRACE(std::to_string(k) + ": " + sample.text + ", " + other.text);
    // An impact beside the centre of mass gives a spin of several turns a step, for which the default scheme, which
    // is implicit in gyroscopic forces, may have no solution: it ends in an Error.
    const bool isSafe = least > 1e-3 || (sample.kind == sphere && !second);
    flight.run(schemes[isSafe ? static_cast<std::size_t>(k / 2) % 2 : 1].scheme, h, 1);
    if (least > 1e-3) {
      ++passes;
      EXPECT_EQ(velocityOf(*body), before) << least;
    } else if (least < -0.002) {
      ++hits;
      EXPECT_LT(dot(velocityOf(*body) - before, before), 0.) << least;
    }
  }
  EXPECT_GT(passes, 60u);
  EXPECT_GT(hits, 60u);
}

// Along the line of the centres where they touch, not where they are at the beginning of the step.
TEST(FastBodies, BallsThatMeetObliquelyPartAsTheyShould) {
  constexpr double radius = 0.05, v = 100., offset = 0.07, h = 1e-2;
  for (const Scheme& scheme : schemes) {
    for (const double mu : {0., 0.3}) {
      Flight flight(0.5, mu);
      const auto shape = shareShape(SphereShape(radius));
      const auto moving = flight.add(shape, {-0.6, 0., offset}, {v, 0., 0.}), struck = flight.add(shape, {}, {});
      flight.run(scheme.scheme, h, 3);
      // Of equal balls, with e = 0.5: the part of v along n is shared 1 to 3. They meet to 1e-6 of their size, which
      // turns the normal by some 1e-6.
      const double sine = offset / (2. * radius), cosine = std::sqrt(1. - sine * sine);
      const Vector3 n{cosine, 0., -sine}, t{sine, 0., cosine};
      EXPECT_NEAR(dot(velocityOf(*struck), n), 0.75 * v * cosine, 1e-5 * v);
      const double slip = v * sine, friction = std::min(mu * 0.75 * v * cosine, slip / 7.);
      EXPECT_NEAR(dot(velocityOf(*struck), t), friction, 1e-5 * v);
      const Vector3 both = velocityOf(*moving) + velocityOf(*struck);
      EXPECT_NEAR(norm(both - Vector3{v, 0., 0.}), 0., 1e-9 * v);
      // Both turn alike, by the impulse of friction at the radius.
      const double spin = 2.5 * friction / radius;
      EXPECT_NEAR(moving->velocity()(4), struck->velocity()(4), 1e-9 * v / radius);
      EXPECT_NEAR(std::abs(struck->velocity()(4)), spin, 1e-5 * v / radius);
    }
  }
}

// Fast along it: a floor of boxes or of triangles is a plane.
TEST(FastBodies, SlideOverSeamsAsOnAPlane) {
  const Matrix flat(4, 41);
  for (const Scheme& scheme : schemes) {
    for (const auto& shape : {shareShape(SphereShape(0.05)), shareShape(BoxShape(0.1, 0.1, 0.1))}) {
      for (const bool isMesh : {false, true}) {
        Flight flight(0., 0.);
        if (isMesh) {
          flight.manager->insertObstacle(TriangleMesh::ofHeights(flat, 1., 0.1), {-1.5, 0., 0.});
        } else {
          for (int k = 0; k < 40; ++k) {
            flight.manager->insertObstacle(BoxShape(3., 0.1, 0.2), {0., 0.05 + 0.1 * k, -0.1});
          }
        }
        const auto body = flight.add(shape, {0.013, 0.27, 0.05}, {0.5, 100., 0.});
        letFall(*body);
        flight.run(scheme.scheme, 1e-3, 30);
        SCOPED_TRACE(scheme.name + ' ' + std::string(shape->className()) + (isMesh ? " on triangles" : " on boxes"));
        // The solver leaves 1e-10 of the data in a step, of which there are 30.
        EXPECT_NEAR(body->velocity()(1), 100., 1e-8);
        EXPECT_NEAR(body->velocity()(2), 0., 1e-8);
        EXPECT_NEAR(body->position()[2], 0.05, 1e-9);
      }
    }
  }
}

// Where something falls on a row of flush boxes at two thirds of a box a step, its straight way leads through the sides
// of the next ones, before which it comes down. It moves on as on one long box: friction of 0.3 makes it roll.
TEST(FastBodies, BounceAndRollOverSeamsAsOnOneBox) {
  constexpr double h = 1. / 60., length = 0.25;
  struct Throw {
    double size, speed, e, drop;
  };
  const auto speedOf = [](const std::shared_ptr<const Shape>& shape, const Quaternion& p, const Throw& t, bool isRow) {
    Flight flight(t.e);
    flight.model.setGravity({0., 0., -9.81});
    if (isRow) {
      for (int k = -2; k < 90; ++k) {
        flight.manager->insertObstacle(BoxShape(length, 2., 0.2), {(k + 0.5) * length, 0., -0.1});
      }
    } else {
      flight.manager->insertObstacle(BoxShape(30., 2., 0.2), {14.5, 0., -0.1});
    }
    const auto body = flight.add(shape, {0.1, 0., t.size + t.drop}, {t.speed, 0., 0.}, {}, p);
    flight.run(MoreauJeanOSI(), h, 90);
    EXPECT_GT(body->position()[2], t.size - h * h * 9.81);
    return body->velocity()(0);
  };
  for (const Throw& t : {Throw{0.008, 10., 0.5, 0.1}, Throw{0.05, 10., 0.5, 0.1}, Throw{0.05, 10., 0., 0.},
                         Throw{0.02, 5., 0., 0.05}, Throw{0.05, 3., 0.5, 0.1}}) {
    const auto expectSame = [&](const std::shared_ptr<const Shape>& shape, const Quaternion& p, double tolerance) {
      const double onOne = speedOf(shape, p, t, false);
      SCOPED_TRACE(std::string(shape->className()) + ' ' + std::to_string(t.size) + ' ' + std::to_string(t.speed));
      EXPECT_NEAR(speedOf(shape, p, t, true), onOne, tolerance * t.speed);
    };
    const Quaternion upright{1., 0., 0., 0.};
    // A touch of 1e-6 of the size moves each impact by as much.
    expectSame(shareShape(SphereShape(t.size)), upright, 1e-4);
    expectSame(shareShape(BoxShape(2. * t.size, 2. * t.size, 2. * t.size)), upright, 1e-4);
    if (t.size < 0.02) continue;  // of the others the spin is some turns a step
    expectSame(shareShape(CapsuleShape(t.size, 2. * t.size)), rotations::exponential({0.5 * 3.14159265358979, 0., 0.}),
               1e-4);
    // It has no contact beyond the end of a box within a step, and sinks by up to g h² where it passes that.
    expectSame(shareShape(EllipsoidShape(t.size, 1.5 * t.size, t.size)), upright, 1e-2);
  }
}

// What a fast body meets first bends its way only where it is an obstacle that stays: a light body in front of a wall
// gives way, and two balls that come down on a floor together still meet each other.
TEST(FastBodies, DoNotPassWhatIsBehindALightBodyOrAboveAFloor) {
  constexpr double h = 0.01;
  for (const Scheme& scheme : schemes) {
    Flight wall(0.);
    const auto ball = wall.add(shareShape(SphereShape(0.1)), {}, {100., 0., 0.});
    const auto light = NewtonEulerDS::ofShape(BoxShape(0.1, 0.1, 0.1), 1., {0.5, 0., 0.});
    wall.model.insert(light);
    wall.manager->insert(light, BoxShape(0.1, 0.1, 0.1));
    wall.manager->insertObstacle(BoxShape(0.02, 4., 4.), {0.8, 0., 0.});
    wall.run(scheme.scheme, h, 5);
    EXPECT_LT(ball->position()[0], 0.8) << scheme.name;

    Flight floor(0., 0.);
    const auto left = floor.add(shareShape(SphereShape(0.1)), {-0.5, 0., 0.2}, {60., 0., -60.});
    const auto right = floor.add(shareShape(SphereShape(0.1)), {0.5, 0., 0.2}, {-60., 0., -60.});
    floor.manager->insertObstacle(BoxShape(10., 10., 0.2), {0., 0., -0.1});
    floor.run(scheme.scheme, h, 3);
    EXPECT_LT(left->position()[0], right->position()[0]) << scheme.name;
    EXPECT_LT(velocityOf(*left)[0], 30.) << scheme.name;
  }
}

// The top of a row of flush boxes goes on over its seams, but not beyond its end.
TEST(FastBodies, FlyOffTheEndOfARowOfBoxes) {
  for (const Scheme& scheme : schemes) {
    Flight flight(0.);
    for (const double x : {-0.15, -0.05}) flight.manager->insertObstacle(BoxShape(0.1, 1., 0.2), {x, 0., -0.1});
    const auto ball = flight.add(smallBall, {-0.15, 0., 0.1}, {600., 0., -150.});
    flight.run(scheme.scheme, 1e-3, 1);
    EXPECT_EQ(velocityOf(*ball)[2], -150.) << scheme.name;
    EXPECT_NEAR(ball->position()[0], 0.45, 1e-12) << scheme.name;  // rounding of the way
  }
}

// Saved in the step of an impact, and in others.
TEST(FastBodies, GoOnFromACheckpoint) {
  const auto file = std::filesystem::temp_directory_path() / "delassus_fast_bodies.checkpoint";
  const auto finish = [&](std::size_t saveAt, bool isRestarted) {
    Flight flight(0.8);
    flight.manager->insertObstacle(BoxShape(0.001, 1., 1.));
    std::vector<std::shared_ptr<NewtonEulerDS>> bodies;
    for (const auto& shape : {smallBall, smallBox, smallBall}) {
      const double y = 0.03 * double(bodies.size());
      bodies.push_back(flight.add(shape, {-0.1 - y, y, 0.002}, {60., -20. * y, 0.}));
    }
    TimeStepping simulation(flight.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(),
                            FrictionContact(3, AutomaticFrictionSolver(1e-10)));
    simulation.setInteractionManager(flight.manager);
    if (isRestarted) restoreCheckpoint(simulation, file);
    while (simulation.stepIndex() < 8) {
      if (!isRestarted && simulation.stepIndex() == saveAt) saveCheckpoint(simulation, file);
      simulation.step();
    }
    std::vector<double> states;
    for (const auto& body : bodies) {
      states.insert(states.end(), body->q().begin(), body->q().end());
      states.insert(states.end(), body->velocity().begin(), body->velocity().end());
    }
    return states;
  };
  for (std::size_t saveAt = 1; saveAt < 7; ++saveAt) {
    const std::vector<double> through = finish(saveAt, false);
    EXPECT_LT(through[7], 0.) << "has not turned back";
    EXPECT_EQ(through, finish(saveAt, true)) << saveAt;
  }
  std::filesystem::remove(file);
}

TEST(MeetingAhead, IsWhereTheShapesTouchFirst) {
  std::mt19937 random(6);
  std::size_t met = 0;
  forEachPair(10, 8, [&](const Pair& pair) {
    const Vector3 start = pair.at.position + randomVector(random, 0.5);
    const Vector3 way = 2. * (pair.at.position - start) + randomVector(random, 0.05);
    const Placement from{start, pair.at.rotation};
    const double touch = 1e-6;
    const MeetingAhead meeting = findMeeting(*pair.first.shape, from, way, *pair.second.shape, pair.other, touch);
    const auto gapAt = [&](double part) {
      const Placement there{start + part * way, from.rotation};
      return findDistance(*pair.first.shape, there, *pair.second.shape, pair.other).gap;
    };
    if (gapAt(0.) <= touch) return;
    const bool meets = meeting.distance.gap <= touch;
    for (int k = 0; k <= 50; ++k) EXPECT_GT(gapAt((meets ? meeting.part : 1.) * k / 50.), 0.4 * touch);
    met += meets ? 1 : 0;
  });
  EXPECT_GT(met, 40u);
}

// Points that are ahead do not turn with a body, which an impact turns by much: its depth is that of the shapes.
TEST(FastBodies, AreAsDeepAsTheirShapesAre) {
  std::mt19937 random(5);
  const BoxShape floor(4., 4., 1.);
  const Placement under = Placement::at({0., 0., -0.5});
  double deepest = 0.;
  const auto drop = [&](const auto& shape, double h) {
    for (int k = 0; k < 20; ++k) {
      NonSmoothDynamicalSystem model(0., 0.4);
      model.setGravity({0., 0., -9.81});
      const auto body = NewtonEulerDS::ofShape(shape, 1000., {0., 0., 0.35}, randomRotation(random));
      const Vector3 v = randomVector(random, 1.), spin = randomVector(random, 5.);
      body->setState(body->q(), makeVector({v[0], v[1], v[2] - 2., spin[0], spin[1], spin[2]}));
      model.insert("body", body);
      const auto manager = std::make_shared<CollisionManager>(5e-3, NewtonImpactFrictionNSL(0., 0., 0.4));
      manager->insertObstacle(floor, under.position);
      manager->insert(body, shape);
      TimeSteppingOptions options;
      options.wrongMotion = FailureAction::accept;
      TimeStepping simulation(model, h, options);
      simulation.setInteractionManager(manager);
      double truth = 0.;
      simulation.run([&] {
        const Placement place{body->position(), body->rotation()};
        truth = std::max(truth, -findDistance(shape, place, floor, under).gap);
      });
      // A corner without a point may be a little deeper: a thousandth of the plate.
      EXPECT_NEAR(simulation.statistics().motion.depth.value, truth, 1e-5) << h << ' ' << k;
      deepest = std::max(deepest, truth);
    }
  };
  for (const double h : {5e-3, 1. / 60.}) {
    drop(BoxShape(0.12, 0.08, 0.01), h);
    drop(EllipsoidShape(0.06, 0.05, 0.04), h);
  }
  EXPECT_GT(deepest, 1e-4);  // steps of 1/60 s leave some depth, of which the audit has to tell
}

}  // namespace
}  // namespace delassus
