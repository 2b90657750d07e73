// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/Friction2DLemkeSolver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>

namespace delassus::numerics {

Friction2DLemkeSolver::Friction2DLemkeSolver(LemkeOptions options) : tolerance_(options.tolerance), lemke_(options) {
}

// Unknowns in four groups of n: r_N, β⁺, β⁻, λ, each in the unit of its contact, in which W_cc is about 1 as the
// entries of the last rows are.
void Friction2DLemkeSolver::formulate(const FrictionContactProblem& problem, const BlockSparseMatrix& W) {
  const std::size_t n = problem.contacts();
  BlockSparseMatrix& M = lcp_.M();
  if (M.size() != 4 * n) {
    M.clear();
    if (n > 0) {
      M.beginRow(4 * n);
      M.addBlock(0);
    }
    M.finish();
    lcp_.q().resize(4 * n, false);
  }
  M.setZero();
  contactScales(problem, units_);
  for (double& unit : units_) unit = 1. / std::sqrt(unit);
  double* const entries = n > 0 ? M.block(0) : nullptr;
  const auto at = [&](std::size_t row, std::size_t column) -> double& { return entries[row + 4 * n * column]; };
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      const std::size_t column = W.column(k);
      std::array<double, 4> block{};
      for (std::size_t i = 0; i < 4; ++i) block[i] = units_[row] * units_[column] * W.block(k)[i];
      at(row, column) = block[0];
      at(n + row, column) = block[1];
      at(2 * n + row, column) = -block[1];
      at(row, n + column) = block[2];
      at(row, 2 * n + column) = -block[2];
      at(n + row, n + column) = at(2 * n + row, 2 * n + column) = block[3];
      at(n + row, 2 * n + column) = at(2 * n + row, n + column) = -block[3];
    }
    at(n + row, 3 * n + row) = at(2 * n + row, 3 * n + row) = 1.;
    at(3 * n + row, row) = problem.mu()(row);
    at(3 * n + row, n + row) = at(3 * n + row, 2 * n + row) = -1.;
    lcp_.q()(row) = units_[row] * problem.q()(2 * row);
    lcp_.q()(n + row) = units_[row] * problem.q()(2 * row + 1);
    lcp_.q()(2 * n + row) = -units_[row] * problem.q()(2 * row + 1);
    lcp_.q()(3 * n + row) = 0.;
  }
  M.touch();
}

// A direction of the four groups that proves the linear problem unsolvable has β⁺ = β⁻ = 0, by the rows of λ.
bool Friction2DLemkeSolver::rayProves(const FrictionContactProblem& problem) const {
  Vector normal(problem.contacts());
  for (std::size_t contact = 0; contact < normal.size(); ++contact) {
    normal(contact) = units_[contact] * lemke_.ray()(contact);
  }
  return provesInfeasible(problem, alongNormals(2, normal));
}

Friction2DLemkeSolver::Outcome Friction2DLemkeSolver::compute(const FrictionContactProblem& problem, Vector& r) {
  if (problem.dimension() != 2) return {SolveStatus::unsupported, 0, "it solves problems of dimension 2 only"};
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, problem.whyNoMatrix};
  const std::size_t n = problem.contacts();
  formulate(problem, problem.matrix());
  assignZero(z_, 4 * n);
  lemke_.setTimeLimit(remainingTime());
  lemke_.setObserver(observer());
  const SolveReport report = lemke_.solve(lcp_, z_, w_);
  for (std::size_t contact = 0; contact < n; ++contact) {
    const double mu = problem.mu()(contact);
    const double normal = units_[contact] * z_(contact);
    const double tangential = units_[contact] * (z_(n + contact) - z_(2 * n + contact));
    r(2 * contact) = normal;
    r(2 * contact + 1) = std::clamp(tangential, -mu * normal, mu * normal);
  }
  if (lemke_.ray().size() == 0) return {report.status, report.iterations, report.reason};
  return {rayProves(problem) ? SolveStatus::infeasible : SolveStatus::inaccurate, report.iterations,
          "Lemke's method ended on a ray"};
}

}  // namespace delassus::numerics
