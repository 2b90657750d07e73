// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <memory>
#include <vector>

// Mechanisms of rigid bodies that tests and benchmarks share. They move in the plane of x and z, with axes along y.
namespace delassus::test {

/// A rod of mass m and length l from `from` to `to` (its centre between them, its own z along it, its own y the axis of
/// rotation), with gravity along −z.
std::shared_ptr<NewtonEulerDS> makeRod(const Vector3& from, const Vector3& to, double mass, double gravity = 9.81,
                                       double thickness = 0.02);

/// A slider–crank in space: crank on a pivot in the ground, connecting rod, and a slider on a prismatic joint, with
/// pivots between them. 18 velocities and 20 equations for one degree of freedom: three are redundant.
struct SpatialSliderCrank {
  static constexpr double crankLength = 0.2;
  static constexpr double rodLength = 0.5;
  static constexpr double crankMass = 1.;
  static constexpr double rodMass = 2.;
  static constexpr double sliderMass = 1.5;

  /// The crank at an angle from the x axis (towards z), turning at a rate; no gravity.
  SpatialSliderCrank(double angle, double rate, double end);

  double crankAngle() const;
  double crankRate() const;
  double energy() const;

  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> crank, rod, slider;
  std::vector<std::shared_ptr<Interaction>> joints;
};

/// J(φ) of that mechanism in its energy ½ J φ̇², in closed form.
double sliderCrankInertia(double angle);

/// A crank–rocker in space: crank from (0, 0, 0), coupler, and a rocker on the ground at (d, 0, 0), with four parallel
/// pivots and gravity along −z. 18 velocities, 20 equations, one degree of freedom.
struct SpatialFourBar {
  static constexpr double crankLength = 0.3;
  static constexpr double couplerLength = 0.9;
  static constexpr double rockerLength = 0.7;
  static constexpr double groundLength = 1.;
  static constexpr double massPerLength = 2.;

  /// The mechanism as a function of the angle φ of the crank from x towards z.
  struct Position {
    double coupler, rocker;          ///< angles
    double couplerRate, rockerRate;  ///< per rate of the crank
    double inertia;                  ///< J in the energy ½ J φ̇² + V
    double potential;                ///< V
  };
  static Position at(double angle, double gravity);

  SpatialFourBar(double angle, double rate, double gravity, double end);

  double crankAngle() const;

  double gravity;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> crank, coupler, rocker;
  std::vector<std::shared_ptr<Interaction>> joints;
};

}  // namespace delassus::test
