// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/relay/RelayError.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Real>
struct NaturalMap {
  Real norm = 0.;           // infinite where something is not finite
  double dataSquared = 0.;  // ‖q‖₂²
  double sum = 0.;          // Σ |z_i|
};

// From w = M z, to which it adds q. d z − P(d z − w) is the middle one of d (z − u), w and d (z − l), which needs no
// difference in which the digits of w would be lost where z is huge.
template <class Real>
NaturalMap<Real> naturalMap(const RelayProblem& problem, ErrorMeasure measure, const Vector& z, Real* w) {
  const BlockSparseMatrix& M = problem.M();
  NaturalMap<Real> map;
  Real squares = 0.;
  Real finite = 0.;  // NaN if a w or z is not
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    const std::size_t height = M.blockSize(row);
    const double* const block = measure == ErrorMeasure::scaled ? M.diagonalBlock(row) : nullptr;
    for (std::size_t i = 0; i < height; ++i) {
      const std::size_t scalar = M.offset(row) + i;
      const double q = problem.q()(scalar);
      const Real dual = w[scalar] += q;
      const double diagonal = block != nullptr ? block[i + i * height] : 1.;
      const Real d = diagonal > 0. ? diagonal : 1.;
      const Real unknown = z(scalar);
      const Real least = d * (unknown - problem.upper()(scalar));
      const Real most = d * (unknown - problem.lower()(scalar));
      const Real component = std::max(least, std::min(dual, most));
      finite += Real(0.) * dual + Real(0.) * unknown;
      squares += component * component;
      map.dataSquared += q * q;
      map.sum += std::abs(z(scalar));
    }
  }
  // An infinite w is projected to a bound and may then not show.
  map.norm = finite != Real(0.) || !std::isfinite(squares) ? Real(infinity) : std::sqrt(squares);
  return map;
}

}  // namespace

double errorOf(const RelayProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w, double tolerance) {
  requireSize(z, problem.size(), "relay error: z");
  const std::size_t n = z.size();
  if (w.size() != n) w.resize(n, false);
  problem.M().multiply(data(z), data(w));
  const NaturalMap<double> map = naturalMap(problem, measure, z, data(w));
  // Squares of representable numbers may not be.
  const double normOfData = std::isfinite(map.dataSquared) ? std::sqrt(map.dataSquared) : norm2(problem.q());
  if (!std::isfinite(normOfData)) return infinity;
  const double scale = normOfData < 1e-150 ? 1. : normOfData;
  const double error = map.norm / scale;
  if (!(error <= tolerance)) return error;
  const double largest = largestEntry(problem.stamp(), problem.M().values());
  if (isSurelyBelow(map.norm, tolerance * scale, n, 1., largest, map.sum, normOfData)) return error;
  CertificateSums& sums = CertificateSums::ofSize(n);
  return certified(
      error, tolerance, n, [&] { return roundingOf(problem.M(), z, problem.q(), sums.bounds) / scale; },
      [&] {
        addExtended(problem.M(), data(z), sums.extended.data());
        const long double norm = naturalMap(problem, measure, z, sums.extended.data()).norm;
        for (std::size_t i = 0; i < n; ++i) w(i) = static_cast<double>(sums.extended[i]);
        return norm / scale;
      });
}

}  // namespace delassus::numerics
