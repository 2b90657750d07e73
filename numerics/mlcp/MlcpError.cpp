// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mlcp/MlcpError.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// ‖(w_i, min(d_k z_c(k), w_k))‖₂, infinite where something is not finite.
template <class Real>
Real naturalMap(const MixedLinearComplementarityProblem& problem, ErrorMeasure measure, const Vector& z,
                const Real* w) {
  Real squares = 0.;
  Real finite = 0.;
  for (const std::size_t i : problem.equalityRows()) squares += w[i] * w[i];
  for (std::size_t k = 0; k < problem.complementarities(); ++k) {
    const std::size_t row = problem.complementarityRow(k);
    const std::size_t column = problem.complementarityColumn(k);
    const double diagonal = problem.M()(row, column);
    const Real scale = measure == ErrorMeasure::scaled && diagonal > 0. ? diagonal : 1.;
    const Real component = std::min(scale * z(column), w[row]);
    squares += component * component;
    finite += Real(0.) * w[row];
  }
  // min drops a NaN or an infinity in one of its arguments.
  return finite != Real(0.) || !std::isfinite(squares) ? Real(infinity) : std::sqrt(squares);
}

}  // namespace

double errorOf(const MixedLinearComplementarityProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w,
               double tolerance) {
  requireSize(z, problem.size(), "MLCP error: z");
  w = problem.q();
  multiply(1., problem.M(), z, 1., w);
  const double normOfData = norm2(problem.q());
  if (!std::isfinite(normOfData) || !allFinite(z)) return infinity;
  const double scale = normOfData < 1e-150 ? 1. : normOfData;
  const double norm = naturalMap(problem, measure, z, data(w));
  const double error = norm / scale;
  if (!(error <= tolerance)) return error;
  double sum = 0.;
  for (const double entry : z) sum += std::abs(entry);
  const double largest = largestEntry(problem.stamp(), {data(problem.M()), problem.rows() * problem.size()});
  if (isSurelyBelow(norm, tolerance * scale, problem.rows(), problem.size(), 1., largest, sum, normOfData))
    return error;
  CertificateSums& sums = CertificateSums::ofSize(problem.rows());
  return certified(
      error, tolerance, problem.rows(), [&] { return roundingOf(problem.M(), z, problem.q(), sums.bounds) / scale; },
      [&] {
        addExtended(problem.M(), data(z), sums.extended.data());
        for (std::size_t i = 0; i < w.size(); ++i) w(i) = static_cast<double>(sums.extended[i] += problem.q()(i));
        return naturalMap(problem, measure, z, sums.extended.data()) / scale;
      });
}

}  // namespace delassus::numerics
