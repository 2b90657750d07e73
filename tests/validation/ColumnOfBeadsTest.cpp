// SPDX-License-Identifier: Apache-2.0
//
// Several bodies and contacts at once against closed forms: beads at rest on each other, plastic landings, collisions.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <fstream>
#include <limits>
#include <sstream>
#include <support/Models.hpp>
#include <support/TestData.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = ColumnOfBeads::gravity;
constexpr double r = ColumnOfBeads::radius;

class ColumnAtRest : public testing::TestWithParam<std::size_t> {};

TEST_P(ColumnAtRest, EachContactCarriesTheWeightAbove) {
  const std::size_t count = GetParam();
  const double h = 5e-4;
  // A tenth of a nanometre of overlap, so that every contact is closed from the start.
  ColumnOfBeads column(count, r, 2. * r - 1e-10, 0., 0.1);
  TimeStepping simulation(column.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), LCP());
  for (int k = 0; k < 50; ++k) {
    simulation.step();
    ASSERT_EQ(simulation.lastStep().problemSize, count);
    for (std::size_t i = 0; i < count; ++i) {
      // The column's condition is about N²: N² ε relative.
      const double weight = static_cast<double>(count - i) * g * h;
      const double tolerance = 1e-14 * static_cast<double>(count * count) * weight;
      ASSERT_NEAR(column.contacts[i]->lambda(1)(0), weight, tolerance + 1e-15);
      ASSERT_NEAR(column.beads[i]->velocity()(0), 0., 1e-10);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, ColumnAtRest, testing::Values(1, 2, 10, 100, 1000));

TEST(ColumnOfBeads, PlasticBeadsLandOneAfterTheOther) {
  // With e = 0 each bead stops at its first contact, so bead i falls from its height onto a stack at rest.
  const double h = 1e-4;
  const double first = 0.5;
  const double distance = 0.3;
  ColumnOfBeads column(6, first, distance, 0., 1.2);
  TimeStepping simulation(column.model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  std::vector<double> landing(6, 0.);
  simulation.run([&] {
    for (std::size_t i = 0; i < 6; ++i) {
      if (landing[i] == 0. && column.contacts[i]->lambda(1)(0) > 0.) landing[i] = simulation.time();
    }
  });
  for (std::size_t i = 0; i < 6; ++i) {
    const double height = first + distance * static_cast<double>(i);
    const double end = r + 2. * r * static_cast<double>(i);
    // Its own impact is off by up to 2h, and the stack below has sunk by up to one step's way each.
    EXPECT_NEAR(landing[i], std::sqrt(2. * (height - end) / g), 4. * h) << "bead " << i;
    // Each stops within one step's way, v h, of its place, and those below it too.
    EXPECT_NEAR(column.beads[i]->q()(0), end, 5. * h * static_cast<double>(i + 1)) << "bead " << i;
  }
}

TEST(ColumnOfBeads, AgreesWithThePublishedTrajectory) {
  std::ifstream file(publishedFile("trajectories/column_of_beads.txt"));
  if (!file) GTEST_SKIP() << noTestData();
  ColumnOfBeads column(10, 1., 0.25, 0.9, 2.);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 5e-4), MoreauJeanOSI::pure(), LCP());
  std::string line;
  std::getline(file, line);
  double worst = 0.;
  std::size_t rows = 0;
  while (std::getline(file, line) && simulation.hasNextStep()) {
    simulation.step();
    std::istringstream numbers(line);
    double t = 0.;
    numbers >> t;
    for (const auto& bead : column.beads) {
      double q = 0., v = 0.;
      numbers >> q >> v;
      worst = std::max(worst, std::abs(q - bead->q()(0)));
      ASSERT_NEAR(bead->q()(0), q, 1e-9) << "t = " << t;
    }
    ++rows;
  }
  EXPECT_EQ(rows, 4000U);
}

// Two masses on a line, q = (x₁, x₂), that touch where x₂ = x₁.
struct TwoMasses {
  TwoMasses(double m1, double m2, double v1, double v2, double e, double end) : model(0., end) {
    left = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({v1}), makeMatrix({{m1}}));
    right = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({v2}), makeMatrix({{m2}}));
    contact = std::make_shared<Interaction>(NewtonImpactNSL(e), LagrangianLinearTIR(makeMatrix({{-1., 1.}})));
    model.insert(left);
    model.insert(right);
    model.link(contact, left, right);
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> left, right;
  std::shared_ptr<Interaction> contact;
};

TEST(TwoMasses, CollideByTheClosedForm) {
  for (const double e : {0., 0.3, 1.}) {
    const double m1 = 2., m2 = 0.5, v1 = 3., v2 = -1.;
    TwoMasses masses(m1, m2, v1, v2, e, 1.);
    TimeStepping simulation(masses.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP());
    simulation.run();
    const double common = (m1 * v1 + m2 * v2) / (m1 + m2);
    const double relative = v2 - v1;
    EXPECT_NEAR(masses.left->velocity()(0), common + e * m2 / (m1 + m2) * relative, 1e-14);
    EXPECT_NEAR(masses.right->velocity()(0), common - e * m1 / (m1 + m2) * relative, 1e-14);
    EXPECT_NEAR(m1 * masses.left->velocity()(0) + m2 * masses.right->velocity()(0), m1 * v1 + m2 * v2, 1e-14);
  }
}

}  // namespace
