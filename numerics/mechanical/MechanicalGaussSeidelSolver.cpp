// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalGaussSeidelSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/SmallProducts.hpp>
#include <delassus/numerics/mechanical/MechanicalError.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t plainSweeps = 10;  // before acceleration

}  // namespace

MechanicalGaussSeidelSolver::MechanicalGaussSeidelSolver(MechanicalGaussSeidelOptions options)
    : WithOptions("MechanicalGaussSeidelSolver", options), acceleration_(options.accelerationMemory) {
}

// Returns the change of the reactions, as a velocity in the norm of the error measure.
double MechanicalGaussSeidelSolver::sweep(const GenericMechanicalProblem& problem, Vector& lambda) {
  const BlockSparseMatrix& W = problem.W();
  double squares = 0.;
  for (std::size_t part = 0; part < problem.parts().size(); ++part) {
    const std::size_t rows = problem.parts()[part].rows;
    const std::size_t first = problem.offset(part);
    if (w_.size() < rows) {
      w_.resize(rows);
      change_.resize(rows);
    }
    std::copy_n(data(problem.q()) + first, rows, w_.data());
    for (std::size_t k = W.rowBegin(part); k < W.rowEnd(part); ++k) {
      const std::size_t column = W.column(k);
      detail::multiplySmall(1., W.block(k), rows, W.blockSize(column), data(lambda) + W.offset(column), true,
                            w_.data());
    }
    double* const own = data(lambda) + first;
    std::copy_n(own, rows, change_.data());
    local_.update(problem, part, w_.data(), own);
    for (std::size_t i = 0; i < rows; ++i) {
      const double moved = (own[i] - change_[i]) / local_.scales().c[first + i];
      squares += moved * moved * local_.scales().d[first + i];
    }
  }
  return std::sqrt(squares);
}

bool MechanicalGaussSeidelSolver::isHopeless(std::size_t iteration, double change) {
  if (iteration == 1) changeAtOutlook_ = change;
  if (options_.outlook == 0 || iteration % options_.outlook != 0) return false;
  const double fall = std::log(changeAtOutlook_ / change) / static_cast<double>(options_.outlook);
  const double missing = std::log(change / options_.tolerance);
  changeAtOutlook_ = change;
  return missing > fall * static_cast<double>(options_.maxIterations - iteration);
}

MechanicalSolver::Outcome MechanicalGaussSeidelSolver::compute(const GenericMechanicalProblem& problem,
                                                               Vector& lambda) {
  // Done each time: the sets of the parts may have changed while W is the same.
  local_.prepare(problem);
  acceleration_.begin(lambda.size());
  const double norm = local_.scales().velocityNorm(data(problem.q()));
  const double scale = norm > 0. ? norm : 1.;
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    assign(lambda, before_);
    const double change = sweep(problem, lambda) / scale;
    observe(iteration, change);
    const bool look = change <= options_.tolerance || iteration == 1 || iteration % options_.errorInterval == 0 ||
                      iteration == options_.maxIterations;
    if (look && certifiedError(problem, lambda) <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (isHopeless(iteration, change)) {
      return {SolveStatus::iterationLimit, iteration, "at this rate it will not converge within the sweep limit"};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (!std::isfinite(change)) return {SolveStatus::numericalFailure, iteration, "the sweeps diverge"};
    if (change == 0.) return {SolveStatus::inaccurate, iteration, "no part moves any more"};
    if (iteration >= plainSweeps && iteration < options_.maxIterations) acceleration_.accelerate(before_, lambda);
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, {}};
}

}  // namespace delassus::numerics
