// SPDX-License-Identifier: Apache-2.0
//
// A rigid sphere against the published trajectory of another program with direct projection: same scheme, same step.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <support/PublishedTrajectory.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(PublishedBouncingSphere, AgreesInAllColumnsOverAllSteps) {
  const auto rows = publishedTrajectory("bouncing_ball_newton_euler.txt");
  if (!rows) GTEST_SKIP() << noTestData();
  ASSERT_EQ(rows->size(), 2001U);
  const auto ball = std::make_shared<NewtonEulerDS>(
      NewtonEulerDS::at({1., 0., 0.}), makeVector({2., 0., 0., 0., 0., 0.}), 1., NewtonEulerDS::ballInertia(1., 0.1));
  ball->setExternalForces(makeVector({-9.81, 0., 0.}));
  const auto floor =
      std::make_shared<Interaction>(NewtonImpactNSL(0.9), NewtonEuler1DR(SpherePlane(0.1, Plane{{1., 0., 0.}, 0.})));
  NonSmoothDynamicalSystem model(0., 10.);
  model.insert(ball);
  model.link(floor, ball);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.005), MoreauJeanOSI::pure(), LCP(),
                          {.projection = {.kind = Projection::direct}});

  double worst = 0.;
  std::size_t impacts = 0;
  for (std::size_t k = 1; k < rows->size(); ++k) {
    simulation.step();
    const auto& row = (*rows)[k];
    const Vector& q = ball->q();
    const Vector& v = ball->velocity();
    const double impulse = floor->lambda(1)(0);
    if (impulse > 0.) ++impacts;
    const double angle = 2. * std::acos(std::min(1., std::abs(q(3))));
    const double columns[] = {simulation.time(),
                              q(0),
                              v(0),
                              ball->p()(0),
                              impulse,
                              angle,
                              norm2(ball->p()),
                              q(0),
                              q(1),
                              q(2),
                              q(3),
                              q(4),
                              q(5),
                              q(6),
                              v(1),
                              v(2)};
    ASSERT_EQ(row.size(), std::size(columns));
    for (std::size_t j = 0; j < row.size(); ++j) worst = std::max(worst, std::abs(row[j] - columns[j]));
    ASSERT_LT(worst, 1e-9) << "row " << k;
  }
  std::printf("bouncing sphere with projection: %zu impacts, %zu projections, worst difference %.1e\n", impacts,
              simulation.statistics().projections, worst);
  EXPECT_EQ(impacts, 53U);
}

}  // namespace
