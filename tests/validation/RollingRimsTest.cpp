// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numbers>

#include "BodiesWorld.hpp"

// Euler's disk: a coin that rolls on its edge, its centre at rest (docs/stacks.md).

namespace delassus {
namespace {

using testing::gravity;
using testing::World;

enum class Floor { halfSpace, box, linked };  // linked by hand, without a manager

// A coin of radius a and thickness 2 d whose face makes an angle α with the floor. It turns about the line from its
// centre to the contact, which rolls: Ω sin α along the face, and Ω sin α d/a about its axis. Its moment of momentum
// follows the precession Ω, driven by the moment of its weight about the contact,
//
//     Ω² sin α (I₁ cos α − I₃ (d/a) sin α) = m g (a cos α − d sin α),     thin: Ω² sin α = 4 g/a.
struct Coin : World {
  static constexpr double radius = 0.04, half = 0.002;  // m

  Coin(double tilt, Floor floor) : World(10., NewtonImpactFrictionNSL(0., 0., 0.5)), height(heightAt(tilt)) {
    model.setGravity({0., 0., -gravity});
    if (floor == Floor::halfSpace) manager->insertObstacle(Plane{});
    if (floor == Floor::box) manager->insertObstacle(BoxShape(1., 1., 0.1), {0., 0., -0.05});
    NewtonEulerDS& body =
        add(shareShape(CylinderShape(radius, 2. * half)), {0., 0., height}, rotations::exponential({tilt, 0., 0.}));
    if (floor == Floor::linked) {
      model.link("floor", NewtonImpactFrictionNSL(0., 0., 0.5),
                 NewtonEuler3DR(CylinderPlane(radius, 2. * half, Plane{})), bodies[0]);
    }
    const double s = std::sin(tilt), c = std::cos(tilt);
    const double moment = body.scalarMass() * gravity * (radius * c - half * s);
    precession = std::sqrt(moment / (s * (body.inertia()(0, 0) * c - body.inertia()(2, 2) * half / radius * s)));
    body.setState(body.q(), makeVector({0., 0., 0., 0., precession * s, precession * s * half / radius}));
    last_ = heading();
  }

  static double heightAt(double tilt) { return radius * std::sin(tilt) + half * std::cos(tilt); }
  Vector3 axis() const { return column(bodies[0]->rotation(), 2); }
  void observe() {
    const Vector3 x = bodies[0]->position();
    wander = std::max({wander, std::abs(x[0]), std::abs(x[1]), std::abs(x[2] - height)});
    const double now = heading();
    turned += std::remainder(now - last_, 2. * std::numbers::pi);
    last_ = now;
  }

  double height;           // of the centre, m
  double precession = 0.;  // of the closed form, rad/s
  double wander = 0.;      // of the centre, m
  double turned = 0.;      // about the vertical, rad

 private:
  double heading() const { return std::atan2(axis()[1], axis()[0]); }

  double last_ = 0.;
};

struct Roll {
  double wander, rate, energy;  // largest errors: of the radius, of the closed form, of the energy
  double turn;                  // in a step, by the closed form, rad
};

Roll rollFor(double seconds, double tilt, double h, Floor floor) {
  Coin coin(tilt, floor);
  const double begin = coin.energy();
  TimeStepping simulation(coin.model, h);
  simulation.setInteractionManager(coin.manager);
  double energy = 0.;
  while (simulation.time() < seconds - 0.5 * h) {
    simulation.step();
    coin.observe();
    energy = std::max(energy, std::abs(coin.energy() - begin));
  }
  EXPECT_EQ(simulation.statistics().relaxed + simulation.statistics().held, 0u);
  return {coin.wander / Coin::radius, std::abs(coin.turned / (simulation.time() * coin.precession) - 1.),
          energy / begin, h * coin.precession};
}

// The midpoint rule has an angle of h Ω a step to (h Ω)²/12. The energy error is of order (h Ω)⁴; its factor is not
// derived. A twelfth is allowed here, too, of which less than an eighth is seen.
TEST(RollingRims, KeepThePrecessionAndTheEnergyOfTheClosedForm) {
  const auto expectSteady = [](double tilt, double h, Floor floor) {
    SCOPED_TRACE(::testing::Message() << "tilt " << tilt << ", h " << h << ", floor " << static_cast<int>(floor));
    const Roll roll = rollFor(0.7, tilt, h, floor);  // five turns of the slowest, 35 of the fastest
    const double turn = roll.turn;
    EXPECT_LT(roll.wander, turn * turn / 12.);
    EXPECT_LT(roll.rate, turn * turn / 12.);
    EXPECT_LT(roll.energy, turn * turn * turn * turn / 12.);
  };
  for (const double tilt : {0.5, 0.1, 0.04}) {
    for (const double h : {1e-3, 5e-4, 2.5e-4}) expectSteady(tilt, h, Floor::halfSpace);
  }
  // Below three degrees an end has contacts with all of its points, too.
  for (const Floor floor : {Floor::halfSpace, Floor::linked}) {
    for (const double tilt : {0.02, 0.01}) expectSteady(tilt, 2.5e-4, floor);
  }
  expectSteady(0.1, 1e-3, Floor::box);
}

TEST(RollingRims, AreOfOrderTwoInPlaceAndFourInEnergy) {
  const Roll coarse = rollFor(2., 0.1, 1e-3, Floor::halfSpace), fine = rollFor(2., 0.1, 5e-4, Floor::halfSpace);
  EXPECT_NEAR(coarse.wander / fine.wander, 4., 1.);
  EXPECT_NEAR(coarse.energy / fine.energy, 16., 4.);
}

}  // namespace
}  // namespace delassus
