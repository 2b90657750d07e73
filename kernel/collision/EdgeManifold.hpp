// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/Manifold.hpp>
#include <delassus/kernel/collision/SeparatingAxis.hpp>

namespace delassus {

// What findManifold does with edges, rims and round corners. All add the points with a gap of at most `range`.

/// Two straight edges that cross, the farthest along the normal of those with the directions of the axis, or lines of
/// ruled sides. None if they are nearest beyond their ends.
void meetEdges(const PlacedConvex& first, const PlacedConvex& second, const SeparatingAxis& axis, double range,
               Manifold& manifold);

/// Of a part of a surface, the second: of its edges beyond which the surface falls off, the one with an edge of the
/// first that crosses it, along a normal between those of its two faces, whose separation is the largest. Both faces
/// separate by less (to `tolerance`), since otherwise one of them is the way out. None deeper than `most`. False if
/// there is none.
bool meetRidges(const PlacedConvex& first, const PlacedConvex& second, double tolerance, double most, double range,
                Manifold& manifold);

/// The curves of the axis.
void meetAtCurves(const SeparatingAxis& axis, double range, Manifold& manifold);

/// The support point of one shape, of that where it is less of a choice, and the plane across the axis through that of
/// the other one: both stay as they are in their bodies within a step.
void meetAtSupports(const PlacedConvex& first, const PlacedConvex& second, const SeparatingAxis& axis, double range,
                    Manifold& manifold);

/// The corner of the axis, which `owner` has, and its foot on the other shape.
void meetAtFoot(const PlacedConvex& owner, const PlacedConvex& other, const SeparatingAxis& axis, bool ownerIsFirst,
                double range, Manifold& manifold);

/// Two parallel straight edges, of which one is round, or one and a line of a ruled side, with about the separation of
/// the axis (to `tolerance`): balls at the ends of what they have in common. False if there are none.
bool meetParallelEdges(const PlacedConvex& first, const PlacedConvex& second, const SeparatingAxis& axis,
                       double tolerance, double range, Manifold& manifold);

/// Two parallel sharp edges between faces at an angle that separate about equally; see findManifold. The normal turns
/// as the separation along the face of the second shape overtakes that of the first, by `rounding`. False if other
/// parts of the shapes meet.
bool meetSharpEdges(const PlacedConvex& first, const PlacedConvex& second, const SeparatingAxis& ofFirst,
                    const SeparatingAxis& ofSecond, double rounding, double range, Manifold& manifold);

}  // namespace delassus
