// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/ConvexShape.hpp>

namespace delassus {

/// Names of the convex classes of the library, in an order that stays.
std::span<const std::string_view> convexShapeNames();

/// The shape of that class with those ConvexShape::parameters. Throws Error for a name or a number of parameters that
/// is not of a class of the library, and as constructors do.
std::shared_ptr<const ConvexShape> makeConvexShape(std::string_view className, std::span<const double> parameters);

}  // namespace delassus
