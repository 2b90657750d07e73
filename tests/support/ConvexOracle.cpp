// SPDX-License-Identifier: Apache-2.0
#include <support/ConvexOracle.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus::test {
namespace {

Real3 sum(const Real3& a, Real factor, const Real3& b) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

Real inner(const Real3& a, const Real3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Real3 outer(const Real3& a, const Real3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Real length(const Real3& a) {
  return std::sqrt(inner(a, a));
}

Real3 scaled(Real factor, const Real3& a) {
  return {factor * a[0], factor * a[1], factor * a[2]};
}

Real3 unit(const Real3& a) {
  return scaled(1.L / length(a), a);
}

Real3 between(const PlacedModel& first, const PlacedModel& second) {
  return sum(widened(first.place.position), -1.L, widened(second.place.position));
}

// The separation of the cores, without their rounding, along n.
Real coreSeparation(const Real3& n, const PlacedModel& first, const PlacedModel& second, const Real3& shift) {
  return inner(n, shift) + inner(n, first.support(scaled(-1.L, n))) - inner(n, second.support(n));
}

// Up to four points of the difference of two cores.
struct Simplex {
  std::array<Real3, 4> points{};
  std::size_t count = 0;
};

// The point nearest to the origin of the affine hull of some corners (bits of `chosen`), if it is within them.
bool nearestWithin(const Simplex& simplex, unsigned chosen, Real3& nearest) {
  std::array<Real3, 4> p{};
  std::size_t m = 0;
  for (std::size_t k = 0; k < simplex.count; ++k) {
    if ((chosen >> k & 1u) != 0) p[m++] = simplex.points[k];
  }
  const Real3 a = p[0];
  Real s = 0.L, t = 0.L;
  const Real3 u = sum(p[1], -1.L, a), v = sum(p[2], -1.L, a);
  if (m == 2) {
    s = -inner(a, u) / inner(u, u);
  } else if (m == 3) {
    const Real3 normal = outer(u, v);
    const Real area = inner(normal, normal);
    if (!(area > 0.L)) return false;
    s = -inner(outer(a, v), normal) / area;
    t = -inner(outer(u, a), normal) / area;
  }
  if (!(s >= 0.L && t >= 0.L && s + t <= 1.L)) return false;
  nearest = sum(sum(a, s, u), t, v);
  if (m == 3) {  // its component along the normal alone, which is what cancellation leaves exact
    const Real3 normal = outer(u, v);
    nearest = scaled(inner(a, normal) / inner(normal, normal), normal);
  }
  return true;
}

bool holdsOrigin(const Simplex& simplex) {
  if (simplex.count < 4) return false;
  for (std::size_t k = 0; k < 4; ++k) {
    const Real3 &a = simplex.points[(k + 1) % 4], &b = simplex.points[(k + 2) % 4], &c = simplex.points[(k + 3) % 4];
    const Real3 normal = outer(sum(b, -1.L, a), sum(c, -1.L, a));
    const Real height = inner(normal, sum(simplex.points[k], -1.L, a)), ofOrigin = -inner(normal, a);
    if (!(height * ofOrigin > 0.L)) return false;
  }
  return true;
}

// The nearest point of the simplex to the origin; it keeps the corners about that point. False if it holds the origin.
bool reduce(Simplex& simplex, Real3& nearest) {
  if (holdsOrigin(simplex)) return false;
  Real best = std::numeric_limits<Real>::infinity();
  unsigned kept = 0;
  for (unsigned chosen = 1; chosen < 1u << simplex.count; ++chosen) {
    if (chosen == 15u) continue;
    Real3 found{};
    if (!nearestWithin(simplex, chosen, found) || inner(found, found) >= best) continue;
    best = inner(found, found);
    kept = chosen;
    nearest = found;
  }
  Simplex reduced;
  for (std::size_t k = 0; k < simplex.count; ++k) {
    if ((kept >> k & 1u) != 0) reduced.points[reduced.count++] = simplex.points[k];
  }
  simplex = reduced;
  return true;
}

struct CoreDistance {
  bool isApart = false;
  Real lower = 0.L, upper = 0.L;
  Real3 normal{};  // of the lower bound
};

CoreDistance coreDistance(const PlacedModel& first, const PlacedModel& second, const Real3& shift, const Real3& guess) {
  constexpr int mostSteps = 200;
  constexpr Real ended = 1e-17L;  // of the distance
  CoreDistance found;
  Simplex simplex;
  Real3 v = guess;
  found.upper = std::numeric_limits<Real>::infinity();
  found.lower = -found.upper;
  for (int step = 0; step < mostSteps; ++step) {
    const Real3 n = unit(v);
    const Real3 w = sum(sum(shift, 1.L, first.support(scaled(-1.L, n))), -1.L, second.support(n));
    const Real lower = inner(n, w);
    if (lower > found.lower) {
      found.lower = lower;
      found.normal = n;
    }
    if (step > 0 && found.upper - found.lower <= ended * found.upper) break;
    simplex.points[simplex.count++] = w;
    if (!reduce(simplex, v)) return found;
    if (!(length(v) > 0.L)) return found;
    if (simplex.count == 4 || length(v) >= found.upper) break;  // rounding
    found.upper = length(v);
  }
  found.isApart = found.lower > 0.L;
  return found;
}

// The best axis among directions that are considered.
struct Best {
  const PlacedModel &first, &second;
  Real3 shift;
  Real separation = -std::numeric_limits<Real>::infinity();
  Real3 normal{};

  void consider(const Real3& direction) {
    const Real squared = inner(direction, direction);
    if (!(squared > 1e-24L)) return;
    for (const Real sense : {1.L, -1.L}) {
      const Real3 n = scaled(sense / std::sqrt(squared), direction);
      const Real along = coreSeparation(n, first, second, shift);
      if (along <= separation) continue;
      separation = along;
      normal = n;
    }
  }
  // With a first shape moved out along n so that they are apart, the direction of their distance is at least as good.
  void improve() {
    constexpr int mostSteps = 40;
    const Real beyond = 1e-2L * length(first.support(normal));
    for (int step = 0; step < mostSteps; ++step) {
      const Real before = separation;
      const Real3 moved = sum(shift, beyond - separation, normal);
      const CoreDistance there = coreDistance(first, second, moved, normal);
      if (there.isApart) consider(there.normal);
      if (!(separation > before + 1e-15L)) return;
    }
  }
};

std::vector<Real3> turnedAll(const PlacedModel& owner, const std::vector<Real3>& directions) {
  std::vector<Real3> all;
  for (const Real3& d : directions) all.push_back(owner.turned(d));
  return all;
}

void considerFeatures(Best& best) {
  for (const Real3& n : turnedAll(best.first, best.first.model.normals)) best.consider(n);
  for (const Real3& n : turnedAll(best.second, best.second.model.normals)) best.consider(n);
  const std::vector<Real3> others = turnedAll(best.second, best.second.model.directions);
  for (const Real3& a : turnedAll(best.first, best.first.model.directions)) {
    for (const Real3& b : others) best.consider(outer(a, b));
  }
}

// Directions all over the sphere (a spiral), of which the best few are improved.
void considerAll(Best& best) {
  constexpr int samples = 250;
  constexpr std::size_t improved = 4;
  std::vector<Best> found;
  for (int k = 0; k < samples; ++k) {
    const Real z = 1.L - (2.L * k + 1.L) / samples, across = std::sqrt(1.L - z * z);
    const Real angle = 2.39996322972865332L * k;
    Best one{best.first, best.second, best.shift};
    const Real3 n{across * std::cos(angle), across * std::sin(angle), z};
    one.normal = n;
    one.separation = coreSeparation(n, best.first, best.second, best.shift);
    found.push_back(one);
  }
  std::vector<const Best*> order;
  for (const Best& one : found) order.push_back(&one);
  std::partial_sort(order.begin(), order.begin() + improved, order.end(),
                    [](const Best* a, const Best* b) { return a->separation > b->separation; });
  best.improve();
  for (std::size_t k = 0; k < improved; ++k) {
    Best one{best.first, best.second, best.shift};
    one.normal = order[k]->normal;
    one.separation = order[k]->separation;
    one.improve();
    if (one.separation <= best.separation) continue;
    best.separation = one.separation;
    best.normal = one.normal;
  }
}

}  // namespace

Real3 widened(const Vector3& v) {
  return {v[0], v[1], v[2]};
}

Vector3 narrowed(const Real3& v) {
  return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

ConvexModel ConvexModel::sphere(double radius) {
  ConvexModel model;
  model.points = {Real3{}};
  model.rounding = radius;
  return model;
}

ConvexModel ConvexModel::capsule(double radius, double length) {
  ConvexModel model;
  const Real half = Real(length) / 2.L;
  model.points = {Real3{0.L, 0.L, -half}, Real3{0.L, 0.L, half}};
  model.directions = {Real3{0.L, 0.L, 1.L}};
  model.rounding = radius;
  return model;
}

ConvexModel ConvexModel::cylinder(double radius, double height) {
  ConvexModel model;
  model.radius = radius;
  model.half = Real(height) / 2.L;
  model.normals = model.directions = {Real3{0.L, 0.L, 1.L}};
  return model;
}

ConvexModel ConvexModel::cone(double radius, double height) {
  ConvexModel model;
  model.radius = radius;
  model.half = Real(height) / 4.L;
  model.tip = 3.L * model.half;
  model.normals = {Real3{0.L, 0.L, 1.L}};
  return model;
}

ConvexModel ConvexModel::ellipsoid(double a, double b, double c) {
  ConvexModel model;
  model.axes = {a, b, c};
  return model;
}

ConvexModel ConvexModel::box(double lx, double ly, double lz) {
  ConvexModel model;
  for (const Real x : {-0.5L, 0.5L}) {
    for (const Real y : {-0.5L, 0.5L}) {
      for (const Real z : {-0.5L, 0.5L}) model.points.push_back({x * lx, y * ly, z * lz});
    }
  }
  model.normals = model.directions = {Real3{1.L, 0.L, 0.L}, Real3{0.L, 1.L, 0.L}, Real3{0.L, 0.L, 1.L}};
  return model;
}

ConvexModel ConvexModel::hull(const std::vector<Vector3>& corners) {
  ConvexModel model;
  for (const Vector3& corner : corners) model.points.push_back(widened(corner));
  const std::vector<Real3>& p = model.points;
  const std::size_t count = p.size();
  std::vector<char> isEdge(count * count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      for (std::size_t k = j + 1; k < count; ++k) {
        const Real3 across = outer(sum(p[j], -1.L, p[i]), sum(p[k], -1.L, p[i]));
        Real lowest = 0.L, highest = 0.L;
        for (const Real3& x : p) {
          const Real height = inner(across, sum(x, -1.L, p[i]));
          lowest = std::min(lowest, height);
          highest = std::max(highest, height);
        }
        const Real flat = 1e-12L * (highest - lowest);
        if (!(highest <= flat) && !(lowest >= -flat)) continue;
        model.normals.push_back(unit(across));
        isEdge[i * count + j] = isEdge[j * count + k] = isEdge[i * count + k] = 1;
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      if (isEdge[i * count + j] != 0) model.directions.push_back(unit(sum(p[j], -1.L, p[i])));
    }
  }
  return model;
}

Real3 ConvexModel::support(const Real3& d) const {
  if (isCylinder()) {
    const Real across = std::sqrt(d[0] * d[0] + d[1] * d[1]);
    const Real scale = across > 0.L ? radius / across : 0.L;
    return {scale * d[0], scale * d[1], d[2] < 0.L ? -half : half};
  }
  if (isCone()) {
    const Real across = std::sqrt(d[0] * d[0] + d[1] * d[1]);
    if (d[2] * tip >= radius * across - d[2] * half) return {0.L, 0.L, tip};
    const Real scale = across > 0.L ? radius / across : 0.L;
    return {scale * d[0], scale * d[1], -half};
  }
  if (isEllipsoid()) {
    const Real3 scaledBy{axes[0] * d[0], axes[1] * d[1], axes[2] * d[2]};
    const Real whole = length(scaledBy);
    return {axes[0] * scaledBy[0] / whole, axes[1] * scaledBy[1] / whole, axes[2] * scaledBy[2] / whole};
  }
  const Real3* best = &points[0];
  Real farthest = inner(d, *best);
  for (const Real3& point : points) {
    const Real along = inner(d, point);
    if (along <= farthest) continue;
    farthest = along;
    best = &point;
  }
  return *best;
}

Real3 PlacedModel::turned(const Real3& d) const {
  const Matrix3& R = place.rotation;
  return {R[0] * d[0] + R[3] * d[1] + R[6] * d[2], R[1] * d[0] + R[4] * d[1] + R[7] * d[2],
          R[2] * d[0] + R[5] * d[1] + R[8] * d[2]};
}

Real3 PlacedModel::back(const Real3& d) const {
  const Matrix3& R = place.rotation;
  return {R[0] * d[0] + R[1] * d[1] + R[2] * d[2], R[3] * d[0] + R[4] * d[1] + R[5] * d[2],
          R[6] * d[0] + R[7] * d[1] + R[8] * d[2]};
}

Real separationAlong(const Real3& n, const PlacedModel& first, const PlacedModel& second) {
  const Real3 direction = unit(n);
  return coreSeparation(direction, first, second, between(first, second)) - first.model.rounding -
         second.model.rounding;
}

Apart signedDistance(const PlacedModel& first, const PlacedModel& second, const Real3& hint) {
  const Real3 shift = between(first, second);
  const Real rounding = first.model.rounding + second.model.rounding;
  const CoreDistance cores = coreDistance(first, second, shift, hint);
  if (cores.isApart) return {cores.lower - rounding, cores.normal, cores.upper - cores.lower, false};
  Best best{first, second, shift};
  best.consider(hint);
  best.consider(cores.normal);
  considerFeatures(best);
  const bool isSampled = first.model.radius > 0.L || second.model.radius > 0.L;
  if (isSampled) considerAll(best);
  return {best.separation - rounding, best.normal, 0.L, isSampled};
}

namespace {

// By halving the multiplier t of the nearest point, a² x/(t + a²), which the equation of the ellipsoid says. (Inside,
// on the middle plane of the shortest axis, it is the end of the interval.)
Real signedDistanceOfEllipsoid(const Real3& x, const Real3& axes) {
  const Real shortest = std::min({axes[0], axes[1], axes[2]});
  const auto excess = [&](Real t) {
    Real all = -1.L;
    for (std::size_t i = 0; i < 3; ++i) {
      const Real quotient = axes[i] * x[i] / (t + axes[i] * axes[i]);
      all += quotient * quotient;
    }
    return all;
  };
  Real below = -shortest * shortest, above = axes[0] + axes[1] + axes[2];
  above *= above + length(x);
  for (int k = 0; k < 90; ++k) {
    const Real middle = 0.5L * (below + above);
    (excess(middle) > 0.L ? below : above) = middle;
  }
  Real3 nearest{};
  for (std::size_t i = 0; i < 3; ++i) nearest[i] = axes[i] * axes[i] * x[i] / (above + axes[i] * axes[i]);
  return (above > 0.L ? 1.L : -1.L) * length(sum(x, -1.L, nearest));
}

// In the plane of the point and the axis: of a triangle, by the distances of its sides and, outside, of its corners.
Real signedDistanceOfCone(const Real3& x, const ConvexModel& cone) {
  const Real across = std::sqrt(x[0] * x[0] + x[1] * x[1]), height = cone.tip + cone.half;
  const Real slant = std::sqrt(cone.radius * cone.radius + height * height);
  const Real below = -cone.half - x[2];
  const Real beside = (height * across + cone.radius * (x[2] - cone.tip)) / slant;
  if (below <= 0.L && beside <= 0.L) return std::max(below, beside);
  const Real part = std::clamp((cone.radius * across + height * (cone.tip - x[2])) / (slant * slant), 0.L, 1.L);
  const Real toSide = std::hypot(across - part * cone.radius, x[2] - cone.tip + part * height);
  const Real toBase = std::hypot(std::max(0.L, across - cone.radius), below);
  return std::min(toSide, toBase);
}

}  // namespace

Real signedDistance(const Vector3& point, const PlacedModel& from) {
  const Real3 x = from.back(sum(widened(point), -1.L, widened(from.place.position)));
  if (from.model.isCylinder()) {
    const Real beside = std::sqrt(x[0] * x[0] + x[1] * x[1]) - from.model.radius;
    const Real above = std::abs(x[2]) - from.model.half;
    return beside > 0.L && above > 0.L ? std::sqrt(beside * beside + above * above) : std::max(beside, above);
  }
  if (from.model.isCone()) return signedDistanceOfCone(x, from.model);
  if (from.model.isEllipsoid()) return signedDistanceOfEllipsoid(x, from.model.axes);
  ConvexModel single;
  single.points = {Real3{}};
  const Placement there{point, {1., 0., 0., 0., 1., 0., 0., 0., 1.}};
  return signedDistance({single, there}, from, {1.L, 0.L, 0.L}).distance;
}

}  // namespace delassus::test
