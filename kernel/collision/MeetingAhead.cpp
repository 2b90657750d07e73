// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/MeetingAhead.hpp>

#include <algorithm>

namespace delassus {

MeetingAhead findMeeting(const Shape& first, const Placement& firstPlace, const Vector3& displacement,
                         const Shape& second, const Placement& secondPlace, double touch) {
  constexpr int most = 100;  // one that grazes halves its way each time; others take a few
  MeetingAhead meeting;
  const auto look = [&](double part) {
    meeting.part = part;
    const Placement there{firstPlace.position + part * displacement, firstPlace.rotation};
    meeting.distance = findDistance(first, there, second, secondPlace);
  };
  look(0.);
  for (int k = 0; k < most && meeting.distance.gap > touch && meeting.part < 1.; ++k) {
    const double closing = -dot(meeting.distance.normal, displacement);
    if (!(closing > 0.)) break;
    // To where they touch, and a little less, so that rounding does not make them overlap.
    look(std::min(1., meeting.part + (meeting.distance.gap - 0.5 * touch) / closing));
  }
  return meeting;
}

}  // namespace delassus
