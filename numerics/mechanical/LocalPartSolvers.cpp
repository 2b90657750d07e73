// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/LocalPartSolvers.hpp>

#include <algorithm>
#include <cmath>

namespace delassus::numerics {
namespace {

// Where W has no diagonal block.
constexpr std::array<double, 25> zeros{};

const double* contactBlock(const GenericMechanicalProblem& problem, std::size_t part) {
  const double* const block = problem.W().diagonalBlock(part);
  return block != nullptr ? block : zeros.data();
}

// w −= A x: removes the contribution of the part's own reaction from the velocity.
void subtractProduct(std::size_t m, const double* A, const double* x, double* w) {
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < m; ++i) w[i] -= A[i + m * j] * x[j];
  }
}

}  // namespace

void LocalEqualitySolver::prepare(const GenericMechanicalProblem& problem) {
  if (factors_.size() < problem.parts().size()) factors_.resize(problem.parts().size());
  for (std::size_t part = 0; part < problem.parts().size(); ++part) {
    const double* const block = problem.W().diagonalBlock(part);
    if (problem.parts()[part].kind != PartKind::equality || block == nullptr) continue;
    factors_[part].factor(block, problem.parts()[part].rows);
  }
}

void LocalEqualitySolver::update(const GenericMechanicalProblem& problem, std::size_t part, double* w, double* lambda) {
  if (problem.W().diagonalBlock(part) == nullptr) return;
  factors_[part].solve(w);
  for (std::size_t i = 0; i < problem.parts()[part].rows; ++i) lambda[i] -= w[i];
}

void LocalBoxSolver::update(const GenericMechanicalProblem& problem, std::size_t part, double* w, double* lambda) {
  const double* const block = problem.W().diagonalBlock(part);
  const std::size_t m = problem.parts()[part].rows;
  for (std::size_t i = 0; i < m; ++i) {
    const double lower = problem.lower()(problem.offset(part) + i);
    const double upper = problem.upper()(problem.offset(part) + i);
    const double diagonal = block != nullptr ? block[i * (m + 1)] : 0.;
    double next = std::clamp(lambda[i], lower, upper);
    if (diagonal > 0.) {
      next = std::clamp(lambda[i] - w[i] / diagonal, lower, upper);
    } else if (w[i] != 0.) {
      const double bound = w[i] > 0. ? lower : upper;
      if (std::isfinite(bound)) next = bound;
    }
    const double change = next - lambda[i];
    lambda[i] = next;
    if (change == 0. || block == nullptr) continue;
    for (std::size_t k = i + 1; k < m; ++k) w[k] += block[k + m * i] * change;
  }
}

void LocalCoulombSolver::update(const GenericMechanicalProblem& problem, std::size_t part, double* w, double* lambda) {
  const std::size_t m = problem.parts()[part].rows;
  const double* const block = contactBlock(problem, part);
  subtractProduct(m, block, lambda, w);
  contact_.solve(m, block, w, problem.parts()[part].friction, lambda);
}

void LocalRollingSolver::update(const GenericMechanicalProblem& problem, std::size_t part, double* w, double* lambda) {
  const double* const block = contactBlock(problem, part);
  subtractProduct(problem.parts()[part].rows, block, lambda, w);
  contact_.solve(problem.parts()[part], block, w, lambda);
}

LocalPartSolvers::LocalPartSolvers() {
  const auto place = [this](PartKind kind) -> std::unique_ptr<LocalPartSolver>& {
    return solvers_[static_cast<std::size_t>(kind)];
  };
  place(PartKind::equality) = std::make_unique<LocalEqualitySolver>();
  place(PartKind::box) = std::make_unique<LocalBoxSolver>();
  place(PartKind::coulomb) = std::make_unique<LocalCoulombSolver>();
  place(PartKind::rolling) = std::make_unique<LocalRollingSolver>();
}

void LocalPartSolvers::prepare(const GenericMechanicalProblem& problem) {
  for (const auto& solver : solvers_) solver->prepare(problem);
}

}  // namespace delassus::numerics
