// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <delassus/numerics/methods/LcpActiveSetSolver.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr double infinity = std::numeric_limits<double>::infinity();

// Curvature relative to M_ii that counts as none: well above rounding, well below that of ill-conditioned problems.
constexpr double rankTolerance = 1e-11;

}  // namespace

LcpActiveSetSolver::LcpActiveSetSolver(LcpActiveSetOptions options) : WithOptions("LcpActiveSetSolver", options) {
}

void LcpActiveSetSolver::computeW(const BoxView& view, const Vector& z) {
  assign(view.q, w_);
  multiply(1., view.M, z, 1., w_);
}

// M_F,index into column_.
void LcpActiveSetSolver::gather(const BoxView& view, std::size_t index) {
  const double* const column = data(view.M) + index * view.M.size1();
  for (std::size_t k = 0; k < free_.size(); ++k) column_[k] = column[free_[k]];
}

void LcpActiveSetSolver::leave(std::size_t position, Vector& z) {
  z(free_[position]) = 0.;
  isFree_[free_[position]] = 0;
  free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(position));
  factor_.remove(position);
}

// F from the positive z that are independent, then its minimiser.
void LcpActiveSetSolver::warmStart(const BoxView& view, Vector& z) {
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double diagonal = view.M(i, i);
    gather(view, i);
    if (z(i) > 0. && factor_.append(column_.data(), diagonal, rankTolerance * diagonal)) {
      free_.push_back(i);
      isFree_[i] = 1;
    } else {
      z(i) = 0.;
    }
  }
  moveToMinimiser(view, z);
}

// From z towards the minimiser over F; components that become 0 on the way leave F.
void LcpActiveSetSolver::moveToMinimiser(const BoxView& view, Vector& z) {
  while (!free_.empty()) {
    for (std::size_t k = 0; k < free_.size(); ++k) direction_[k] = -view.q(free_[k]);
    factor_.solve(direction_.data());
    double step = 1.;
    std::size_t blocking = none;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const double from = z(free_[k]);
      if (direction_[k] >= 0. || from / (from - direction_[k]) >= step) continue;
      step = from / (from - direction_[k]);
      blocking = k;
    }
    for (std::size_t k = 0; k < free_.size(); ++k) {
      z(free_[k]) = std::max(0., z(free_[k]) + step * (direction_[k] - z(free_[k])));
    }
    if (blocking == none) return;
    leave(blocking, z);
  }
}

// One Newton step over F, against the accumulated rounding of many factor updates.
void LcpActiveSetSolver::refine(const BoxView& view, Vector& z) {
  computeW(view, z);
  for (std::size_t k = 0; k < free_.size(); ++k) direction_[k] = -w_(free_[k]);
  factor_.solve(direction_.data());
  for (std::size_t k = 0; k < free_.size(); ++k) z(free_[k]) = std::max(0., z(free_[k]) + direction_[k]);
  computeW(view, z);
}

std::size_t LcpActiveSetSolver::mostNegative(const BoxView& view, const Vector& z) const {
  // w is a difference of q and products of the size of M_ii z_i.
  double scale = normInf(view.q);
  for (const std::size_t i : free_) scale = std::max(scale, view.M(i, i) * z(i));
  std::size_t chosen = none;
  double least = 0.;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (isFree_[i] != 0 || passed_[i] != 0 || !(w_(i) < -signTolerance * scale)) continue;
    const double diagonal = view.M(i, i);
    const double relative = diagonal > 0. ? w_(i) / std::sqrt(diagonal) : -infinity;
    if (chosen != none && relative >= least) continue;
    chosen = i;
    least = relative;
  }
  return chosen;
}

LcpActiveSetSolver::Raise LcpActiveSetSolver::raise(const BoxView& view, std::size_t index, Vector& z) {
  const double diagonal = view.M(index, index);
  double slope = w_(index);
  for (;;) {
    gather(view, index);
    for (std::size_t k = 0; k < free_.size(); ++k) direction_[k] = -column_[k];
    factor_.solve(direction_.data());
    double curvature = diagonal;
    for (std::size_t k = 0; k < free_.size(); ++k) curvature += column_[k] * direction_[k];
    if (curvature < -1e-8 * std::abs(diagonal) || diagonal < 0.) return Raise::indefinite;

    const bool curved = curvature > rankTolerance * diagonal;
    double step = curved ? -slope / curvature : infinity;
    std::size_t blocking = none;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      if (direction_[k] >= 0. || z(free_[k]) / -direction_[k] > step) continue;
      step = z(free_[k]) / -direction_[k];
      blocking = k;
    }
    if (step == infinity) {
      setZero(ray_);
      ray_(index) = 1.;
      for (std::size_t k = 0; k < free_.size(); ++k) ray_(free_[k]) = direction_[k];
      return Raise::ray;
    }
    for (std::size_t k = 0; k < free_.size(); ++k) z(free_[k]) = std::max(0., z(free_[k]) + step * direction_[k]);
    z(index) += step;
    slope += step * curvature;
    if (blocking != none) {
      leave(blocking, z);
      continue;
    }
    factor_.append(column_.data(), diagonal, 0.);
    free_.push_back(index);
    isFree_[index] = 1;
    return Raise::joined;
  }
}

LcpActiveSetSolver::Outcome LcpActiveSetSolver::compute(const ProblemOverSets& problem, Vector& z) {
  const std::size_t n = problem.size();
  if (!isComplementarity(problem)) return {SolveStatus::unsupported, 0, whyNoComplementarity};
  if (!symmetric_.isCurrent(problem.stamp())) {
    if (!problem.matrix().isSymmetric()) return {SolveStatus::unsupported, 0, "M is not symmetric"};
    symmetric_.take(problem.stamp());
  }
  const BoxView view = *dense_.view(problem);
  factor_.clear(n);
  free_.clear();
  isFree_.assign(n, 0);
  passed_.assign(n, 0);
  column_.resize(n);
  direction_.resize(n);
  assignZero(ray_, n);
  warmStart(view, z);
  computeW(view, z);

  bool refined = false;
  const std::size_t limit = options_.maxIterations > 0 ? options_.maxIterations : 100 + 20 * n;
  for (std::size_t iteration = 0; iteration < limit; ++iteration) {
    const std::size_t index = mostNegative(view, z);
    if (index == none) {
      if (refined) return {SolveStatus::converged, iteration, {}};
      refine(view, z);
      refined = true;
      continue;
    }
    observe(iteration, -w_(index));
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    refined = false;
    const Raise result = raise(view, index, z);
    if (result == Raise::indefinite) return {SolveStatus::unsupported, iteration, "M is not positive semidefinite"};
    if (result == Raise::ray) {
      if (provesInfeasible(problem, ray_)) {
        return {SolveStatus::infeasible, iteration + 1, "an unbounded direction of descent: there is no solution"};
      }
      passed_[index] = 1;
    }
    computeW(view, z);
  }
  return {SolveStatus::iterationLimit, limit, "the limit of changes of the free set was reached"};
}

}  // namespace delassus::numerics
