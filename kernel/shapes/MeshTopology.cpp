// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/MeshTopology.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <map>
#include <string>
#include <utility>

namespace delassus {

MeshTopology::MeshTopology(std::vector<Vector3> points, std::vector<Triangle> triangles, const char* owner)
    : points_(std::move(points)), triangles_(std::move(triangles)) {
  checkTriangles(owner);
  joinEdges(owner);
  bend();
  gatherFans();
}

void MeshTopology::checkTriangles(const char* owner) {
  constexpr double thin = 1e-9;  // of the longest edge
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (!isFinite(points_[k])) throw Error(owner, "the point " + std::to_string(k) + " is not finite.");
  }
  if (triangles_.empty()) throw Error(owner, "a mesh needs at least one triangle, got none.");
  normals_.reserve(triangles_.size());
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const auto fail = [&](const std::string& what) {
      throw Error(owner, "the triangle " + std::to_string(t) + " " + what + ".");
    };
    for (const std::size_t point : triangles_[t]) {
      if (point >= points_.size()) {
        fail("names the point " + std::to_string(point) + " of " + std::to_string(points_.size()));
      }
    }
    double longest = 0.;
    for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, norm(corner(t, k + 1) - corner(t, k)));
    const Vector3 twice = cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
    const double area = norm(twice);
    // Written so that lengths out of all measure have no area either.
    if (!(area > thin * longest * longest && std::isfinite(area))) fail("has no area");
    normals_.push_back(1. / area * twice);
  }
}

// Each side of a triangle, from a point to another, is there once, and the opposite one is that of its neighbour.
void MeshTopology::joinEdges(const char* owner) {
  std::map<std::pair<std::size_t, std::size_t>, std::pair<std::size_t, std::size_t>> sides;
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t from = triangles_[t][k], to = triangles_[t][(k + 1) % 3];
      const auto [known, isNew] = sides.emplace(std::pair(from, to), std::pair(t, k));
      if (isNew) continue;
      throw Error(owner, "the triangles " + std::to_string(known->second.first) + " and " + std::to_string(t) +
                             " have the edge from point " + std::to_string(from) + " to " + std::to_string(to) +
                             " in one sense: one of them is turned inside out, or there is a third one.");
    }
  }
  edges_.resize(triangles_.size());
  for (const auto& [side, place] : sides) {
    const auto opposite = sides.find({side.second, side.first});
    if (opposite != sides.end()) edges_[place.first][place.second].neighbour = opposite->second.first;
  }
}

// Where the surface falls off beyond an edge and where it goes on.
void MeshTopology::bend() {
  constexpr double flat = 1e-9;  // of the sine of the angle between two faces
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      Edge& edge = edges_[t][k];
      if (edge.neighbour == none) continue;
      const Vector3 along = corner(t, k + 1) - corner(t, k);
      // The neighbour goes round the edge the other way.
      const Vector3 inwards = cross(along, normals_[edge.neighbour]);
      edge.inwards = 1. / norm(inwards) * inwards;
      // A neighbour that is folded back is flat, too.
      const double rise = dot(normals_[t], edge.inwards);
      edge.goesOn = rise > flat || (rise >= -flat && dot(cross(along, normals_[t]), edge.inwards) > 0.);
    }
  }
}

void MeshTopology::gatherFans() {
  std::vector<std::vector<Vector3>> fans(points_.size());
  owners_.assign(points_.size(), none);
  isEnd_.assign(points_.size(), 0);
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t point = triangles_[t][k];
      for (const std::size_t other : {k + 1, k + 2}) {
        const Vector3 along = corner(t, other) - corner(t, k);
        fans[point].push_back(1. / norm(along) * along);
      }
      if (edges_[t][k].neighbour == none) isEnd_[point] = isEnd_[triangles_[t][(k + 1) % 3]] = 1;
      const bool fallsOff = !edges_[t][k].goesOn || !edges_[t][(k + 2) % 3].goesOn;
      if (fallsOff && owners_[point] == none) owners_[point] = t;
    }
  }
  fanBegins_.assign(1, 0);
  for (const std::vector<Vector3>& fan : fans) {
    fans_.insert(fans_.end(), fan.begin(), fan.end());
    fanBegins_.push_back(fans_.size());
  }
}

bool MeshTopology::isClosed() const {
  return std::ranges::all_of(edges_, [](const std::array<Edge, 3>& edges) {
    return std::ranges::all_of(edges, [](const Edge& edge) { return edge.neighbour != none; });
  });
}

bool MeshTopology::isInCone(std::size_t point, const Vector3& n) const {
  constexpr double rounding = 1e-6;
  for (std::size_t k = fanBegins_[point]; k < fanBegins_[point + 1]; ++k) {
    if (dot(n, fans_[k]) > rounding) return false;
  }
  return true;
}

}  // namespace delassus
