// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/lcp/LcpInfeasibility.hpp>
#include <vector>

namespace delassus::numerics {

bool provesInfeasible(const LinearComplementarityProblem& problem, const Vector& y) {
  requireSize(y, problem.size(), "provesInfeasible: y");
  constexpr double tolerance = 1e-9;
  double product = 0.;
  double magnitude = 0.;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double weight = std::max(0., y(i));
    product += problem.q()(i) * weight;
    magnitude += std::abs(problem.q()(i)) * weight;
  }
  if (!(std::isfinite(magnitude) && product < -tolerance * magnitude)) return false;

  const BlockSparseMatrix& M = problem.M();
  std::vector<double> products(y.size(), 0.);
  std::vector<double> magnitudes(y.size(), 0.);
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) {
      const double* entry = M.block(k);
      const std::size_t column = M.column(k);
      for (std::size_t j = 0; j < M.blockSize(column); ++j) {
        for (std::size_t i = 0; i < M.blockSize(row); ++i, ++entry) {
          const double term = *entry * std::max(0., y(M.offset(row) + i));
          products[M.offset(column) + j] += term;
          magnitudes[M.offset(column) + j] += std::abs(term);
        }
      }
    }
  }
  for (std::size_t j = 0; j < products.size(); ++j) {
    if (!(products[j] <= tolerance * magnitudes[j])) return false;
  }
  return true;
}

}  // namespace delassus::numerics
