// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/FrictionError.hpp>

#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {

// Written for itself, without the solvers' projection. r − P_K(r − û) is put together from û and the distance of x = r
// − û to the cone where that is small, since with a huge r the digits of û would be lost in x, and anything would pass.
double naturalMapSquared(std::size_t dimension, double mu, const double* r, const double* u) {
  const double u2 = dimension == 3 ? u[2] : 0.;
  const double r2 = dimension == 3 ? r[2] : 0.;
  const double normalVelocity = u[0] + mu * std::hypot(u[1], u2);
  const double x0 = r[0] - normalVelocity;
  const double x1 = r[1] - u[1];
  const double x2 = r2 - u2;
  const double length = std::hypot(x1, x2);
  const auto squared = [](double a, double b, double c) { return a * a + b * b + c * c; };
  if (x0 >= 0. && length <= mu * x0) return squared(normalVelocity, u[1], u2);
  if (!(mu * length > -x0)) return squared(r[0], r[1], r2);
  // x = P_K(x) + s (−μ, x_T/‖x_T‖), the two at right angles.
  const double s = (length - mu * x0) / (1. + mu * mu);
  return squared(normalVelocity - mu * s, u[1] + s * (x1 / length), u2 + s * (x2 / length));
}

double errorOf(const FrictionContactProblem& problem, ErrorMeasure measure, const Vector& r, Vector& u) {
  requireSize(r, problem.size(), "friction error: r");
  const std::size_t d = problem.dimension();
  if (u.size() != r.size()) u.resize(r.size(), false);
  problem.W().multiply(data(r), data(u));
  double squares = 0.;
  std::array<double, 9> block{};
  std::array<double, 3> scaled{};
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    double scale = 1.;
    if (measure == ErrorMeasure::scaled) {
      problem.W().diagonalBlock(contact, block.data());
      double trace = 0.;
      for (std::size_t i = 0; i < d; ++i) trace += block[i * (d + 1)];
      if (trace > 0.) scale = trace / static_cast<double>(d);
    }
    for (std::size_t i = 0; i < d; ++i) {
      u(d * contact + i) += problem.q()(d * contact + i);
      scaled[i] = scale * r(d * contact + i);
    }
    squares += naturalMapSquared(d, problem.mu()(contact), scaled.data(), data(u) + d * contact);
  }
  if (!std::isfinite(squares) || !allFinite(u)) return std::numeric_limits<double>::infinity();
  const double normOfData = norm2(problem.q());
  return std::sqrt(squares) / (normOfData < 1e-150 ? 1. : normOfData);
}

}  // namespace delassus::numerics
