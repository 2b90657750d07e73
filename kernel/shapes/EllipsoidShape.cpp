// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/EllipsoidShape.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/shapes/ShapeTools.hpp>
#include <limits>
#include <numbers>

namespace delassus {
namespace {

// With the multiplier t = s − c² of the nearest point, c the shortest half axis: Σ (a_i y_i / (s + a_i² − c²))² − 1,
// which falls with s. (In t the sum for the shortest axis would cancel near its middle plane.)
class Excess {
 public:
  Excess(const Vector3& half, const Vector3& y, std::size_t shortest) : half_(half), y_(y) {
    for (std::size_t i = 0; i < 3; ++i) beyond_[i] = (half[i] - half[shortest]) * (half[i] + half[shortest]);
  }

  double denominator(std::size_t i, double s) const { return s + beyond_[i]; }

  // The largest root, or 0 if it has none above. One term alone is 1 at the best of the values that it begins with, or
  // it begins with 0: where the sum is larger than 1 there, Newton's method comes from the left.
  double root() const {
    double s = 0.;
    for (std::size_t i = 0; i < 3; ++i) s = std::max(s, half_[i] * y_[i] - beyond_[i]);
    constexpr int most = 200;
    for (int k = 0; k < most; ++k) {
      double value = -1., slope = 0.;
      for (std::size_t i = 0; i < 3; ++i) {
        if (y_[i] == 0.) continue;
        const double quotient = half_[i] * y_[i] / denominator(i, s);
        value += quotient * quotient;
        slope -= 2. * quotient * quotient / denominator(i, s);
      }
      if (!(value > 0.)) break;
      const double next = s - value / slope;
      if (!(next > s)) break;
      s = next;
    }
    return s;
  }

 private:
  const Vector3 &half_, &y_;
  Vector3 beyond_;
};

}  // namespace

EllipsoidShape::EllipsoidShape(double a, double b, double c) : half_{a, b, c} {
  for (const double half : half_) shapes::requireLength(half, false, "EllipsoidShape", "half axis");
}

Settings EllipsoidShape::settings() const {
  Settings settings;
  settings.add("ellipsoid.a", half_[0]);
  settings.add("ellipsoid.b", half_[1]);
  settings.add("ellipsoid.c", half_[2]);
  return settings;
}

Bounds EllipsoidShape::bounds(const Placement& at) const {
  Vector3 extents;
  for (std::size_t i = 0; i < 3; ++i) {
    extents[i] = norm({at.rotation[i] * half_[0], at.rotation[i + 3] * half_[1], at.rotation[i + 6] * half_[2]});
  }
  return Bounds::about(at.position, extents);
}

double EllipsoidShape::size() const {
  return std::min({half_[0], half_[1], half_[2]});
}

double EllipsoidShape::spinRadius() const {
  return std::max({half_[0], half_[1], half_[2]}) - size();
}

double EllipsoidShape::largestCurvatureRadius() const {
  const double longest = std::max({half_[0], half_[1], half_[2]});
  return longest * longest / size();
}

MassProperties EllipsoidShape::massProperties(double density) const {
  shapes::requireDensity(density, className());
  const double a = half_[0], b = half_[1], c = half_[2];
  const double mass = 4. / 3. * std::numbers::pi * a * b * c * density;
  return {mass, {}, diagonal3(mass / 5. * (b * b + c * c), mass / 5. * (a * a + c * c), mass / 5. * (a * a + b * b))};
}

Surface EllipsoidShape::surface(std::size_t segments) const {
  Surface surface = Surface::sphere(1., segments);
  for (Vector3& point : surface.points) {
    for (std::size_t i = 0; i < 3; ++i) point[i] *= half_[i];
  }
  return surface;
}

Vector3 EllipsoidShape::support(const Vector3& d) const {
  Vector3 point{half_[0] * d[0], half_[1] * d[1], half_[2] * d[2]};
  const double length = norm(point);
  for (std::size_t i = 0; i < 3; ++i) point[i] *= half_[i] / length;
  return point;
}

SurfaceFoot EllipsoidShape::foot(const Vector3& point) const {
  const auto shortest = static_cast<std::size_t>(std::min_element(half_.begin(), half_.end()) - half_.begin());
  const Vector3 y{std::abs(point[0]), std::abs(point[1]), std::abs(point[2])};
  const Excess excess(half_, y, shortest);
  const double s = excess.root();
  Vector3 nearest{};
  double rest = 1.;  // of the equation of the ellipsoid, for the shortest axis
  for (std::size_t i = 0; i < 3; ++i) {
    if (point[i] == 0.) continue;
    nearest[i] = half_[i] * half_[i] * point[i] / excess.denominator(i, s);
    rest -= nearest[i] * nearest[i] / (half_[i] * half_[i]);
  }
  // Inside, on the middle plane of the shortest axis, a point leaves along this axis, to either side.
  if (s == 0.) nearest[shortest] = half_[shortest] * std::sqrt(std::max(0., rest));
  Vector3 outwards{};
  for (std::size_t i = 0; i < 3; ++i) outwards[i] = nearest[i] / (half_[i] * half_[i]);
  const double slope = norm(outwards);
  return {nearest, 1. / slope * outwards, (s - half_[shortest] * half_[shortest]) * slope};
}

}  // namespace delassus
