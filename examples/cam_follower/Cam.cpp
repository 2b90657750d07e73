// SPDX-License-Identifier: Apache-2.0
#include "Cam.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace {

using std::numbers::pi;

// The outline: radii and distances in m, angles in rad.
constexpr double baseRadius = 0.40;
constexpr double flankDistance = 0.45;  // of the arc's centre from the axis
constexpr double flankRadius = 0.85;
constexpr double noseDistance = 0.40393320723821;
constexpr double noseRadius = 0.15;
constexpr double topRadius = noseDistance + noseRadius;
constexpr double flankAngle = 1.050328174371336;  // from the end of the base circle
constexpr double noseAngle = 1.22173047639603;
constexpr double flankEnd = pi / 2. + flankAngle;
constexpr double noseEnd = pi / 2. + noseAngle;
constexpr double lift = 0.3;  // taken off the radius

// Radius and its derivatives with respect to the angle, for an arc of radius r whose centre is at distance k:
// c = −k s + √(r² − k² o²), with (s, o) sine and cosine of the angle from the perpendicular of the centre.
CamMotion arc(double k, double r, double s, double o, double sByAngle, double oByAngle) {
  const double root = std::sqrt(r * r - k * k * o * o);
  const double rootByAngle = -k * k * o * oByAngle / root;
  // s and o are sine and cosine: second derivatives are −s and −o.
  const double rootTwice = (-k * k * (oByAngle * oByAngle - o * o) - rootByAngle * rootByAngle) / root;
  return {-k * s + root, -k * sByAngle + rootByAngle, k * s + rootTwice};
}

CamMotion outline(double angle) {
  if (angle <= pi / 2.) return {baseRadius, 0., 0.};
  if (angle <= flankEnd) {
    const double s = std::sin(angle);
    const double o = std::cos(angle);
    return arc(flankDistance, flankRadius, s, o, o, -s);
  }
  if (angle <= noseEnd) {
    const double s = std::sin(angle + pi / 9.);
    const double o = std::cos(angle + pi / 9.);
    return arc(noseDistance, noseRadius, o, s, -s, o);
  }
  return {topRadius, 0., 0.};
}

double inOneTurn(double angle) {
  const double rest = std::fmod(angle, 2. * pi);
  return rest < 0. ? rest + 2. * pi : rest;
}

}  // namespace

Cam::Cam(double rpm, double initialAngle) : angularSpeed_(2. * pi * rpm / 60.), initialAngle_(initialAngle) {
}

Cam::Cam(double rpm, double initialAngle, CamFunctions functions) : Cam(rpm, initialAngle) {
  functions_ = std::move(functions);
}

CamMotion Cam::at(double t) const {
  if (functions_.motion) return functions_.motion(t);
  double angle = inOneTurn(angularSpeed_ * t + initialAngle_ + pi / 2.);
  // The outline is symmetric: past half a turn it is run through backwards.
  double speed = angularSpeed_;
  if (angle > pi) {
    angle = 2. * pi - angle;
    speed = -speed;
  }
  const CamMotion byAngle = outline(angle);
  return {byAngle.position - lift, byAngle.velocity * speed, byAngle.acceleration * speed * speed};
}

double Cam::phase(double t) const {
  return inOneTurn(angularSpeed_ * t + initialAngle_);
}

double Cam::turn() const {
  return 2. * pi / std::abs(angularSpeed_);
}

std::vector<double> Cam::junctions(double t0, double t1) const {
  if (functions_.junctions) return functions_.junctions(t0, t1);
  // Angles from the end of the base circle, of which the outline is seen at φ₀ + ωt.
  constexpr std::array<double, 6> angles{0., flankAngle, noseAngle, pi - noseAngle, pi - flankAngle, pi};
  std::vector<double> instants;
  if (angularSpeed_ == 0. || !(t0 < t1)) return instants;
  const double first = (std::min(angularSpeed_ * t0, angularSpeed_ * t1) + initialAngle_) / (2. * pi);
  const double last = (std::max(angularSpeed_ * t0, angularSpeed_ * t1) + initialAngle_) / (2. * pi);
  for (double turn = std::floor(first) - 1.; turn <= std::ceil(last); ++turn) {
    for (const double angle : angles) {
      const double t = (2. * pi * turn + angle - initialAngle_) / angularSpeed_;
      if (t0 < t && t < t1) instants.push_back(t);
    }
  }
  std::sort(instants.begin(), instants.end());
  return instants;
}
