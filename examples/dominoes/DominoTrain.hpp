// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

/// A row of dominoes by their angles alone: each turns about its lower front edge, which does not slip, hits the next
/// one without rebound, and leans on it from then on with friction in between (van Leeuwen, The domino effect, Am. J.
/// Phys. 78, 2010). With the pitch D, height h and thickness d, one at θ leans on the next at θ' where
///
///     h sin(θ − θ') = D cos θ' − d,
///
/// so that all angles of a train follow from that of its front. Forces f between them have the arms h cos(θ − θ') −
/// D sin θ' − μ d about the edge of the one in front, and h (cos(θ − θ') + μ sin(θ − θ')) about that of the other.
struct DominoTrain {
  double height = 0.048;      ///< m
  double thickness = 0.0075;  ///< m
  double pitch = 0.02;        ///< from one to the next, m
  double friction = 0.2;      ///< between dominoes
  double push = 5.;           ///< rate of the first one at t = 0, about its edge, rad/s
  double gravity = 9.81;      ///< m/s²

  /// At which one that falls meets the next, rad.
  double angleAtHit() const { return std::asin((pitch - thickness) / height); }

  /// Instants at which the dominoes 1, 2, … are hit, s; fewer if the push does not suffice, and none after 20 s, since
  /// its steps are of 2e-5 s however slow the train is.
  std::vector<double> hits(std::size_t count) const {
    constexpr double dt = 2e-5;  // of Runge and Kutta's method
    constexpr std::size_t mostSteps = 1000000;
    std::vector<double> instants;
    std::vector<Domino> work;
    std::size_t steps = 0;
    State front{0., push};
    double t = 0.;
    for (std::size_t number = 1; number < count; ++number) {
      State before = front;
      while (front.angle < angleAtHit()) {
        if (steps++ == mostSteps) return instants;
        before = front;
        front = advance(front, number, dt, work);
        if (!(front.rate > 0.)) return instants;
        t += dt;
      }
      const double back = (front.angle - angleAtHit()) / (front.angle - before.angle);
      instants.push_back(t - back * dt);
      front = {0., rateAfterHit(number, front.rate)};
    }
    return instants;
  }

 private:
  struct State {
    double angle, rate;  // of the front
  };
  // Domino k: θ_k, dθ_k/dθ of the front, and what of its acceleration does not come from that of the front.
  struct Domino {
    double angle, slope, drift;
  };

  // The train behind a front, which is its last element.
  void setTrain(std::vector<Domino>& all, std::size_t number, const State& front) const {
    all.resize(number);
    all.back() = {front.angle, 1., 0.};
    for (std::size_t k = number - 1; k-- > 0;) {
      const Domino& next = all[k + 1];
      const double u = (pitch * std::cos(next.angle) - thickness) / height;
      const double du = -pitch / height * std::sin(next.angle);
      const double root = std::sqrt(1. - u * u);
      const double slope = 1. + du / root;
      const double bend = -pitch / height * std::cos(next.angle) / root + u * du * du / (root * root * root);
      const double rate = next.slope * front.rate;
      all[k] = {next.angle + std::asin(u), slope * next.slope, slope * next.drift + bend * rate * rate};
    }
  }
  // Arms of the force between two, by the mass: about the edge of the one behind, and of the one in front.
  double armBehind(double angle, double next) const {
    return height * (std::cos(angle - next) + friction * std::sin(angle - next));
  }
  double armInFront(double angle, double next) const {
    return height * std::cos(angle - next) - pitch * std::sin(next) - friction * thickness;
  }
  double inertia() const { return (height * height + thickness * thickness) / 3.; }  // about an edge, by the mass

  // `all`: room for the train.
  double acceleration(const State& front, std::size_t number, std::vector<Domino>& all) const {
    setTrain(all, number, front);
    double force = 0., perAcceleration = 0.;  // between domino k and the next, by the mass
    double moment = 0., momentPerAcceleration = 0.;
    for (std::size_t k = 0; k < number; ++k) {
      const Domino& d = all[k];
      const double weight = 0.5 * gravity * (height * std::sin(d.angle) - thickness * std::cos(d.angle));
      const double arm = k == 0 ? 0. : armInFront(all[k - 1].angle, d.angle);
      moment = force * arm + weight - inertia() * d.drift;
      momentPerAcceleration = perAcceleration * arm - inertia() * d.slope;
      if (k + 1 == number) break;
      force = moment / armBehind(d.angle, all[k + 1].angle);
      perAcceleration = momentPerAcceleration / armBehind(d.angle, all[k + 1].angle);
    }
    return -moment / momentPerAcceleration;
  }

  // The rate of a domino just after a train of `number` dominoes, whose first has that rate, has hit it.
  double rateAfterHit(std::size_t number, double rate) const {
    std::vector<Domino> before, after;
    setTrain(before, number, {angleAtHit(), rate});
    setTrain(after, number + 1, {0., 0.});
    double impulse = 0., perRate = 0.;
    for (std::size_t k = 0; k < number; ++k) {
      const double arm = k == 0 ? 0. : armInFront(after[k - 1].angle, after[k].angle);
      const double behind = armBehind(after[k].angle, after[k + 1].angle);
      impulse = (impulse * arm + inertia() * before[k].slope * rate) / behind;
      perRate = (perRate * arm - inertia() * after[k].slope) / behind;
    }
    const double arm = armInFront(after[number - 1].angle, 0.);
    return impulse * arm / (inertia() - perRate * arm);
  }

  State advance(const State& s, std::size_t number, double dt, std::vector<Domino>& work) const {
    const auto slope = [&](const State& at) { return State{at.rate, acceleration(at, number, work)}; };
    const auto moved = [&s](const State& by, double h) { return State{s.angle + h * by.angle, s.rate + h * by.rate}; };
    const State a = slope(s), b = slope(moved(a, 0.5 * dt)), c = slope(moved(b, 0.5 * dt)), d = slope(moved(c, dt));
    return {s.angle + dt / 6. * (a.angle + 2. * b.angle + 2. * c.angle + d.angle),
            s.rate + dt / 6. * (a.rate + 2. * b.rate + 2. * c.rate + d.rate)};
  }
};
