// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/NarrowPhase.hpp>

#include <algorithm>
#include <cmath>

namespace delassus {
namespace {

void addAlongNormal(Manifold& manifold, const Vector3& onSecond, double gap, double range) {
  if (gap > range) return;
  manifold.add({onSecond + gap * manifold.normal, onSecond, gap});
}

// Exchanges the roles in a manifold of (second, first), which is of one normal.
void exchange(Manifold& manifold) {
  manifold.setNormal(-manifold.normal);
  for (std::size_t k = 0; k < manifold.count; ++k) std::swap(manifold.points[k].onFirst, manifold.points[k].onSecond);
}

struct FindManifold {
  const Placement& firstPlace;
  const Placement& secondPlace;
  double range;
  Manifold& manifold;

  void operator()(const SphereShape& first, const SphereShape& second) const {
    const Vector3 between = firstPlace.position - secondPlace.position;
    const double distance = norm(between);
    manifold.setNormal(distance > 0. ? 1. / distance * between : Vector3{1., 0., 0.});
    addAlongNormal(manifold, secondPlace.position + second.radius() * manifold.normal,
                   distance - first.radius() - second.radius(), range);
  }

  void operator()(const SphereShape& sphere, const Plane& plane) const {
    const double height = dot(plane.normal, firstPlace.position) - plane.offset;
    manifold.setNormal(plane.normal);
    addAlongNormal(manifold, firstPlace.position - height * plane.normal, height - sphere.radius(), range);
  }

  void operator()(const SphereShape& sphere, const BoxShape& box) const {
    const Vector3& half = box.halfEdges();
    const SurfaceFoot foot =
        footOn({-half, half}, multiplyTransposed(secondPlace.rotation, firstPlace.position - secondPlace.position));
    manifold.setNormal(multiply(secondPlace.rotation, foot.normal));
    addAlongNormal(manifold, secondPlace.position + multiply(secondPlace.rotation, foot.point),
                   foot.distance - sphere.radius(), range);
  }

  void operator()(const BoxShape& box, const SphereShape& sphere) const {
    FindManifold{secondPlace, firstPlace, range, manifold}(sphere, box);
    exchange(manifold);
  }

  void operator()(const BoxShape& box, const Plane& plane) const {
    struct CornerOfBox {
      Vector3 position;
      double gap;
    };
    std::array<CornerOfBox, 8> corners;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      Vector3 local = box.halfEdges();
      for (std::size_t axis = 0; axis < 3; ++axis) local[axis] *= (k >> axis & 1u) != 0 ? 1. : -1.;
      corners[k].position = firstPlace.position + multiply(firstPlace.rotation, local);
      corners[k].gap = dot(plane.normal, corners[k].position) - plane.offset;
    }
    std::stable_sort(corners.begin(), corners.end(),
                     [](const CornerOfBox& x, const CornerOfBox& y) { return x.gap < y.gap; });
    manifold.setNormal(plane.normal);
    for (std::size_t k = 0; k < Manifold::maxPoints; ++k) {
      addAlongNormal(manifold, corners[k].position - corners[k].gap * plane.normal, corners[k].gap, range);
    }
  }

  void operator()(const BoxShape& first, const BoxShape& second) const {
    findBoxManifold(first, firstPlace, second, secondPlace, range, manifold);
  }

  // Planes are obstacles, which come second.
  template <class Second>
  void operator()(const Plane&, const Second&) const {}
};

}  // namespace

// Both conditions, first + s a − second − t b orthogonal to a and to b.
NearestOnLines nearestOnLines(const Vector3& first, const Vector3& a, const Vector3& second, const Vector3& b) {
  const Vector3 between = second - first;
  const double c = dot(a, b);
  const double determinant = 1. - c * c;
  return {(dot(between, a) - c * dot(between, b)) / determinant, (c * dot(between, a) - dot(between, b)) / determinant};
}

void findManifold(const Shape& first, const Placement& firstPlace, const Shape& second, const Placement& secondPlace,
                  double range, Manifold& manifold) {
  manifold.clear();
  std::visit(FindManifold{firstPlace, secondPlace, range, manifold}, first, second);
}

}  // namespace delassus
