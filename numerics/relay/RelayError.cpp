// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/relay/RelayError.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {

double errorOf(const RelayProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w) {
  requireSize(z, problem.size(), "relay error: z");
  const BlockSparseMatrix& M = problem.M();
  if (w.size() != z.size()) w.resize(z.size(), false);
  M.multiply(data(z), data(w));
  double squares = 0.;
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t i = M.offset(row); i < M.offset(row) + M.blockSize(row); ++i) {
      w(i) += problem.q()(i);
      const double diagonal = measure == ErrorMeasure::scaled ? M.entry(i, i) : 1.;
      const double d = diagonal > 0. ? diagonal : 1.;
      const double projected = std::clamp(d * z(i) - w(i), d * problem.lower()(i), d * problem.upper()(i));
      squares += (d * z(i) - projected) * (d * z(i) - projected);
    }
  }
  if (!std::isfinite(squares)) return std::numeric_limits<double>::infinity();
  const double normOfData = norm2(problem.q());
  return std::sqrt(squares) / (normOfData < 1e-150 ? 1. : normOfData);
}

}  // namespace delassus::numerics
