// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/collision/ShapePair.hpp>

namespace delassus {

/// A smooth shape, an ellipsoid say, and a half-space or another convex shape: normal, gap and point are those of
/// SmoothMeeting at every configuration, so that neither lags behind what rolls. Either shape may be the first member
/// of the pair. Where both are smooth, the first one is that of which support points are taken.
class SmoothGeometry final : public ShapePair {
 public:
  /// `bodies`: 1 or 2.
  explicit SmoothGeometry(std::size_t bodies) : ShapePair(bodies) {}

  /// Whether it is the geometry of these: one has no parts, and what is needed of it is known (for a half-space the
  /// support points alone).
  static bool isFor(const Shape& first, const Shape& second);

  std::string_view className() const override { return "SmoothGeometry"; }
  void begin(const Collider& first, const Collider& second) override;
  bool follow(const Collider& first, const Collider& second, const Manifold& manifold) override;

 protected:
  void findPresent(double t, const Vector& q, ContactPoint* contacts) override;
  void serializePresent(StateArchive& archive) override;

 private:
  std::size_t smooth_ = 0;     // the member that is smooth
  std::uint64_t open_ = 0;     // Manifold::openSides
  Vector3 about_{0., 0., 1.};  // the normal out of the other shape when the step began
};

}  // namespace delassus
