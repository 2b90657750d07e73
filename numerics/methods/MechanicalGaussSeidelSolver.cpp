// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/MechanicalGaussSeidelSolver.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/SmallProducts.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>

namespace delassus::numerics {
MechanicalGaussSeidelSolver::MechanicalGaussSeidelSolver(MechanicalGaussSeidelOptions options)
    : GaussSeidelSolver("MechanicalGaussSeidelSolver", options) {
}

MechanicalGaussSeidelSolver::Start MechanicalGaussSeidelSolver::begin(const ProblemOverSets& problem, Vector&) {
  if (!problem.requireMatrix()) return {0, 0., ProblemOverSets::whyNoMatrix};
  // Done each time: the sets of the parts may have changed while W is the same.
  local_.prepare(problem);
  const double norm = local_.scales().velocityNorm(data(problem.q()));
  std::size_t most = 0;
  for (std::size_t part = 0; part < problem.partCount(); ++part) most = std::max(most, problem.rows(part));
  if (w_.size() < most) {
    w_.resize(most);
    old_.resize(most);
  }
  return {problem.partCount(), norm * norm};
}

// From old_ short of the solution of a part, or beyond it inside its set: equalities and single intervals, for which
// that converges.
void MechanicalGaussSeidelSolver::relax(const ProblemOverSets& problem, std::size_t part, double* own) const {
  const std::size_t rows = problem.rows(part);
  const ConvexSet& set = problem.set(part);
  const bool isInterval = (set.isBox() || set.isOrthant()) && rows == 1;
  const bool mayExceed = isInterval || set.isFree();
  const double factor = mayExceed ? options_.relaxation : std::min(1., options_.relaxation);
  if (factor == 1.) return;
  for (std::size_t i = 0; i < rows; ++i) own[i] = old_[i] + factor * (own[i] - old_[i]);
  if (!isInterval) return;
  const double lower = set.isBox() ? *problem.lowerOf(part) : 0.;
  own[0] = std::max(own[0], lower);
  if (set.isBox()) own[0] = std::min(own[0], *problem.upperOf(part));
}

MechanicalGaussSeidelSolver::Sweep MechanicalGaussSeidelSolver::sweep(const ProblemOverSets& problem, Vector& lambda) {
  const BlockSparseMatrix& W = problem.matrix();
  const MechanicalScales& scales = local_.scales();
  double squares = 0.;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const std::size_t rows = problem.rows(part);
    const std::size_t first = problem.offset(part);
    std::copy_n(data(problem.q()) + first, rows, w_.data());
    for (std::size_t k = W.rowBegin(part); k < W.rowEnd(part); ++k) {
      const std::size_t column = W.column(k);
      detail::multiplySmall(1., W.block(k), rows, W.blockSize(column), data(lambda) + W.offset(column), true,
                            w_.data());
    }
    double* const own = data(lambda) + first;
    std::copy_n(own, rows, old_.data());
    local_.update(problem, part, w_.data(), own);
    relax(problem, part, own);
    for (std::size_t i = 0; i < rows; ++i) {
      const double change = scales.d[first + i] * (own[i] - old_[i]) / scales.c[first + i];
      squares += change * change * scales.weight[first + i];
    }
  }
  return {squares};
}

}  // namespace delassus::numerics
