// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr double rise = 1.5;  // of L
constexpr double fall = 0.95;
constexpr std::size_t checkInterval = 100;

// How often De Saxcé's shift is updated, measured on heaps and lattices of spheres.
constexpr std::size_t adaptInterval = 200;
constexpr double mostDue = 8.;
constexpr double leastDue = 0.1;
constexpr double goodGain = 0.3;
// A residual of this size is rounding.
constexpr double noChange = 4. * std::numeric_limits<double>::epsilon();

}  // namespace

AcceleratedGradientSolver::AcceleratedGradientSolver(AcceleratedGradientOptions options)
    : WithOptions("AcceleratedGradientSolver", options) {
}

void AcceleratedGradientSolver::start(const ProblemOverSets& problem, Vector& x) {
  const std::size_t n = x.size();
  sets_.begin(problem);
  sets_.project(data(x));
  for (Vector* const v : {&y_, &next_, &ofX_, &ofY_, &ofNext_, &velocity_}) {
    if (v->size() != n) v->resize(n, false);
  }
  problem.multiply(data(x), data(ofX_));
  assign(x, y_);
  assign(ofX_, ofY_);
  for (std::size_t i = 0; i < n; ++i) velocity_(i) = ofX_(i) + problem.q()(i);
  assignZero(shift_, n);
  sets_.addShift(data(velocity_), data(shift_));
  lipschitz_ = momentum_ = 1.;
  due_ = mostDue;
  least_ = leastBefore_ = std::numeric_limits<double>::infinity();
}

// Whether ΔᵀW Δ > L ΔᵀD Δ for Δ = next − y by more than rounding explains.
bool AcceleratedGradientSolver::isSteep(const ProblemOverSets& problem) const {
  std::array<double, 3> sums{};
  auto& [moved, curvature, size] = sums;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double change = next_(i) - y_(i);
    moved += sets_.metric()[i] * change * change;
    curvature += change * (ofNext_(i) - ofY_(i));
    size += std::abs(change) * (std::abs(ofNext_(i)) + std::abs(ofY_(i)));
  }
  problem.sum(sums);
  constexpr double rounding = 64. * std::numeric_limits<double>::epsilon();
  return curvature > lipschitz_ * moved * (1. + rounding) + rounding * size;
}

// next and W next, with an L that is large enough; gives the velocity that the step removed, relative to the data.
double AcceleratedGradientSolver::stepFromY(const ProblemOverSets& problem) {
  const std::size_t n = y_.size();
  for (std::size_t i = 0; i < n; ++i) velocity_(i) = ofY_(i) + problem.q()(i) + shift_(i);
  for (;;) {
    sets_.step(y_, velocity_, 1. / lipschitz_, next_);
    problem.multiply(data(next_), data(ofNext_));
    if (!isSteep(problem)) break;
    lipschitz_ *= rise;
  }
  for (std::size_t i = 0; i < n; ++i) velocity_(i) = lipschitz_ * sets_.metric()[i] * (next_(i) - y_(i));
  return sets_.residualNorm(data(velocity_));
}

// Updates the shift to that of next if it is due; gives by how much it differed, relative to the data.
double AcceleratedGradientSolver::followShift(const ProblemOverSets& problem, double change) {
  const std::size_t n = next_.size();
  for (std::size_t i = 0; i < n; ++i) velocity_(i) = ofNext_(i) + problem.q()(i);
  assignZero(newShift_, n);
  sets_.addShift(data(velocity_), data(newShift_));
  for (std::size_t i = 0; i < n; ++i) velocity_(i) = newShift_(i) - shift_(i);
  const double difference = sets_.residualNorm(data(velocity_));
  if (change <= due_ * difference) shift_.swap(newShift_);
  return difference;
}

// x := next, y and W y by extrapolation, from x alone where the step turned against the momentum.
void AcceleratedGradientSolver::moveOn(const ProblemOverSets& problem, Vector& x) {
  const std::size_t n = x.size();
  double against = 0.;
  for (std::size_t i = 0; i < n; ++i) against += sets_.metric()[i] * (y_(i) - next_(i)) * (next_(i) - x(i));
  problem.sum({&against, 1});
  const double momentum = against > 0. ? 1. : 0.5 * (1. + std::sqrt(1. + 4. * momentum_ * momentum_));
  const double beta = against > 0. ? 0. : (momentum_ - 1.) / momentum;
  momentum_ = momentum;
  for (std::size_t i = 0; i < n; ++i) {
    y_(i) = next_(i) + beta * (next_(i) - x(i));
    ofY_(i) = ofNext_(i) + beta * (ofNext_(i) - ofX_(i));
  }
  x.swap(next_);
  ofX_.swap(ofNext_);
  lipschitz_ *= fall;
}

// The shift is held for longer where nothing was gained, for less where much was.
void AcceleratedGradientSolver::adapt(std::size_t iteration, double residual) {
  least_ = std::min(least_, residual);
  if (iteration % adaptInterval != 0) return;
  if (least_ > leastBefore_) {
    due_ = std::max(leastDue, 0.5 * due_);
  } else if (least_ < goodGain * leastBefore_) {
    due_ = std::min(mostDue, 2. * due_);
  }
  leastBefore_ = std::min(leastBefore_, least_);
  least_ = std::numeric_limits<double>::infinity();
}

AcceleratedGradientSolver::Outcome AcceleratedGradientSolver::compute(const ProblemOverSets& problem, Vector& x) {
  // A good start is returned unchanged: a Newton loop around this solver would otherwise keep seeing changes.
  if (certifiedError(problem, x) <= options_.tolerance) return {SolveStatus::converged, 0, {}};
  start(problem, x);
  double promising = options_.tolerance;
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    const double change = stepFromY(problem);
    const double residual = std::max(change, followShift(problem, change));
    if (!std::isfinite(residual)) return {SolveStatus::numericalFailure, iteration, "the iterates grow without bound"};
    moveOn(problem, x);
    observe(iteration, residual);
    if (residual <= promising || iteration % checkInterval == 0) {
      const double error = certifiedError(problem, x);
      if (error <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
      promising = std::min(0.9 * residual, residual * options_.tolerance / error);
      if (residual <= noChange) return {SolveStatus::inaccurate, iteration, "nothing moves any more"};
    }
    if (timeIsUp(problem)) return {SolveStatus::timeLimit, iteration, {}};
    adapt(iteration, residual);
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, {}};
}

}  // namespace delassus::numerics
