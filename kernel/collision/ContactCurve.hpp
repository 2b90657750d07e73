// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/shapes/ConvexShape.hpp>
#include <limits>

namespace delassus {

/// Edges at an angle of a smaller sine count as parallel.
inline constexpr double parallelEdges = 1e-3;

/// An edge of a shape where it meets an edge of another one: a line or a circle, with a ball about each of its points.
struct ContactCurve {
  Vector3 at{};                   ///< a point of the line, or the centre of the circle, m
  Vector3 direction{1., 0., 0.};  ///< of the line, or the axis of the circle; unit
  double rounding = 0.;           ///< radius of the balls, m
  double rim = 0.;                ///< radius of the circle, m; 0 for a line
  Vector3 outward{1., 0., 0.};    ///< of a circle: unit, from the centre to about where it meets the other curve

  /// In the outer frame.
  ContactCurve placed(const Placement& place) const;
  /// In the frame of a placement.
  ContactCurve local(const Placement& place) const;
};

/// Says when steps of Newton's method on an angle have come to an end: they are zero, or so small that only rounding
/// can be left, and fall no more.
class LastStep {
 public:
  /// After a step by this angle, rad.
  bool isReached(double moved) {
    constexpr double zero = 1e-15, rounding = 1e-12;
    const bool isLast = moved <= zero || (moved <= rounding && moved >= before_);
    before_ = moved;
    return isLast;
  }

 private:
  double before_ = std::numeric_limits<double>::infinity();
};

/// Where two curves are nearest, up to the sense of the normal.
struct CurveMeeting {
  Vector3 onFirst{};        ///< on the first curve, m; the surface is a rounding away
  Vector3 onSecond{};       ///< on the second one, m
  Vector3 normal{};         ///< unit, along the cross product of both tangents
  double along = 0.;        ///< of a line: from its point, m
  double alongSecond = 0.;  ///< the same of the second line
  bool isFound = false;     ///< false for tangents at a smaller angle than `parallel`, and if iterations do not end
};

/// Where two curves that are not parallel are nearest: a step for two lines, Newton's method along tangents for
/// circles, from their points `outward`. Where it is not found, points and normal are those of the last iterate.
CurveMeeting meetCurves(const ContactCurve& first, const ContactCurve& second, double parallel);

/// Where two lines are nearest to each other: at these multiples of their directions.
struct NearestOnLines {
  double along = 0.;        ///< of the first direction, from the first point
  double alongSecond = 0.;  ///< of the second direction, from the second point
};
/// Lines through a point along a unit vector each, which are not parallel.
NearestOnLines nearestOnLines(const Vector3& first, const Vector3& a, const Vector3& second, const Vector3& b);

}  // namespace delassus
