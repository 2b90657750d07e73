// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/contact/OneContact.hpp>
#include <delassus/numerics/sets/AssociatedCone.hpp>
#include <limits>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int angleSteps = 60;
constexpr double pi = 3.141592653589793;

template <std::size_t d>
using Vec = std::array<double, d>;

template <std::size_t d>
double dot(const Vec<d>& a, const Vec<d>& b) {
  double sum = 0.;
  for (std::size_t i = 0; i < d; ++i) sum += a[i] * b[i];
  return sum;
}

// The size of the terms of aᵀ W b, of which rounding errors are a part.
template <std::size_t d>
double termsOf(const Vec<d>& a, const double* W, const Vec<d>& b) {
  double sum = 0.;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < d; ++i) sum += std::abs(a[i] * W[i + d * j] * b[j]);
  }
  return sum;
}

template <std::size_t d>
Vec<d> times(const double* W, const Vec<d>& x) {
  Vec<d> y{};
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < d; ++i) y[i] += W[i + d * j] * x[j];
  }
  return y;
}

// A contact of which the reaction is on the border of the cone, λ = h e with the e of an edge: h minimises the energy
// along it, and the edge is the best where u ⟂ ∂e.
template <std::size_t d>
class Border {
 public:
  explicit Border(const OneContact<d>& contact) : W_(contact.W()), mu_(contact.mu()) {
    std::copy_n(contact.q(), d, q_.begin());
  }

  // Best reaction, from the direction of `start`; false if it was not found.
  bool solve(const Vec<d>& start, Vec<d>& r) const;

 private:
  bool refineBest(int edges, Vec<d>& r) const;
  bool refine(double angle, double low, double high, Vec<d>& r) const;

  // u = W r + q is in the border of K*, along the axis of the cone and against the slip: u_N ≥ 0.
  bool take(const Vec<d>& edge, Vec<d>& r) const {
    const Vec<d> We = times<d>(W_, edge);
    const double energy = dot<d>(edge, We), load = dot<d>(q_, edge);
    if (!(energy > 0.) || !(load < 0.)) return false;
    const double h = -load / energy;
    Vec<d> normal{};
    normal[0] = 1.;
    const double rounding = 16. * epsilon * (h * termsOf<d>(normal, W_, edge) + std::abs(q_[0]));
    if (!(h * We[0] + q_[0] >= -rounding)) return false;
    for (std::size_t i = 0; i < d; ++i) r[i] = h * edge[i];
    return true;
  }

  const double* W_;
  Vec<d> q_{};
  double mu_;
};

template <>
bool Border<2>::solve(const Vec<2>& start, Vec<2>& r) const {
  const double first = start[1] < 0. ? -1. : 1.;
  return take({1., first * mu_}, r) || take({1., -first * mu_}, r);
}

// Newton's method on the angle of the edge; where it would leave the angles from `low` to `high`, it halves them.
template <>
bool Border<3>::refine(double angle, double low, double high, Vec<3>& r) const {
  for (int step = 0; step < angleSteps; ++step) {
    const double c = mu_ * std::cos(angle), s = mu_ * std::sin(angle);
    const Vec<3> e{1., c, s}, t{0., -s, c}, n{0., -c, -s};
    const Vec<3> We = times<3>(W_, e), Wt = times<3>(W_, t);
    const double energy = dot<3>(e, We), load = dot<3>(q_, e);
    if (!(energy > 0. && load < 0.)) return false;
    const double h = -load / energy;
    const double along = dot<3>(t, We), push = dot<3>(q_, t);
    const double slope = h * along + push;  // u·t
    const double terms = h * termsOf<3>(t, W_, e) + std::abs(push);
    if (std::abs(slope) <= 8. * epsilon * terms) return take(e, r);
    (slope < 0. ? low : high) = angle;
    const double hByAngle = -(push + 2. * h * along) / energy;
    const double curvature = hByAngle * along + h * (dot<3>(n, We) + dot<3>(t, Wt)) + dot<3>(q_, n);
    const double next = angle - slope / curvature;
    const double before = std::exchange(angle, next > low && next < high ? next : 0.5 * (low + high));
    // Also where the slope is steep, but not at an end of the angles.
    if (std::abs(angle - before) <= 4. * epsilon) return std::abs(slope) <= 1e-12 * terms && take(e, r);
  }
  return false;
}

// About the best of some edges, by the energy −load² / 2 energy that it is left with.
template <>
bool Border<3>::refineBest(int edges, Vec<3>& r) const {
  const double between = 2. * pi / edges;
  double best = 0., angleOfBest = 0.;
  for (int k = 0; k < edges; ++k) {
    const double angle = between * k;
    const Vec<3> e{1., mu_ * std::cos(angle), mu_ * std::sin(angle)};
    const double energy = dot<3>(e, times<3>(W_, e)), load = dot<3>(q_, e);
    if (!(load < 0. && energy > 0.) || load * load <= best * energy) continue;
    best = load * load / energy;
    angleOfBest = angle;
  }
  return best > 0. && refine(angleOfBest, angleOfBest - between, angleOfBest + between, r);
}

template <>
bool Border<3>::solve(const Vec<3>& start, Vec<3>& r) const {
  const double first = std::atan2(start[2], start[1]);
  if (refine(first, first - 0.5, first + 0.5, r)) return true;
  return refineBest(24, r);
}

// u in K*, K* = { μ ‖u_T‖ ≤ u_N }
template <std::size_t d>
bool opens(const Vec<d>& u, double mu) {
  return u[0] >= mu * tangentNorm(d, u.data());
}

// An energy, which the closed forms minimise, is there only for symmetric blocks.
template <std::size_t d>
bool isSymmetric(const double* W) {
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const double scale = std::abs(W[i * (d + 1)]) + std::abs(W[j * (d + 1)]);
      if (std::abs(W[i + d * j] - W[j + d * i]) > 1e-12 * scale) return false;
    }
  }
  return true;
}

template <std::size_t d>
bool solveContact(const double* W, double mu, const double* free, double* lambda) {
  if (!isSymmetric<d>(W)) return false;
  const OneContact<d> contact(W, free, mu);
  Vec<d> q, start, r{};
  std::copy_n(free, d, q.begin());
  std::copy_n(lambda, d, start.begin());
  const bool slid = start[0] > 0. && tangentNorm(d, start.data()) >= (1. - 1e-9) * mu * start[0];
  bool isSolved = opens<d>(q, mu);
  if (!isSolved && slid) isSolved = Border<d>(contact).solve(start, r);
  if (!isSolved) {
    isSolved = contact.stick(r) && contact.isInCone(r);
    if (!isSolved) isSolved = Border<d>(contact).solve(Vec<d>(r), r);
  }
  if (isSolved) std::copy_n(r.begin(), d, lambda);
  return isSolved;
}

}  // namespace

void AssociatedCone::validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const {
  SecondOrderCone::validate(part, rows, lower, upper);
  if (rows != 2 && rows != 3) failPart(part, "expected 2 or 3 rows, got " + std::to_string(rows) + ".");
}

std::optional<std::array<double, 2>> AssociatedCone::usedResistance(const double* lambda, std::size_t rows) const {
  const double mu = coefficients()[0];
  return std::array<double, 2>{mu > 0. ? tangentNorm(rows, lambda) / (mu * lambda[0]) : 1., 0.};
}

void AssociatedCone::solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                                double* lambda) const {
  const std::size_t m = rows.count;
  if (block != nullptr) {
    double free[3];
    for (std::size_t i = 0; i < m; ++i) {
      free[i] = w[i];
      for (std::size_t j = 0; j < m; ++j) free[i] -= block[i + m * j] * lambda[j];
    }
    const double mu = coefficients()[0];
    if (m == 2 ? solveContact<2>(block, mu, free, lambda) : solveContact<3>(block, mu, free, lambda)) return;
  }
  SecondOrderCone::solveLocal(rows, block, factor, w, lambda);
}

}  // namespace delassus::numerics
