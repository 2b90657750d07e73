// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Cam.hpp>
#include <algorithm>
#include <array>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace delassus::test {

/// The undamped cam follower between and across impacts in closed form: u is a harmonic oscillation from impact to
/// impact, and impacts are roots of u − c, bracketed arc by arc of the cam and refined to rounding. It shares nothing
/// with the schemes but the outline of the cam. Not for follower and cam in lasting contact.
class CamFollowerReference {
 public:
  CamFollowerReference(const Cam& cam, double mass, double stiffness, double restitution, double position,
                       double velocity, double end)
      : cam_(cam), omega_(std::sqrt(stiffness / mass)), restitution_(restitution) {
    const CamMotion start = cam_.at(0.);
    pieces_.push_back({0., position + start.position, velocity + start.velocity, 0., 0.});
    double t = 0.;
    while (findImpact(t, end)) addImpact(t);
  }

  double u(double t) const { return position(at(t), t); }
  double v(double t) const { return velocity(at(t), t); }

  std::size_t impacts() const { return pieces_.size() - 1; }
  double impactTime(std::size_t k) const { return pieces_[k + 1].t; }
  double velocityBefore(std::size_t k) const { return pieces_[k + 1].before; }
  double velocityAfter(std::size_t k) const { return pieces_[k + 1].v; }

  /// How much an error is multiplied until impact k: seconds that its instant moves a metre of the initial u (and of
  /// v/ω, ω² = κ/μ), to first order. It grows without bound where the motion is chaotic.
  double growth(std::size_t k) const { return pieces_[k + 1].growth; }

 private:
  struct Piece {
    double t, u, v;
    double before;  // velocity
    double growth;
  };

  double position(const Piece& piece, double t) const {
    return piece.u * std::cos(omega_ * (t - piece.t)) + piece.v / omega_ * std::sin(omega_ * (t - piece.t));
  }
  double velocity(const Piece& piece, double t) const {
    return -piece.u * omega_ * std::sin(omega_ * (t - piece.t)) + piece.v * std::cos(omega_ * (t - piece.t));
  }

  const Piece& at(double t) const {
    const auto next =
        std::upper_bound(pieces_.begin() + 1, pieces_.end(), t, [](double x, const Piece& p) { return x < p.t; });
    return *(next - 1);
  }

  double gap(double t) const { return position(pieces_.back(), t) - cam_.at(t).position; }
  double gapRate(double t) const { return velocity(pieces_.back(), t) - cam_.at(t).velocity; }

  void addImpact(double t) {
    const CamMotion c = cam_.at(t);
    const double before = velocity(pieces_.back(), t);
    // Derivatives by the initial (u, v/ω): a turn by ω times the flight, then the jump, which comes later by dt.
    const double angle = omega_ * (t - pieces_.back().t);
    const double approach = before - c.velocity;
    std::array<double, 2> dt{};
    for (std::size_t j = 0; j < 2; ++j) {
      const double u = std::cos(angle) * tangent_[0][j] + std::sin(angle) * tangent_[1][j];
      const double v = -std::sin(angle) * tangent_[0][j] + std::cos(angle) * tangent_[1][j];
      dt[j] = -u / approach;
      tangent_[0][j] = -restitution_ * u;
      tangent_[1][j] =
          -restitution_ * v + (1. + restitution_) * (c.acceleration + omega_ * omega_ * c.position) * dt[j] / omega_;
    }
    pieces_.push_back(
        {t, c.position, (1. + restitution_) * c.velocity - restitution_ * before, before, std::hypot(dt[0], dt[1])});
  }

  // A root of f between a and b, where f has different signs.
  template <class Function>
  static double root(const Function& f, double a, double b) {
    std::uintmax_t iterations = 200;
    const auto bracket =
        boost::math::tools::toms748_solve(f, a, b, boost::math::tools::eps_tolerance<double>(52), iterations);
    return 0.5 * (bracket.first + bracket.second);
  }

  // Looks at pieces of arcs so short that u − c has one minimum in them at most.
  bool findImpact(double& t, double end) const {
    const double longest = 2e-4;
    const auto f = [this](double x) { return gap(x); };
    const auto rate = [this](double x) { return gapRate(x); };
    double before = t + 1e-9;
    while (before < end) {
      const std::vector<double> junctions = cam_.junctions(before, std::min(end, before + 0.1));
      for (std::size_t k = 0; k <= junctions.size(); ++k) {
        const double arcEnd = k < junctions.size() ? junctions[k] : std::min(end, before + 0.1);
        if (arcEnd <= before) continue;
        const auto parts = static_cast<int>(std::ceil((arcEnd - before) / longest));
        const double arcBegin = before;
        for (int part = 1; part <= parts; ++part) {
          double after = arcBegin + (arcEnd - arcBegin) * part / parts;
          if (gap(after) > 0. && rate(before) < 0. && rate(after) > 0.) {
            const double lowest = root(rate, before, after);
            if (gap(lowest) <= 0.) after = lowest;
          }
          if (gap(after) <= 0.) {
            if (gap(before) <= 0.) return false;  // lasting contact
            t = root(f, before, after);
            return t < end;
          }
          before = after;
        }
      }
    }
    return false;
  }

  Cam cam_;
  double omega_;
  double restitution_;
  std::array<std::array<double, 2>, 2> tangent_{{{1., 0.}, {0., 1.}}};
  std::vector<Piece> pieces_;
};

}  // namespace delassus::test
