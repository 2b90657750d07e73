// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <delassus/kernel/shapes/Shape.hpp>
#include <utility>

namespace delassus {

/// Several shapes that move as one:
///
///     CompoundShape().with(BoxShape(0.1, 0.1, 0.3)).with(SphereShape(0.08), Placement::at({0., 0., 0.2}))
///
/// Contacts are those of the parts. Mass counts what parts share as often as there are such parts.
class CompoundShape final : public Shape {
 public:
  /// This one and another part; the parts of a compound become parts of this one. Throws Error if the shape is null,
  /// a half-space or an empty compound, or the placement is not finite or no rotation.
  ///@{
  CompoundShape with(std::shared_ptr<const Shape> shape, const Placement& at = {}) const;
  template <std::derived_from<Shape> S>
  CompoundShape with(S shape, const Placement& at = {}) const {
    return with(std::make_shared<const S>(std::move(shape)), at);
  }
  ///@}

  std::string_view className() const override { return "CompoundShape"; }
  Settings settings() const override;
  Bounds bounds(const Placement& at) const override;
  double size() const override;
  double spinRadius() const override;
  MassProperties massProperties(double density) const override;
  Surface surface(std::size_t segments) const override;
  std::span<const PlacedShape> parts() const override { return parts_; }

 private:
  std::vector<PlacedShape> parts_;
};

}  // namespace delassus
