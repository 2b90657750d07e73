// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/kernel/collision/NarrowPhase.hpp>
#include <sstream>
#include <support/ConvexOracle.hpp>

#include "CollisionModels.hpp"

// Pairs of convex shapes, each with its model for the oracle.

namespace delassus::test {

enum Kind : std::size_t { sphere, capsule, box, cylinder, hull, ellipsoid, cone, kinds };
inline const std::array<const char*, kinds> kindNames{"sphere", "capsule",   "box", "cylinder",
                                                      "hull",   "ellipsoid", "cone"};

struct Sample {
  Kind kind;
  std::shared_ptr<const Shape> shape;
  ConvexModel model;
  std::string text;

  bool isSharp() const { return kind == box || kind == hull; }
};

// Three lengths: the radius and the length, the edges, or the half axes of the ellipsoid that the hull is in.
inline Sample makeSample(Kind kind, const Vector3& x, std::mt19937& random) {
  std::ostringstream text;
  text.precision(17);
  text << kindNames[kind] << ' ' << x[0] << ' ' << x[1] << ' ' << x[2];
  switch (kind) {
    case sphere:
      return {kind, shareShape(SphereShape(x[0])), ConvexModel::sphere(x[0]), text.str()};
    case capsule:
      return {kind, shareShape(CapsuleShape(x[0], x[1])), ConvexModel::capsule(x[0], x[1]), text.str()};
    case box:
      return {kind, shareShape(BoxShape(x[0], x[1], x[2])), ConvexModel::box(x[0], x[1], x[2]), text.str()};
    case cylinder:
      return {kind, shareShape(CylinderShape(x[0], x[1])), ConvexModel::cylinder(x[0], x[1]), text.str()};
    case ellipsoid:
      return {kind, shareShape(EllipsoidShape(x[0], x[1], x[2])), ConvexModel::ellipsoid(x[0], x[1], x[2]), text.str()};
    case cone:
      return {kind, shareShape(ConeShape(x[0], 2. * x[1])), ConvexModel::cone(x[0], 2. * x[1]), text.str()};
    default:
      break;
  }
  std::vector<Vector3> points;
  for (int k = 0; k < 12; ++k) {
    const Vector3 d = testing::randomVector(random, 1.), n = 1. / norm(d) * d;
    points.push_back({x[0] * n[0], x[1] * n[1], x[2] * n[2]});
  }
  for (const Vector3& point : points) text << "\n    " << point;
  return {kind, shareShape(ConvexHull(points)), ConvexModel::hull(points), text.str()};
}

inline Sample makeSample(Kind kind, std::mt19937& random) {
  std::uniform_real_distribution<double> size(0.05, 0.1);
  const double factor = kind == box ? 2. : 1.;
  const double x = factor * size(random), y = factor * size(random), z = factor * size(random);
  return makeSample(kind, {x, y, z}, random);
}

// Half of them anywhere, others about along the axes, to a tilt down to none: faces and edges are about parallel.
inline Matrix3 orientation(std::mt19937& random) {
  std::uniform_real_distribution<double> part(0., 1.);
  if (part(random) < 0.5) return rotations::rotationMatrix(testing::randomRotation(random));
  const double half = std::sqrt(0.5);
  const std::array<Quaternion, 5> upright{Quaternion{1., 0., 0., 0.}, Quaternion{half, half, 0., 0.},
                                          Quaternion{half, 0., half, 0.}, Quaternion{half, 0., 0., half},
                                          Quaternion{0.5, 0.5, 0.5, 0.5}};
  const Matrix3 R = rotations::rotationMatrix(upright[static_cast<std::size_t>(part(random) * 5.)]);
  if (part(random) < 0.3) return R;
  const double tilt = std::pow(10., -9. * part(random));
  return multiply(rotations::rotationMatrix(rotations::exponential(testing::randomVector(random, tilt))), R);
}

struct Pair {
  Sample first, second;
  Placement at, other;

  PlacedModel firstModel() const { return {first.model, at}; }
  PlacedModel secondModel() const { return {second.model, other}; }
  double size() const { return std::min(first.shape->size(), second.shape->size()); }
  bool isSharp() const { return first.isSharp() && second.isSharp(); }
  bool isOf(Kind kind) const { return first.kind == kind || second.kind == kind; }
  bool hasRim() const { return isOf(cylinder) || isOf(cone); }
  // The manifold of the pair, with all points whose gap is at most a metre.
  Manifold meet() const {
    Manifold manifold;
    findManifold(*first.shape, at, *second.shape, other, 1., manifold);
    return manifold;
  }
  Pair exchanged() const { return {second, first, other, at}; }
  double along(const Vector3& n) const {
    return static_cast<double>(separationAlong(widened(n), firstModel(), secondModel()));
  }
  Apart apart(const Vector3& hint) const { return signedDistance(firstModel(), secondModel(), widened(hint)); }
  std::string text() const {
    std::ostringstream out;
    out.precision(17);
    for (const auto* sample : {&first, &second}) {
      const Placement& place = sample == &first ? at : other;
      out << sample->text << "\n  at " << place.position << " turned";
      for (const double entry : place.rotation) out << ' ' << entry;
      out << '\n';
    }
    return out.str();
  }
};

// Any two shapes but balls, about touching, apart or overlapping by up to a fifth of the smallest size.
template <class Take>
void forEachPair(int poses, unsigned seed, const Take& take) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> apart(-0.01, 0.01);
  for (std::size_t i = capsule; i < kinds; ++i) {
    for (std::size_t j = i; j < kinds; ++j) {
      for (int k = 0; k < poses; ++k) {
        Pair pair{makeSample(Kind(i), random), makeSample(Kind(j), random), {}, {}};
        pair.at.rotation = rotations::rotationMatrix(testing::randomRotation(random));
        pair.other.rotation = rotations::rotationMatrix(testing::randomRotation(random));
        Vector3 way = testing::randomVector(random, 1.);
        way = 1. / norm(way) * way;
        pair.at.position = (apart(random) - pair.along(way)) * way;
        SCOPED_TRACE("pose " + std::to_string(k) + ":\n" + pair.text());
        take(pair);
      }
    }
  }
}

}  // namespace delassus::test
