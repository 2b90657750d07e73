// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <vector>

namespace delassus {

/// A face of the hull of points: its unit normal, outwards, and the numbers of points on it that are corners of it, in
/// any order.
struct HullFace {
  Vector3 normal{};                 ///< unit, outwards
  std::vector<std::size_t> points;  ///< at least three
};

/// The faces of the convex hull of at least four finite points, by Qhull. Throws Error if they do not span a volume.
std::vector<HullFace> facesOfHull(const std::vector<Vector3>& points);

}  // namespace delassus
