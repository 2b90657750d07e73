// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <delassus/kernel/collision/SeparatingAxis.hpp>

namespace delassus {

/// About the direction in which two convex shapes are nearest, or in which they leave each other with the shortest way:
/// by the algorithms of Gilbert, Johnson and Keerthi (IEEE J. Robot. Autom. 4, 1988) and of expanding polytopes (van
/// den Bergen, 2001) of Bullet, which know shapes by their support points alone. They are accurate to 1e-4 of the size
/// of the smaller shape; none where they do not end. `about`: a unit vector about in that direction, out of the second
/// shape into the first.
std::optional<Vector3> findOverlapNormal(const PlacedConvex& first, const PlacedConvex& second, const Vector3& about);

/// About the same direction, of the shapes at nine tenths of their size, which are apart where these touch.
std::optional<Vector3> findNormalOfShrunk(const PlacedConvex& first, const PlacedConvex& second);

}  // namespace delassus
