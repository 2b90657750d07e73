// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/ReductionSolver.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/BlockCongruence.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/friction/BlockDiagonalMass.hpp>
#include <delassus/numerics/friction/FactoredDelassus.hpp>
#include <delassus/numerics/friction/FrictionlessSolver.hpp>
#include <delassus/numerics/friction/GlobalFrictionInfeasibility.hpp>
#include <utility>
#include <vector>

namespace delassus::numerics {
namespace {

// The error of the local form is relative to a velocity that may be larger than that of the global one.
constexpr double localShare = 0.1;
// Degrees of freedom of a block of M that is inverted densely.
constexpr std::size_t largestInverse = 12;

std::unique_ptr<FrictionContactSolver> defaultLocalSolver(double tolerance) {
  return std::make_unique<AutomaticFrictionSolver>(localShare * tolerance);
}

}  // namespace

ReductionSolver::ReductionSolver(ReductionOptions options) : WithOptions("ReductionSolver", options) {
  local_ = defaultLocalSolver(options.tolerance);
}

ReductionSolver::ReductionSolver(ReductionOptions options, std::unique_ptr<FrictionContactSolver> local)
    : WithOptions("ReductionSolver", options), local_(std::move(local)) {
  if (!local_) throw Error("ReductionSolver", "expected a local solver, got none.");
}

// For block diagonal M with small blocks, at a cost proportional to the blocks that contacts share.
bool ReductionSolver::assembleByBodies(const GlobalFrictionContactProblem& problem, BlockSparseMatrix& W) {
  std::vector<Matrix> inverses;
  if (largestDiagonalBlock(problem.M()) > largestInverse || !invertDiagonalBlocks(problem.M(), inverses)) return false;
  FactoredDelassus(problem.dimension(), std::move(inverses), problem.H()).assemble(W);
  return true;
}

bool ReductionSolver::reduce(const GlobalFrictionContactProblem& problem) {
  if (!reducedFrom_.isCurrent(problem.stamp())) {
    reducedFrom_.forget();
    if (!mass_.tryFactor(problem.M())) return false;
    BlockSparseMatrix W;
    if (!assembleByBodies(problem, W)) {
      const std::vector<std::size_t> sizes(problem.contacts(), problem.dimension());
      W = congruence(problem.H(), sizes, [this](double* x) { mass_.solve(x); });
    }
    reduced_ = FrictionContactProblem(problem.dimension(), std::move(W), problem.b(), problem.mu());
    reducedFrom_.take(problem.stamp());
  }
  assign(problem.f(), free_);
  mass_.solve(data(free_));
  assign(problem.b(), reduced_.q());
  multiplyTransposed(1., problem.H(), free_, 1., reduced_.q());
  reduced_.setFriction(problem.mu());
  return true;
}

ReductionSolver::Outcome ReductionSolver::compute(const GlobalFrictionContactProblem& problem, Vector& x) {
  if (!reduce(problem)) return {SolveStatus::numericalFailure, 0, "M is not positive definite"};
  const std::size_t freedoms = problem.degreesOfFreedom();
  if (reaction_.size() != problem.contactSize()) reaction_.resize(problem.contactSize(), false);
  std::copy(x.begin() + static_cast<std::ptrdiff_t>(freedoms), x.end(), reaction_.begin());
  local_->setMeasure(measure());
  local_->setObserver(observer());
  local_->setTimeLimit(remainingTime());
  const SolveReport report = local_->solve(reduced_, reaction_, velocity_);
  assign(problem.f(), free_);
  multiply(1., problem.H(), reaction_, 1., free_);
  mass_.solve(data(free_));
  std::copy(free_.begin(), free_.end(), x.begin());
  std::copy(reaction_.begin(), reaction_.end(), x.begin() + static_cast<std::ptrdiff_t>(freedoms));
  if (report.status != SolveStatus::infeasible || isProven(problem)) {
    return {report.status, report.iterations, report.reason};
  }
  return {SolveStatus::numericalFailure, report.iterations,
          "the local form, as the elimination of the velocities has rounded it, has no solution"};
}

// The local solver's proof concerns W with its rounding; the direction is checked on H and b.
bool ReductionSolver::isProven(const GlobalFrictionContactProblem& problem) {
  FrictionlessSolver frictionless;
  frictionless.setTimeLimit(remainingTime());
  Vector normal, velocity;
  frictionless.solve(reduced_, normal, velocity);
  return frictionless.direction().size() == problem.contacts() && provesInfeasible(problem, frictionless.direction());
}

}  // namespace delassus::numerics
