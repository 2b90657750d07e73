// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <delassus/kernel/shapes/ConvexShape.hpp>

namespace delassus {

/// A box about the origin, its edges along the axes.
class BoxShape final : public ConvexShape {
 public:
  /// Lengths of the edges, m. Throws Error unless they are positive and finite.
  BoxShape(double lx, double ly, double lz);
  const Vector3& halfEdges() const { return half_; }  ///< half the lengths of the edges, m

  std::string_view className() const override { return "BoxShape"; }
  std::vector<double> parameters() const override { return {2. * half_[0], 2. * half_[1], 2. * half_[2]}; }
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  double size() const override;
  double spinRadius() const override { return norm(half_); }
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t) const override { return Surface::box(2. * half_[0], 2. * half_[1], 2. * half_[2]); }

  Vector3 support(const Vector3& d) const override {
    return {std::copysign(half_[0], d[0]), std::copysign(half_[1], d[1]), std::copysign(half_[2], d[2])};
  }
  SurfaceFoot foot(const Vector3& point) const override { return footBeyond(point, 0); }
  /// Bit 2 k for the side at − of axis k, 2 k + 1 for that at +.
  SurfaceFoot footBeyond(const Vector3& point, OpenSides open) const override;
  Feature feature(const Vector3& d) const override;
  std::span<const Face> faces() const override { return data_->faces; }
  std::span<const RoundEdge> edges() const override { return data_->edges; }
  std::span<const Vector3> directions() const override;
  std::span<const RoundCorner> corners() const override { return data_->corners; }
  const Vector3* boxEdges() const override { return &half_; }

 private:
  // Copies share it: faces point to their outlines.
  struct Data {
    std::array<RoundCorner, 8> corners;
    std::array<RoundCorner, 24> outlines;
    std::array<Face, 6> faces;
    std::array<RoundEdge, 12> edges;
  };

  Vector3 half_;
  std::shared_ptr<const Data> data_;
};

}  // namespace delassus
