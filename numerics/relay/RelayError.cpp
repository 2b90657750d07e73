// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/relay/RelayError.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {

double errorOf(const RelayProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w) {
  requireSize(z, problem.size(), "relay error: z");
  if (w.size() != z.size()) w.resize(z.size(), false);
  const BlockSparseMatrix& M = problem.M();
  const double* const x = data(z);
  double squares = 0.;
  double dataSquared = 0.;
  bool finite = true;
  // One pass over the rows: this runs after every solve of every step.
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    const std::size_t height = M.blockSize(row);
    for (std::size_t i = 0; i < height; ++i) {
      const std::size_t scalar = M.offset(row) + i;
      const double q = problem.q()(scalar);
      double sum = q;
      double diagonal = 0.;
      for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) {
        const std::size_t column = M.column(k);
        const double* const entries = M.block(k) + i;
        const double* const from = x + M.offset(column);
        for (std::size_t j = 0; j < M.blockSize(column); ++j) sum += entries[j * height] * from[j];
        if (column == row) diagonal = entries[i * height];
      }
      w(scalar) = sum;
      finite = finite && std::isfinite(sum);
      const double d = measure == ErrorMeasure::scaled && diagonal > 0. ? diagonal : 1.;
      const double target = d * x[scalar] - sum;
      const double projected = std::clamp(target, d * problem.lower()(scalar), d * problem.upper()(scalar));
      // Inside the box w itself, whose digits would be lost in the target where z is huge.
      const double component = projected == target ? sum : d * x[scalar] - projected;
      squares += component * component;
      dataSquared += q * q;
    }
  }
  // An infinite w is projected to a bound, and may then not show.
  if (!finite || !std::isfinite(squares)) return std::numeric_limits<double>::infinity();
  // Squares of what is representable may not be.
  const double normOfData = std::isfinite(dataSquared) ? std::sqrt(dataSquared) : norm2(problem.q());
  if (!std::isfinite(normOfData)) return std::numeric_limits<double>::infinity();
  return std::sqrt(squares) / (normOfData < 1e-150 ? 1. : normOfData);
}

}  // namespace delassus::numerics
