// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/Manifold.hpp>
#include <delassus/kernel/collision/SeparatingAxis.hpp>

namespace delassus {

/// Where two edges cross, or an edge and a rim, there is one point, but the faces behind them may be nearly flush: a
/// board that lies tilted over the rim of a shelf turns about that point, and its other edge comes down on the shelf in
/// the same step. Adds, to a manifold whose only point is that one, others with a gap of at most `range`, the nearest
/// ones: where, seen along the normal, other sides of the two faces cross, or a corner of one is above the other. Of a
/// shape without a face that looks along the normal (to 45°) its edge alone is taken, or nothing where it is null. Gaps
/// are measured along the normal, which turns with the other body than a corner, and with the second where sides cross.
/// Does nothing for shapes that are rounded, and for parts of a surface, whose neighbours have such points.
void addCrossedFaces(const PlacedConvex& first, const RoundEdge* edge, const PlacedConvex& second,
                     const RoundEdge* edgeOfSecond, double range, Manifold& manifold);

}  // namespace delassus
