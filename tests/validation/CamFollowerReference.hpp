// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Cam.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

namespace delassus::test {

/// The undamped cam follower between and across impacts in closed form: u is a harmonic oscillation from impact to
/// impact, and impacts are roots of u − c, bracketed on a fine grid and refined to rounding. It shares nothing with
/// the schemes but the outline of the cam. Not for follower and cam in lasting contact.
class CamFollowerReference {
 public:
  CamFollowerReference(const Cam& cam, double mass, double stiffness, double restitution, double position,
                       double velocity, double end)
      : cam_(cam), omega_(std::sqrt(stiffness / mass)) {
    const CamMotion start = cam_.at(0.);
    pieces_.push_back({0., position + start.position, velocity + start.velocity});
    double t = 0.;
    while (findImpact(t, end)) {
      const CamMotion c = cam_.at(t);
      pieces_.push_back({t, c.position, (1. + restitution) * c.velocity - restitution * v(t)});
    }
  }

  double u(double t) const {
    const Piece& piece = at(t);
    return piece.u * std::cos(omega_ * (t - piece.t)) + piece.v / omega_ * std::sin(omega_ * (t - piece.t));
  }

  double v(double t) const {
    const Piece& piece = at(t);
    return -piece.u * omega_ * std::sin(omega_ * (t - piece.t)) + piece.v * std::cos(omega_ * (t - piece.t));
  }

  std::size_t impacts() const { return pieces_.size() - 1; }
  double impactTime(std::size_t k) const { return pieces_[k + 1].t; }

 private:
  struct Piece {
    double t, u, v;
  };

  const Piece& at(double t) const {
    std::size_t k = pieces_.size() - 1;
    while (k > 0 && pieces_[k].t > t) --k;
    return pieces_[k];
  }

  double gap(double t) const { return u(t) - cam_.at(t).position; }

  bool findImpact(double& t, double end) const {
    const double grid = 1e-5;
    double before = t + 1e-9;
    while (before < end) {
      const double after = before + grid;
      if (gap(after) <= 0.) {
        std::uintmax_t iterations = 200;
        const auto bracket =
            boost::math::tools::toms748_solve([this](double x) { return gap(x); }, before, after,
                                              boost::math::tools::eps_tolerance<double>(52), iterations);
        t = 0.5 * (bracket.first + bracket.second);
        return t < end;
      }
      before = after;
    }
    return false;
  }

  Cam cam_;
  double omega_;
  std::vector<Piece> pieces_;
};

}  // namespace delassus::test
