// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/FrictionlessSolver.hpp>

#include <cmath>
#include <delassus/numerics/friction/FrictionCone.hpp>
#include <vector>

namespace delassus::numerics {
FrictionlessSolver::FrictionlessSolver(LcpActiveSetOptions options) : tolerance_(options.tolerance), normal_(options) {
}

void FrictionlessSolver::formulate(const FrictionContactProblem& problem, const BlockSparseMatrix& W) {
  BlockSparseMatrix& M = lcp_.M();
  M.clear();
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    M.beginRow(1);
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) M.addBlock(W.column(k));
  }
  M.finish();
  for (std::size_t k = 0; k < W.blockCount(); ++k) *M.block(k) = *W.block(k);
  M.touch();
  if (lcp_.q().size() != problem.contacts()) lcp_.q().resize(problem.contacts(), false);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    lcp_.q()(contact) = problem.q()(problem.dimension() * contact);
  }
}

bool FrictionlessSolver::provesInfeasible(const FrictionContactProblem& problem, const Vector& lambda) const {
  constexpr double rounding = 1e-9;
  const std::size_t d = problem.dimension();
  const BlockSparseMatrix& W = *problem.W().matrix();
  double product = 0., magnitude = 0.;
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    if (!(lambda(contact) >= 0.)) return false;
    product += lambda(contact) * problem.q()(d * contact);
    magnitude += lambda(contact) * std::abs(problem.q()(d * contact));
  }
  if (!(product < -rounding * magnitude)) return false;
  std::vector<double> g(problem.size(), 0.), terms(problem.contacts(), 0.);
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      for (std::size_t j = 0; j < d; ++j) {
        const double term = lambda(row) * W.block(k)[d * j];
        g[d * W.column(k) + j] += term;
        terms[W.column(k)] += std::abs(term);
      }
    }
  }
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const double* const at = g.data() + d * contact;
    if (!(at[0] + problem.mu()(contact) * tangentNorm(d, at) <= rounding * terms[contact])) return false;
  }
  return true;
}

FrictionlessSolver::Outcome FrictionlessSolver::compute(const FrictionContactProblem& problem, Vector& r) {
  const BlockSparseMatrix* const W = problem.W().matrix();
  if (W == nullptr) return {SolveStatus::unsupported, 0, "it needs W as a matrix"};
  formulate(problem, *W);
  assignZero(z_, problem.contacts());
  normal_.setTimeLimit(remainingTime());
  normal_.setObserver(observer());
  const SolveReport report = normal_.solve(lcp_, z_, w_);
  setZero(r);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    r(problem.dimension() * contact) = z_(contact);
  }
  if (report.status != SolveStatus::infeasible) return {report.status, report.iterations, report.reason};
  if (provesInfeasible(problem, normal_.ray())) {
    return {SolveStatus::infeasible, report.iterations,
            "normal reactions in balance with each other face a closing velocity: no reactions keep the contacts open"};
  }
  return {SolveStatus::inaccurate, report.iterations, "without friction there is no solution"};
}

}  // namespace delassus::numerics
