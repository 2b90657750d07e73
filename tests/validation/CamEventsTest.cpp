// SPDX-License-Identifier: Apache-2.0
//
// The cam follower event-driven, against its closed form between impacts.
#include <gtest/gtest.h>

#include <CamRun.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "CamFollowerReference.hpp"

namespace {

using delassus::test::CamFollowerReference;

constexpr CamFormulation bothFormulations[] = {CamFormulation::translated, CamFormulation::rheonomous};

const char* nameOf(CamFormulation formulation) {
  return formulation == CamFormulation::translated ? "translated" : "rheonomous";
}

CamFollowerParameters parametersAt(double rpm, double end) {
  CamFollowerParameters parameters;
  parameters.rpm = rpm;
  parameters.end = end;
  return parameters;
}

CamFollowerReference referenceFor(const CamFollowerParameters& p) {
  return {Cam(p.rpm, p.initialAngle), p.mass, p.stiffness, p.restitution, p.position, p.velocity, p.end};
}

CamRunOptions eventDriven(CamFormulation formulation, double tolerance) {
  return {.method = CamMethod::eventDriven, .formulation = formulation, .tolerance = tolerance};
}

std::vector<CamEvent> eventsOf(CamRun& run, const std::string& kind) {
  std::vector<CamEvent> events;
  while (run.advance()) {
    std::copy_if(run.events().begin(), run.events().end(), std::back_inserter(events),
                 [&](const CamEvent& event) { return event.kind == kind; });
  }
  return events;
}

TEST(CamEvents, TheFirstTwentyImpactsAreThoseOfTheClosedForm) {
  for (const double rpm : {358., 660., 700.}) {
    const CamFollowerParameters parameters = parametersAt(rpm, 1.7);
    const CamFollowerReference reference = referenceFor(parameters);
    ASSERT_GE(reference.impacts(), 20U);
    for (const CamFormulation formulation : bothFormulations) {
      const auto run = makeCamRun(parameters, eventDriven(formulation, 1e-13), parameters.end);
      const std::vector<CamEvent> impacts = eventsOf(*run, "impact");
      ASSERT_EQ(impacts.size(), reference.impacts());
      double worst = 0.;
      double growth = 0.;
      for (std::size_t k = 0; k < 20; ++k) {
        worst = std::max(worst, std::abs(impacts[k].t - reference.impactTime(k)));
        growth = std::max(growth, reference.growth(k));
        EXPECT_NEAR(impacts[k].t, reference.impactTime(k), 1e-9) << "impact " << k + 1 << " at " << rpm << " rpm";
        // 1e-9 s times accelerations of up to 1e3 m/s².
        EXPECT_NEAR(impacts[k].vBefore, reference.velocityBefore(k), 1e-6);
        EXPECT_NEAR(impacts[k].vAfter, reference.velocityAfter(k), 1e-6);
        EXPECT_NEAR(impacts[k].u, run->cam().at(impacts[k].t).position, 1e-12);
      }
      std::printf("%.0f rpm, %-10s  20 impacts until t = %.3f s, worst instant %.1e s, errors multiplied by %.1e s/m\n",
                  rpm, nameOf(formulation), reference.impactTime(19), worst, growth);
    }
  }
}

// An error of the state of 1e-13 m, committed early, moves impacts by less than 1e-9 s while the growth factor of the
// closed form is below 1e4 s/m: that is the horizon of this test. Beyond, instants part in proportion to the factor.
TEST(CamEvents, ErrorsGrowAsChaosMakesThem) {
  const CamFollowerParameters parameters = parametersAt(660., 4.);
  const CamFollowerReference reference = referenceFor(parameters);
  for (const CamFormulation formulation : bothFormulations) {
    const auto run = makeCamRun(parameters, eventDriven(formulation, 1e-13), parameters.end);
    const std::vector<CamEvent> impacts = eventsOf(*run, "impact");
    ASSERT_EQ(impacts.size(), reference.impacts());
    std::size_t horizon = 0;
    double growth = 0.;
    for (std::size_t k = 0; k < impacts.size(); ++k) {
      growth = std::max(growth, reference.growth(k));
      const double error = std::abs(impacts[k].t - reference.impactTime(k));
      EXPECT_LT(error, 1e-13 * (1. + 10. * growth)) << "impact " << k + 1;
      if (growth < 1e4) {
        EXPECT_LT(error, 1e-9);
        horizon = k + 1;
      }
      if (k + 1 == 20 || k + 1 == 30 || k + 1 == 40 || k + 1 == impacts.size()) {
        std::printf("660 rpm, %-10s  impact %zu: growth %.1e s/m, error %.1e s\n", nameOf(formulation), k + 1, growth,
                    error);
      }
    }
    EXPECT_GE(horizon, 30U);
  }
}

TEST(CamEvents, StopsAtEveryJunction) {
  const CamFollowerParameters parameters = parametersAt(358., 1.);
  const auto run = makeCamRun(parameters, eventDriven(CamFormulation::translated, 1e-8), 0.3);
  const std::vector<double> junctions = run->cam().junctions(0., 1.);
  const std::vector<CamEvent> events = eventsOf(*run, "junction");
  ASSERT_EQ(events.size(), junctions.size());
  for (std::size_t k = 0; k < events.size(); ++k) {
    EXPECT_EQ(events[k].t, junctions[k]);
    EXPECT_EQ(events[k].vBefore, events[k].vAfter);
  }
}

// The tolerance does its work: by both formulations, over nine impacts.
TEST(CamEvents, TrajectoriesFollowTheTolerance) {
  const CamFollowerParameters parameters = parametersAt(660., 0.5);
  const CamFollowerReference reference = referenceFor(parameters);
  for (const CamFormulation formulation : bothFormulations) {
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      const auto run = makeCamRun(parameters, eventDriven(formulation, tolerance), 1e-3);
      double worst = 0.;
      while (run->advance()) worst = std::max(worst, std::abs(run->u() - reference.u(run->time())));
      EXPECT_LT(worst, 100. * tolerance) << nameOf(formulation);
    }
  }
}

// At 650 rpm bounces accumulate on the flank at t = 0.11 s, and the follower stays with the cam until its end.
TEST(CamEvents, LastingContactsBeginAndEndAsInTheClosedForm) {
  const CamFollowerParameters parameters = parametersAt(650., 1.);
  const CamFollowerReference reference = referenceFor(parameters);
  ASSERT_GE(reference.lastingContacts(), 1U);
  for (const CamFormulation formulation : bothFormulations) {
    const auto run = makeCamRun(parameters, eventDriven(formulation, 1e-12), 1e-3);
    double worst = 0.;
    std::size_t takeOffs = 0;
    while (run->advance()) {
      worst = std::max(worst, std::abs(run->u() - reference.u(run->time())));
      takeOffs += static_cast<std::size_t>(std::count_if(run->events().begin(), run->events().end(),
                                                         [](const CamEvent& e) { return e.kind == "take-off"; }));
    }
    std::printf("650 rpm, %-10s  %zu lasting contacts, worst u %.1e m\n", nameOf(formulation),
                reference.lastingContacts(), worst);
    EXPECT_EQ(takeOffs, reference.lastingContacts());
    EXPECT_LT(worst, 1e-9);  // 1e-12 a step, and two digits for the accumulation before the contact
  }
}

TEST(CamEvents, RestingContactsBringTheirImpulse) {
  CamFollowerParameters parameters = parametersAt(0., 1.);
  parameters.restitution = 0.;
  parameters.position = 0.;
  parameters.velocity = 0.;
  const auto run = makeCamRun(parameters, eventDriven(CamFormulation::rheonomous, 1e-10), 0.25);
  while (run->advance()) {
    EXPECT_NEAR(run->impulse(), 1430.8 * 0.1 * 0.25, 1e-9);
    EXPECT_NEAR(run->u(), 0.1, 1e-14);
  }
}

}  // namespace
