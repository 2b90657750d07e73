// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/collision/ShapePair.hpp>

namespace delassus {

/// A ball of radius r and another convex shape, in closed form at every configuration: with the foot f on the surface
/// of the other shape that is nearest to the centre c of the ball,
///
///     n = (c − f) / ‖c − f‖,    gap = ‖c − f‖ − r,    the contact at f + ½ gap n,
///
/// so that neither lags behind a ball that rolls or a shape that moves. A ball whose centre is inside leaves it where
/// the way is shortest. Either shape may be the first member of the pair.
///
/// Where a box goes on, flush, in a neighbour, its sides are open (Manifold::openSides) during the step, as if it did
/// not end there: a ball does not notice the seam.
class BallGeometry final : public ShapePair {
 public:
  /// `bodies`: 1 or 2.
  explicit BallGeometry(std::size_t bodies) : ShapePair(bodies) {}

  std::string_view className() const override { return "BallGeometry"; }
  void begin(const Collider& first, const Collider& second) override;
  bool follow(const Collider& first, const Collider& second, const Manifold& manifold) override;

 protected:
  void findPresent(double t, const Vector& q, ContactPoint* contacts) override;
  void serializePresent(StateArchive& archive) override;

 private:
  std::size_t ball_ = 0;  // the member that is the ball
  double radius_ = 1.;
  std::uint64_t open_ = 0;  // Manifold::openSides
};

}  // namespace delassus
