// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mlcp/MlcpError.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {

double errorOf(const MixedLinearComplementarityProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w) {
  requireSize(z, problem.size(), "MLCP error: z");
  w = problem.q();
  multiply(1., problem.M(), z, 1., w);
  double squares = 0.;
  for (const std::size_t i : problem.equalityRows()) squares += w(i) * w(i);
  for (std::size_t k = 0; k < problem.complementarities(); ++k) {
    const std::size_t row = problem.complementarityRow(k);
    const std::size_t column = problem.complementarityColumn(k);
    const double diagonal = problem.M()(row, column);
    const double scale = measure == ErrorMeasure::scaled && diagonal > 0. ? diagonal : 1.;
    const double component = std::min(scale * z(column), w(row));
    squares += component * component;
  }
  // min drops a NaN or an infinity in one of its arguments.
  if (!std::isfinite(squares) || !allFinite(z) || !allFinite(w)) return std::numeric_limits<double>::infinity();
  const double normOfData = norm2(problem.q());
  if (!std::isfinite(normOfData)) return std::numeric_limits<double>::infinity();
  return std::sqrt(squares) / (normOfData < 1e-150 ? 1. : normOfData);
}

}  // namespace delassus::numerics
