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
  M.multiply(data(z), data(w));
  double squares = 0.;
  double dataSquared = 0.;
  double finite = 0.;  // NaN if a w is not
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    const std::size_t height = M.blockSize(row);
    const double* const block = measure == ErrorMeasure::scaled ? M.diagonalBlock(row) : nullptr;
    for (std::size_t i = 0; i < height; ++i) {
      const std::size_t scalar = M.offset(row) + i;
      const double q = problem.q()(scalar);
      const double dual = w(scalar) += q;
      const double diagonal = block != nullptr ? block[i + i * height] : 1.;
      const double d = diagonal > 0. ? diagonal : 1.;
      const double x = d * z(scalar) - dual;
      const double projected = std::clamp(x, d * problem.lower()(scalar), d * problem.upper()(scalar));
      // Inside the box w itself, whose digits would be lost in x where z is huge.
      const double component = projected == x ? dual : d * z(scalar) - projected;
      finite += 0. * dual;
      squares += component * component;
      dataSquared += q * q;
    }
  }
  // An infinite w is projected to a bound, and may then not show.
  if (finite != 0. || !std::isfinite(squares)) return std::numeric_limits<double>::infinity();
  // Squares of what is representable may not be.
  const double normOfData = std::isfinite(dataSquared) ? std::sqrt(dataSquared) : norm2(problem.q());
  if (!std::isfinite(normOfData)) return std::numeric_limits<double>::infinity();
  return std::sqrt(squares) / (normOfData < 1e-150 ? 1. : normOfData);
}

}  // namespace delassus::numerics
