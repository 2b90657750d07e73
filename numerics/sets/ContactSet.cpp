// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/sets/ContactSet.hpp>
#include <delassus/numerics/sets/RollingCone.hpp>
#include <limits>
#include <string>

namespace delassus::numerics {
namespace {

// The certificate, written independently of the projection that methods use (ContactCone).

// A disc ‖x_s‖ ≤ μ x_N of the cone, x = λ − ŵ, in some rows.
template <class Real>
struct Disc {
  Real mu;
  const Real* lambda;
  const Real* w;
  std::size_t rows;
  Real length = 0.;    // ‖x_s‖
  Real velocity = 0.;  // ‖w_s‖

  void measure() {
    Real lengths = 0., velocities = 0.;
    for (std::size_t i = 0; i < rows; ++i) {
      lengths += (lambda[i] - w[i]) * (lambda[i] - w[i]);
      velocities += w[i] * w[i];
    }
    length = std::sqrt(lengths);
    velocity = std::sqrt(velocities);
  }
  // ‖ w_s + cut x_s/‖x_s‖ ‖²
  Real mapSquared(Real cut) const {
    Real sum = 0.;
    for (std::size_t i = 0; i < rows; ++i) {
      const Real value = w[i] + (cut > Real(0.) ? cut * ((lambda[i] - w[i]) / length) : Real(0.));
      sum += value * value;
    }
    return sum;
  }
};

// ‖λ − P_K(λ − ŵ)‖², λ and w in the same unit. P_K(x) = x + (δ, −(e_s − μ_s δ)₊ x_s/‖x_s‖) with e_s = ‖x_s‖ − μ_s x_N
// and δ = Σ μ_s (e_s − μ_s δ)₊, which is the largest of the solutions with some of the terms only. The map is ŵ minus
// that change, since with a huge λ the digits of ŵ would be lost in x.
template <class Real>
Real coneMapSquared(Real lambda, Real w, Disc<Real> first, Disc<Real> second, Real reactionSquared) {
  const Real zero = 0.;
  first.measure();
  second.measure();
  const Real corrected = w + first.mu * first.velocity + second.mu * second.velocity;
  const Real x = lambda - corrected;
  if (x + first.mu * first.length + second.mu * second.length <= zero) return reactionSquared;
  const Real e1 = first.length - first.mu * x;
  const Real e2 = second.length - second.mu * x;
  const auto lift = [&](Real a, Real b) { return (a * e1 + b * e2) / (Real(1.) + a * a + b * b); };
  const Real delta = std::max({zero, lift(first.mu, zero), lift(zero, second.mu), lift(first.mu, second.mu)});
  return (corrected - delta) * (corrected - delta) + first.mapSquared(e1 - first.mu * delta) +
         second.mapSquared(e2 - second.mu * delta);
}

// Rows of rolling are multiplied by c, which gives their w the unit of a velocity.
template <class Real>
double rollingScale(const ResidualRows<Real>& rows, std::size_t tangents, double d) {
  return rows.count > 1 + tangents ? std::sqrt(d / rows.mean(1 + tangents, rows.count)) : 1.;
}

template <class Real>
void add(const ResidualRows<Real>& rows, const ContactShape& shape, ResidualSums<Real>& sums) {
  const double d = rows.mean(0, 1 + shape.tangents);
  const double c = rollingScale(rows, shape.tangents, d);
  const double unit = rows.weight(d);
  Real lambda[ContactCone::mostRows] = {}, w[ContactCone::mostRows] = {};
  Real reactionSquared = 0., velocitySquared = 0.;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double scale = i > shape.tangents ? c : 1.;
    lambda[i] = Real(d) * rows.lambda[i] / scale;
    w[i] = scale * rows.w[i];
    reactionSquared += lambda[i] * lambda[i];
    velocitySquared += w[i] * w[i];
    sums.sum += static_cast<double>(std::abs(rows.lambda[i]));
    sums.data += scale * rows.q[i] * (scale * rows.q[i]) * unit;
    sums.finite += Real(0.) * rows.w[i] + Real(0.) * rows.lambda[i];
  }
  const Disc<Real> slip{shape.friction, lambda + 1, w + 1, shape.tangents};
  const Disc<Real> roll{shape.rolling / c, lambda + 1 + shape.tangents, w + 1 + shape.tangents, shape.rolls()};
  sums.map += coneMapSquared<Real>(lambda[0], w[0], slip, roll, reactionSquared) * unit;
  const double factor = 1. + shape.friction + shape.rolling / c;
  const double weight = factor * factor * unit;
  sums.weigh(weight * std::max(1., c * c));
  sums.shift = std::max(sums.shift, factor);
  sums.contacts += weight * static_cast<double>(reactionSquared + velocitySquared);
}

void requireCoefficient(std::size_t part, double value, const char* name) {
  if (value >= 0. && value < std::numeric_limits<double>::infinity()) return;
  failPart(part, std::string("expected a finite ") + name + " >= 0, got " + toText(value) + ".");
}

// ‖x_s‖ ≤ radius, on the border half of the time.
template <class Share>
void drawDisc(std::size_t rows, double radius, Share&& share, double* x) {
  double squares = 0.;
  for (std::size_t i = 0; i < rows; ++i) {
    x[i] = share();
    squares += x[i] * x[i];
  }
  const double length = std::sqrt(squares);
  const double wanted = radius * (share() > 0. ? 1. : std::abs(share()));
  for (std::size_t i = 0; i < rows; ++i) x[i] *= length > 0. ? wanted / length : 0.;
}

}  // namespace

void ContactSet::validate(std::size_t part, std::size_t rows, const double*, const double*) const {
  if (rows != 3 && rows != (rolls_ ? 5U : 2U)) {
    failPart(part, std::string("expected ") + (rolls_ ? "3 or 5 rows for a rolling contact" : "2 or 3 rows") +
                       ", got " + std::to_string(rows) + ".");
  }
  requireCoefficient(part, friction_, "coefficient of friction");
  requireCoefficient(part, rolling_, "coefficient of rolling resistance");
}

std::optional<std::array<double, 2>> ContactSet::usedResistance(const double* lambda, std::size_t rows) const {
  const auto used = [&](std::size_t first, std::size_t end, double coefficient) {
    double squares = 0.;
    for (std::size_t i = first; i < end; ++i) squares += lambda[i] * lambda[i];
    return coefficient > 0. ? std::sqrt(squares) / (coefficient * lambda[0]) : 1.;
  };
  const std::size_t roll = 1 + shape(rows).tangents;
  return std::array<double, 2>{used(1, roll, friction_), rolls_ ? used(roll, rows, rolling_) : 0.};
}

void ContactSet::scales(const double* block, std::size_t rows, double* d, double* c) const {
  std::fill_n(d, rows, 1.);
  std::fill_n(c, rows, 1.);
  if (block == nullptr) return;
  const std::size_t roll = 1 + shape(rows).tangents;
  std::fill_n(d, rows, meanDiagonal(block, rows, 0, roll));
  if (roll == rows) return;
  std::fill_n(c + roll, rows - roll, std::sqrt(d[0] / meanDiagonal(block, rows, roll, rows)));
}

void ContactSet::scalesOfProjection(const double* block, std::size_t rows, double* d, double* c) const {
  scales(block, rows, d, c);
  if (!(friction_ > 1.)) return;
  c[0] = 1. / friction_;
  if (block == nullptr) return;
  const std::size_t roll = 1 + shape(rows).tangents;
  const double mean = d[0] + (c[0] * c[0] - 1.) * block[0] / static_cast<double>(roll);
  std::fill_n(d, rows, mean > 0. ? mean : 1.);
}

void ContactSet::project(const Rows& rows, double* x) const {
  for (std::size_t i = 0; i < rows.count; ++i) x[i] /= rows.c[i];
  ContactCone(shape(rows)).project(x);
  for (std::size_t i = 0; i < rows.count; ++i) x[i] *= rows.c[i];
}

void ContactSet::addShift(std::size_t rows, const double* w, double* target) const {
  target[0] += ContactCone(shape(rows)).correction(w);
}

bool ContactSet::shiftGradient(std::size_t rows, const double* w, double* gradient) const {
  const std::size_t roll = 1 + shape(rows).tangents;
  const auto setDisc = [&](std::size_t first, std::size_t end, double coefficient) {
    double squares = 0.;
    for (std::size_t i = first; i < end; ++i) squares += w[i] * w[i];
    const double factor = squares > 0. ? coefficient / std::sqrt(squares) : 0.;
    for (std::size_t i = first; i < end; ++i) gradient[i] = factor * w[i];
  };
  gradient[0] = 0.;
  setDisc(1, roll, friction_);
  setDisc(roll, rows, rolling_);
  return true;
}

void ContactSet::addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const {
  add(rows, shape(rows.count), sums);
}

void ContactSet::addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const {
  add(rows, shape(rows.count), sums);
}

// The map moves by no more than ŵ does.
double ContactSet::roundingSquared(const ResidualRows<double>& rows, const double* bounds) const {
  constexpr double unit = 16. * std::numeric_limits<double>::epsilon();
  const std::size_t tangents = shape(rows.count).tangents;
  const double d = rows.mean(0, 1 + tangents);
  const double c = rollingScale(rows, tangents, d);
  double change = 0.;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double scale = i > tangents ? c : 1.;
    change += scale * bounds[i] + unit * (d / scale * std::abs(rows.lambda[i]) + scale * std::abs(rows.w[i]));
  }
  const double shifted = (1. + friction_ + rolling_ / c) * change;
  return shifted * shifted * rows.weight(d);
}

// w_N ≥ 0, whatever the friction.
bool ContactSet::implies(const double* y, std::size_t rows, const double*, const double*) const {
  bool isImplied = std::isfinite(y[0]) && y[0] >= 0.;
  for (std::size_t i = 1; i < rows; ++i) isImplied = isImplied && y[i] == 0.;
  return isImplied;
}

// 0 where g_N + μ‖g_T‖ + μ_R‖g_R‖ ≤ 0.
bool ContactSet::addLargest(const ProofSum* g, std::size_t rows, const double*, const double*, double rounding,
                            ProofSum&) const {
  const std::size_t rolls = 1 + shape(rows).tangents;
  const ProofSum slip = normOf(g + 1, rolls - 1), roll = normOf(g + rolls, rows - rolls);
  const ProofSum all{g[0].value + friction_ * slip.value + rolling_ * roll.value,
                     g[0].size + friction_ * slip.size + rolling_ * roll.size};
  return all.isNotPositive(rounding);
}

void ContactSet::naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                            double* B) const {
  const std::size_t m = rows.count;
  const double *const d = rows.d, *const c = rows.c;
  const ContactCone cone(shape(rows));
  double u[ContactCone::mostRows], r[ContactCone::mostRows];
  for (std::size_t i = 0; i < m; ++i) {
    u[i] = c[i] * w[i];
    r[i] = d[i] * lambda[i] / c[i];
  }
  cone.naturalMap(u, r, value, A, B);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < m; ++i) {
      A[i + m * j] *= c[j];
      B[i + m * j] *= d[j] / c[j];
    }
  }
}

// Open half of the time.
void ContactSet::draw(const Rows& rows, double energy, RandomGenerator& generator, double* lambda) const {
  std::uniform_real_distribution<double> signedShare(-1., 1.);
  const auto share = [&] { return signedShare(generator); };
  const std::size_t tangents = shape(rows.count).tangents;
  lambda[0] = share() > 0. ? 0. : impulseFor(energy, rows.d[0]) * std::abs(share());
  drawDisc(tangents, friction_ * lambda[0], share, lambda + 1);
  drawDisc(rows.count - 1 - tangents, rolling_ * lambda[0], share, lambda + 1 + tangents);
}

void ContactSet::subtractOwn(std::size_t rows, const double* block, const double* lambda, double* w) {
  if (block == nullptr) return;
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < rows; ++i) w[i] -= block[i + rows * j] * lambda[j];
  }
}

}  // namespace delassus::numerics
