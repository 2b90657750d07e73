// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/PairGeometry.hpp>

namespace delassus {

/// A ball of radius r and a box, or a ball and another one that is an obstacle, in closed form at every configuration:
/// with the foot f on the surface of the other shape that is nearest to the centre c of the ball,
///
///     n = (c − f) / ‖c − f‖,    gap = ‖c − f‖ − r,    the contact at f + ½ gap n,
///
/// so that neither lags behind a ball that rolls or a box that moves. A ball whose centre is inside the box leaves it
/// through the nearest face. The ball that is an obstacle stands for a box without edges, whose surface is raised by
/// its radius. Either shape may be the first member of the pair.
///
/// Where the box goes on, flush, in a neighbour, its sides are open (Manifold::openSides) during the step, as if it did
/// not end there: a ball does not notice the seam.
class BallGeometry final : public PairGeometry {
 public:
  /// `bodies`: 1 or 2.
  explicit BallGeometry(std::size_t bodies) : bodies_(bodies) {}

  std::string_view className() const override { return "BallGeometry"; }
  std::size_t bodies() const override { return bodies_; }
  void begin(const Collider& first, const Collider& second) override;
  bool follow(const Collider& first, const Collider& second, const Manifold& manifold) override;
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;
  void serializeState(StateArchive& archive) override;
  bool hasMemory() const override { return true; }

 private:
  // Of a member of the pair, the first (0) or the second.
  Placement placementOf(std::size_t member, const Vector& q) const;

  std::size_t bodies_;
  std::size_t ball_ = 0;  // the member that is the ball; the other one has the box
  double radius_ = 1.;
  double raised_ = 0.;      // by which the surface lies outside the box, m
  Vector3 half_{};          // half the edges of the box
  std::uint64_t open_ = 0;  // its open sides
  Bounds box_;              // in the frame of its member, without the open sides
  Placement obstacle_;      // of the second member where that is no body
};

}  // namespace delassus
