// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/MeshTriangle.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <utility>

namespace delassus {
namespace {

constexpr double rounding = 1e-6;  // of the sine of an angle, and of the size of the triangle

}  // namespace

MeshTriangle::MeshTriangle(std::shared_ptr<const MeshTopology> mesh, std::size_t number)
    : mesh_(std::move(mesh)), number_(number) {
  const Vector3& n = mesh_->normal(number);
  double longest = 0.;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3 &from = mesh_->corner(number, k), &to = mesh_->corner(number, k + 1);
    const double length = norm(to - from);
    longest = std::max(longest, length);
    corners_[k].centre = from;
    directions_[k] = 1. / length * (to - from);
    outward_[k] = cross(directions_[k], n);
    edges_[k] = {0.5 * (from + to), directions_[k], 0.5 * length, 0.};
  }
  face_ = {n, dot(n, corners_[0].centre), corners_, nullptr};
  const Vector3 twice = cross(corners_[1].centre - corners_[0].centre, corners_[2].centre - corners_[0].centre);
  size_ = 0.5 * norm(twice) / longest;
}

std::vector<double> MeshTriangle::parameters() const {
  return coordinatesOf(corners_);
}

Settings MeshTriangle::settings() const {
  const std::vector<double> coordinates = parameters();
  Settings settings;
  settings.add("triangle.corners", std::span<const double>(coordinates));
  return settings;
}

Bounds MeshTriangle::bounds(const Placement& at) const {
  return boundsOf(corners_, at);
}

double MeshTriangle::spinRadius() const {
  return std::max({norm(corners_[0].centre), norm(corners_[1].centre), norm(corners_[2].centre)});
}

MassProperties MeshTriangle::massProperties(double) const {
  throw Error("MeshTriangle", "a triangle has no mass; ask the mesh, if it is closed.");
}

Surface MeshTriangle::surface(std::size_t) const {
  return Surface::mesh({corners_[0].centre, corners_[1].centre, corners_[2].centre}, {{0, 1, 2}});
}

Vector3 MeshTriangle::support(const Vector3& d) const {
  std::size_t best = 0;
  for (const std::size_t k : {1u, 2u}) {
    if (dot(d, corners_[k].centre) > dot(d, corners_[best].centre)) best = k;
  }
  return corners_[best].centre;
}

Vector3 MeshTriangle::centre() const {
  return 1. / 3. * (corners_[0].centre + corners_[1].centre + corners_[2].centre);
}

double MeshTriangle::beyond(std::size_t k, const Vector3& point) const {
  return dot(outward_[k], point - corners_[k].centre);
}

SurfaceFoot MeshTriangle::footOnPlane(const Vector3& point) const {
  const double height = dot(face_.normal, point) - face_.offset;
  return {point - height * face_.normal, face_.normal, height};
}

SurfaceFoot MeshTriangle::foot(const Vector3& point) const {
  SurfaceFoot nearest = footOnPlane(point);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) {
    if (beyond(k, point) <= rounding * size_) continue;
    const SurfaceFoot foot = footOnEdge(k, point);
    if (foot.distance >= least) continue;
    least = foot.distance;
    nearest = foot;
  }
  return nearest;
}

SurfaceFoot MeshTriangle::footBeyond(const Vector3& point, OpenSides open) const {
  if (open == 0) return foot(point);
  for (std::size_t k = 0; k < 3; ++k) {
    const double along = dot(edges_[k].direction, point - edges_[k].middle);
    const bool fallsOff = !mesh_->edge(number_, k).goesOn && std::abs(along) <= edges_[k].half;
    if (fallsOff && beyond(k, point) > 0.) return foot(point);
  }
  return footOnPlane(point);
}

MeshTriangle::OpenSides MeshTriangle::openAt(const SurfaceFoot& foot) const {
  return foot.normal == face_.normal ? 1 : 0;
}

SurfaceFoot MeshTriangle::footOnEdge(std::size_t k, const Vector3& point) const {
  const RoundEdge& edge = edges_[k];
  const double along = std::clamp(dot(edge.direction, point - edge.middle), -edge.half, edge.half);
  const Vector3 foot = edge.middle + along * edge.direction, way = point - foot;
  const double distance = norm(way);
  return {foot, distance > 0. ? 1. / distance * way : face_.normal, distance};
}

bool MeshTriangle::admits(const Vector3& point, const Vector3& n) const {
  const double near = rounding * size_;
  std::array<std::size_t, 3> at{};
  std::size_t count = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double distance = beyond(k, point);
    if (distance > near) return false;
    if (distance > -near) at[count++] = k;
  }
  if (dot(n, face_.normal) > 0. && norm(cross(n, face_.normal)) <= rounding) return true;
  if (count == 0) return false;
  if (count == 1) return edgeAdmits(at[0], n);
  // Edges 0 and 2 meet at corner 0, others at that of the second.
  const std::size_t corner = at[0] == 0 && at[1] == 2 ? 0 : at[1];
  const std::size_t vertex = mesh_->triangles()[number_][corner];
  if (mesh_->isEnd(vertex) && dot(n, face_.normal) < -rounding) return false;
  return mesh_->ownerOf(vertex) == number_ && mesh_->isInCone(vertex, n);
}

// What lies below a valley, between the normals of its two faces, has its foot on the plane of each beyond the edge, by
// up to the tangent of the angle that they make.
bool MeshTriangle::isWithin(const Vector3& point, double depth) const {
  constexpr double steepest = 10.;  // tangent; of a neighbour that stands up more, too
  for (std::size_t k = 0; k < 3; ++k) {
    const double distance = beyond(k, point);
    const MeshTopology::Edge& edge = mesh_->edge(number_, k);
    if (!edge.goesOn) {
      if (distance > -rounding * size_) return false;
      continue;
    }
    const double sine = std::max(0., dot(face_.normal, edge.inwards)), cosine = dot(outward_[k], edge.inwards);
    const double tangent = sine < steepest * cosine ? sine / cosine : steepest;
    if (distance > rounding * size_ + depth * tangent) return false;
  }
  return true;
}

const Vector3* MeshTriangle::beyondRidge(std::size_t k) const {
  const MeshTopology::Edge& edge = mesh_->edge(number_, k);
  if (edge.goesOn) return nullptr;
  if (edge.neighbour == MeshTopology::none) return &outward_[k];
  return number_ < edge.neighbour ? &mesh_->normal(edge.neighbour) : nullptr;
}

// Of two triangles the first has the contacts of their edge.
bool MeshTriangle::edgeAdmits(std::size_t k, const Vector3& n) const {
  const MeshTopology::Edge& edge = mesh_->edge(number_, k);
  if (edge.goesOn || dot(n, outward_[k]) < -rounding) return false;
  if (edge.neighbour == MeshTopology::none) return dot(n, face_.normal) > -rounding;
  return number_ < edge.neighbour && dot(n, edge.inwards) <= rounding;
}

}  // namespace delassus
