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
class BallGeometry final : public PairGeometry {
 public:
  /// `bodies`: 1 or 2.
  explicit BallGeometry(std::size_t bodies) : bodies_(bodies) {}

  std::string_view className() const override { return "BallGeometry"; }
  std::size_t bodies() const override { return bodies_; }
  void begin(const Collider& first, const Collider& second) override;
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;

 private:
  // Of a member of the pair, the first (0) or the second.
  Placement placementOf(std::size_t member, const Vector& q) const;

  std::size_t bodies_;
  std::size_t ball_ = 0;  // the member that is the ball; the other one has the box
  double radius_ = 1.;
  double raised_ = 0.;  // by which the surface lies outside the box, m
  Bounds box_;          // in the frame of its member
  Placement obstacle_;  // of the second member where that is no body
};

}  // namespace delassus
