// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/MassProperties.hpp>
#include <delassus/kernel/shapes/Plane.hpp>
#include <delassus/kernel/shapes/Surface.hpp>
#include <delassus/numerics/Settings.hpp>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace delassus {

class ConvexShape;
struct PlacedShape;

/// A shape in a frame of its own: what collides, what is drawn, and where the mass of a body is. A shape does not
/// change; bodies share it.
///
/// What a shape can do beyond the functions for all of them is asked by ability: convex(), plane(), parts(). A shape of
/// one's own is derived from ConvexShape.
class Shape {
 public:
  virtual ~Shape() = default;

  /// Name of the class.
  virtual std::string_view className() const = 0;
  /// Its sizes by name, for checkpoints.
  virtual Settings settings() const = 0;

  /// The smallest box about the shape at a placement; infinite for a half-space.
  virtual Bounds bounds(const Placement& at) const = 0;
  /// A typical length, that of the narrowest part, m; 0 for a half-space.
  virtual double size() const = 0;
  /// Bound of the speed with which a rotation about the origin of 1 rad/s moves the surface along its normal, m/s: 0
  /// for a sphere, and for a half-space, which has no bound.
  virtual double spinRadius() const = 0;
  /// Of a homogeneous body of that density, kg/m³. Throws Error unless that is positive and finite, and for a
  /// half-space.
  virtual MassProperties massProperties(double density) const = 0;
  /// For pictures, round parts with this many segments. Throws Error for a half-space.
  virtual Surface surface(std::size_t segments) const = 0;

  /// Itself, if it is convex and bounded; null otherwise.
  virtual const ConvexShape* convex() const { return nullptr; }
  /// The boundary of a half-space; null for others.
  virtual const Plane* plane() const { return nullptr; }
  /// Of a compound; none for others.
  virtual std::span<const PlacedShape> parts() const { return {}; }
};

/// A shape at a place.
struct PlacedShape {
  std::shared_ptr<const Shape> shape;  ///< never null
  Placement at;                        ///< in the outer frame
};

/// Where a shape is in the frame of a homogeneous body that has it (NewtonEulerDS::ofShape), whose origin is the centre
/// of mass. Throws Error for a half-space.
Placement placementInBody(const Shape& shape);

/// True if the centre of mass of the homogeneous shape is its origin, to 1e-9 of its size. Throws Error for a
/// half-space.
bool isAboutCentreOfMass(const Shape& shape);

}  // namespace delassus
