// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/lcp/ProjectedGaussSeidelSolver.hpp>
#include <delassus/numerics/relay/RelayGaussSeidelSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::string_view nameOfSweepsFor(const LinearComplementarityProblem*) {
  return "ProjectedGaussSeidelSolver";
}

constexpr std::string_view nameOfSweepsFor(const RelayProblem*) {
  return "RelayGaussSeidelSolver";
}

double projected(const LinearComplementarityProblem&, std::size_t, double z) {
  return std::max(0., z);
}

double projected(const RelayProblem& problem, std::size_t i, double z) {
  return std::clamp(z, problem.lower()(i), problem.upper()(i));
}

}  // namespace

template <class Problem>
RowwiseGaussSeidelSolver<Problem>::RowwiseGaussSeidelSolver(GaussSeidelOptions options)
    : GaussSeidelSolver<Problem>(nameOfSweepsFor(static_cast<const Problem*>(nullptr)), options) {
}

template <class Problem>
std::string_view RowwiseGaussSeidelSolver<Problem>::name() const {
  return nameOfSweepsFor(static_cast<const Problem*>(nullptr));
}

template <class Problem>
typename RowwiseGaussSeidelSolver<Problem>::Start RowwiseGaussSeidelSolver<Problem>::begin(const Problem& problem,
                                                                                           Vector& z) {
  if (diagonal_.size() != problem.size()) diagonal_.resize(problem.size(), false);
  problem.M().diagonal(data(diagonal_));
  double energy = 0.;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (!(diagonal_(i) > 0.)) return {z.size(), 0., "a diagonal entry of M is not positive"};
    energy += problem.q()(i) * problem.q()(i) / diagonal_(i);
  }
  for (std::size_t i = 0; i < z.size(); ++i) z(i) = projected(problem, i, z(i));
  return {z.size(), energy};
}

template <class Problem>
typename RowwiseGaussSeidelSolver<Problem>::Sweep RowwiseGaussSeidelSolver<Problem>::sweep(const Problem& problem,
                                                                                           Vector& z) {
  const BlockSparseMatrix& M = problem.M();
  double energy = 0.;
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t i = 0; i < M.blockSize(row); ++i) {
      const std::size_t k = M.offset(row) + i;
      const double w = problem.q()(k) + M.rowDot(row, i, data(z));
      const double moved = projected(problem, k, z(k) - this->options_.relaxation * w / diagonal_(k));
      energy += diagonal_(k) * (moved - z(k)) * (moved - z(k));
      z(k) = moved;
    }
  }
  return {energy};
}

template class RowwiseGaussSeidelSolver<LinearComplementarityProblem>;
template class RowwiseGaussSeidelSolver<RelayProblem>;

}  // namespace delassus::numerics
