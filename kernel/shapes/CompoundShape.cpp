// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/CompoundShape.hpp>

#include <algorithm>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

CompoundShape CompoundShape::with(std::shared_ptr<const Shape> shape, const Placement& at) const {
  if (!shape) throw Error("CompoundShape", "the shape of a part is null.");
  if (shape->plane() != nullptr) {
    throw Error("CompoundShape", "a half-space cannot be a part; it is an obstacle of its own.");
  }
  if (shape->convex() == nullptr && shape->parts().empty()) {
    throw Error("CompoundShape", "a part of class " + std::string(shape->className()) + " has no convex part itself.");
  }
  shapes::requirePlacement(at, "CompoundShape");
  CompoundShape both = *this;
  for (const PlacedShape& part : shape->parts()) both.parts_.push_back({part.shape, at.place(part.at)});
  if (shape->convex() != nullptr) both.parts_.push_back({std::move(shape), at});
  return both;
}

Settings CompoundShape::settings() const {
  Settings settings;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const std::string part = "part " + std::to_string(k);
    settings.add(part, parts_[k].shape->settings());
    settings.add(part + ".position", std::span<const double>(parts_[k].at.position));
    settings.add(part + ".rotation", std::span<const double>(parts_[k].at.rotation));
  }
  return settings;
}

Bounds CompoundShape::bounds(const Placement& at) const {
  if (parts_.empty()) return {at.position, at.position};
  Bounds all = parts_.front().shape->bounds(at.place(parts_.front().at));
  for (const PlacedShape& part : parts_) all.add(part.shape->bounds(at.place(part.at)));
  return all;
}

double CompoundShape::size() const {
  double smallest = parts_.empty() ? 0. : std::numeric_limits<double>::infinity();
  for (const PlacedShape& part : parts_) smallest = std::min(smallest, part.shape->size());
  return smallest;
}

double CompoundShape::spinRadius() const {
  double largest = 0.;
  for (const PlacedShape& part : parts_) largest = std::max(largest, norm(part.at.position) + part.shape->spinRadius());
  return largest;
}

MassProperties CompoundShape::massProperties(double density) const {
  shapes::requireDensity(density, className());
  MassProperties all;
  for (const PlacedShape& part : parts_) all = all + part.shape->massProperties(density).placed(part.at);
  return all;
}

Surface CompoundShape::surface(std::size_t segments) const {
  Surface all;
  for (const PlacedShape& part : parts_) all.add(part.shape->surface(segments), part.at);
  return all;
}

}  // namespace delassus
