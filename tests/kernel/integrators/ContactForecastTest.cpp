// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/ContactForecast.hpp>
#include <initializer_list>

namespace delassus::test {
namespace {

constexpr double h = 0.01, a = 10.;  // forces change rates by h a = 0.1 m/s in a step

ContactForecast forecast(double gap, double rate, double restitution = 0., bool isLoaded = false, double theta = 0.5) {
  return ContactForecast::of({gap, rate, a, restitution, isLoaded}, h, theta);
}

TEST(ContactForecast, LeavesOpenWhatNeitherMotionNorForcesClose) {
  EXPECT_FALSE(forecast(2e-3, 0.).active);
  EXPECT_FALSE(forecast(0., 0.2).active);     // it opens faster than forces pull
  EXPECT_FALSE(forecast(1e-2, -0.5).active);  // it needs another step
}

TEST(ContactForecast, TakesInAGapOfRoundingThatForcesClose) {
  const ContactForecast rests = forecast(1e-11, 1e-12);
  EXPECT_TRUE(rests.active);
  EXPECT_FALSE(rests.impacts);
  EXPECT_LE(rests.leastRate, 0.);
}

TEST(ContactForecast, ReboundsWithRestitution) {
  const ContactForecast hits = forecast(2e-3, -1., 0.5);
  EXPECT_TRUE(hits.active);
  EXPECT_TRUE(hits.impacts);
  EXPECT_DOUBLE_EQ(hits.leastRate, 0.5);
}

TEST(ContactForecast, LeavesAnImpactWholeToTheStepThatItsMotionClosesIn) {
  // h u = 0.01, and forces reach another 0.001.
  EXPECT_FALSE(forecast(0.0105, -1., 0.5).active);
  EXPECT_TRUE(forecast(0.0105, -1., 0.).active);
  EXPECT_TRUE(forecast(0.0105, -1., 0.05).active);  // e u is no more than forces take back
}

TEST(ContactForecast, LeavesADepthThatIsToBeKept) {
  ContactBegin begin{.gap = -1e-4, .reach = a};
  EXPECT_TRUE(ContactForecast::of(begin, h, 0.5).raises);
  EXPECT_GT(ContactForecast::of(begin, h, 0.5).leastRate, 0.);
  begin.keepsDepth = true;
  const ContactForecast keeps = ContactForecast::of(begin, h, 0.5);
  EXPECT_TRUE(keeps.active);
  EXPECT_EQ(keeps.leastRate, 0.);  // it gets no deeper
}

TEST(ContactForecast, KeepsWhatWasLoaded) {
  EXPECT_TRUE(forecast(2e-3, 0., 0., true).active);
  EXPECT_LE(forecast(2e-3, 0., 0., true).leastRate, -0.2);  // it may close its gap, and no more
}

// The law acts with equality, and the gap moves as the scheme has it.
TEST(ContactForecast, LandsOnTheSurfaceInTwoStepsWithoutRestitution) {
  for (const double theta : {0.5, 0.75, 1.}) {
    for (const double gap : {6e-3, 8e-3, 9.9e-3}) {
      double y = gap, rate = -1.;
      for (int step = 0; step < 2; ++step) {
        const ContactForecast lands = forecast(y, rate, 0., step > 0, theta);
        ASSERT_TRUE(lands.active);
        y += h * (theta * lands.leastRate + (1. - theta) * rate);
        rate = lands.leastRate;
        EXPECT_GE(y, -1e-17) << theta << ' ' << gap;
      }
      EXPECT_NEAR(y, 0., 1e-17) << theta << ' ' << gap;
    }
  }
}

TEST(ContactForecast, TakesADepthBackByAPartAStepAndNoFasterThanForces) {
  EXPECT_DOUBLE_EQ(forecast(-1e-4, 0.).leastRate, ContactForecast::recovery * 1e-4 / h);
  EXPECT_DOUBLE_EQ(forecast(-1., 0.).leastRate, h * a);
  double y = -1e-4, rate = 0.;
  for (int step = 0; step < 200; ++step) {
    const double next = forecast(y, rate, 0., true).leastRate;
    y += h * 0.5 * (next + rate);
    rate = next;
    ASSERT_LE(y, 0.);  // without overshoot
  }
  EXPECT_GT(y, -1e-12);
}

// What contacts closed beyond their forecasts in the steps before counts as a speed; where an impact is to rebound it
// does not, for such a contact must be left whole to the step of its impact.
TEST(ContactForecast, ExpectsWhatContactsClosedUnforeseenBefore) {
  const double s = 0.5;
  ContactBegin begin{h * (h * a + 0.9 * s), 0., a};
  EXPECT_FALSE(ContactForecast::of(begin, h, 0.5).active);
  begin.unforeseen = s;
  const ContactForecast reached = ContactForecast::of(begin, h, 0.5);
  EXPECT_TRUE(reached.active);
  EXPECT_FALSE(reached.impacts);
  EXPECT_DOUBLE_EQ(reached.leastRate, -begin.gap / h);  // it may close, and no more
  begin.restitution = 0.5;
  EXPECT_FALSE(ContactForecast::of(begin, h, 0.5).active);
  begin.restitution = 0.;
  begin.gap = h * (h * a + s) * (1. + 1e-12);
  EXPECT_FALSE(ContactForecast::of(begin, h, 0.5).active);
}

}  // namespace
}  // namespace delassus::test
