// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/FrictionError.hpp>

#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {

// Written independently of the solvers' projection. r − P_K(r − û) is composed of û and the distance of x = r − û to
// the cone if that is small, since with a huge r the digits of û would be lost in x, and any û would pass.
template <class Real>
Real naturalMapSquared(std::size_t dimension, double mu, const Real* r, const Real* u) {
  const Real zero = 0.;
  const Real u2 = dimension == 3 ? u[2] : zero;
  const Real r2 = dimension == 3 ? r[2] : zero;
  const Real normalVelocity = u[0] + mu * std::hypot(u[1], u2);
  const Real x0 = r[0] - normalVelocity;
  const Real x1 = r[1] - u[1];
  const Real x2 = r2 - u2;
  const Real length = std::hypot(x1, x2);
  const auto squared = [](Real a, Real b, Real c) { return a * a + b * b + c * c; };
  if (x0 >= zero && length <= mu * x0) return squared(normalVelocity, u[1], u2);
  if (!(mu * length > -x0)) return squared(r[0], r[1], r2);
  // x = P_K(x) + s (−μ, x_T/‖x_T‖), the two at right angles.
  const Real s = (length - mu * x0) / (Real(1.) + Real(mu) * mu);
  return squared(normalVelocity - mu * s, u[1] + s * (x1 / length), u2 + s * (x2 / length));
}

template double naturalMapSquared<double>(std::size_t, double, const double*, const double*);
template long double naturalMapSquared<long double>(std::size_t, double, const long double*, const long double*);

double roundingOfNaturalMap(std::size_t dimension, double mu, const double* r, const double* u, const double* bounds) {
  constexpr double unit = 8. * std::numeric_limits<double>::epsilon();
  double change = 0.;
  for (std::size_t i = 0; i < dimension; ++i) change += bounds[i] + unit * (std::abs(r[i]) + std::abs(u[i]));
  return (1. + mu) * change;
}

namespace {

// d_c of each contact in turn.
double scaleOf(const FrictionContactProblem& problem, ErrorMeasure measure, std::size_t contact) {
  if (measure != ErrorMeasure::scaled) return 1.;
  const std::size_t d = problem.dimension();
  std::array<double, 9> block{};
  problem.W().diagonalBlock(contact, block.data());
  double trace = 0.;
  for (std::size_t i = 0; i < d; ++i) trace += block[i * (d + 1)];
  return trace > 0. ? trace / static_cast<double>(d) : 1.;
}

// Σ ‖d r − P(d r − û)‖²; from u = W r, to which it adds q.
template <class Real>
Real mapSquared(const FrictionContactProblem& problem, ErrorMeasure measure, const Vector& r, Real* u) {
  const std::size_t d = problem.dimension();
  Real squares = 0.;
  std::array<Real, 3> scaled{};
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const Real scale = scaleOf(problem, measure, contact);
    for (std::size_t i = 0; i < d; ++i) {
      u[d * contact + i] += problem.q()(d * contact + i);
      scaled[i] = scale * r(d * contact + i);
    }
    squares += naturalMapSquared(d, problem.mu()(contact), scaled.data(), u + d * contact);
  }
  return squares;
}

double rounding(const FrictionContactProblem& problem, ErrorMeasure measure, const Vector& r, const Vector& u,
                std::vector<double>& bounds) {
  const std::size_t d = problem.dimension();
  problem.W().addRounding(data(r), bounds.data());
  double squares = 0.;
  std::array<double, 3> scaled{};
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const double scale = scaleOf(problem, measure, contact);
    for (std::size_t i = 0; i < d; ++i) {
      bounds[d * contact + i] += std::numeric_limits<double>::epsilon() * std::abs(problem.q()(d * contact + i));
      scaled[i] = scale * r(d * contact + i);
    }
    const double change = roundingOfNaturalMap(d, problem.mu()(contact), scaled.data(), data(u) + d * contact,
                                               bounds.data() + d * contact);
    squares += change * change;
  }
  return std::sqrt(squares);
}

}  // namespace

double errorOf(const FrictionContactProblem& problem, ErrorMeasure measure, const Vector& r, Vector& u,
               double tolerance) {
  requireSize(r, problem.size(), "friction error: r");
  if (u.size() != r.size()) u.resize(r.size(), false);
  problem.W().multiply(data(r), data(u));
  const double squares = mapSquared(problem, measure, r, data(u));
  if (!std::isfinite(squares) || !allFinite(u)) return std::numeric_limits<double>::infinity();
  const double normOfData = norm2(problem.q());
  const double scale = normOfData < 1e-150 ? 1. : normOfData;
  const double error = std::sqrt(squares) / scale;
  if (!(error <= tolerance)) return error;
  CertificateSums& sums = CertificateSums::ofSize(r.size());
  return certified(
      error, tolerance, r.size(), [&] { return rounding(problem, measure, r, u, sums.bounds) / scale; },
      [&] {
        problem.W().addExtended(data(r), sums.extended.data());
        const long double sharp = mapSquared(problem, measure, r, sums.extended.data());
        for (std::size_t i = 0; i < u.size(); ++i) u(i) = static_cast<double>(sums.extended[i]);
        return std::sqrt(sharp) / scale;
      });
}

}  // namespace delassus::numerics
