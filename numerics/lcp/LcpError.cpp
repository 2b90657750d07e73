// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/LcpError.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Real>
struct NaturalMap {
  Real norm = 0.;           // ‖min(d z, w)‖₂, infinite where something is not finite
  double dataSquared = 0.;  // ‖q‖₂²
  double sum = 0.;          // Σ |z_i|
};

// From w = M z, to which it adds q.
template <class Real>
NaturalMap<Real> naturalMap(const LinearComplementarityProblem& problem, ErrorMeasure measure, const Vector& z,
                            Real* w) {
  const BlockSparseMatrix& M = problem.M();
  NaturalMap<Real> map;
  Real squares = 0.;
  Real finite = 0.;  // NaN if a w is not
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    const std::size_t height = M.blockSize(row);
    const double* const block = measure == ErrorMeasure::scaled ? M.diagonalBlock(row) : nullptr;
    for (std::size_t i = 0; i < height; ++i) {
      const std::size_t scalar = M.offset(row) + i;
      const double q = problem.q()(scalar);
      const Real dual = w[scalar] += q;
      const double diagonal = block != nullptr ? block[i + i * height] : 1.;
      const Real unknown = z(scalar);
      const Real component = std::min(diagonal > 0. ? diagonal * unknown : unknown, dual);
      finite += Real(0.) * dual;
      squares += component * component;
      map.dataSquared += q * q;
      map.sum += std::abs(z(scalar));
    }
  }
  // min drops a NaN or an infinity in one of its arguments.
  map.norm = finite != Real(0.) || !std::isfinite(squares) ? Real(infinity) : std::sqrt(squares);
  return map;
}

}  // namespace

double errorOf(const LinearComplementarityProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w,
               double tolerance) {
  requireSize(z, problem.size(), "lcpError: z");
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

double lcpError(const LinearComplementarityProblem& problem, const Vector& z) {
  Vector w;
  return errorOf(problem, ErrorMeasure::scaled, z, w);
}

double lcpError(const LinearComplementarityProblem& problem, const Vector& z, Vector& w) {
  return errorOf(problem, ErrorMeasure::scaled, z, w);
}

double publishedLcpError(const LinearComplementarityProblem& problem, const Vector& z) {
  Vector w;
  return errorOf(problem, ErrorMeasure::published, z, w);
}

}  // namespace delassus::numerics
