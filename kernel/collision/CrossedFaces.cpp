// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/CrossedFaces.hpp>

#include <algorithm>
#include <array>

namespace delassus {
namespace {

constexpr double facing = 0.7;  // of the cosine between the normal and that of a face

// The corners, in the inertial frame, of the face that looks most along n, or of the edge where none does. A round end
// has those of a polygon in it.
class Outline {
 public:
  Outline(const PlacedConvex& owner, const RoundEdge* edge, const Vector3& n) : n_(n) {
    const Vector3 towards = multiplyTransposed(owner.place.rotation, n);
    const Face* best = nullptr;
    double most = facing;
    for (const Face& face : owner.shape.faces()) {
      const double along = dot(face.normal, towards);
      if (along < most || face.outline.size() > corners_.size()) continue;
      most = along;
      best = &face;
    }
    if (best == nullptr) {
      if (edge == nullptr) return;
      for (const double end : {-edge->half, edge->half}) corners_[count_++] = edge->middle + end * edge->direction;
      return;
    }
    normal_ = owner.turned(best->normal);
    for (const RoundCorner& corner : best->outline) corners_[count_++] = owner.place.place(corner.centre);
  }

  std::size_t count() const { return count_; }
  std::size_t sides() const { return isFace() ? count_ : count_ / 2; }
  const Vector3& corner(std::size_t k) const { return corners_[k % count_]; }
  Vector3 side(std::size_t k) const { return corner(k + 1) - corner(k); }

  // Whether a point is above the face, as seen along n.
  bool covers(const Vector3& point) const {
    if (!isFace()) return false;
    for (std::size_t k = 0; k < count_; ++k) {
      if (dot(cross(side(k), point - corner(k)), n_) < 0.) return false;
    }
    return true;
  }
  // How far it is above it, along n.
  double height(const Vector3& point) const { return dot(normal_, point - corner(0)) / dot(normal_, n_); }

 private:
  bool isFace() const { return count_ > 2; }

  std::array<Vector3, 32> corners_{};  // anticlockwise against n
  std::size_t count_ = 0;
  Vector3 normal_{}, n_;
};

class CrossedFaces {
 public:
  CrossedFaces(const Outline& first, const Outline& second, double range, std::size_t most, Manifold& manifold)
      : first_(first), second_(second), range_(range), most_(most), manifold_(manifold) {}

  void run() {
    for (std::size_t i = 0; i < first_.sides(); ++i) {
      for (std::size_t j = 0; j < second_.sides(); ++j) meetSides(i, j);
    }
    for (std::size_t k = 0; k < first_.count(); ++k) {
      const Vector3& corner = first_.corner(k);
      if (second_.covers(corner)) take(corner, second_.height(corner), 1.);
    }
    for (std::size_t k = 0; k < second_.count(); ++k) {
      const Vector3& corner = second_.corner(k);
      if (!first_.covers(corner)) continue;
      const double gap = first_.height(corner);
      take(corner + gap * manifold_.normal, gap, 0.);
    }
    const auto end = found_.begin() + static_cast<std::ptrdiff_t>(count_);
    std::sort(found_.begin(), end, [](const auto& a, const auto& b) { return a.gap < b.gap; });
    for (auto point = found_.begin(); point != end && manifold_.count < most_; ++point) {
      manifold_.add(*point);
    }
  }

 private:
  void meetSides(std::size_t i, std::size_t j) {
    const Vector3 &a = first_.corner(i), &b = second_.corner(j), &n = manifold_.normal;
    const Vector3 along = first_.side(i), alongSecond = second_.side(j);
    const double area = dot(cross(along, alongSecond), n);
    if (std::abs(area) <= parallelEdges * norm(along) * norm(alongSecond)) return;
    const double s = dot(cross(b - a, alongSecond), n) / area, t = dot(cross(b - a, along), n) / area;
    if (s < 0. || s > 1. || t < 0. || t > 1.) return;
    const Vector3 onFirst = a + s * along;
    take(onFirst, dot(n, onFirst - b - t * alongSecond), 1.);
  }

  // Unless it is where the edges cross.
  void take(const Vector3& onFirst, double gap, double share) {
    constexpr double same = 1e-6;  // of the length of a side
    if (gap > range_ || count_ == found_.size()) return;
    if (norm(onFirst - manifold_.points[0].onFirst) <= same * norm(first_.side(0))) return;
    found_[count_++] = {onFirst, onFirst - gap * manifold_.normal, gap, share, {}};
  }

  const Outline& first_;
  const Outline& second_;
  double range_;
  std::size_t most_;
  Manifold& manifold_;
  std::array<Manifold::Point, 64> found_;
  std::size_t count_ = 0;
};

bool hasRims(const PlacedConvex& owner) {
  return !owner.shape.rims().empty();
}

// Whether its corners and edges are those of its faces.
bool isAngular(const PlacedConvex& owner) {
  return !owner.shape.isRound() || hasRims(owner);
}

}  // namespace

void addCrossedFaces(const PlacedConvex& first, const RoundEdge* edge, const PlacedConvex& second,
                     const RoundEdge* edgeOfSecond, double range, Manifold& manifold) {
  if (manifold.count != 1 || !isAngular(first) || !isAngular(second) || second.shape.isOneSided()) return;
  const Outline outline(first, edge, -manifold.normal), outlineOfSecond(second, edgeOfSecond, manifold.normal);
  const std::size_t most = hasRims(first) || hasRims(second) ? Manifold::maxPoints : Manifold::mostSharp;
  CrossedFaces(outline, outlineOfSecond, range, most, manifold).run();
}

}  // namespace delassus
