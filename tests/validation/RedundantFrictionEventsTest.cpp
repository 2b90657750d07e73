// SPDX-License-Identifier: Apache-2.0
//
// Event-driven motion of blocks on four feet with friction in 3D: the forces of the feet are not unique, and where the
// feet slip in different directions the motion depends on them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <validation/FrictionModels.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A block of 4 kg on the corners of a rectangle, with its centre of mass at `height` above the floor z = 0.
struct FourFeet {
  static constexpr double m = 4.;
  static constexpr double mu = 0.2;
  static constexpr double weight = m * g;
  static constexpr double a = 0.3;
  static constexpr double b = 0.2;
  using Load = std::function<Vector(double t)>;  // force in x and y, moment about z

  FourFeet(double height, const Vector& v0, double end, const Load& load,
           const std::array<std::size_t, 4>& order = {0, 1, 2, 3})
      : model(0., end) {
    const std::array<Vector3, 4> corners = {Vector3{a, b, -height}, Vector3{-a, b, -height}, Vector3{-a, -b, -height},
                                            Vector3{a, -b, -height}};
    block =
        std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., height}), v0, m, diagonalMatrix({0.2, 0.2, 0.3}));
    block->setExternalForces([=](double t, Vector& f) {
      const Vector p = load(t);
      f = makeVector({p(0), p(1), -weight});
    });
    block->setExternalMoments([=](double t, Vector& moment) { moment = makeVector({0., 0., load(t)(2)}); });
    model.insert(block);
    for (const std::size_t foot : order) {
      feet.push_back(std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 3),
                                                   NewtonEuler3DR(SpherePlane(0., Plane{}, corners[foot]))));
      feet.back()->setName("foot " + std::to_string(foot));
      model.link(feet.back(), block);
    }
  }

  // The force of the feet that their multipliers make, in the tangents of the floor.
  std::array<double, 3> floorForce() const {
    std::array<double, 3> sum = {0., 0., 0.};
    for (const auto& foot : feet) {
      for (std::size_t i = 0; i < 3; ++i) sum[i] += foot->lambda(0)(i);
    }
    return sum;
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> block;
  std::vector<std::shared_ptr<Interaction>> feet;
};

Vector noLoad(double) {
  return makeVector({0., 0., 0.});
}

// Where the friction of the feet is all that acts in the plane, |Σ λ_T| = m |v̇|.
void expectForcesOfTheMotion(const FourFeet& model) {
  const std::array<double, 3> force = model.floorForce();
  const Vector& a = model.block->acceleration();
  EXPECT_NEAR(force[0], FourFeet::weight, 1e-9 * FourFeet::weight);
  EXPECT_NEAR(std::hypot(force[1], force[2]), FourFeet::m * std::hypot(a(0), a(1)), 1e-9 * FourFeet::weight);
}

TEST(RedundantFrictionEvents, ABlockThatSpinsWhileItSlidesHasContinuousAccelerations) {
  constexpr double step = 1e-3;
  FourFeet model(0.1, makeVector({1., 0.4, 0., 0., 0., 3.}), 0.3, noLoad);
  EventDriven simulation(model.model, TimeDiscretisation(0., step), FrictionContact(3));
  Vector before;
  double largest = 0.;
  simulation.run([&] {
    expectForcesOfTheMotion(model);
    const Vector& a = model.block->acceleration();
    for (std::size_t i = 0; before.size() == a.size() && i < a.size(); ++i)
      largest = std::max(largest, std::abs(a(i) - before(i)));
    before = a;
  });
  EXPECT_TRUE(simulation.events().empty());
  // Directions of slip turn by about 4 rad/s, which changes 2 m/s² and 4 rad/s² at some 10 a second. A foot that takes
  // its load from another at once would make a jump of about 1.
  EXPECT_LT(largest, 20. * step);
}

TEST(RedundantFrictionEvents, TheOrderOfTheFeetDoesNotChangeTheMotion) {
  std::vector<Vector> ends;
  for (const std::array<std::size_t, 4>& order :
       {std::array<std::size_t, 4>{0, 1, 2, 3}, std::array<std::size_t, 4>{2, 0, 3, 1},
        std::array<std::size_t, 4>{3, 2, 1, 0}}) {
    FourFeet model(0.1, makeVector({1., 0.4, 0., 0., 0., 3.}), 0.3, noLoad, order);
    EventDriven simulation(model.model, TimeDiscretisation(0., 0.1), FrictionContact(3));
    simulation.run();
    ends.push_back(model.block->velocity());
  }
  // Errors of the integration at its default tolerances.
  for (std::size_t k = 1; k < ends.size(); ++k) {
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(ends[k](i), ends[0](i), 1e-8) << k << ' ' << i;
  }
}

TEST(RedundantFrictionEvents, ABlockBeginsToSlipAndToTurnBeyondTheLimit) {
  FourFeet model(0.1, Vector(6), 0.2, [](double) { return makeVector({12., 5., 2.}); });
  EventDriven simulation(model.model, TimeDiscretisation(0., 0.01), FrictionContact(3));
  simulation.run([&] {
    const double rate = normInf(model.block->acceleration());
    // It is accelerated, by less than without friction.
    EXPECT_GT(rate, 0.5);
    EXPECT_LT(rate, 2. / 0.3);
  });
  EXPECT_TRUE(simulation.events().empty());
  EXPECT_GT(model.block->velocity()(0), 0.);
  EXPECT_GT(model.block->velocity()(5), 0.);
}

// A pull P e_x along the line y = c, the centre of mass at the height of the feet. Both sides are equally loaded, and
// by the theorems of limit analysis P is the least of μ (W/4) Σ |r_i − r| / (ρ + c) over the centres r = (0, −ρ).
double limitOfPull(double c) {
  constexpr double golden = 0.61803398874989485;
  const auto pull = [=](double rho) {
    const double sum =
        2. * std::hypot(FourFeet::a, FourFeet::b + rho) + 2. * std::hypot(FourFeet::a, FourFeet::b - rho);
    return 0.25 * FourFeet::mu * FourFeet::weight * sum / (rho + c);
  };
  double low = 0.;
  double high = 10.;
  while (high - low > 1e-9) {
    const double width = golden * (high - low);
    if (pull(high - width) < pull(low + width)) {
      high = low + width;
    } else {
      low = high - width;
    }
  }
  return pull(low);
}

TEST(RedundantFrictionEvents, APullOffTheCentreLetsGoAtTheLimitLoad) {
  for (const double c : {0.05, 0.15, 0.3}) {
    SCOPED_TRACE(c);
    const double limit = limitOfPull(c);
    FourFeet model(0., Vector(6), 1.2, [=](double t) { return makeVector({limit * t, 0., -c * limit * t}); });
    EventDriven simulation(model.model, TimeDiscretisation(0., 0.1), FrictionContact(3));
    simulation.run();
    const std::vector<Event> slips = eventsOf(simulation, EventKind::slip);
    ASSERT_EQ(slips.size(), 4u);
    // Forces are known to 1e-9 of their bounds.
    for (const Event& slip : slips) EXPECT_NEAR(slip.t, 1., 1e-8);
  }
}

}  // namespace
