// SPDX-License-Identifier: Apache-2.0
//
// The cam, and the follower in both formulations against a closed form between impacts.
#include <gtest/gtest.h>

#include <CamFollower.hpp>
#include <CamRun.hpp>
#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <limits>
#include <numbers>
#include <vector>

#include "CamFollowerReference.hpp"
#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(Cam, VelocityAndAccelerationAreTheDerivativesOfPosition) {
  const Cam cam(358., 0.2);
  const double h = 1e-6;
  for (double t = 0.; t < 0.2; t += 0.00037) {
    const CamMotion before = cam.at(t - h);
    const CamMotion now = cam.at(t);
    const CamMotion after = cam.at(t + h);
    // Where an arc ends within [t − h, t + h] the acceleration jumps.
    if (std::abs(after.acceleration - before.acceleration) > 1.) continue;
    EXPECT_NEAR((after.position - before.position) / (2. * h), now.velocity, 1e-6) << t;
    EXPECT_NEAR((after.velocity - before.velocity) / (2. * h), now.acceleration, 1e-3) << t;
  }
}

TEST(Cam, PositionAndVelocityAreContinuousWhereArcsMeet) {
  const Cam cam(358.);
  const double turn = 60. / 358.;
  CamMotion before = cam.at(0.);
  const double h = turn / 100000.;
  for (double t = h; t < turn; t += h) {
    const CamMotion now = cam.at(t);
    ASSERT_NEAR(now.position, before.position, 11. * h) << t;
    ASSERT_NEAR(now.velocity, before.velocity, 4000. * h) << t;
    before = now;
  }
}

TEST(Cam, HasTheLiftAndTheJumpOfTheNotes) {
  const Cam cam(358.);
  const double turn = 60. / 358.;
  EXPECT_NEAR(cam.at(0.).position, 0.1, 1e-15);
  EXPECT_NEAR(cam.at(turn / 4.).position, 0.40393320723821 + 0.15 - 0.3, 1e-14);
  // c̈ at the end of the flank, from about +480 to −2627 m/s².
  const double junction = 1.050328174371336 / cam.angularSpeed();
  EXPECT_NEAR(cam.at(junction - 1e-9).acceleration, 480., 1.);
  EXPECT_NEAR(cam.at(junction + 1e-9).acceleration, -2627., 1.);
}

TEST(Cam, RepeatsEveryTurnAndIsSymmetric) {
  const Cam cam(700.);
  const double turn = 60. / 700.;
  for (double t = 0.; t < turn; t += turn / 97.) {
    const CamMotion now = cam.at(t);
    EXPECT_NEAR(cam.at(t + 3. * turn).position, now.position, 1e-12);
    EXPECT_NEAR(cam.at(turn / 2. - t).position, now.position, 1e-12);
  }
}

TEST(Cam, TellsItsJunctionsToRounding) {
  for (const Cam& cam : {Cam(660., 0.3), Cam(358.), Cam(-500., 1.)}) {
    const double end = 10. * cam.turn();
    const std::vector<double> junctions = cam.junctions(-end, end);
    // Both ends may be junctions, which rounding takes in or not.
    EXPECT_GE(junctions.size(), 119U);
    EXPECT_LE(junctions.size(), 121U);
    EXPECT_TRUE(std::is_sorted(junctions.begin(), junctions.end()));
    for (const double t : junctions) {
      // Some ulps of ωt + φ₀ + π/2, in time: the smallest jump is that between base circle and flank.
      const double rounding =
          4. * std::numeric_limits<double>::epsilon() * (std::abs(t) + 4. / std::abs(cam.angularSpeed()));
      const double jump = cam.at(t + rounding).acceleration - cam.at(t - rounding).acceleration;
      EXPECT_GT(std::abs(jump), 0.1 * cam.angularSpeed() * cam.angularSpeed()) << t;
    }
  }
}

TEST(Cam, HasNoOtherJumpsThanItsJunctions) {
  const Cam cam(700., 2.);
  std::vector<double> ends = cam.junctions(0., 0.3);
  ends.push_back(0.3);
  double begin = 0.;
  for (const double end : ends) {
    const double h = (end - begin) / 1000.;
    for (int k = 1; k < 999; ++k) {
      const double t = begin + h * k;
      // |d³c/dt³| stays below 4e6 m/s³ at this speed.
      ASSERT_NEAR(cam.at(t + h).acceleration, cam.at(t).acceleration, 4e6 * h) << t;
    }
    begin = end;
  }
}

TEST(Cam, HasNoJunctionsWhereItStandsOrTimeDoes) {
  EXPECT_TRUE(Cam(0.).junctions(0., 10.).empty());
  EXPECT_TRUE(Cam(358.).junctions(1., 1.).empty());
  EXPECT_EQ(Cam(358.).junctions(0., Cam(358.).turn() * 0.999).size(), 5U);  // t = 0, a junction, is not inside
}

CamFollowerParameters shortRun() {
  CamFollowerParameters parameters;
  parameters.end = 0.35;
  return parameters;
}

CamFollowerReference referenceFor(const CamFollowerParameters& p) {
  return {Cam(p.rpm, p.initialAngle), p.mass, p.stiffness, p.restitution, p.position, p.velocity, p.end};
}

// Mean over steps of about the same size of the L1 errors in u: where an impact falls in its step is chance.
template <class Follower>
double meanError(double level, const CamFollowerReference& reference) {
  const int samples = 32;
  double mean = 0.;
  for (int sample = 0; sample < samples; ++sample) {
    const double h = level * (1. + 0.0137 * sample);
    Follower follower(shortRun());
    TimeStepping simulation(follower.model(), TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
    double error = 0.;
    simulation.run([&] {
      const double t = simulation.time();
      error += h * std::abs(follower.u(t) - reference.u(t));
    });
    mean += error / samples;
  }
  return mean;
}

template <class Follower>
double orderOf(const char* title) {
  const CamFollowerReference reference = referenceFor(shortRun());
  EXPECT_GE(reference.impacts(), 3U);
  std::vector<double> steps, errors;
  for (const double level : {4e-4, 1e-4, 2.5e-5, 6.25e-6}) {
    steps.push_back(level);
    errors.push_back(meanError<Follower>(level, reference));
  }
  return observedOrder(title, steps, errors);
}

TEST(CamFollower, TranslatedFormulationConvergesWithOrderOne) {
  EXPECT_GE(orderOf<TranslatedCamFollower>("cam follower, translated"), 0.95);
}

TEST(CamFollower, RheonomousFormulationConvergesWithOrderOne) {
  EXPECT_GE(orderOf<RheonomousCamFollower>("cam follower, rheonomous"), 0.95);
}

TEST(CamFollower, BothFormulationsAgreeToOrderOne) {
  std::vector<double> steps, differences;
  for (const double level : {4e-4, 1e-4, 2.5e-5, 6.25e-6}) {
    const int samples = 32;
    double mean = 0.;
    for (int sample = 0; sample < samples; ++sample) {
      const double h = level * (1. + 0.0137 * sample);
      TranslatedCamFollower translated(shortRun());
      RheonomousCamFollower rheonomous(shortRun());
      TimeStepping first(translated.model(), TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
      TimeStepping second(rheonomous.model(), TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
      while (first.hasNextStep()) {
        first.step();
        second.step();
        mean += h * std::abs(translated.u(first.time()) - rheonomous.u(second.time())) / samples;
      }
    }
    steps.push_back(level);
    differences.push_back(mean);
  }
  EXPECT_GE(observedOrder("translated against rheonomous", steps, differences), 0.95);
}

TEST(CamFollower, BothFormulationsStartFromTheSameState) {
  TranslatedCamFollower translated(shortRun());
  RheonomousCamFollower rheonomous(shortRun());
  EXPECT_DOUBLE_EQ(translated.u(0.), rheonomous.u(0.));
  EXPECT_DOUBLE_EQ(translated.v(0.), rheonomous.v(0.));
}

TEST(CamFollower, RestsOnAStandingCamAndItsSpringCarriesIt) {
  // At 0 rpm with the plastic law the follower ends on the base circle, pressed by κ u = 143.08 N.
  CamFollowerParameters parameters;
  parameters.rpm = 0.;
  parameters.restitution = 0.;
  parameters.position = 0.;
  parameters.velocity = 0.;
  parameters.end = 0.1;
  const double h = 1e-4;
  TranslatedCamFollower follower(parameters);
  TimeStepping simulation(follower.model(), TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  simulation.run([&] { ASSERT_NEAR(follower.lambda(), 1430.8 * 0.1 * h, 1e-15); });
  EXPECT_NEAR(follower.u(0.1), 0.1, 1e-15);
}

TEST(CamRun, LogsTheImpactsOfTimeStepping) {
  CamFollowerParameters parameters = shortRun();
  const CamFollowerReference reference = referenceFor(parameters);
  const double h = 1e-5;
  const auto run = makeCamRun(parameters, {.step = h}, 0.05);
  std::vector<CamEvent> events;
  while (run->advance()) events.insert(events.end(), run->events().begin(), run->events().end());
  ASSERT_EQ(events.size(), reference.impacts());
  for (std::size_t k = 0; k < events.size(); ++k) {
    const CamEvent& event = events[k];
    EXPECT_EQ(event.kind, "impact");
    EXPECT_NEAR(event.t, reference.impactTime(k), 50. * h);
    // The translated scheme takes v − ċ⁺ = −r (v − ċ)⁻, with ċ at the ends of the step.
    const double before = event.vBefore - run->cam().at(event.t - h).velocity;
    const double after = event.vAfter - run->cam().at(event.t).velocity;
    EXPECT_NEAR(after, -0.8 * before, 1e-9);
  }
}

TEST(CamRun, LogsNoImpactsOfALastingContact) {
  CamFollowerParameters parameters;
  parameters.rpm = 0.;
  parameters.position = 1e-3;
  parameters.velocity = 0.;
  parameters.end = 1.;
  const auto run = makeCamRun(parameters, {.step = 1e-4}, 0.5);
  ASSERT_TRUE(run->advance());
  EXPECT_GT(run->events().size(), 5U);
  ASSERT_TRUE(run->advance());
  EXPECT_TRUE(run->events().empty());
  EXPECT_NEAR(run->impulse(), 1430.8 * 0.1 * 0.5, 1e-3);
  EXPECT_FALSE(run->advance());
}

TEST(CamRun, InterpolatesOutputsThatAreNotOnItsGrid) {
  CamFollowerParameters parameters = shortRun();
  const CamFollowerReference reference = referenceFor(parameters);
  const auto run = makeCamRun(parameters, {.formulation = CamFormulation::rheonomous, .step = 1.7e-5}, 1e-3);
  double largest = 0.;
  while (run->advance()) largest = std::max(largest, std::abs(run->u() - reference.u(run->time())));
  EXPECT_DOUBLE_EQ(run->time(), 0.35);
  // Within a step u moves by 20 m/s · 1.7e-5 s; impacts in their steps bring errors of the same size.
  EXPECT_LT(largest, 2e-3);
}

}  // namespace
