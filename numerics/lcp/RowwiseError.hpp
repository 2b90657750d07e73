// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <delassus/numerics/Certificate.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {

/// ‖F‖₂ of a natural map F row by row, and what its rounding depends on.
template <class Real>
struct RowwiseMap {
  Real norm = 0.;           ///< ‖F‖₂, infinite where something is not finite
  double dataSquared = 0.;  ///< ‖q‖₂²
  double sum = 0.;          ///< Σ |z_i|
};

/// F_i = component(i, d_i, z_i, w_i) from w = M z, to which it adds q; d_i is M_ii, or 1 where that is not positive or
/// the measure is not scaled.
template <class Real, class Problem, class Component>
RowwiseMap<Real> rowwiseMap(const Problem& problem, ErrorMeasure measure, const Vector& z, Real* w,
                            const Component& component) {
  const BlockSparseMatrix& M = problem.M();
  RowwiseMap<Real> map;
  Real squares = 0.;
  Real finite = 0.;  // NaN if a w or z is not; a component may drop it
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    const std::size_t height = M.blockSize(row);
    const double* const block = measure == ErrorMeasure::scaled ? M.diagonalBlock(row) : nullptr;
    for (std::size_t i = 0; i < height; ++i) {
      const std::size_t scalar = M.offset(row) + i;
      const double q = problem.q()(scalar);
      const Real dual = w[scalar] += q;
      const double diagonal = block != nullptr ? block[i + i * height] : 1.;
      const Real unknown = z(scalar);
      const Real value = component(scalar, Real(diagonal > 0. ? diagonal : 1.), unknown, dual);
      finite += Real(0.) * dual + Real(0.) * unknown;
      squares += value * value;
      map.dataSquared += q * q;
      map.sum += std::abs(z(scalar));
    }
  }
  const bool isFinite = finite == Real(0.) && std::isfinite(squares);
  map.norm = isFinite ? std::sqrt(squares) : Real(std::numeric_limits<double>::infinity());
  return map;
}

/// The error once more where the rough bound of its rounding does not do. Apart, so that the usual way stays short.
template <class Problem, class Component>
[[gnu::noinline]] double sharpRowwiseError(const Problem& problem, ErrorMeasure measure, const Vector& z, Vector& w,
                                           double error, double tolerance, double scale, const Component& component) {
  const std::size_t n = z.size();
  CertificateSums& sums = CertificateSums::ofSize(n);
  return certified(
      error, tolerance, n, [&] { return roundingOf(problem.M(), z, problem.q(), sums.bounds) / scale; },
      [&] {
        addExtended(problem.M(), data(z), sums.extended.data());
        const long double norm = rowwiseMap(problem, measure, z, sums.extended.data(), component).norm;
        for (std::size_t i = 0; i < n; ++i) w(i) = static_cast<double>(sums.extended[i]);
        return norm / scale;
      });
}

/// ‖F‖₂ / ‖q‖₂, and w, certified as certified() says.
template <class Problem, class Component>
double rowwiseError(const Problem& problem, ErrorMeasure measure, const Vector& z, Vector& w, double tolerance,
                    const Component& component) {
  const std::size_t n = z.size();
  if (w.size() != n) w.resize(n, false);
  problem.M().multiply(data(z), data(w));
  const RowwiseMap<double> map = rowwiseMap(problem, measure, z, data(w), component);
  // Squares of representable numbers may not be.
  const double normOfData = std::isfinite(map.dataSquared) ? std::sqrt(map.dataSquared) : norm2(problem.q());
  if (!std::isfinite(normOfData)) return std::numeric_limits<double>::infinity();
  const double scale = normOfData < 1e-150 ? 1. : normOfData;
  const double error = map.norm / scale;
  if (!(error <= tolerance)) return error;
  const double largest = largestEntry(problem.stamp(), problem.M().values());
  const std::size_t row = problem.M().longestRow();
  if (isSurelyBelow(map.norm, tolerance * scale, n, row, 1., largest, map.sum, normOfData)) return error;
  return sharpRowwiseError(problem, measure, z, w, error, tolerance, scale, component);
}

}  // namespace delassus::numerics
