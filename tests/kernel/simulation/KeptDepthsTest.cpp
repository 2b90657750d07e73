// SPDX-License-Identifier: Apache-2.0
//
// Contacts that face each other and overlap: none of them can open, so that their depths stay, and the run goes on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <memory>
#include <support/Matchers.hpp>

namespace delassus {
namespace {

// A bead of 2 kg that is pushed to the right by 3 N, between the walls x ≥ d and x ≤ −d.
struct Slot {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> bead =
      std::make_shared<LagrangianLinearTIDS>(Vector(1, 0.), Vector(1, 0.), Matrix(1, 1, 2.));

  Slot(double overlap, double restitution) : model(0., 1.) {
    bead->setExternalForces(Vector(1, 3.));
    model.insert("bead", bead);
    for (const double side : {1., -1.}) {
      model.link(side > 0. ? "left" : "right", NewtonImpactNSL(restitution),
                 LagrangianLinearTIR(Matrix(1, 1, side), Vector(1, -overlap)), bead);
    }
  }
  double x() const { return bead->q()(0); }
};

TEST(KeptDepths, LetABeadStayBetweenWallsThatOverlap) {
  for (const MoreauJeanOSI& scheme : {MoreauJeanOSI(), MoreauJeanOSI(1.), MoreauJeanOSI::semiExplicit()}) {
    for (const double restitution : {0., 0.5}) {
      for (const double overlap : {1e-9, 1e-6, 1e-3}) {
        Slot slot(overlap, restitution);
        TimeStepping simulation(slot.model, TimeDiscretisation(0., 1e-3), scheme);
        simulation.run([&] { EXPECT_NEAR(slot.x(), 0., 1e-15) << overlap; });  // rounding of a thousand steps
        // Of 1,000 steps those after pauses of 1, 3, 7, …, 63 try it again.
        EXPECT_EQ(simulation.statistics().keptDepths, 20U);
        EXPECT_EQ(simulation.statistics().rejectedSteps, 0U);
      }
    }
  }
}

TEST(KeptDepths, AreTakenBackOnceTheOtherWallIsGone) {
  constexpr double overlap = 1e-4;
  Slot slot(overlap, 0.);
  TimeStepping simulation(slot.model, TimeDiscretisation(0., 1e-3));
  for (int k = 0; k < 10; ++k) simulation.step();
  EXPECT_NEAR(slot.x(), 0., 1e-15);
  slot.model.remove(slot.model.interactions().front());
  simulation.run();
  EXPECT_NEAR(slot.x(), -overlap, 1e-3 * overlap);
}

TEST(KeptDepths, GoOnFromACheckpointAsWithout) {
  const auto path = std::filesystem::path(testing::TempDir()) / "kept_depths.checkpoint";
  // Another bead comes out of a wall that it is in, at every step but those that keep depths.
  struct Scene : Slot {
    std::shared_ptr<LagrangianLinearTIDS> deep =
        std::make_shared<LagrangianLinearTIDS>(Vector(1, -1e-3), Vector(1, 0.), Matrix(1, 1, 1.));
    Scene() : Slot(1e-5, 0.) {
      model.insert("deep", deep);
      model.link("floor", NewtonImpactNSL(0.), LagrangianLinearTIR(Matrix(1, 1, 1.)), deep);
    }
  };
  for (int saved = 1; saved <= 32; ++saved) {
    Scene whole, part;
    TimeStepping first(whole.model, TimeDiscretisation(0., 1e-3)), second(part.model, TimeDiscretisation(0., 1e-3));
    for (int k = 0; k < saved; ++k) first.step();
    saveCheckpoint(first, path);
    restoreCheckpoint(second, path);
    for (int k = 0; k < 40; ++k) {
      first.step();
      second.step();
    }
    EXPECT_EQ(first.statistics().keptDepths, second.statistics().keptDepths);
    EXPECT_EQ(whole.x(), part.x());
    EXPECT_EQ(whole.deep->q()(0), part.deep->q()(0));
  }
}

// Two walls come together, x ≥ −a + t and x ≤ a − t, until they leave the bead no room at t = a.
TEST(KeptDepths, EndInAnErrorWhereWallsCloseOnABead) {
  for (const double restitution : {0., 0.5}) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto bead = std::make_shared<LagrangianLinearTIDS>(Vector(1, 0.), Vector(1, 0.3), Matrix(1, 1, 2.));
    model.insert("bead", bead);
    for (const double side : {1., -1.}) {
      model.link(side > 0. ? "left" : "right", NewtonImpactNSL(restitution),
                 LagrangianRheonomousR(
                     1, automatic([side](const auto& t, const auto& q, auto& y) { y(0) = side * q(0) + 0.1 - t; })),
                 bead);
    }
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-3));
    EXPECT_THROW(simulation.run(), Error);
    EXPECT_NEAR(simulation.time(), 0.1, 5e-3);  // the bead rebounds from one wall to the other in the last steps
  }
}

}  // namespace
}  // namespace delassus
