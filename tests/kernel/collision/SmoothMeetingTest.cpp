// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/SmoothMeeting.hpp>

#include <gtest/gtest.h>

#include "ConvexSamples.hpp"

namespace delassus {
namespace {

using namespace test;
using testing::randomRotation;
using testing::randomVector;

// Long and thin ellipsoids a thousandth of their length from a box, of which an edge or a corner is mostly nearest. At
// the fixed point the distance is the separation along the normal, which by no axis is more, and both points are on
// their surfaces.
TEST(SmoothMeeting, OfThinEllipsoidsIsTheDistance) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> part(0., 1.);
  for (const double aspect : {2., 6., 10., 30., 100.}) {
    for (int k = 0; k < 60; ++k) {
      const EllipsoidShape thin(0.1, 0.1 * (1. / aspect + part(random) * (1. - 1. / aspect)), 0.1 / aspect);
      const BoxShape box(0.1, 0.15, 0.2);
      const Placement place{{}, rotations::rotationMatrix(randomRotation(random))};
      Placement at{{}, rotations::rotationMatrix(randomRotation(random))};
      const PlacedConvex smooth{thin, at}, other{box, place};
      Vector3 way = randomVector(random, 1.);
      way = 1. / norm(way) * way;
      at.position = (1e-4 - separationAlong(smooth, other, way)) * way;
      const SmoothMeeting meeting = meetSmooth(smooth, other, directionOf(smooth, other));
      SCOPED_TRACE("aspect " + std::to_string(aspect) + ", pose " + std::to_string(k));
      EXPECT_GE(meeting.gap, 1e-4 - 1e-12);  // the separation along the way
      EXPECT_NEAR(meeting.gap, separationAlong(smooth, other, meeting.normal), 1e-10);
      EXPECT_NEAR(thin.foot(at.local(meeting.onSmooth)).distance, 0., 1e-10);
      // Along a normal that iterations leave at 1e-10 the points are as far off their surfaces as its square allows.
      EXPECT_NEAR(box.foot(place.local(meeting.onOther)).distance, 0., 1e-10);
    }
  }
}

TEST(SmoothMeeting, WithAHalfSpaceIsTheSupportPoint) {
  const EllipsoidShape egg(0.3, 0.2, 0.1);
  const Placement at = Placement::at({0., 0., 0.15});
  const SmoothMeeting meeting = meetSmooth({egg, at}, Plane{});
  EXPECT_NEAR(meeting.gap, 0.05, 1e-15);
  EXPECT_NEAR(norm(meeting.onSmooth - Vector3{0., 0., 0.05}), 0., 1e-15);
}

}  // namespace
}  // namespace delassus
