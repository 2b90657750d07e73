// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numbers>

#include "BodiesWorld.hpp"

// A chain of oval links, compounds of twelve capsules each that hang in one another (docs/stacks.md).

namespace delassus {
namespace {

using testing::gravity;
using testing::RiseOfEnergy;
using testing::World;

// The first link is an obstacle; each hangs across the one above it. Its wire meets that in the middle of an end, where
// both are straight.
struct LinkChain : World {
  static constexpr double wire = 0.005, bend = 0.012,
                          straight = 0.03;  // m: of the wire, radius of ends, length of sides
  static constexpr std::size_t parts = 5;   // of an end

  LinkChain(std::size_t links, double friction) : World(1000., NewtonImpactFrictionNSL(0., 0., friction), 5e-4) {
    model.setGravity({0., 0., -gravity});
    const auto link = shareShape(oval());
    manager->insertObstacle(link);
    const Quaternion across = rotations::exponential({0., 0., 0.5 * std::numbers::pi});
    for (std::size_t k = 1; k <= links; ++k) {
      add(link, {0., 0., -pitch() * static_cast<double>(k)}, k % 2 == 1 ? across : Quaternion{1., 0., 0., 0.});
    }
  }

  // From the middle of a link to the middle of the wire at its end.
  static double reach() {
    return 0.5 * straight + bend * std::cos(0.5 * std::numbers::pi / static_cast<double>(parts));
  }
  static double pitch() { return 2. * (reach() - wire); }
  double weight() const { return static_cast<double>(bodies.size()) * bodies[0]->scalarMass() * gravity; }
  // All links turn at this rate about the lowest point of the first one's hole.
  void swing(const Vector3& rate) {
    for (const auto& body : bodies) {
      const Vector3 v = cross(rate, body->position() - Vector3{0., 0., wire - reach()});
      const Vector3 spin = multiplyTransposed(body->rotation(), rate);
      body->setState(body->q(), makeVector({v[0], v[1], v[2], spin[0], spin[1], spin[2]}));
    }
  }
  // What the first link carries, N. Its contacts have horizontal faces: normals are vertical.
  double tension(double h) const {
    double sum = 0.;
    for (const CollisionManager::Contact& contact : manager->contacts()) {
      if (contact.second) continue;
      const Vector& impulse = contact.interaction->lambda(1);
      for (std::size_t row = 0; row < impulse.size(); row += 3) sum += impulse(row) / h;
    }
    return sum;
  }

 private:
  static CompoundShape oval() {
    CompoundShape link;
    const auto addWire = [&link](const Vector3& from, const Vector3& to) {
      const Vector3 along = to - from;
      const Quaternion p = rotations::exponential({0., std::atan2(along[0], along[2]), 0.});
      link = link.with(CapsuleShape(wire, norm(along)), Placement::at(0.5 * (from + to), p));
    };
    for (const double side : {1., -1.}) {
      addWire({side * bend, 0., -0.5 * straight}, {side * bend, 0., 0.5 * straight});
      const auto corner = [side](std::size_t k) {
        const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(parts);
        return Vector3{bend * std::cos(angle), 0., side * (0.5 * straight + bend * std::sin(angle))};
      };
      for (std::size_t k = 0; k < parts; ++k) addWire(corner(k), corner(k + 1));
    }
    return link;
  }
};

// Times at which the velocity of the last body along an axis passes zero upwards, linear within a step.
class Swings {
 public:
  void look(double t, double h, double v) {
    if (last_ < 0. && v >= 0.) {
      if (count_ == 0) first_ = t - h * v / (v - last_);
      latest_ = t - h * v / (v - last_);
      ++count_;
    }
    last_ = v;
  }
  double period() const { return (latest_ - first_) / static_cast<double>(count_ - 1); }

 private:
  double last_ = 0., first_ = 0., latest_ = 0.;
  std::size_t count_ = 0;
};

TEST(LinkChains, HangStillForTenThousandSteps) {
  constexpr double h = 5e-3;
  constexpr std::size_t steps = 10000;
  LinkChain chain(10, 0.5);
  const testing::Places places(chain.bodies);
  TimeStepping simulation(chain.model, h);
  simulation.setInteractionManager(chain.manager);
  double farthest = 0.;
  for (std::size_t k = 0; k < steps; ++k) {
    simulation.step();
    farthest = std::max(farthest, std::abs(chain.tension(h) - chain.weight()));
  }
  EXPECT_LT(places.shift(), testing::creepAllowed(steps, h, 10));
  EXPECT_LT(places.turn(), testing::creepAllowed(steps, h, 10) / LinkChain::reach());
  // In each step. The certificate allows velocities at the ten contacts to be wrong by 1e-8 g h √10 together. From link
  // to link this adds up to 1e-7 g h, and it may change its sign from one step to the next: 2e-7 of the weight. The
  // bound is fifty times that, with room for what rounding leaves of gaps.
  EXPECT_LT(farthest, 1e-5 * chain.weight());
}

// A link rolls on the wire above it, its centre at a distance d below its own wire: with the contact at rest
//
//     ω² = m g d / (I + m (d − r)²),
//
// both where its wire is the round one of the two and where that above is.
TEST(LinkChains, OneLinkSwingsWithThePeriodOfTheClosedForm) {
  for (const Vector3& axis : {Vector3{1., 0., 0.}, Vector3{0., 1., 0.}}) {
    for (const double h : {2e-3, 1e-3}) {
      LinkChain chain(1, 0.5);
      constexpr double rate = 0.2;  // rad/s: swings by 0.7°
      chain.swing(rate * axis);
      const NewtonEulerDS& link = *chain.bodies[0];
      const Vector3 local = multiplyTransposed(link.rotation(), axis);
      double inertia = 0.;
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) inertia += local[i] * link.inertia()(i, k) * local[k];
      }
      const double lever = LinkChain::reach() - LinkChain::wire;
      const double omega =
          std::sqrt(link.scalarMass() * gravity * LinkChain::reach() / (inertia + link.scalarMass() * lever * lever));
      TimeStepping simulation(chain.model, h);
      simulation.setInteractionManager(chain.manager);
      Swings swings;
      const double begin = chain.energy();
      RiseOfEnergy rise(begin);
      const double kinetic = link.kineticEnergy();
      for (std::size_t k = 0; k < 4000; ++k) {
        simulation.step();
        swings.look(simulation.time(), h, axis[0] > 0. ? link.velocity()(1) : link.velocity()(0));
        rise.look(chain.energy());
      }
      // The midpoint rule's (ω h)²/12 and that of the amplitude, 1e-5, twice.
      const double error = omega * omega * h * h / 12. + rate * rate / (16. * omega * omega);
      EXPECT_NEAR(swings.period() * omega / (2. * std::numbers::pi), 1., 2. * error);
      // A step's own error is of order 4 in ω h; it oscillates with the swing.
      EXPECT_LT(rise.largest(), 4. * kinetic * std::pow(omega * h, 4));
      // Over 4,000 steps it does not grow. The limit is not derived: it is as large as the error of the period at 2 ms.
      EXPECT_NEAR(chain.energy(), begin, 1e-4 * kinetic);
    }
  }
}

// Bernoulli's hanging chain, T = 2 π (2/2.4048) (L/g)^½ in its first mode (Bernoulli 1738).
TEST(LinkChains, TenLinksSwingAsBernoullisChain) {
  constexpr double h = 2e-3;
  LinkChain chain(10, 0.);
  chain.swing({1., 0., 0.});
  TimeStepping simulation(chain.model, h);
  simulation.setInteractionManager(chain.manager);
  Swings swings;
  double kinetic = 0.;
  for (const auto& body : chain.bodies) kinetic += body->kineticEnergy();
  RiseOfEnergy rise(chain.energy());
  for (std::size_t k = 0; k < 4000; ++k) {
    simulation.step();
    swings.look(simulation.time(), h, chain.bodies.back()->velocity()(1));
    rise.look(chain.energy());
  }
  const double length = 10. * LinkChain::pitch();
  const double period = 2. * std::numbers::pi * 2. / 2.404826 * std::sqrt(length / gravity);
  // 0.2 % is seen. Ten rigid pieces are a chain to some 1/10², and a swing of 0.17 rad has 0.17²/16 = 0.2 %; two
  // percent are allowed, since the factor of the first is not derived.
  EXPECT_NEAR(swings.period() / period, 1., 0.02);
  // In a step, twice what one link is allowed at this h, 4 (ω h)⁴ = 5e-6.
  EXPECT_LT(rise.largest(), 1e-5 * kinetic);
}

}  // namespace
}  // namespace delassus
