// SPDX-License-Identifier: Apache-2.0
#include <support/Friction2DEnumerationSolver.hpp>

#include <cmath>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::test {

using namespace numerics;

namespace {

enum Status : std::size_t { open, stick, slideForward, slideBackward };

// Below this relative error a solution may exist that was missed only because of rounding.
constexpr double leastForAProof = 1e-6;

}  // namespace

Friction2DEnumerationSolver::Friction2DEnumerationSolver(Friction2DEnumerationOptions options)
    : WithOptions("Friction2DEnumerationSolver", options) {
}

// Two equations a contact: r = 0; or u = 0; or u_N = 0 and r_T = ∓μ r_N.
void Friction2DEnumerationSolver::solveCombination(const FrictionContactProblem& problem, std::size_t combination,
                                                   Vector& r) {
  const std::size_t size = problem.size();
  assignZero(system_, size, size);
  assignZero(right_, size);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const std::size_t normal = 2 * contact;
    const std::size_t tangent = normal + 1;
    const std::size_t status = (combination >> (2 * contact)) & 3U;
    if (status == open) {
      system_(normal, normal) = system_(tangent, tangent) = 1.;
      continue;
    }
    for (std::size_t j = 0; j < size; ++j) system_(normal, j) = W_(normal, j);
    right_(normal) = -problem.q()(normal);
    if (status == stick) {
      for (std::size_t j = 0; j < size; ++j) system_(tangent, j) = W_(tangent, j);
      right_(tangent) = -problem.q()(tangent);
      continue;
    }
    system_(tangent, tangent) = 1.;
    system_(tangent, normal) = (status == slideForward ? 1. : -1.) * problem.mu()(contact);
  }
  isRegular_ = factor_.tryFactor(system_);
  if (isRegular_) {
    assign(right_, r);
    factor_.solve(r);
    return;
  }
  assign(leastSquares(system_, right_, "Friction2DEnumerationSolver: a combination").x, r);
}

// Whether the error of the last combination exceeds that of a solution with rounding: r is accurate up to the condition
// number, the scaled reaction and the velocity up to the size of W times that.
bool Friction2DEnumerationSolver::excludesSolution(const FrictionContactProblem& problem, const Vector& r,
                                                   double error) const {
  if (!isRegular_ || !(error > leastForAProof) || !std::isfinite(error)) return false;
  const auto size = static_cast<double>(r.size());
  const double known = 100. * size * std::numeric_limits<double>::epsilon() / factor_.reciprocalCondition();
  const double normOfData = norm2(problem.q());
  const double change = (1. + normInf(problem.mu())) * size * normMax(W_) * normInf(r) * known;
  return error * (normOfData < 1e-150 ? 1. : normOfData) > change;
}

Friction2DEnumerationSolver::Outcome Friction2DEnumerationSolver::compute(const FrictionContactProblem& problem,
                                                                          Vector& r) {
  if (problem.dimension() != 2) return {SolveStatus::unsupported, 0, "it solves problems of dimension 2 only"};
  if (problem.contacts() > options_.maxContacts) {
    return {SolveStatus::unsupported, 0, "there are more contacts than the option maxContacts"};
  }
  BlockSparseMatrix matrix;
  problem.W().assemble(matrix);
  matrix.toDense(W_);
  Vector best(r.size());
  bool isProof = true;
  double least = std::numeric_limits<double>::infinity();
  const std::size_t combinations = std::size_t{1} << (2 * problem.contacts());
  for (std::size_t combination = 0; combination < combinations; ++combination) {
    solveCombination(problem, combination, r);
    const double error = certifiedError(problem, r);
    observe(combination + 1, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, combination + 1, {}};
    isProof = isProof && excludesSolution(problem, r, error);
    if (error < least) {
      least = error;
      assign(r, best);
    }
    if (timeIsUp()) {
      assign(best, r);
      return {SolveStatus::timeLimit, combination + 1, {}};
    }
  }
  assign(best, r);
  if (isProof)
    return {SolveStatus::infeasible, combinations, "no combination of open, sticking and sliding contacts fits"};
  return {
      SolveStatus::inaccurate, combinations,
      "no combination of open, sticking and sliding contacts fits, but rounding or a singular one may hide a solution"};
}

}  // namespace delassus::test
