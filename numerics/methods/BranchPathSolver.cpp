// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/BranchPathSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr std::size_t noEnd = static_cast<std::size_t>(-1);

bool isMovable(const BoxView& view, std::size_t i) {
  return !view.isFree(i) && view.lower(i) < view.upper(i);
}

// The bound that w asks for, where it is finite.
BoxBasis::Side boundFor(const BoxView& view, std::size_t i, double w) {
  const bool goesUp = std::isinf(view.lower(i)) || (w < 0. && std::isfinite(view.upper(i)));
  return goesUp ? BoxBasis::Side::upper : BoxBasis::Side::lower;
}

}  // namespace

BranchPathSolver::BranchPathSolver(BranchPathOptions options) : WithOptions("BranchPathSolver", options) {
}

// The rows that begin free together have a determinant of the sign that the equalities have alone.
bool BranchPathSolver::isForward(const BoxView& view) {
  basis_.take(sides_);
  return basis_.factor(view) && basis_.determinantSign() == equalities_.determinantSign();
}

// At the bounds that w asks for.
void BranchPathSolver::holdAll(const BoxView& view) {
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (sides_[i] == Side::free && !view.isFree(i)) sides_[i] = boundFor(view, i, w_(i));
  }
}

bool BranchPathSolver::begin(const BoxView& view, Vector& z) {
  view.enterBox(z);
  assign(view.q, w_);
  multiply(1., view.M, z, 1., w_);
  sides_.resize(view.size());
  for (std::size_t i = 0; i < view.size(); ++i) {
    sides_[i] = z(i) == view.lower(i) ? Side::lower : z(i) == view.upper(i) ? Side::upper : Side::free;
    const bool isDriven = sides_[i] == Side::free && !view.isFree(i) && view.M(i, i) < 0.;
    if (isDriven) sides_[i] = boundFor(view, i, w_(i));
  }
  equalities_.holdAll(view);
  if (!equalities_.factor(view)) return false;
  if (!isForward(view)) {
    holdAll(view);
    if (!isForward(view)) return false;
  }
  takeDirection(view, z);
  return true;
}

// d = w at the start, less a w that the sides allow.
void BranchPathSolver::takeDirection(const BoxView& view, Vector& z) {
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (sides_[i] != Side::free) z(i) = sides_[i] == Side::lower ? view.lower(i) : view.upper(i);
  }
  assign(view.q, total_);
  multiply(1., view.M, z, 1., total_);
  for (std::size_t i = 0; i < view.size(); ++i) {
    double& entry = total_(i);
    if (sides_[i] == Side::free) {
      entry = -entry;
    } else {
      const bool isAllowed = !isMovable(view, i) || (sides_[i] == Side::lower ? entry >= 0. : entry <= 0.);
      entry = isAllowed ? 0. : -2. * entry;
    }
  }
}

// Group 0 are the rows that began free, then each other row is one. False where nothing of it is to move.
bool BranchPathSolver::takeGroup(const BoxView& view, std::size_t group) {
  bool any = false;
  setZero(minusD_);
  const auto take = [&](std::size_t i) {
    minusD_(i) = total_(i);
    shifted_(i) = view.q(i);
    any = any || total_(i) != 0.;
  };
  if (group > 0) {
    if (first_[group - 1] != Side::free) take(group - 1);
    return any;
  }
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (first_[i] == Side::free) take(i);
  }
  return any;
}

// Both ends of z and w = … + s … on the sides of the basis. False if one is not finite.
bool BranchPathSolver::solvePiece(const BoxView& view) {
  const BoxView change{view.M, minusD_, zero_, zero_};
  if (!basis_.apply(view, z_) || !basis_.apply(change, dz_)) return false;
  assign(view.q, w_);
  multiply(1., view.M, z_, 1., w_);
  assign(minusD_, dw_);
  multiply(1., view.M, dz_, 1., dw_);
  return allFinite(z_) && allFinite(dz_);
}

// `way`: −1 where s falls, 1 where it rises.
BranchPathSolver::End BranchPathSolver::endOfPiece(const BoxView& view, double s, double way) const {
  End end{std::numeric_limits<double>::infinity(), noEnd};
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (!isMovable(view, i)) continue;
    const bool isFree = basis_.sides()[i] == Side::free;
    const double rate = way * (isFree ? dz_(i) : dw_(i));
    const double value = isFree ? z_(i) + s * dz_(i) : w_(i) + s * dw_(i);
    // Where this row ends in that way, if it does.
    const bool isEnding = isFree ? rate != 0. : (basis_.sides()[i] == Side::lower ? rate < 0. : rate > 0.);
    if (!isEnding) continue;
    const double limit = !isFree ? 0. : rate > 0. ? view.upper(i) : view.lower(i);
    const double step = std::max(0., (limit - value) / rate);
    if (step < end.step) end = {step, i};
  }
  return end;
}

// Changes the side of the row and turns `way` so that it moves inward; false if it does not move.
bool BranchPathSolver::exchange(const BoxView& view, std::size_t row, double& way) {
  Side& side = sides_[row];
  const bool entersAtLower = side == Side::lower;
  const bool becomesFree = side != Side::free;
  side = becomesFree ? Side::free : way * dz_(row) > 0. ? Side::upper : Side::lower;
  basis_.take(sides_);
  if (!basis_.factor(view) || !solvePiece(view)) return false;
  const bool rises = becomesFree ? entersAtLower : side == Side::lower;
  const double rate = becomesFree ? dz_(row) : dw_(row);
  way = (rate > 0.) == rises ? 1. : -1.;
  return rate != 0.;
}

// From s = 1 to 0 for one group of rows; `pivots` counts down.
SolveStatus BranchPathSolver::follow(const BoxView& view, std::size_t& pivots) {
  double s = 1., way = -1.;
  if (!solvePiece(view)) return SolveStatus::numericalFailure;
  for (; pivots > 0 && !timeIsUp(); --pivots) {
    const End end = endOfPiece(view, s, way);
    if (way < 0. && end.step >= s) return SolveStatus::converged;
    s += way * end.step;
    if (end.row == noEnd || !exchange(view, end.row, way)) return SolveStatus::numericalFailure;
  }
  return timeIsUp() ? SolveStatus::timeLimit : SolveStatus::iterationLimit;
}

BranchPathSolver::Outcome BranchPathSolver::compute(const ProblemOverSets& problem, Vector& z) {
  const std::optional<BoxView> view = box_.view(problem);
  if (!view) return {SolveStatus::unsupported, 0, Intervals::whyNotTaken};
  const std::size_t n = z.size();
  assignZero(zero_, n);
  assignZero(minusD_, n);
  for (BoxBasis* const basis : {&basis_, &equalities_}) basis->reserve(n);
  for (Vector* const v : {&z_, &dz_}) {
    if (v->size() != n) v->resize(n, false);
  }
  if (!begin(*view, z)) return {SolveStatus::numericalFailure, 0, "no regular set that a path begins with"};
  first_ = sides_;
  assign(view->q, shifted_);
  addScaled(1., total_, shifted_);
  const BoxView shifted{view->M, shifted_, view->lower, view->upper};
  const std::size_t limit = options_.maxPivots > 0 ? options_.maxPivots : 20 + 5 * n;
  std::size_t left = limit;
  for (std::size_t group = 0; group <= n; ++group) {
    if (!takeGroup(*view, group)) continue;
    const SolveStatus status = follow(shifted, left);
    if (status != SolveStatus::converged) return {status, limit - left, "the path came to no end at this problem"};
  }
  if (!basis_.apply(*view, z)) return {SolveStatus::numericalFailure, limit - left, "the path ended at no bound"};
  basis_.refine(*view, z);
  view->enterBox(z);
  return {SolveStatus::converged, limit - left, {}};
}

}  // namespace delassus::numerics
