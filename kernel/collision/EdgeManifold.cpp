// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/EdgeManifold.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/collision/CrossedFaces.hpp>
#include <optional>

namespace delassus {
namespace {

// Finds, among the edges along a direction (to the sine `angle`), the one that lies farthest along n, in the inertial
// frame.
std::optional<RoundEdge> edgeAlong(const PlacedConvex& owner, const Vector3& direction, const Vector3& n,
                                   double angle = parallelEdges) {
  std::optional<RoundEdge> best;
  double farthest = -std::numeric_limits<double>::infinity();
  const Vector3 along = multiplyTransposed(owner.place.rotation, direction);
  const Vector3 towards = multiplyTransposed(owner.place.rotation, n);
  for (const RoundEdge& edge : owner.shape.edges()) {
    const double reach = dot(towards, edge.middle) + edge.rounding;
    if (reach <= farthest || norm(cross(edge.direction, along)) > angle) continue;
    farthest = reach;
    best = edge;
  }
  if (best) best = owner.placed(*best);
  return best;
}

// The edge along a direction of the shape, or the line of its ruled side, that lies farthest along n.
std::optional<RoundEdge> edgeNumber(const PlacedConvex& owner, std::size_t number, const Vector3& n) {
  if (number != SeparatingAxis::ofSide) return edgeAlong(owner, owner.turned(owner.shape.directions()[number]), n);
  return owner.lineOfSide(n);
}

ContactCurve lineOf(const RoundEdge& edge) {
  return {edge.middle, edge.direction, edge.rounding, 0., {}};
}

bool hasFaceAlong(const PlacedConvex& owner, const Vector3& n) {
  constexpr double cosine = 0.98;
  const Vector3 d = multiplyTransposed(owner.place.rotation, n);
  return std::ranges::any_of(owner.shape.faces(),
                             [&](const Face& face) { return std::abs(dot(d, face.normal)) > cosine; });
}

// Adds the point of two curves that meet here.
void addMeeting(const ContactCurve& first, const ContactCurve& second, const CurveMeeting& meeting, double range,
                Manifold& manifold) {
  const Vector3& n = manifold.normal;
  manifold.firstCurve = first;
  manifold.secondCurve = second;
  const Vector3 onFirst = meeting.onFirst - first.rounding * n, onSecond = meeting.onSecond + second.rounding * n;
  const double gap = dot(n, onFirst - onSecond);
  if (gap <= range) manifold.add({onFirst, onSecond, gap, 1., {}, Manifold::NormalOf::edges});
}

// A ball of one shape at its foot on the other one.
void addFoot(const RoundCorner& ball, const PlacedConvex& other, bool ballIsFirst, double range, Manifold& manifold) {
  const SurfaceFoot foot = other.shape.foot(other.place.local(ball.centre));
  const double gap = foot.distance - ball.ball;
  if (gap > range) return;
  const Vector3 onOther = other.place.place(foot.point), onBall = onOther + gap * other.turned(foot.normal);
  if (ballIsFirst) {
    manifold.add({onBall, onOther, gap, 1., ball, Manifold::NormalOf::feet});
  } else {
    manifold.add({onOther, onBall, gap, 0., ball, Manifold::NormalOf::feet});
  }
}

// How far the support point goes where its direction turns a little.
double wanderOf(const PlacedConvex& shape, const Vector3& n) {
  constexpr double little = 1e-3;  // rad
  const Vector3 point = shape.support(n);
  const Matrix3 frame = contactFrame(n);
  double farthest = 0.;
  for (const std::size_t k : {1u, 2u}) {
    for (const double side : {-little, little}) {
      const Vector3 turned = n + side * column(frame, k);
      farthest = std::max(farthest, norm(shape.support(1. / norm(turned) * turned) - point));
    }
  }
  return farthest;
}

// From where to where two parallel edges have each other beside them, along the first one from its middle.
struct Overlap {
  double from, to;
};
Overlap overlapOf(const RoundEdge& first, const RoundEdge& second) {
  const double apart = dot(first.direction, second.middle - first.middle);
  return {std::max(-first.half, apart - second.half), std::min(first.half, apart + second.half)};
}

// See meetRidges.
class RidgeSearch {
 public:
  RidgeSearch(const PlacedConvex& first, const PlacedConvex& second, double tolerance, double most, double range,
              Manifold& manifold)
      : first_(first), second_(second), tolerance_(tolerance), range_(range), deepest_(most), manifold_(manifold) {}

  bool run() {
    const std::span<const RoundEdge> edges = second_.shape.edges();
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (const Vector3* const beyond = second_.shape.beyondRidge(k)) meetRidge(edges[k], second_.turned(*beyond));
    }
    return manifold_.count > 0;
  }

 private:
  // How far planes through the ridge across n separate the first shape and what is behind it.
  double separation(const Vector3& n) const { return -first_.reach(-n) - dot(n, ridge_.middle); }

  void meetRidge(const RoundEdge& edge, const Vector3& beyond) {
    ridge_ = second_.placed(edge);
    const Vector3 face = second_.turned(second_.shape.faces()[0].normal);
    const double ofFaces = std::max(separation(face), separation(beyond));
    const std::span<const Vector3> along = first_.shape.directions();
    for (std::size_t j = 0; j < along.size(); ++j) {
      const Vector3 across = cross(first_.turned(along[j]), ridge_.direction);
      const double sine = norm(across);
      if (sine <= parallelEdges) continue;
      for (const double sense : {1. / sine, -1. / sine}) {
        const Vector3 n = sense * across;
        if (!second_.shape.admits(edge.middle, multiplyTransposed(second_.place.rotation, n))) continue;
        const double apart = separation(n);
        if (apart > deepest_ && apart <= range_ && apart >= ofFaces - tolerance_) meetAlong(j, n, apart);
      }
    }
  }

  // Takes the point where the edge of the first shape crosses the ridge, unless that is beyond an end, or another edge
  // is what separates it along n.
  void meetAlong(std::size_t number, const Vector3& n, double apart) {
    const auto edge = edgeNumber(first_, number, -n);
    if (!edge) return;
    const ContactCurve line = lineOf(*edge), other = lineOf(ridge_);
    const CurveMeeting meeting = meetCurves(line, other, 0.);
    if (std::abs(meeting.along) > edge->half || std::abs(meeting.alongSecond) > ridge_.half) return;
    if (dot(n, meeting.onFirst - meeting.onSecond) > apart + tolerance_) return;
    deepest_ = apart;
    manifold_.clear();
    manifold_.setNormal(n);
    if (hasFaceAlong(first_, n) || hasFaceAlong(second_, n)) manifold_.width = 0.;
    addMeeting(line, other, meeting, range_, manifold_);
  }

  const PlacedConvex& first_;
  const PlacedConvex& second_;
  double tolerance_, range_;
  double deepest_;  // what is deeper counts no more
  Manifold& manifold_;
  RoundEdge ridge_;
};

}  // namespace

void meetEdges(const PlacedConvex& first, const PlacedConvex& second, const SeparatingAxis& axis, double range,
               Manifold& manifold) {
  manifold.setNormal(axis.normal);
  const auto a = edgeNumber(first, axis.number, -axis.normal);
  const auto b = edgeNumber(second, axis.numberOfSecond, axis.normal);
  if (!a || !b) return;
  const ContactCurve line = lineOf(*a), other = lineOf(*b);
  const CurveMeeting meeting = meetCurves(line, other, 0.);
  if (std::abs(meeting.along) > a->half || std::abs(meeting.alongSecond) > b->half) return;
  if (hasFaceAlong(first, axis.normal) || hasFaceAlong(second, axis.normal)) manifold.width = 0.;
  addMeeting(line, other, meeting, range, manifold);
  addCrossedFaces(first, &*a, second, &*b, range, manifold);
}

bool meetRidges(const PlacedConvex& first, const PlacedConvex& second, double tolerance, double most, double range,
                Manifold& manifold) {
  return RidgeSearch(first, second, tolerance, most, range, manifold).run();
}

void meetAtCurves(const SeparatingAxis& axis, double range, Manifold& manifold) {
  manifold.setNormal(axis.normal);
  addMeeting(axis.first, axis.second, meetCurves(axis.first, axis.second, 0.), range, manifold);
}

void meetAtSupports(const PlacedConvex& first, const PlacedConvex& second, const SeparatingAxis& axis, double range,
                    Manifold& manifold) {
  manifold.setNormal(axis.normal);
  if (axis.separation > range) return;
  // The support point that is less of a choice: on a flat part any point is one.
  if (wanderOf(first, -axis.normal) <= wanderOf(second, axis.normal)) {
    const Vector3 onFirst = first.support(-axis.normal);
    manifold.add({onFirst, onFirst - axis.separation * axis.normal, axis.separation, 1., {}});
  } else {
    const Vector3 onSecond = second.support(axis.normal);
    manifold.add({onSecond + axis.separation * axis.normal, onSecond, axis.separation, 0., {}});
  }
}

void meetAtFoot(const PlacedConvex& owner, const PlacedConvex& other, const SeparatingAxis& axis, bool ownerIsFirst,
                double range, Manifold& manifold) {
  manifold.setNormal(axis.normal);
  addFoot(owner.shape.corners()[axis.number].placed(owner.place), other, ownerIsFirst, range, manifold);
}

bool meetParallelEdges(const PlacedConvex& first, const PlacedConvex& second, const SeparatingAxis& axis,
                       double tolerance, double range, Manifold& manifold) {
  constexpr double about = 1e-2;  // of the sine: at larger angles they cross in a point
  const auto meet = [&](const EdgeOrLine& a, const EdgeOrLine& b) {
    const bool isRound = a.edge.rounding > 0. || b.edge.rounding > 0. || a.isOfSide || b.isOfSide;
    if (!isRound || norm(cross(a.edge.direction, b.edge.direction)) > about) return false;
    const double separation = dot(axis.normal, a.edge.middle - b.edge.middle) - a.edge.rounding - b.edge.rounding;
    if (std::abs(separation - axis.separation) > tolerance) return false;
    // A line of a side stays there only while the shapes do not turn.
    const bool isOfFirst = a.isOfSide == b.isOfSide ? a.isOfSide || a.edge.rounding > 0. : b.isOfSide;
    const RoundEdge &owner = isOfFirst ? a.edge : b.edge, &beside = isOfFirst ? b.edge : a.edge;
    const auto [from, to] = overlapOf(owner, beside);
    if (!(to > from)) return false;
    manifold.setNormal(axis.normal);
    for (const double along : {from, to}) {
      addFoot({owner.middle + along * owner.direction, owner.rounding, 0., {}}, isOfFirst ? second : first, isOfFirst,
              range, manifold);
    }
    return manifold.count > 0;
  };
  return anyLine(first, -axis.normal, [&](const EdgeOrLine& a) {
    if (std::abs(dot(a.edge.direction, axis.normal)) > about) return false;
    return anyLine(second, axis.normal, [&](const EdgeOrLine& b) { return meet(a, b); });
  });
}

bool meetSharpEdges(const PlacedConvex& first, const PlacedConvex& second, const SeparatingAxis& ofFirst,
                    const SeparatingAxis& ofSecond, double rounding, double range, Manifold& manifold) {
  constexpr double blunt = 0.05;  // sine of the angle between faces that meet in edges
  if (first.shape.isRound() || second.shape.isRound()) return false;
  const double lead = (ofSecond.separation - ofFirst.separation) / rounding;
  const Vector3 along = cross(ofFirst.normal, ofSecond.normal);
  const double sine = norm(along);
  if (!(std::abs(lead) < 1.) || sine < blunt) return false;
  const double share = 0.5 * (1. + lead);
  const Vector3 sum = (1. - share) * ofFirst.normal + share * ofSecond.normal;
  const Vector3 n = 1. / norm(sum) * sum;
  const auto a = edgeAlong(first, 1. / sine * along, -n, blunt), b = edgeAlong(second, 1. / sine * along, n, blunt);
  if (!a || !b || norm(cross(a->direction, b->direction)) > parallelEdges) return false;
  // The edges are those that both separations are measured at.
  const double between = dot(sum, a->middle - b->middle);
  if (std::abs(between - (1. - share) * ofFirst.separation - share * ofSecond.separation) > rounding) return false;
  manifold.normal = n;
  manifold.firstPart = ofFirst.normal;
  manifold.secondPart = ofSecond.normal;
  manifold.width = 0.;
  const Vector3 direction = dot(a->direction, b->direction) < 0. ? -b->direction : b->direction;
  const double apart = dot(a->direction, b->middle - a->middle);
  const auto [from, to] = overlapOf(*a, *b);
  if (from > to) return true;
  for (const double at : {from, to}) {
    const Vector3 p = a->middle + at * a->direction, q = b->middle + (at - apart) * direction;
    const double gap = dot(n, p - q);
    if (gap <= range) manifold.add({p, q, gap, share, {}});
  }
  return true;
}

}  // namespace delassus
