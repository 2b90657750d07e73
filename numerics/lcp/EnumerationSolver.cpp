// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/EnumerationSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/lcp/LcpError.hpp>
#include <limits>
#include <vector>

namespace delassus::numerics {
namespace {

// z_S from M_SS z_S = −q_S, negative components cut off (the error measure then judges the result).
void solveBasis(const Matrix& M, const Vector& q, const std::vector<std::size_t>& rows, Vector& z) {
  const std::size_t count = rows.size();
  setZero(z);
  if (count == 0) return;
  Matrix basis(count, count);
  Vector rhs(count);
  for (std::size_t j = 0; j < count; ++j) {
    rhs(j) = -q(rows[j]);
    for (std::size_t i = 0; i < count; ++i) basis(i, j) = M(rows[i], rows[j]);
  }
  LUFactorization factor;
  if (factor.tryFactor(basis)) {
    factor.solve(rhs);
  } else {
    rhs = leastSquares(basis, rhs, "EnumerationSolver: a complementary basis").x;
  }
  for (std::size_t k = 0; k < count; ++k) z(rows[k]) = std::max(0., rhs(k));
}

}  // namespace

EnumerationSolver::EnumerationSolver(EnumerationOptions options) : options_(options) {
  if (!(options.tolerance > 0. && std::isfinite(options.tolerance)))
    throw Error("EnumerationSolver", "the tolerance must be positive and finite.");
  if (options.maxSize > 30) {
    throw Error("EnumerationSolver", "a maxSize above 30 asks for more than 10⁹ solves.");
  }
}

LcpSolver::Outcome EnumerationSolver::compute(const LinearComplementarityProblem& problem, Vector& z) {
  const std::size_t n = problem.size();
  if (n > options_.maxSize) {
    return {SolveStatus::unsupported, 0, "the problem is larger than the option maxSize"};
  }
  Matrix M;
  problem.M().toDense(M);
  std::vector<std::size_t> rows;
  Vector best(n);
  double bestError = std::numeric_limits<double>::infinity();
  const std::size_t bases = std::size_t{1} << n;
  for (std::size_t basis = 0; basis < bases; ++basis) {
    rows.clear();
    for (std::size_t i = 0; i < n; ++i) {
      if ((basis >> i) & 1U) rows.push_back(i);
    }
    solveBasis(M, problem.q(), rows, z);
    const double error = lcpError(problem, z);
    if (error <= options_.tolerance) return {SolveStatus::converged, basis + 1, {}};
    if (error < bestError) {
      bestError = error;
      best = z;
    }
  }
  z = best;
  return {SolveStatus::infeasible, bases, "no complementary basis gives a solution"};
}

}  // namespace delassus::numerics
