// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/SeparatingAxis.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/collision/OverlapNormal.hpp>
#include <optional>
#include <vector>

namespace delassus {
namespace {

// Looks for the best axis of two shapes.
class AxisSearch {
 public:
  AxisSearch(const PlacedConvex& first, const PlacedConvex& second, double range, SeparatingAxes& axes)
      : first_(first),
        second_(second),
        range_(range),
        size_(std::min(first.shape.size(), second.shape.size())),
        axes_(axes),
        between_(first.centre() - second.centre()) {}

  bool run() {
    searchFaces(first_, second_, -1., axes_.firstFace);
    if (axes_.firstFace.separation > range_) return false;
    searchFaces(second_, first_, 1., axes_.secondFace);
    if (axes_.secondFace.separation > range_) return false;
    searchEdges();
    searchRuledSides();
    if (first_.shape.isRound() || second_.shape.isRound()) searchRound();
    return axes_.others.separation <= range_;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  // `side`: of n along the normal of the face.
  void searchFaces(const PlacedConvex& owner, const PlacedConvex& other, double side, SeparatingAxis& best) const {
    const std::span<const Face> faces = owner.shape.faces();
    for (std::size_t k = 0; k < faces.size(); ++k) {
      const Vector3 outward = owner.turned(faces[k].normal);
      const bool looksAway = side * dot(outward, between_) < 0.;
      if (looksAway && !owner.shape.isOneSided()) continue;
      const double separation = -other.reach(-outward) - faces[k].offset - dot(outward, owner.place.position);
      if (separation <= best.separation) continue;
      best.separation = separation;
      best.normal = side * outward;
      best.of = SeparatingAxis::Of::face;
      best.number = k;
    }
  }

  // A unit vector of either sense.
  Vector3 towardsFirst(const Vector3& direction) const {
    return dot(direction, between_) < 0. ? -direction : direction;
  }

  // The axis that a unit vector of either sense gives, if it is the best one so far, by this lead, and if parts with
  // this gap are those at which the shapes are separated along it.
  SeparatingAxis* consider(const Vector3& direction, SeparatingAxis::Of of, double gap = -infinity, double lead = 0.) {
    constexpr double rounding = 1e-6;  // of the size of the smaller shape
    const Vector3 n = towardsFirst(direction);
    const double separation = separationAlong(first_, second_, n);
    if (separation <= axes_.others.separation + lead || gap - separation > rounding * size_) return nullptr;
    axes_.others.separation = separation;
    axes_.others.normal = n;
    axes_.others.of = of;
    return &axes_.others;
  }

  void searchEdges() {
    const std::span<const Vector3> along = first_.shape.directions(), alongSecond = second_.shape.directions();
    for (std::size_t i = 0; i < along.size(); ++i) {
      const Vector3 a = first_.turned(along[i]);
      for (std::size_t j = 0; j < alongSecond.size(); ++j) {
        const Vector3 across = cross(a, second_.turned(alongSecond[j]));
        const double sine = norm(across);
        if (sine <= parallelEdges) continue;
        if (SeparatingAxis* const best = consider(1. / sine * across, SeparatingAxis::Of::edges)) {
          best->number = i;
          best->numberOfSecond = j;
        }
      }
    }
  }

  // A part of which all normals have one cosine with a direction in the inertial frame: edges along it, with 0, or a
  // ruled side. Cosines are those of the normals out of the second shape.
  struct NormalCone {
    Vector3 direction;
    double cosine;
    std::size_t number;
  };

  static void findNormalCones(const PlacedConvex& owner, double side, std::vector<NormalCone>& cones) {
    cones.clear();
    const std::span<const Vector3> along = owner.shape.directions();
    for (std::size_t k = 0; k < along.size(); ++k) cones.push_back({owner.turned(along[k]), 0., k});
    if (const RuledSide* const ruled = owner.shape.ruledSide()) {
      cones.push_back({owner.turned(ruled->axis), side * ruled->cosine, SeparatingAxis::ofSide});
    }
  }

  void searchRuledSides() {
    if (first_.shape.ruledSide() == nullptr && second_.shape.ruledSide() == nullptr) return;
    thread_local std::vector<NormalCone> cones, others;
    findNormalCones(first_, -1., cones);
    findNormalCones(second_, 1., others);
    for (const NormalCone& one : cones) {
      for (const NormalCone& other : others) {
        if (one.number == SeparatingAxis::ofSide || other.number == SeparatingAxis::ofSide) meet(one, other);
      }
    }
  }

  // The two normals that both have: n · a = p, n · b = q.
  void meet(const NormalCone& one, const NormalCone& other) {
    constexpr double rounding = 1e-12;  // of both where they are one, along a line of the side
    const Vector3 &a = one.direction, &b = other.direction;
    const double g = dot(a, b), p = one.cosine, q = other.cosine, squaredSine = 1. - g * g;
    if (squaredSine <= parallelEdges * parallelEdges) return;
    const double x = (p - g * q) / squaredSine, y = (q - g * p) / squaredSine, rest = 1. - x * p - y * q;
    if (!(rest >= -rounding)) return;
    const Vector3 across = std::sqrt(std::max(0., rest) / squaredSine) * cross(a, b);
    for (const Vector3& n : {x * a + y * b + across, x * a + y * b - across}) {
      if (dot(n, between_) < 0.) continue;
      if (SeparatingAxis* const best = consider(1. / norm(n) * n, SeparatingAxis::Of::edges)) {
        best->number = one.number;
        best->numberOfSecond = other.number;
      }
    }
  }

  void searchRound() {
    searchCorners(first_, second_, SeparatingAxis::Of::firstBall, true);
    searchCorners(second_, first_, SeparatingAxis::Of::secondBall, true);
    searchParallelEdges();
    if (needsSeed(first_.shape) || needsSeed(second_.shape)) searchBySupports();
    if (axes_.best().of != SeparatingAxis::Of::none) return;
    // Shapes that hold each other, as capsules on one line.
    searchCorners(first_, second_, SeparatingAxis::Of::firstBall, false);
    searchCorners(second_, first_, SeparatingAxis::Of::secondBall, false);
  }

  // True of shapes that have rims, or no parts at all.
  static bool needsSeed(const ConvexShape& shape) {
    return !shape.rims().empty() || (shape.faces().empty() && shape.edges().empty() && shape.corners().empty());
  }

  // Of corners with the surface of the other shape; sharp ones matter where that is round. Another corner may have the
  // same normal, at the far end of the shape: it is no witness of the separation.
  void searchCorners(const PlacedConvex& owner, const PlacedConvex& other, SeparatingAxis::Of of, bool asWitness) {
    const std::span<const RoundCorner> corners = owner.shape.corners();
    for (std::size_t k = 0; k < corners.size(); ++k) {
      if (corners[k].isSharp() && !owner.shape.isRound() && !other.shape.isRound()) continue;
      const SurfaceFoot foot = other.shape.foot(other.place.local(owner.place.place(corners[k].centre)));
      const double gap = asWitness ? foot.distance - corners[k].ball : -infinity;
      if (SeparatingAxis* const best = consider(other.turned(foot.normal), of, gap)) best->number = k;
    }
  }

  // Across edges that are about parallel, of which one is round.
  void searchParallelEdges() {
    constexpr double about = 0.1;  // of the sine
    for (const RoundEdge& edge : first_.shape.edges()) {
      const RoundEdge a = first_.placed(edge);
      for (const RoundEdge& other : second_.shape.edges()) {
        if (!(edge.rounding > 0. || other.rounding > 0.)) continue;
        const RoundEdge b = second_.placed(other);
        if (norm(cross(a.direction, b.direction)) > about) continue;
        const Vector3 between = a.middle - b.middle;
        const Vector3 across = between - dot(between, a.direction) * a.direction;
        const double distance = norm(across);
        if (distance > 0.) consider(1. / distance * across, SeparatingAxis::Of::sideBySide);
      }
    }
  }

  // A rim may meet anything anywhere: the algorithms that know support points alone say about where, and the curves
  // that have these points say exactly. Curves at the best axis so far are tried, too.
  void searchBySupports() {
    constexpr double lead = 1e-4;  // of the size of the smaller shape: what is exact comes first
    const Vector3 between = 1. / std::max(norm(between_), std::numeric_limits<double>::min()) * between_;
    const Vector3 about = axes_.best().of == SeparatingAxis::Of::none ? between : axes_.best().normal;
    const auto shrunk = findNormalOfShrunk(first_, second_);
    auto normal = findOverlapNormal(first_, second_, about);
    // Shapes side by side that stand on one plane do not come nearer along its normal.
    if (!normal) normal = findOverlapNormal(first_, second_, between);
    if (shrunk) meetCurvesAt(towardsFirst(*shrunk));
    if (normal) meetCurvesAt(towardsFirst(*normal));
    meetCurvesAt(about);
    for (const auto& n : {normal, shrunk}) {
      if (n) consider(*n, SeparatingAxis::Of::supports, -infinity, lead * size_);
    }
    for (const auto& n : {shrunk, normal, std::optional(about)}) {
      if (!n) continue;
      meetRimsAtSide(first_, second_, towardsFirst(*n), true);
      meetRimsAtSide(second_, first_, towardsFirst(*n), false);
    }
  }

  // Where a rim of the owner is nearest to the ruled side of the other shape, from about where this normal is.
  void meetRimsAtSide(const PlacedConvex& owner, const PlacedConvex& other, const Vector3& n, bool ownerIsFirst) {
    if (other.shape.ruledSide() == nullptr) return;
    for (const RoundCorner& rim : owner.shape.rims()) {
      const RoundCorner placed = rim.placed(owner.place);
      Vector3 outward = placed.towards(ownerIsFirst ? -n : n) - placed.centre;
      outward = 1. / norm(outward) * outward;
      if (const auto normal = nearestOfRim(placed, outward, other))
        takeRimAtSide(placed, outward, other, *normal, ownerIsFirst);
    }
  }

  // By Newton's method on the angle ψ of the rim: with its tangent t and the normal n at the foot of its point, at a
  // distance r from the axis of the side, the rate n · t of the gap has the derivative −n · u + sin α (t · τ)² ρ / r,
  // where τ goes round the axis and α is the angle of it and n.
  std::optional<Vector3> nearestOfRim(const RoundCorner& rim, Vector3& outward, const PlacedConvex& other) const {
    constexpr int most = 30;
    constexpr double farthest = 0.3;  // rad
    LastStep last;
    const RuledSide& side = *other.shape.ruledSide();
    const double sine = std::sqrt(1. - side.cosine * side.cosine);
    for (int step = 0; step < most; ++step) {
      const Vector3 point = other.place.local(rim.centre + rim.rim * outward);
      const SurfaceFoot foot = other.shape.foot(point);
      if (std::abs(dot(foot.normal, side.axis) - side.cosine) > 1e-9) return {};  // that of a rim, a tip or a face
      const Vector3 n = other.turned(foot.normal), t = cross(rim.axis, outward);
      const Vector3 round = cross(side.axis, point);
      const double distance = norm(round);
      const double along = distance > 0. ? dot(t, other.turned(round)) / distance : 0.;
      const double curvature = -dot(n, outward) + (distance > 0. ? sine * along * along * rim.rim / distance : 0.);
      const double change = std::clamp(-dot(n, t) / std::max(curvature, 0.1), -farthest, farthest);
      const Vector3 turned = std::cos(change) * outward + std::sin(change) * t;
      outward = 1. / norm(turned) * turned;
      if (last.isReached(std::abs(change))) return n;
    }
    return {};
  }

  // A rim that runs about along the line would leave it at once as the shapes turn.
  void takeRimAtSide(const RoundCorner& rim, const Vector3& outward, const PlacedConvex& other, const Vector3& normal,
                     bool ownerIsFirst) {
    constexpr double steep = 0.1;  // sine of the angle
    const RoundEdge line = other.lineOfSide(normal);
    const ContactCurve curve{rim.centre, rim.axis, 0., rim.rim, outward},
        ofSide{line.middle, line.direction, 0., 0., {}};
    const double apart = dot(normal, rim.centre + rim.rim * outward - line.middle);
    const bool isCrossing = norm(cross(cross(rim.axis, outward), line.direction)) > steep;
    const auto of = isCrossing ? SeparatingAxis::Of::curves : SeparatingAxis::Of::supports;
    SeparatingAxis* const best = consider(normal, of, apart);
    if (best == nullptr) return;
    best->first = ownerIsFirst ? curve : ofSide;
    best->second = ownerIsFirst ? ofSide : curve;
  }

  // A curve, and half the length of a line; infinite for a circle.
  struct BoundedCurve {
    ContactCurve curve;
    double half;
  };

  void meetCurvesAt(const Vector3& n) {
    thread_local std::vector<BoundedCurve> curves, others;
    findCurvesAt(first_, -n, curves);
    findCurvesAt(second_, n, others);
    for (const BoundedCurve& first : curves) {
      for (const BoundedCurve& second : others) {
        if (first.curve.rim > 0. || second.curve.rim > 0.) meet(first, second);
      }
    }
  }

  // What of a shape has its support point in a direction: a rim, the round side, edges with an end there.
  static void findCurvesAt(const PlacedConvex& owner, const Vector3& d, std::vector<BoundedCurve>& curves) {
    constexpr double same = 1e-9;  // of the size of the shape
    curves.clear();
    const double reach = owner.reach(d), tolerance = same * owner.shape.size();
    for (const RoundCorner& rim : owner.shape.rims()) {
      const RoundCorner placed = rim.placed(owner.place);
      const Vector3 point = placed.towards(d);
      if (dot(d, point) < reach - tolerance) continue;
      const Vector3 outward = 1. / placed.rim * (point - placed.centre);
      curves.push_back({{placed.centre, placed.axis, 0., placed.rim, outward}, infinity});
    }
    for (const RoundEdge& edge : owner.shape.edges()) {
      const RoundEdge placed = owner.placed(edge);
      const double ends = std::abs(dot(d, placed.direction)) * placed.half;
      const bool isSide = placed.rounding > 0. && !owner.shape.rims().empty();
      if (!isSide && dot(d, placed.middle) + ends + placed.rounding < reach - tolerance) continue;
      curves.push_back({{placed.middle, placed.direction, placed.rounding, 0., {}}, placed.half});
    }
  }

  void meet(const BoundedCurve& one, const BoundedCurve& other) {
    ContactCurve first = one.curve, second = other.curve;
    const CurveMeeting meeting = meetCurves(first, second, parallelEdges);
    if (!meeting.isFound || std::abs(meeting.along) > one.half || std::abs(meeting.alongSecond) > other.half) return;
    const double apart = dot(towardsFirst(meeting.normal), meeting.onFirst - meeting.onSecond);
    SeparatingAxis* const best =
        consider(meeting.normal, SeparatingAxis::Of::curves, apart - first.rounding - second.rounding);
    if (best == nullptr) return;
    if (first.rim > 0.) first.outward = 1. / first.rim * (meeting.onFirst - first.at);
    if (second.rim > 0.) second.outward = 1. / second.rim * (meeting.onSecond - second.at);
    best->first = first;
    best->second = second;
  }

  const PlacedConvex& first_;
  const PlacedConvex& second_;
  double range_, size_;
  SeparatingAxes& axes_;
  Vector3 between_;
};

}  // namespace

bool findSeparatingAxes(const PlacedConvex& first, const PlacedConvex& second, double range, SeparatingAxes& axes) {
  return AxisSearch(first, second, range, axes).run();
}

}  // namespace delassus
