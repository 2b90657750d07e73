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

// One pass over the rows: this runs after every solve of every step.
double naturalMap(const LinearComplementarityProblem& problem, const Vector& z, RowScaling scaling,
                  double* w = nullptr) {
  requireSize(z, problem.size(), "lcpError: z");
  const BlockSparseMatrix& M = problem.M();
  double residual = 0.;
  double dataSquared = 0.;
  bool finite = true;
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t i = 0; i < M.blockSize(row); ++i) {
      const std::size_t scalar = M.offset(row) + i;
      const double q = problem.q()(scalar);
      double sum = q;
      double diagonal = 0.;
      for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) {
        const std::size_t column = M.column(k);
        const double* const entries = M.block(k) + i;
        for (std::size_t j = 0; j < M.blockSize(column); ++j) {
          sum += entries[j * M.blockSize(row)] * z(M.offset(column) + j);
        }
        if (column == row) diagonal = entries[i * M.blockSize(row)];
      }
      if (w != nullptr) w[scalar] = sum;
      finite = finite && std::isfinite(sum);
      const bool scaled = scaling == RowScaling::diagonal && diagonal > 0.;
      const double component = std::min(scaled ? diagonal * z(scalar) : z(scalar), sum);
      residual += component * component;
      dataSquared += q * q;
    }
  }
  // min drops a NaN or an infinity in one of its arguments.
  if (!finite || !std::isfinite(residual)) return std::numeric_limits<double>::infinity();
  // Squares of what is representable may not be.
  const double normOfData = std::isfinite(dataSquared) ? std::sqrt(dataSquared) : norm2(problem.q());
  if (!std::isfinite(normOfData)) return std::numeric_limits<double>::infinity();
  return std::sqrt(residual) / (normOfData < 1e-150 ? 1. : normOfData);
}

}  // namespace

double lcpError(const LinearComplementarityProblem& problem, const Vector& z) {
  return naturalMap(problem, z, RowScaling::diagonal);
}

double lcpError(const LinearComplementarityProblem& problem, const Vector& z, Vector& w) {
  if (w.size() != problem.size()) w.resize(problem.size(), false);
  return naturalMap(problem, z, RowScaling::diagonal, data(w));
}

double publishedLcpError(const LinearComplementarityProblem& problem, const Vector& z) {
  return naturalMap(problem, z, RowScaling::none);
}

double errorOf(const LinearComplementarityProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w) {
  if (w.size() != problem.size()) w.resize(problem.size(), false);
  return naturalMap(problem, z, measure == ErrorMeasure::scaled ? RowScaling::diagonal : RowScaling::none, data(w));
}

}  // namespace delassus::numerics
