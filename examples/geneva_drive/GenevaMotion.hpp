// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

/// Lengths of an external Geneva drive, m, and what follows from them: the pin of the crank comes into a slot of the
/// wheel along it, so that the wheel begins and ends its turn at rest.
struct GenevaGeometry {
  std::size_t slots = 4;    ///< of the wheel, 3 or more
  double distance = 0.1;    ///< C, of both axes
  double pinRadius = 4e-3;  ///< of the ball that is the pin
  double play = 5e-5;       ///< of the pin in a slot to each side, and of the locking disk in the hollows of the wheel
  double thickness = 4e-3;  ///< of the walls of slots and hollows
  double height = 8e-3;     ///< of all parts along the axes
  double plate = 3e-3;      ///< thickness of arm and plate, beside the other parts

  double share() const { return std::numbers::pi / static_cast<double>(slots); }  ///< half a turn of the wheel, rad
  /// Crank angle from the entry of the pin to the line of both axes, rad.
  double entry() const { return 0.5 * std::numbers::pi - share(); }
  double crank() const { return distance * std::sin(share()); }  ///< a, from its axis to the pin, m
  double wheel() const { return distance * std::cos(share()); }  ///< from its axis to the ends of the slots, m
  double disk() const { return 0.7 * crank(); }                  ///< radius of the locking disk, m
};

/// The wheel as geometry alone has it, without play. Angles of the crank are from the line of both axes; at −π, where
/// the pin is farthest from the wheel, that is at 0. It turns the other way.
class GenevaMotion {
 public:
  explicit GenevaMotion(const GenevaGeometry& geometry) : geometry_(geometry) {}

  double wheelAngle(double crankAngle) const {
    const double turns = std::floor((crankAngle + std::numbers::pi) / (2. * std::numbers::pi));
    const double angle = crankAngle - 2. * std::numbers::pi * turns, share = geometry_.share();
    const double before = -2. * share * turns;
    if (angle <= -geometry_.entry()) return before;
    if (angle >= geometry_.entry()) return before - 2. * share;
    const double a = geometry_.crank();
    return before - share - std::atan2(a * std::sin(angle), geometry_.distance - a * std::cos(angle));
  }
  /// The rate of the wheel while the crank turns at a rate of 1; the largest is a/(C − a), with the pin between the
  /// axes.
  double wheelRate(double crankAngle) const {
    const double angle = std::remainder(crankAngle, 2. * std::numbers::pi);
    if (std::abs(angle) >= geometry_.entry()) return 0.;
    const double a = geometry_.crank();
    return -a * (geometry_.distance * std::cos(angle) - a) / squareToPin(angle);
  }
  /// The derivative of wheelRate() by the angle of the crank.
  double wheelAcceleration(double crankAngle) const {
    const double angle = std::remainder(crankAngle, 2. * std::numbers::pi);
    if (std::abs(angle) >= geometry_.entry()) return 0.;
    const double a = geometry_.crank(), c = geometry_.distance, square = squareToPin(angle);
    return a * c * std::sin(angle) * (c * c - a * a) / (square * square);
  }

 private:
  // From the axis of the wheel.
  double squareToPin(double angle) const {
    const double a = geometry_.crank(), c = geometry_.distance;
    return c * c + a * a - 2. * a * c * std::cos(angle);
  }

  GenevaGeometry geometry_;
};
