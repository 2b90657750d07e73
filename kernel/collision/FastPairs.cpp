// SPDX-License-Identifier: Apache-2.0
//
// The part of CollisionManager that lets bodies meet ahead that move by more than about their size in a step.
#include <algorithm>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/collision/MeetingAhead.hpp>
#include <delassus/kernel/collision/NarrowPhase.hpp>
#include <delassus/kernel/collision/Seams.hpp>
#include <delassus/kernel/collision/SeparatingAxis.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr double fast = 0.5;  // of the size of the smaller shape: the way in a step from which on bodies meet ahead
constexpr double touching = 1e-6;  // of the size of the smaller shape: so near they have met on the way
constexpr double infinity = std::numeric_limits<double>::infinity();

double sizeOf(const Collider& first, const Collider& second) {
  const double size = first.shape().size(), other = second.shape().size();
  return second.plane() != nullptr ? size : std::min(size, other);
}

double touchOf(const Collider& first, const Collider& second, double margin) {
  return std::min(touching * sizeOf(first, second), 0.5 * margin);
}

// The first shape from where it is now and displaced by `from`, displaced further by `way`.
MeetingAhead meetFrom(const Collider& first, const Vector3& from, const Vector3& way, const Collider& second,
                      double touch) {
  const Placement there{first.placement().position + from, first.placement().rotation};
  return findMeeting(first.shape(), there, way, second.shape(), second.placement(), touch);
}

bool hasRoundSide(const Collider& collider) {
  return collider.isBall() || (collider.shape().convex() != nullptr && collider.shape().convex()->isRound());
}

// The lowest point of a body above a plane.
Vector3 lowestOf(const Collider& body, const Vector3& displacement, const Vector3& normal) {
  const Placement& place = body.placement();
  return place.place(body.shape().convex()->support(multiplyTransposed(place.rotation, -normal))) + displacement;
}

}  // namespace

// As `meet`, but where bodies move by more than about their size they meet where their way leads, or not at all. What
// touches already, or nearly so, and comes no nearer is left as it is: it may roll or slide.
double CollisionManager::meetInStep(const Pair& pair, double h, Manifold& manifold) const {
  const Collider &first = colliders_[pair.first()], &second = colliders_[pair.second()];
  const Vector3 displacement = h * (first.velocity() - second.velocity());
  const double size = sizeOf(first, second);
  if (second.plane() != nullptr || dot(displacement, displacement) <= fast * fast * size * size) {
    return meet(pair, h, manifold);
  }
  const ShapeDistance now = findDistance(first.shape(), first.placement(), second.shape(), second.placement());
  const double closing = -dot(now.normal, displacement);
  // Apart along the present normal all the way, which for round sides says little of where they come to; or slow along
  // it, as a body that rides on a part that turns is where they touch.
  const bool isRound = !second.isOneSided() && (hasRoundSide(first) || hasRoundSide(second));
  const Vector3 slip = first.velocityAt(now.onFirst) - second.velocityAt(now.onSecond);
  const bool isSlow = std::min(closing, -h * dot(now.normal, slip)) <= fast * size;
  if ((closing < now.gap && !isRound) || (now.gap <= margin_ && isSlow)) return meet(pair, h, manifold);
  // What spins may leave its straight way by more than the margin.
  const double spun = h * spinSpeedOf(first, second);
  const double touch = touchOf(first, second, margin_);
  const auto stayApart = [&] {
    if (spun > margin_) return meet(pair, h, manifold);
    manifold.clear();
    return infinity;
  };
  // No way is longer than the straight one.
  if (now.gap > norm(displacement) + margin_) return stayApart();
  thread_local std::vector<MetSurface> met;
  findMetSurfaces(pair, h, met);
  const Way way = bentWay(displacement, met);
  MeetingAhead meeting = meetFrom(first, {}, way.before, second, touch);
  Vector3 until = meeting.part * way.before;
  if (meeting.distance.gap > touch && way.after != Vector3{}) {
    meeting = meetFrom(first, way.before, way.after, second, touch);
    until = way.before + meeting.part * way.after;
  }
  if (meeting.distance.gap > touch) {
    if (spun > margin_) return meet(pair, h, manifold);
    // Near each other in the end, as slow pairs are linked that will be nearer than the margin.
    until = way.before + way.after;
    meeting = meetFrom(first, until, {}, second, touch);
    if (meeting.distance.gap > margin_) return stayApart();
  }
  const double gapAfter = meetAhead(pair, meeting, until, h, manifold);
  // Parts of a surface know their neighbours themselves.
  const bool isDecided = manifold.count == 0 || second.isOneSided() || passSurfaces(pair, met, h, manifold);
  const bool isOfBall = first.isBall() || second.isBall();
  if (!isDecided && !isOfBall && isHidden(pair, h, manifold)) manifold.clear();
  return manifold.count > 0 ? gapAfter : infinity;
}

// The flat shapes that a body touches or meets in the step, other than by this pair: obstacles that stay with that of
// the pair, since bodies give way.
void CollisionManager::findMetSurfaces(const Pair& pair, double h, std::vector<MetSurface>& met) const {
  met.clear();
  const Collider &body = colliders_[pair.first()], &target = colliders_[pair.second()];
  if (!hasFlat_ || target.body()) return;
  for (const std::uint32_t k : flatPairsOf(pair.first())) {
    const Pair& other = pairs_[k];
    if (other.key == pair.key || !mayTouch(other, h)) continue;
    const Collider& surface = colliders_[other.first() == pair.first() ? other.second() : other.first()];
    if (surface.body() || !target.motion().isSame(surface.motion())) continue;
    const Vector3 way = h * (body.velocity() - surface.velocity());
    if (surface.plane() != nullptr) {
      const Plane plane = surface.plane()->placed(surface.placement());
      const double height = dot(plane.normal, lowestOf(body, {}, plane.normal)) - plane.offset;
      const double approach = dot(plane.normal, way);
      if (height > margin_ && height + approach > 0.) continue;
      const double part = height > margin_ ? -height / approach : 0.;
      met.push_back({part, plane.normal, plane.offset, approach});
      continue;
    }
    const MeetingAhead meeting = meetFrom(body, {}, way, surface, touchOf(body, surface, margin_));
    const ShapeDistance& there = meeting.distance;
    if (there.gap > (meeting.part == 0. ? margin_ : touchOf(body, surface, margin_))) continue;
    met.push_back({meeting.part, there.normal, dot(there.normal, there.onSecond), dot(there.normal, way)});
  }
}

// Straight up to where the body comes down on a surface, which then takes the rest of its approach away: it goes on
// along the surface, and does not come to what is behind it. (What throws it back further leaves it nearer to this way
// than to the straight one.)
CollisionManager::Way CollisionManager::bentWay(const Vector3& straight, std::span<const MetSurface> met) {
  double until = 1.;
  Vector3 taken{};
  for (const MetSurface& surface : met) {
    if (!(surface.part < until) || !(surface.approach < 0.)) continue;
    until = surface.part;
    taken = -(1. - until) * surface.approach * surface.normal;
  }
  return {until * straight, until < 1. ? (1. - until) * straight + taken : Vector3{}};
}

double CollisionManager::meetAhead(const Pair& pair, const MeetingAhead& meeting, const Vector3& way, double h,
                                   Manifold& manifold) const {
  const Collider &first = colliders_[pair.first()], &second = colliders_[pair.second()];
  const Placement there{first.placement().position + way, first.placement().rotation};
  const double spun = h * spinSpeedOf(first, second);
  // What touches first turns the bodies, so that all corners of a face may come down in the step.
  findManifold(first.shape(), there, second.shape(), second.placement(), rangeOf(first, second, h), manifold);
  if (manifold.count == 0) {
    // A part of a surface leaves it to its neighbours.
    if (second.isOneSided()) return infinity;
    const ShapeDistance& nearest = meeting.distance;
    manifold.setNormal(nearest.normal);
    manifold.add({nearest.onFirst, nearest.onSecond, nearest.gap, 1., {}});
    manifold.width = 0.;
  }
  manifold.isAhead = true;
  manifold.way = way;
  return meeting.distance.gap - spun;
}

// What the body meets behind a surface that it is on, or has come to before, is not in its way; where the surface goes
// on in the obstacle, flush, it has a contact with that, and not with its edge. True if the contact is one of these.
bool CollisionManager::passSurfaces(const Pair& pair, std::span<const MetSurface> met, double h,
                                    Manifold& manifold) const {
  const Collider &body = colliders_[pair.first()], &obstacle = colliders_[pair.second()];
  if (met.empty() || obstacle.shape().convex() == nullptr) return false;
  const double flush = seams::flush * body.shape().size();
  for (const MetSurface& surface : met) {
    const Vector3& n = surface.normal;
    constexpr double same = 1. - 1e-9;  // of the cosine: a contact with the surface itself
    const double top = PlacedConvex{*obstacle.shape().convex(), obstacle.placement()}.reach(n);
    if (dot(n, manifold.normal) > same || top > surface.height + flush) continue;
    manifold.count = 0;
    const Vector3 onBody = lowestOf(body, manifold.way, n);
    const double gap = dot(n, onBody) - top;
    const double range = 2. * margin_ + h * norm(body.velocity() - obstacle.velocity());
    if (top < surface.height - flush || gap > range) return true;
    manifold.setNormal(n);
    manifold.width = infinity;
    manifold.add({onBody, onBody - gap * n, gap, 1., {}});
    return true;
  }
  return false;
}

}  // namespace delassus
