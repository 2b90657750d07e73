// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <limits>
#include <numbers>
#include <vector>

/// A semicircular arch of equal stones about the y axis, its middle line of radius 1 m, and the load at which it falls
/// by the kinematic theorem.
struct ArchScene {
  std::size_t stones = 15;  ///< number
  double thickness = 0.15;  ///< of the arch, m
  double width = 0.3;       ///< along y, m
  double density = 2000.;   ///< kg/m³
  double gravity = 9.81;    ///< m/s²
  std::size_t loaded = 3;   ///< the stone that is loaded, from the right, counted from 0

  double angleOf(std::size_t joint) const {
    return std::numbers::pi * static_cast<double>(joint) / static_cast<double>(stones);
  }
  /// Of a joint, from 0 to the number of stones, at the inside or the outside of the arch.
  delassus::Vector3 pointOf(std::size_t joint, bool isOutside) const {
    const double radius = 1. + (isOutside ? 0.5 : -0.5) * thickness;
    return {radius * std::cos(angleOf(joint)), 0., radius * std::sin(angleOf(joint))};
  }
  /// The eight corners of a stone, whose joints are planes through the axis.
  std::vector<delassus::Vector3> cornersOf(std::size_t stone) const {
    std::vector<delassus::Vector3> corners;
    for (const double y : {-0.5 * width, 0.5 * width}) {
      for (const std::size_t joint : {stone, stone + 1}) {
        for (const bool isOutside : {false, true}) {
          corners.push_back(pointOf(joint, isOutside) + delassus::Vector3{0., y, 0.});
        }
      }
    }
    return corners;
  }

  /// The least force on the centre of the loaded stone with which some mechanism of four hinges, at the inside and the
  /// outside of joints in turn, loses no energy; stones do not slide. `centres` are those of mass, `weight` is of one
  /// stone. Infinite if none does; 0 or less where the arch falls by itself. (Heyman, The safety of masonry arches,
  /// Int. J. Mech. Sci. 11, 1969.)
  double limitLoad(const std::vector<delassus::Vector3>& centres, double weight) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a <= stones; ++a) {
      for (std::size_t b = a + 1; b <= stones; ++b) {
        for (std::size_t c = b + 1; c <= stones; ++c) {
          for (std::size_t d = c + 1; d <= stones; ++d) {
            for (const bool isOutside : {false, true}) {
              least = std::min(least, loadOf({a, b, c, d}, isOutside, centres, weight));
            }
          }
        }
      }
    }
    return least;
  }

 private:
  /// The load of the mechanism that has its hinges at these joints, the first at the outside or the inside.
  double loadOf(const std::array<std::size_t, 4>& joints, bool isOutside, const std::vector<delassus::Vector3>& centres,
                double weight) const {
    using delassus::Vector3;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::array<Vector3, 4> hinge;
    for (std::size_t k = 0; k < 4; ++k) hinge[k] = pointOf(joints[k], (k % 2 == 0) == isOutside);
    // The part between the inner hinges turns about the point where the lines through the outer pairs meet.
    const Vector3 u = hinge[1] - hinge[0], v = hinge[2] - hinge[3], between = hinge[3] - hinge[0];
    const double determinant = u[0] * v[2] - u[2] * v[0];
    if (std::abs(determinant) < 1e-9) return infinity;
    const double along = (between[0] * v[2] - between[2] * v[0]) / determinant;
    const Vector3 pole = hinge[0] + along * u;
    const auto ratio = [&](const Vector3& inner, const Vector3& outer) {
      const Vector3 toPole = inner - pole;
      return dot(toPole, inner - outer) / dot(toPole, toPole);
    };
    // A hinge at the outside opens at the inside, if the part after it turns clockwise.
    std::array<double, 3> rate{isOutside ? -1. : 1., 0., 0.};
    rate[1] = rate[0] * ratio(hinge[1], hinge[0]);
    rate[2] = rate[1] / ratio(hinge[2], hinge[3]);
    const std::array<double, 4> opening{rate[0], rate[1] - rate[0], rate[2] - rate[1], -rate[2]};
    for (std::size_t k = 0; k < 4; ++k) {
      if (!((k % 2 == 0) == isOutside ? opening[k] <= 0. : opening[k] >= 0.)) return infinity;
    }
    const std::array<Vector3, 3> centre{hinge[0], pole, hinge[3]};
    double power = 0., sinking = 0.;  // of the weights, and the speed of the loaded stone
    for (std::size_t stone = joints[0]; stone < joints[3]; ++stone) {
      const std::size_t part = stone < joints[1] ? 0 : stone < joints[2] ? 1 : 2;
      const double down = -rate[part] * (centres[stone][0] - centre[part][0]);
      power += weight * down;
      if (stone == loaded) sinking = down;
    }
    return sinking > 0. ? -power / sinking : infinity;
  }
};
