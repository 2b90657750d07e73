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
  bool finite = true;
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t i = M.offset(row); i < M.offset(row) + M.blockSize(row); ++i) {
      w(i) += problem.q()(i);
      finite = finite && std::isfinite(w(i));
      const double diagonal = measure == ErrorMeasure::scaled ? M.entry(i, i) : 1.;
      const double d = diagonal > 0. ? diagonal : 1.;
      const double x = d * z(i) - w(i);
      const double projected = std::clamp(x, d * problem.lower()(i), d * problem.upper()(i));
      // Inside the box w itself, whose digits would be lost in x where z is huge.
      const double component = projected == x ? w(i) : d * z(i) - projected;
      squares += component * component;
    }
  }
  // An infinite w is projected to a bound, and may then not show.
  if (!finite || !std::isfinite(squares)) return std::numeric_limits<double>::infinity();
  const double normOfData = norm2(problem.q());
  if (!std::isfinite(normOfData)) return std::numeric_limits<double>::infinity();
  return std::sqrt(squares) / (normOfData < 1e-150 ? 1. : normOfData);
}

}  // namespace delassus::numerics
