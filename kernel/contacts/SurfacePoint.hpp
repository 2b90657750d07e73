// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <memory>
#include <utility>

namespace delassus {

/// A geometry whose points are taken on the surface of one body, instead of halfway between the two surfaces:
///
///     NewtonEuler3DR(SurfacePoint(SpherePlane(r, floor)))
///
/// With a gap g both are apart by g/2, along the normal. A lever from the middle is r + g/2 for a ball of radius r, and
/// a ball that rolls has v = (r + g/2) ω: an error g/(2r), where contacts act before they close (forecast, rebound) or
/// penetrate. On the surface of the ball the lever is r, whatever the gap. Both bodies are still taken at one point, so
/// gaps, normals and the balance of their impulses do not change. A point in the middle favours neither body.
class SurfacePoint final : public ContactGeometry {
 public:
  /// The body on whose surface the points are.
  enum class Of {
    firstBody,  ///< the one that the normal points into: the ball of SpherePlane
    secondBody  ///< the other one, or the obstacle
  };

  /// Shares a geometry, or takes a copy. Throws Error if it is null.
  ///@{
  explicit SurfacePoint(std::shared_ptr<ContactGeometry> geometry, Of body = Of::firstBody);
  template <std::derived_from<ContactGeometry> Geometry>
  explicit SurfacePoint(Geometry geometry, Of body = Of::firstBody)
      : SurfacePoint(std::make_shared<Geometry>(std::move(geometry)), body) {}
  ///@}
  SurfacePoint(const SurfacePoint&) = default;
  SurfacePoint(SurfacePoint&&) = default;

  std::string_view className() const override { return "SurfacePoint"; }
  std::size_t bodies() const override { return geometry_->bodies(); }
  std::size_t points() const override { return geometry_->points(); }
  bool isTimeDependent() const override { return geometry_->isTimeDependent(); }
  Settings settings() const override;
  void serializeState(StateArchive& archive) override { geometry_->serializeState(archive); }
  bool hasMemory() const override { return geometry_->hasMemory(); }
  void findContacts(double t, const Vector& q, ContactPoint* contacts) override;

 private:
  std::shared_ptr<ContactGeometry> geometry_;
  Of body_;
};

}  // namespace delassus
