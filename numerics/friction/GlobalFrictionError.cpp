// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalFrictionError.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/FrictionError.hpp>
#include <limits>
#include <vector>

namespace delassus::numerics {
namespace {

double orOne(double scale) {
  return scale < 1e-150 ? 1. : scale;
}

double velocityScale(const GlobalFrictionContactProblem& problem, const double* v) {
  const SparseMatrix& H = problem.H();
  double squares = 0.;
  for (std::size_t j = 0; j < H.size2(); ++j) {
    double sum = 0.;
    for (std::size_t k = columnStart(H, j); k < columnStart(H, j + 1); ++k)
      sum += std::abs(valueOf(H, k) * v[rowOf(H, k)]);
    squares += sum * sum;
  }
  return std::max(norm2(problem.b()), std::sqrt(squares));
}

std::vector<double> diagonalOf(const SparseMatrix& M) {
  std::vector<double> diagonal(M.size1(), 0.);
  for (std::size_t j = 0; j < M.size2(); ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) {
      if (rowOf(M, k) == j) diagonal[j] = valueOf(M, k);
    }
  }
  return diagonal;
}

double contactScale(const GlobalFrictionContactProblem& problem, const std::vector<double>& mass, std::size_t contact) {
  const SparseMatrix& H = problem.H();
  const std::size_t d = problem.dimension();
  double trace = 0.;
  for (std::size_t k = columnStart(H, d * contact); k < columnStart(H, d * (contact + 1)); ++k) {
    if (mass[rowOf(H, k)] > 0.) trace += valueOf(H, k) * valueOf(H, k) / mass[rowOf(H, k)];
  }
  return trace > 0. ? trace / static_cast<double>(d) : 1.;
}

}  // namespace

double errorOf(const GlobalFrictionContactProblem& problem, ErrorMeasure measure, const Vector& x, Vector& u) {
  requireSize(x, problem.size(), "global friction error: x = (v, r)");
  const std::size_t d = problem.dimension();
  const std::size_t freedoms = problem.degreesOfFreedom();
  const double* const v = data(x);
  const double* const r = data(x) + freedoms;
  const bool scaled = measure == ErrorMeasure::scaled;
  u = problem.b();
  multiplyTransposed(1., problem.H(), v, 1., data(u));
  Vector forces(freedoms);
  multiply(1., problem.H(), r, 0., data(forces));
  const double forceScale = orOne(scaled ? std::max(norm2(problem.f()), norm2(forces)) : norm2(problem.f()));
  addScaled(1., problem.f(), forces);
  multiply(1., problem.M(), v, -1., data(forces));
  const double dynamics = norm2(forces) / forceScale;

  const std::vector<double> mass = diagonalOf(problem.M());
  double squares = 0.;
  std::array<double, 3> reaction{};
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const double scale = scaled ? contactScale(problem, mass, contact) : 1.;
    for (std::size_t i = 0; i < d; ++i) reaction[i] = scale * r[d * contact + i];
    squares += naturalMapSquared(d, problem.mu()(contact), reaction.data(), data(u) + d * contact);
  }
  const double contactPart = std::sqrt(squares) / orOne(scaled ? velocityScale(problem, v) : norm2(problem.b()));
  if (!std::isfinite(contactPart) || !std::isfinite(dynamics) || !allFinite(u)) {
    return std::numeric_limits<double>::infinity();
  }
  return std::hypot(contactPart, dynamics);
}

}  // namespace delassus::numerics
