// SPDX-License-Identifier: Apache-2.0
//
// The part of CollisionManager that examines pairs: which are linked, and where they touch. Contacts of a body with the
// flat shapes near it are seen together, so that it passes over seams (Seams.hpp).
#include <algorithm>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/collision/NarrowPhase.hpp>
#include <delassus/kernel/collision/Seams.hpp>
#include <delassus/numerics/Threads.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr std::size_t rangeOfPairs = 256;  // that a thread takes at once
constexpr double joint = 0.05;             // of the radius of a ball: it sinks by a third of a thousandth of it there
constexpr double shallow = 0.1;            // of the size of a body
constexpr double narrow = 0.3;  // of the size of a body: outlines that are wider are not those of a side at a seam

}  // namespace

// Each pair by itself (with the others of its bodies, which stay as they are), then what links and drops, in the order
// of the pairs.
void CollisionManager::examinePairs(double h) {
  listFlatNeighbours();
  findSettled();
  forRanges(pairs_.size(), rangeOfPairs, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) pairs_[k].change = examine(pairs_[k], h);
  });
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (pairs_[k].change == Change::drop) drop(pairs_[k]);
    if (pairs_[k].change == Change::link) begin(k, h);
  }
}

// Asks the bounds in the step, and of two balls their distance: few pairs pass. The bounds of a body have one margin; a
// plane, which has no bounds, adds the other.
bool CollisionManager::mayTouch(const Pair& pair, double h) const {
  const Collider& first = colliders_[pair.first()];
  const Collider& second = colliders_[pair.second()];
  if (const Plane* const plane = second.fixedPlane()) {
    return first.bounds().lowest(plane->normal) <= plane->offset + margin_;
  }
  if (!first.bounds().overlaps(second.bounds())) return false;
  if (!first.isBall() || !second.isBall()) return true;
  const Vector3 between = first.placement().position - second.placement().position;
  const double reach = first.ballRadius() + second.ballRadius() + rangeOf(first, second, h);
  return dot(between, between) <= reach * reach;
}

// How far apart two shapes may be and come within two margins in a step.
double CollisionManager::rangeOf(const Collider& first, const Collider& second, double h) const {
  return 2. * margin_ + h * (norm(first.velocity() - second.velocity()) + spinSpeedOf(first, second));
}

// Decides whether a pair is linked, and updates the geometry of one that stays so.
CollisionManager::Change CollisionManager::examine(Pair& pair, double h) {
  if (pair.law == noLaw) return Change::none;
  if (pair.isExamined && isSettled(pair.first()) && isSettled(pair.second())) return Change::none;
  pair.isExamined = true;
  const bool isLinked = pair.contact != noContact;
  if (!mayTouch(pair, h)) return isLinked ? Change::drop : Change::none;
  // Large, and most pairs have no point: not made for each.
  thread_local Manifold manifold;
  const double gapAfter = meetInStep(pair, h, manifold);
  if (!isLinked) return gapAfter > margin_ ? Change::none : Change::link;
  if (gapAfter > 2. * margin_) return Change::drop;
  follow(pair, manifold, false);
  return Change::none;
}

// Gives the gap at the end of the step, with the present velocities.
double CollisionManager::findManifoldOf(const Pair& pair, double h, Manifold& manifold) const {
  const Collider& first = colliders_[pair.first()];
  const Collider& second = colliders_[pair.second()];
  const Vector3 velocity = first.velocity() - second.velocity();
  const double spinSpeed = spinSpeedOf(first, second);
  findManifold(first.shape(), first.placement(), second.shape(), second.placement(), rangeOf(first, second, h),
               manifold);
  return manifold.gap() - h * std::max(0., spinSpeed - dot(manifold.normal, velocity));
}

// Lists the pairs of each body with shapes that are no spheres, one body after the other.
void CollisionManager::listFlatNeighbours() {
  if (!hasFlat_) return;
  const auto forEach = [this](const auto& take) {
    for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
      const std::uint32_t first = pairs_[k].first(), second = pairs_[k].second();
      if (pairs_[k].law == noLaw) continue;
      if (!colliders_[second].isBall()) take(first, k);
      if (colliders_[second].body() && !colliders_[first].isBall()) take(second, k);
    }
  };
  flatEnd_.assign(colliders_.size() + 1, 0);
  forEach([this](std::uint32_t member, std::uint32_t) { ++flatEnd_[member + 1]; });
  for (std::size_t k = 1; k < flatEnd_.size(); ++k) flatEnd_[k] += flatEnd_[k - 1];
  flatPairs_.resize(flatEnd_.back());
  // Each entry moves from the beginning of its list to the end, which is the beginning of the next one.
  forEach([this](std::uint32_t member, std::uint32_t pair) { flatPairs_[flatEnd_[member]++] = pair; });
}

// Still members whose pairs are as they were, and whose neighbours are still, since seams are those of all of them.
void CollisionManager::findSettled() {
  isSettled_.assign(colliders_.size(), 0);
  for (std::uint32_t k = 0; k < colliders_.size(); ++k) {
    if (!colliders_[k].isStill()) continue;
    const bool hasNeighbours = hasFlat_ && colliders_[k].body();
    const auto isStill = [&](std::uint32_t number) {
      const Pair& pair = pairs_[number];
      return colliders_[pair.first() == k ? pair.second() : pair.first()].isStill();
    };
    const bool areSame = neighboursChanged_.empty() || neighboursChanged_[k] == 0;
    isSettled_[k] = areSame && (!hasNeighbours || std::ranges::all_of(flatPairsOf(k), isStill)) ? 1 : 0;
  }
}

std::span<const std::uint32_t> CollisionManager::flatPairsOf(std::uint32_t member) const {
  const std::size_t from = member == 0 ? 0 : flatEnd_[member - 1];
  return {flatPairs_.data() + from, flatEnd_[member] - from};
}

// As findManifoldOf, but of both shapes as parts of the surfaces that they make with others.
double CollisionManager::meet(const Pair& pair, double h, Manifold& manifold) const {
  const double gapAfter = findManifoldOf(pair, h, manifold);
  if (!hasFlat_ || manifold.count == 0) return gapAfter;
  const Collider& first = colliders_[pair.first()];
  const Collider& second = colliders_[pair.second()];
  if (first.isBall() || second.isBall()) {
    openSides(pair, manifold);
    return gapAfter;
  }
  if (!isHidden(pair, h, manifold)) return gapAfter;
  manifold.clear();
  return std::numeric_limits<double>::infinity();
}

bool CollisionManager::isHidden(const Pair& pair, double h, const Manifold& manifold) const {
  const Collider& second = colliders_[pair.second()];
  if (!hasFlat_ || second.isOneSided()) return false;
  return hidesBehindSupport(pair, pair.first(), h, manifold) ||
         (second.body() && hidesBehindSupport(pair, pair.second(), h, manifold));
}

namespace {

const Vector3* boxEdgesOf(const Collider& collider) {
  return collider.shape().convex() != nullptr ? collider.shape().convex()->boxEdges() : nullptr;
}

// The foot of a point on the surface of a box without these sides, in the frame of the box.
SurfaceFoot footOnBox(const Collider& box, const Vector3& point, seams::Sides open) {
  return box.shape().convex()->footBeyond(box.placement().local(point), open);
}

bool isInside(const Collider& collider, const Vector3& point) {
  return boxEdgesOf(collider) != nullptr && footOnBox(collider, point, 0).distance < 0.;
}

}  // namespace

// Opens the sides of a box at which other boxes near the ball continue it. The foot of a ball
// that lies deep may come to another face with each side that is open, at most three times. A ball whose centre is
// outside of all of them meets the face that it met before: neighbours that are flush in one place and part in another
// must not open the face that holds it.
void CollisionManager::openSides(const Pair& pair, Manifold& manifold) const {
  const bool ballIsFirst = colliders_[pair.first()].isBall();
  const std::uint32_t number = ballIsFirst ? pair.first() : pair.second();
  const Collider& ball = colliders_[number];
  const Collider& other = colliders_[ballIsFirst ? pair.second() : pair.first()];
  const Vector3* const half = boxEdgesOf(other);
  if (half == nullptr || !ball.body() || flatPairsOf(number).size() < 2) return;
  const double radius = ball.ballRadius();
  const Vector3& centre = ball.placement().position;
  const auto neighbour = [&](std::uint32_t k) -> const Collider& {
    return colliders_[pairs_[k].first() == number ? pairs_[k].second() : pairs_[k].first()];
  };
  for (int round = 0; round < 3; ++round) {
    const seams::Sides before = manifold.openSides;
    const SurfaceFoot foot = footOnBox(other, centre, before);
    for (const std::uint32_t k : flatPairsOf(number)) {
      if (&neighbour(k) == &other || !other.motion().isSame(neighbour(k).motion())) continue;
      const seams::Sides sides = seams::continuedSides(*half, other.placement(), foot, neighbour(k).shape(),
                                                       neighbour(k).placement(), seams::flush * radius, joint * radius);
      manifold.openSides = static_cast<seams::Sides>(manifold.openSides | sides);
    }
    if (manifold.openSides == before) break;
  }
  constexpr double sameFace = 0.5;  // of the cosine: an edge between two faces is at 0.7 from both
  if (manifold.openSides == 0 ||
      dot(footOnBox(other, centre, manifold.openSides).normal, footOnBox(other, centre, 0).normal) > sameFace) {
    return;
  }
  const bool isBuried =
      std::ranges::any_of(flatPairsOf(number), [&](std::uint32_t k) { return isInside(neighbour(k), centre); });
  if (!isBuried) manifold.openSides = 0;
}

bool CollisionManager::hidesBehindSupport(const Pair& pair, std::uint32_t member, double h,
                                          const Manifold& manifold) const {
  const ConvexShape& shape = *colliders_[member].shape().convex();
  const double size = shape.size();
  const bool isRound = shape.isRound();
  if (manifold.width > narrow * size) return false;
  const seams::View contact{manifold, pair.first() == member};
  const Collider& other = colliders_[contact.isFirst ? pair.second() : pair.first()];
  if (other.shape().convex() == nullptr) return false;
  Placement place = colliders_[member].placement(), otherPlace = other.placement();
  (contact.isFirst ? place : otherPlace).position += manifold.way;
  return std::ranges::any_of(flatPairsOf(member), [&](std::uint32_t k) {
    if (pairs_[k].key == pair.key || !mayTouch(pairs_[k], h)) return false;
    // Sharp edges meet often, and at a seam only those of a body that was in contact before; round sides land on seams.
    const bool isNew = manifold.width == 0. && pairs_[k].contact == noContact;
    if (isNew && !isRound) return false;
    thread_local Manifold support;
    findManifoldOf(pairs_[k], h, support);
    if (isNew && !(support.gap() <= manifold.gap())) return false;
    return seams::isBelow(contact, {shape, place}, {*other.shape().convex(), otherPlace},
                          {support, pairs_[k].first() == member}, seams::flush * size, shallow * size);
  });
}

}  // namespace delassus
