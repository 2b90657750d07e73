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
/// impact, and impacts are roots of u − c, bracketed arc by arc of the cam and refined to rounding. It shares only the
/// outline of the cam with the schemes. Flights of less than 1e-8 s end in a lasting contact, u = c, until the cam
/// recedes faster than the spring would push the follower, μ c̈ < −κ c.
class CamFollowerReference {
 public:
  CamFollowerReference(const Cam& cam, double mass, double stiffness, double restitution, double position,
                       double velocity, double end)
      : cam_(cam), omega_(std::sqrt(stiffness / mass)), restitution_(restitution) {
    const CamMotion start = cam_.at(0.);
    pieces_.push_back({0., position + start.position, velocity + start.velocity});
    double t = 0.;
    while (findImpact(t, end)) addImpact(t);
  }

  double u(double t) const { return position(at(t), t); }
  double v(double t) const { return velocity(at(t), t); }

  std::size_t impacts() const { return impacts_.size(); }
  double impactTime(std::size_t k) const { return impacts_[k].t; }
  double velocityBefore(std::size_t k) const { return impacts_[k].before; }
  double velocityAfter(std::size_t k) const { return impacts_[k].after; }
  std::size_t lastingContacts() const { return lastingContacts_; }

  /// How much an error is multiplied until impact k: seconds that its instant moves a metre of the initial u (and of
  /// v/ω, ω² = κ/μ), to first order. It grows without bound where the motion is chaotic; 0 after a lasting contact,
  /// which forgets where it came from.
  double growth(std::size_t k) const { return impacts_[k].growth; }

 private:
  struct Piece {
    double t, u, v;
    bool held = false;  // u = c
  };
  struct Impact {
    double t, before, after, growth;
  };

  double position(const Piece& piece, double t) const {
    if (piece.held) return cam_.at(t).position;
    return piece.u * std::cos(omega_ * (t - piece.t)) + piece.v / omega_ * std::sin(omega_ * (t - piece.t));
  }
  double velocity(const Piece& piece, double t) const {
    if (piece.held) return cam_.at(t).velocity;
    return -piece.u * omega_ * std::sin(omega_ * (t - piece.t)) + piece.v * std::cos(omega_ * (t - piece.t));
  }

  const Piece& at(double t) const {
    const auto next =
        std::upper_bound(pieces_.begin() + 1, pieces_.end(), t, [](double x, const Piece& p) { return x < p.t; });
    return *(next - 1);
  }

  double gap(double t) const { return position(pieces_.back(), t) - cam_.at(t).position; }
  double gapRate(double t) const { return velocity(pieces_.back(), t) - cam_.at(t).velocity; }
  // Of the cam on the follower in contact, over the mass.
  double push(double t) const {
    const CamMotion c = cam_.at(t);
    return c.acceleration + omega_ * omega_ * c.position;
  }

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
      tangent_[1][j] = -restitution_ * v + (1. + restitution_) * push(t) * dt[j] / omega_;
    }
    const double after = (1. + restitution_) * c.velocity - restitution_ * before;
    pieces_.push_back({t, c.position, after});
    impacts_.push_back({t, before, after, std::hypot(dt[0], dt[1])});
  }

  // A root of f between a and b, where f has different signs.
  template <class Function>
  static double root(const Function& f, double a, double b) {
    std::uintmax_t iterations = 200;
    const auto bracket =
        boost::math::tools::toms748_solve(f, a, b, boost::math::tools::eps_tolerance<double>(52), iterations);
    return 0.5 * (bracket.first + bracket.second);
  }

  // Calls found(begin, end) for one part of an arc after the other, from t on, until it is true; false if it never is.
  // Parts are so short that u − c has one minimum in them at most.
  template <class Found>
  bool findPart(double t, double end, const Found& found) const {
    const double longest = 2e-4;
    for (double begin = t; begin < end;) {
      const double pieceEnd = std::min(end, begin + 0.1);
      std::vector<double> ends = cam_.junctions(begin, pieceEnd);
      ends.push_back(pieceEnd);
      for (const double arcEnd : ends) {
        const double arcBegin = begin;
        const auto parts = static_cast<int>(std::ceil((arcEnd - arcBegin) / longest));
        for (int k = 1; k <= parts; ++k) {
          const double partEnd = k == parts ? arcEnd : arcBegin + (arcEnd - arcBegin) * k / parts;
          if (found(begin, partEnd)) return true;
          begin = partEnd;
        }
      }
    }
    return false;
  }

  // The next impact after t, where the present piece begins. Goes through lasting contacts, from which new pieces
  // begin.
  bool findImpact(double& t, double end) {
    const double shortest = 1e-8;
    while (true) {
      const bool found = findPart(t + shortest, end, [&](double begin, double partEnd) {
        if (gap(begin) <= 0.) {
          t = begin;
          return true;
        }
        double after = partEnd;
        if (gap(partEnd) > 0. && gapRate(begin) < 0. && gapRate(partEnd) > 0.) {
          after = root([this](double x) { return gapRate(x); }, begin, partEnd);
        }
        if (gap(after) > 0.) return false;
        t = root([this](double x) { return gap(x); }, begin, after);
        return true;
      });
      if (!found || t >= end) return false;
      if (t > pieces_.back().t + shortest) return true;
      if (!takeOff(t, end)) return false;
    }
  }

  // Follower and cam stay together from t on; a new piece begins where that ends, and t is moved there.
  bool takeOff(double& t, double end) {
    pieces_.push_back({t, cam_.at(t).position, cam_.at(t).velocity, true});
    ++lastingContacts_;
    tangent_ = {};
    // Just inside of an arc the acceleration is that of the arc.
    const double inside = 1e-12;
    const bool found = findPart(t, end, [&](double begin, double partEnd) {
      if (push(partEnd - inside) >= 0.) return false;
      const bool atOnce = push(begin + inside) <= 0.;
      t = atOnce ? begin : root([this](double x) { return push(x); }, begin + inside, partEnd - inside);
      return true;
    });
    if (found) pieces_.push_back({t, cam_.at(t).position, cam_.at(t).velocity});
    return found;
  }

  Cam cam_;
  double omega_;
  double restitution_;
  std::array<std::array<double, 2>, 2> tangent_{{{1., 0.}, {0., 1.}}};
  std::vector<Piece> pieces_;
  std::vector<Impact> impacts_;
  std::size_t lastingContacts_ = 0;
};

}  // namespace delassus::test
