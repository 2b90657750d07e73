// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/functions/Automatic.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <limits>

// A block that rocks on its two feet, which stick, until it stands: its impacts accumulate, and each changes the foot.

namespace {

using namespace delassus;

constexpr double g = 9.81;
constexpr double halfWidth = 0.25;
constexpr double tilt = 0.05;

struct RockingBlock {
  RockingBlock(double halfHeight, double mu) : model(0., 6.) {
    const double inertia = (4. * halfHeight * halfHeight + 4. * halfWidth * halfWidth) / 12.;
    block =
        std::make_shared<LagrangianDS>(makeVector({0., halfWidth * std::sin(tilt) + halfHeight * std::cos(tilt), tilt}),
                                       makeVector({0., 0., 0.}), diagonalMatrix({1., 1., inertia}));
    block->setExternalForces(makeVector({0., -g, 0.}));
    model.insert(block);
    for (const double side : {-1., 1.}) {
      const LagrangianContactR foot(2, automatic([=](const auto& q, auto& h) {
                                      using std::cos;
                                      using std::sin;
                                      h(0) = q(1) + side * halfWidth * sin(q(2)) - halfHeight * cos(q(2));
                                    }),
                                    [=](double, const Vector& q, Matrix& T) {
                                      T(0, 0) = 1.;
                                      T(0, 2) = halfHeight * std::cos(q(2)) - side * halfWidth * std::sin(q(2));
                                    });
      feet.push_back(std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu, 2), foot));
      model.link(feet.back(), block);
    }
  }

  double energy(double halfHeight) const {
    const Vector& v = block->velocity();
    const double inertia = (4. * halfHeight * halfHeight + 4. * halfWidth * halfWidth) / 12.;
    return 0.5 * (v(0) * v(0) + v(1) * v(1) + inertia * v(2) * v(2)) + g * (block->q()(1) - halfHeight);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> block;
  std::vector<std::shared_ptr<Interaction>> feet;
};

TEST(RockingEvents, ABlockComesToStandWhateverTheFriction) {
  for (const double mu : {0.6, 0.9, 1.2, 1.6, 2.}) {
    for (const double slenderness : {2., 3., 4.}) {
      const double halfHeight = slenderness * halfWidth;
      RockingBlock rocking(halfHeight, mu);
      EventDriven simulation(rocking.model, TimeDiscretisation(0., 0.02), FrictionContact(2));
      double last = std::numeric_limits<double>::infinity();
      ASSERT_NO_THROW(simulation.run([&] {
        for (const auto& foot : rocking.feet) EXPECT_GE(foot->y(0)(0), -1e-10);
        const double now = rocking.energy(halfHeight);
        EXPECT_LE(now, last + 1e-8);
        last = now;
      })) << mu
          << ", " << slenderness;
      // It stands on both feet, which share its weight.
      EXPECT_NEAR(rocking.block->q()(2), 0., 1e-9) << mu << ", " << slenderness;
      EXPECT_NEAR(rocking.block->velocity()(2), 0., 1e-12);
      EXPECT_NEAR(rocking.feet[0]->lambda(0)(0) + rocking.feet[1]->lambda(0)(0), g, 1e-8);
      EXPECT_LT(simulation.events().size(), 3000u);
    }
  }
}

}  // namespace
