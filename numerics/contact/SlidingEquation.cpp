// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/SlidingEquation.hpp>

#include <algorithm>
#include <limits>

namespace delassus::numerics {
namespace {

// A polynomial of degree 4 at most, lowest coefficient first.
using Polynomial = std::array<double, 5>;

double evaluate(const Polynomial& p, std::size_t degree, double t) {
  double sum = p[degree];
  for (std::size_t k = degree; k-- > 0;) sum = sum * t + p[k];
  return sum;
}

// Bisection with Newton steps where they stay inside; p changes sign between `low` and `high`.
double rootBetween(const Polynomial& p, const Polynomial& slope, std::size_t degree, double low, double high) {
  const bool rising = evaluate(p, degree, low) < 0.;
  double t = 0.5 * (low + high);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double value = evaluate(p, degree, t);
    if (value == 0.) return t;
    ((value < 0.) == rising ? low : high) = t;
    const double gradient = evaluate(slope, degree - 1, t);
    double next = t - value / gradient;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - t) <= 2. * std::numeric_limits<double>::epsilon() * std::abs(t)) return next;
    t = next;
  }
  return t;
}

// Real roots in ascending order within `bound`, found between those of the derivative. `turns` gets the latter.
std::size_t realRoots(const Polynomial& p, std::size_t degree, double bound, std::array<double, 4>& roots,
                      std::array<double, 4>& turns, std::size_t& turnCount) {
  turnCount = 0;
  Polynomial slope{};
  for (std::size_t k = 1; k <= degree; ++k) slope[k - 1] = static_cast<double>(k) * p[k];
  if (degree > 1) {
    std::array<double, 4> unused{};
    std::size_t unusedCount = 0;
    turnCount = realRoots(slope, degree - 1, bound, turns, unused, unusedCount);
  }
  std::size_t count = 0;
  double low = -bound;
  for (std::size_t k = 0; k <= turnCount; ++k) {
    const double high = k < turnCount ? turns[k] : bound;
    const double first = evaluate(p, degree, low), last = evaluate(p, degree, high);
    if (first == 0.) {
      if (count == 0 || roots[count - 1] < low) roots[count++] = low;
    } else if (last != 0. && (first < 0.) != (last < 0.)) {
      roots[count++] = rootBetween(p, slope, degree, low, high);
    }
    low = high;
  }
  return count;
}

}  // namespace

SlidingEquation::SlidingEquation(const OneContact<3>& contact) : mu_(contact.mu()) {
  const double* const W = contact.W();
  const double* const q = contact.q();
  normal_ = W[0];
  freeNormal_ = q[0];
  coupling1_ = W[3];
  coupling2_ = W[6];
  A_ = mu_ * (q[0] * W[5] - coupling1_ * q[2]);
  B_ = mu_ * (coupling2_ * q[1] - q[0] * W[7]);
  C_ = mu_ * (q[0] * (W[8] - W[4]) + coupling1_ * q[1] - coupling2_ * q[2]);
  D_ = normal_ * q[1] - q[0] * W[1];
  E_ = q[0] * W[2] - normal_ * q[2];
}

SlidingEquation::Direction SlidingEquation::refined(Direction t, int maxIterations) const {
  double size = std::abs(value(t));
  double signedValue = value(t);
  for (int iteration = 0; iteration < maxIterations; ++iteration) {
    const double change = std::clamp(-signedValue / derivative(t), -0.5, 0.5);
    const double inverse = 1. / std::sqrt(1. + change * change);
    const Direction turned{(t.cosine - change * t.sine) * inverse, (t.sine + change * t.cosine) * inverse};
    signedValue = value(turned);
    if (!(std::abs(signedValue) < size)) return t;
    size = std::abs(signedValue);
    t = turned;
    // The next step would be of the size of change².
    if (std::abs(change) < 1e-9) return t;
  }
  return t;
}

std::size_t SlidingEquation::roots(std::array<Direction, 8>& directions) const {
  // tan(θ/2) is undefined at θ = π: the tangents are turned so that the function is large there, and π is not a root.
  Direction far{1., 0.};
  double largest = 0.;
  for (const Direction t : {Direction{1., 0.}, Direction{0.6, 0.8}, Direction{-0.28, 0.96}, Direction{-0.936, 0.352},
                            Direction{-0.8, -0.6}, Direction{-0.1, -0.99498743710662}, Direction{0.6, -0.8}}) {
    if (std::abs(value(t)) <= largest) continue;
    largest = std::abs(value(t));
    far = t;
  }
  if (!(largest > 0.)) return 0;
  const double e = -far.cosine, f = -far.sine;
  const double A = A_ * e * e + B_ * f * f + C_ * e * f;
  const double B = A_ * f * f + B_ * e * e - C_ * e * f;
  const double C = 2. * (B_ - A_) * e * f + C_ * (e * e - f * f);
  const double D = D_ * e - E_ * f;
  const double E = E_ * e + D_ * f;
  const Polynomial quartic{A + E, 2. * (D + C), 4. * B - 2. * A, 2. * (D - C), A - E};
  double bound = 0.;
  for (std::size_t k = 0; k < 4; ++k) bound = std::max(bound, std::abs(quartic[k] / quartic[4]));
  std::array<double, 4> found{}, turns{};
  std::size_t turnCount = 0;
  const std::size_t rootCount = realRoots(quartic, 4, 1. + bound, found, turns, turnCount);
  std::size_t count = 0;
  const auto add = [&](double t) {
    const double share = 1. / (1. + t * t);
    const double cosine = (1. - t * t) * share, sine = 2. * t * share;
    directions[count++] = {cosine * e - sine * f, cosine * f + sine * e};
  };
  for (std::size_t k = 0; k < rootCount; ++k) add(found[k]);
  // A double root that rounding has lifted off zero.
  for (std::size_t k = 0; k < turnCount; ++k) add(turns[k]);
  return count;
}

bool SlidingEquation::reaction(Direction t, OneContact<3>::Reaction& r) const {
  const double resistance = normal_ + mu_ * (coupling1_ * t.cosine + coupling2_ * t.sine);
  r[0] = -freeNormal_ / resistance;
  r[1] = mu_ * r[0] * t.cosine;
  r[2] = mu_ * r[0] * t.sine;
  return r[0] >= 0. && std::isfinite(r[0]);
}

}  // namespace delassus::numerics
