// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

// The bounds of an LCP are constants, so that its loops have none to read.
struct HalfLines {
  static constexpr bool hasUpper = false;
  static constexpr double lower(std::size_t) { return 0.; }
  static constexpr double upper(std::size_t) { return std::numeric_limits<double>::infinity(); }
};
struct Ends {
  static constexpr bool hasUpper = true;
  const double* lowers;
  const double* uppers;
  double lower(std::size_t i) const { return lowers[i]; }
  double upper(std::size_t i) const { return uppers[i]; }
};

template <class Bounds>
void enterBox(const Bounds& bounds, Vector& z) {
  double* const x = data(z);
  for (std::size_t i = 0; i < z.size(); ++i) x[i] = std::clamp(x[i], bounds.lower(i), bounds.upper(i));
}

}  // namespace

template <class Bounds>
void BlockPivotingSolver::guess(const ProblemOverSets& problem, const Bounds& bounds, Vector& z) {
  enterBox(bounds, z);
  problem.matrix().multiply(data(z), data(w_));
  problem.matrix().diagonal(data(diagonal_));
  const double* const q = data(problem.q());
  const double* const x = data(z);
  const double* const image = data(w_);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const double d = diagonal_(i) > 0. ? diagonal_(i) : 1.;
    const double target = d * x[i] - image[i] - q[i];
    Side side = target < d * bounds.lower(i) ? Side::lower : Side::free;
    if (bounds.hasUpper && target > d * bounds.upper(i)) side = Side::upper;
    if (bounds.lower(i) == bounds.upper(i)) side = Side::lower;
    sides_[i] = side;
  }
}

bool BlockPivotingSolver::factorFree(const ProblemOverSets& problem) {
  usesCholesky_ = symmetric_ && cholesky_.factor(problem.matrix(), isFree_);
  if (usesCholesky_) return true;
  if (symmetric_ && options_.definiteOnly) return false;
  if (problem.size() > options_.denseSize && PrincipalLU::isNearlyFull(problem.matrix())) return false;
  return lu_.factor(problem.matrix(), isFree_);
}

// −M_FF⁻¹ (M z + q)_F into step_, zero elsewhere; without a product if all of z is zero.
void BlockPivotingSolver::computeStep(const ProblemOverSets& problem, const Vector& z, bool isZero) {
  const double* const q = data(problem.q());
  double* const step = data(step_);
  if (isZero) {
    for (std::size_t i = 0; i < z.size(); ++i) step[i] = -q[i];
  } else {
    problem.matrix().multiply(data(z), step);
    for (std::size_t i = 0; i < z.size(); ++i) step[i] = -step[i] - q[i];
  }
  if (usesCholesky_) {
    cholesky_.solve(step_);
  } else {
    lu_.solve(step_);
  }
}

template <class Bounds>
bool BlockPivotingSolver::solveFree(const ProblemOverSets& problem, const Bounds& bounds, Vector& z) {
  bool hasFree = false;
  bool isZero = true;
  double* const x = data(z);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const Side side = sides_[i];
    isFree_[i] = side == Side::free ? 1 : 0;
    hasFree = hasFree || side == Side::free;
    x[i] = side == Side::free ? 0. : bounds.hasUpper && side == Side::upper ? bounds.upper(i) : bounds.lower(i);
    isZero = isZero && x[i] == 0.;
  }
  hasFree_ = hasFree;
  if (!hasFree) return true;
  if (!factorFree(problem)) return false;
  computeStep(problem, z, isZero);
  if (isZero) {
    z.swap(step_);
  } else {
    addScaled(1., step_, z);
  }
  return true;
}

template <class Bounds>
void BlockPivotingSolver::findViolated(const ProblemOverSets& problem, const Bounds& bounds, const Vector& z) {
  problem.matrix().multiply(data(z), data(w_));
  const double* const q = data(problem.q());
  const double* const x = data(z);
  const double* const image = data(w_);
  const double* const diagonal = data(diagonal_);
  const double marginZ = signTolerance * normInf(z);
  // w is a difference of q and products of the size of M_ii z_i.
  double scale = normInf(problem.q());
  for (std::size_t i = 0; i < sides_.size(); ++i) scale = std::max(scale, std::abs(diagonal[i] * x[i]));
  const double marginW = signTolerance * scale;
  violated_.clear();
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (bounds.lower(i) == bounds.upper(i)) continue;
    const double w = image[i] + q[i];
    const Side side = sides_[i];
    const bool isWrong = side == Side::free
                             ? x[i] < bounds.lower(i) - marginZ || (bounds.hasUpper && x[i] > bounds.upper(i) + marginZ)
                             : (side == Side::lower ? w < -marginW : w > marginW);
    if (isWrong) violated_.push_back(i);
  }
}

template <class Bounds>
void BlockPivotingSolver::exchange(const Bounds& bounds, const Vector& z) {
  if (violated_.size() < fewest_) {
    fewest_ = violated_.size();
    patience_ = options_.patience;
  } else if (patience_ > 0) {
    --patience_;
  } else {
    violated_.front() = violated_.back();
    violated_.resize(1);
  }
  for (const std::size_t i : violated_) {
    sides_[i] = sides_[i] != Side::free ? Side::free : z(i) < bounds.lower(i) ? Side::lower : Side::upper;
  }
}

// One step of iterative refinement if rounding misses the tolerance; more steps do not pay.
template <class Bounds>
void BlockPivotingSolver::certify(const ProblemOverSets& problem, const Bounds& bounds, Vector& z) {
  double error = errorOf(problem, measure(), z, w_, tolerance());
  if (error > tolerance() && hasFree_) {
    computeStep(problem, z, false);
    assign(z, refined_);
    addScaled(1., step_, refined_);
    enterBox(bounds, refined_);
    const double refinedError = errorOf(problem, measure(), refined_, w_, tolerance());
    if (!(refinedError < error)) return;
    error = refinedError;
    z.swap(refined_);
  }
  adoptCertificate(error, w_);
}

BlockPivotingSolver::Outcome BlockPivotingSolver::withoutFactor(const ProblemOverSets& problem,
                                                                std::size_t iteration) const {
  if (symmetric_ && options_.definiteOnly) {
    return {SolveStatus::numericalFailure, iteration, "M is not positive definite on an active set"};
  }
  if (problem.size() > options_.denseSize && PrincipalLU::isNearlyFull(problem.matrix())) {
    return {SolveStatus::unsupported, iteration,
            "M is full, not symmetric definite and larger than the option denseSize"};
  }
  return {SolveStatus::numericalFailure, iteration, "M is singular on the free components"};
}

template <class Bounds>
BlockPivotingSolver::Outcome BlockPivotingSolver::search(const ProblemOverSets& problem, const Bounds& bounds,
                                                         Vector& z) {
  guess(problem, bounds, z);
  fewest_ = problem.size() + 1;
  patience_ = options_.patience;
  Outcome outcome{SolveStatus::iterationLimit, options_.maxIterations, "the exchange limit was reached"};
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    if (!solveFree(problem, bounds, z)) {
      outcome = withoutFactor(problem, iteration);
      break;
    }
    findViolated(problem, bounds, z);
    observe(iteration, static_cast<double>(violated_.size()));
    if (violated_.empty()) {
      enterBox(bounds, z);
      certify(problem, bounds, z);
      return {SolveStatus::converged, iteration, {}};
    }
    if (timeIsUp()) {
      outcome = {SolveStatus::timeLimit, iteration, {}};
      break;
    }
    exchange(bounds, z);
  }
  enterBox(bounds, z);
  return outcome;
}

BlockPivotingSolver::Outcome BlockPivotingSolver::compute(const ProblemOverSets& problem, Vector& z) {
  const std::size_t n = problem.size();
  if (!intervals_.take(problem)) return {SolveStatus::unsupported, 0, Intervals::whyNotTaken};
  symmetricFrom_.renew(problem.stamp(), [&] { symmetric_ = problem.matrix().isSymmetric(); });
  if (!symmetric_ && options_.symmetricOnly) return {SolveStatus::unsupported, 0, "M is not symmetric"};
  sides_.resize(n);
  isFree_.resize(n);
  for (Vector* const v : {&w_, &step_, &diagonal_, &refined_}) {
    if (v->size() != n) v->resize(n, false);
  }
  if (intervals_.areHalfLines()) return search(problem, HalfLines{}, z);
  return search(problem, Ends{data(intervals_.lower()), data(intervals_.upper())}, z);
}

}  // namespace delassus::numerics
