// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/FrictionError.hpp>

#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {

// Written for itself, without the solvers' projection.
double naturalMapSquared(std::size_t dimension, double mu, const double* r, const double* u) {
  const double u2 = dimension == 3 ? u[2] : 0.;
  const double r2 = dimension == 3 ? r[2] : 0.;
  const double x0 = r[0] - u[0] - mu * std::hypot(u[1], u2);
  const double x1 = r[1] - u[1];
  const double x2 = r2 - u2;
  const double length = std::hypot(x1, x2);
  double p0 = 0., p1 = 0., p2 = 0.;
  if (x0 >= 0. && length <= mu * x0) {
    p0 = x0, p1 = x1, p2 = x2;
  } else if (mu * length > -x0) {
    // Along the ray (1, μ x_T/‖x_T‖) of the cone.
    p0 = (x0 + mu * length) / (1. + mu * mu);
    p1 = mu * p0 * (x1 / length);
    p2 = mu * p0 * (x2 / length);
  }
  return (r[0] - p0) * (r[0] - p0) + (r[1] - p1) * (r[1] - p1) + (r2 - p2) * (r2 - p2);
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
