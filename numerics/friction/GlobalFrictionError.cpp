// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalFrictionError.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>
#include <limits>
#include <vector>

namespace delassus::numerics {
namespace {

double representableOrOne(double scale) {
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

// What M v − H r − f and u = Hᵀ v + b are compared with, and d_c of each contact.
struct Scales {
  double force, velocity;
  std::vector<double> contacts;
};

Scales scalesOf(const GlobalFrictionContactProblem& problem, ErrorMeasure measure, const double* v, double hr) {
  Scales scales{representableOrOne(norm2(problem.f())), representableOrOne(norm2(problem.b())),
                std::vector<double>(problem.contacts(), 1.)};
  if (measure == ErrorMeasure::published) return scales;
  scales.force = representableOrOne(std::max(norm2(problem.f()), hr));
  scales.velocity = representableOrOne(velocityScale(problem, v));
  const std::vector<double> mass = diagonalOf(problem.M());
  for (std::size_t c = 0; c < problem.contacts(); ++c) scales.contacts[c] = contactScale(problem, mass, c);
  return scales;
}

// A contact whose reaction is given in the unit of its velocity.
template <class Real>
ResidualRows<Real> contactRows(std::size_t dimension, const Real* reaction, const Real* u) {
  static constexpr std::array<double, 3> noData{};
  return {dimension, reaction, u, noData.data(), nullptr, nullptr, nullptr, false};
}

// The measure, from M v − H r − f and u.
template <class Real>
Real measured(const GlobalFrictionContactProblem& problem, const Scales& scales, const double* r, const Real* forces,
              const Real* u) {
  const std::size_t d = problem.dimension();
  Real dynamics = 0.;
  for (std::size_t i = 0; i < problem.degreesOfFreedom(); ++i) {
    const Real force = forces[i] / scales.force;
    dynamics += force * force;
  }
  ResidualSums<Real> sums;
  std::array<Real, 3> reaction{};
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    for (std::size_t i = 0; i < d; ++i) reaction[i] = Real(scales.contacts[contact]) * r[d * contact + i];
    CoulombCone(problem.mu()(contact)).addResidual(contactRows(d, reaction.data(), u + d * contact), sums);
  }
  return std::hypot(std::sqrt(sums.map) / scales.velocity, std::sqrt(dynamics));
}

// Of the sums of both, forces first.
double rounding(const GlobalFrictionContactProblem& problem, const Scales& scales, const Vector& x, const Vector& u,
                std::vector<double>& bounds) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const std::size_t freedoms = problem.degreesOfFreedom();
  const std::size_t d = problem.dimension();
  const double* const r = data(x) + freedoms;
  addRounding(problem.M(), data(x), bounds.data());
  addRounding(problem.H(), r, bounds.data());
  addRoundingTransposed(problem.H(), data(x), bounds.data() + freedoms);
  double dynamics = 0.;
  for (std::size_t i = 0; i < freedoms; ++i) {
    // Of three sums that are added up.
    const double bound = (2. * bounds[i] + 2. * epsilon * std::abs(problem.f()(i))) / scales.force;
    dynamics += bound * bound;
  }
  double squares = 0.;
  std::array<double, 3> reaction{};
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    double* const bound = bounds.data() + freedoms + d * contact;
    for (std::size_t i = 0; i < d; ++i) {
      reaction[i] = scales.contacts[contact] * r[d * contact + i];
      bound[i] += epsilon * std::abs(problem.b()(d * contact + i));
    }
    squares += CoulombCone(problem.mu()(contact))
                   .roundingSquared(contactRows<double>(d, reaction.data(), data(u) + d * contact), bound);
  }
  return std::hypot(std::sqrt(squares) / scales.velocity, std::sqrt(dynamics));
}

// The measure with both sums in extended precision, and u.
long double extendedError(const GlobalFrictionContactProblem& problem, const Scales& scales, const Vector& x, Vector& u,
                          std::vector<long double>& sums) {
  const std::size_t freedoms = problem.degreesOfFreedom();
  const double* const r = data(x) + freedoms;
  long double* const velocities = sums.data() + freedoms;
  addExtended(1., problem.M(), data(x), sums.data());
  addExtended(-1., problem.H(), r, sums.data());
  for (std::size_t i = 0; i < freedoms; ++i) sums[i] -= problem.f()(i);
  addExtendedTransposed(problem.H(), data(x), velocities);
  for (std::size_t i = 0; i < u.size(); ++i) u(i) = static_cast<double>(velocities[i] += problem.b()(i));
  return measured<long double>(problem, scales, r, sums.data(), velocities);
}

}  // namespace

double errorOf(const GlobalFrictionContactProblem& problem, ErrorMeasure measure, const Vector& x, Vector& u,
               double tolerance) {
  requireSize(x, problem.size(), "global friction error: x = (v, r)");
  const std::size_t freedoms = problem.degreesOfFreedom();
  const double* const v = data(x);
  const double* const r = data(x) + freedoms;
  u = problem.b();
  multiplyTransposed(1., problem.H(), v, 1., data(u));
  Vector forces(freedoms);
  multiply(1., problem.H(), r, 0., data(forces));
  const Scales scales = scalesOf(problem, measure, v, norm2(forces));
  addScaled(1., problem.f(), forces);
  multiply(1., problem.M(), v, -1., data(forces));
  const double error = measured(problem, scales, r, data(forces), data(u));
  if (!std::isfinite(error) || !allFinite(u)) return std::numeric_limits<double>::infinity();
  if (!(error <= tolerance)) return error;
  CertificateSums& sums = CertificateSums::ofSize(x.size());
  return certified(
      error, tolerance, x.size(), [&] { return rounding(problem, scales, x, u, sums.bounds); },
      [&] { return extendedError(problem, scales, x, u, sums.extended); });
}

}  // namespace delassus::numerics
