// SPDX-License-Identifier: Apache-2.0
//
// All shapes of the library, and how functions take them.
#pragma once

#include <concepts>
#include <delassus/kernel/shapes/BoxShape.hpp>
#include <delassus/kernel/shapes/CapsuleShape.hpp>
#include <delassus/kernel/shapes/CompoundShape.hpp>
#include <delassus/kernel/shapes/ConeShape.hpp>
#include <delassus/kernel/shapes/ConvexHull.hpp>
#include <delassus/kernel/shapes/CylinderShape.hpp>
#include <delassus/kernel/shapes/EllipsoidShape.hpp>
#include <delassus/kernel/shapes/HalfSpace.hpp>
#include <delassus/kernel/shapes/SphereShape.hpp>
#include <delassus/kernel/shapes/TriangleMesh.hpp>
#include <utility>

namespace delassus {

/// What a function takes as a shape: a class of shapes, or a Plane, which stands for the HalfSpace behind it.
template <class S>
concept ShapeOrPlane = std::derived_from<S, Shape> || std::same_as<S, Plane>;

/// A shape to keep.
template <ShapeOrPlane S>
std::shared_ptr<const Shape> shareShape(S shape) {
  if constexpr (std::same_as<S, Plane>) {
    return std::make_shared<const HalfSpace>(shape);
  } else {
    return std::make_shared<const S>(std::move(shape));
  }
}

}  // namespace delassus
