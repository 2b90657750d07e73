// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/LcpError.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

enum class RowScaling { diagonal, none };

double naturalMap(const LinearComplementarityProblem& problem, const Vector& z, RowScaling scaling, Vector& w) {
  requireSize(z, problem.size(), "lcpError: z");
  const BlockSparseMatrix& M = problem.M();
  if (w.size() != z.size()) w.resize(z.size(), false);
  M.multiply(data(z), data(w));
  double residual = 0.;
  double dataSquared = 0.;
  double finite = 0.;  // NaN if a w is not
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    const std::size_t height = M.blockSize(row);
    const double* const block = scaling == RowScaling::diagonal ? M.diagonalBlock(row) : nullptr;
    for (std::size_t i = 0; i < height; ++i) {
      const std::size_t scalar = M.offset(row) + i;
      const double q = problem.q()(scalar);
      const double dual = w(scalar) += q;
      const double diagonal = block != nullptr ? block[i + i * height] : 1.;
      const double component = std::min(diagonal > 0. ? diagonal * z(scalar) : z(scalar), dual);
      finite += 0. * dual;
      residual += component * component;
      dataSquared += q * q;
    }
  }
  // min drops a NaN or an infinity in one of its arguments.
  if (finite != 0. || !std::isfinite(residual)) return std::numeric_limits<double>::infinity();
  // Squares of what is representable may not be.
  const double normOfData = std::isfinite(dataSquared) ? std::sqrt(dataSquared) : norm2(problem.q());
  if (!std::isfinite(normOfData)) return std::numeric_limits<double>::infinity();
  return std::sqrt(residual) / (normOfData < 1e-150 ? 1. : normOfData);
}

}  // namespace

double lcpError(const LinearComplementarityProblem& problem, const Vector& z) {
  Vector w;
  return naturalMap(problem, z, RowScaling::diagonal, w);
}

double lcpError(const LinearComplementarityProblem& problem, const Vector& z, Vector& w) {
  return naturalMap(problem, z, RowScaling::diagonal, w);
}

double publishedLcpError(const LinearComplementarityProblem& problem, const Vector& z) {
  Vector w;
  return naturalMap(problem, z, RowScaling::none, w);
}

double errorOf(const LinearComplementarityProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w) {
  return naturalMap(problem, z, measure == ErrorMeasure::scaled ? RowScaling::diagonal : RowScaling::none, w);
}

}  // namespace delassus::numerics
