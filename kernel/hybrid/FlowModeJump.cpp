// SPDX-License-Identifier: Apache-2.0
//
// The part of FlowModeSearch that finds jumps of the state.
//
// In a mode with held rows H a step of Euler's implicit scheme, (D_HH + ε C_H B_H) λ_H = −(C_H x + e_H + D_HL λ_L), has
// the expansion λ_H = p/ε + λ⁰ + …, with
//
//     D_HH p = 0,   N (C_H (x + B_H p) + e_H + D_HL λ_L) = 0,   N D_HH = 0,
//
// so that the state moves by B_H p, however short the step: this is the projection of FlowMode. An impulse may act in
// the directions only in which a multiplier is unbounded, and what it does to the outputs of the other rows must have
// the sign that their laws ask for.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/FlowModeSearch.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <vector>

namespace delassus {
namespace {

constexpr int jumpSteps = 5;
constexpr double jumpFactor = 1e-2;
constexpr double impulseRounding = 1e-9;  // of the largest impulse of an interaction, and of the terms of D p
constexpr double computed = 1e-11;        // of the terms of an output, that a computed state may be off
constexpr double mostRounding = 1e-6;     // of what the state after a jump may be off the constraints, of their terms

double magnitudeOf(const Vector& p, const FlowModel& model, std::size_t row) {
  const std::size_t interaction = model.interactionOf(row);
  double largest = 0.;
  for (std::size_t i = model.rowsBegin(interaction); i < model.rowsEnd(interaction); ++i) {
    largest = std::max(largest, std::abs(p(i)));
  }
  return largest;
}

}  // namespace

// Among rows that are reciprocal, of a passive system, the jump is unique: if a mode holds at x there is none. So it
// may be looked for before all modes have been tried.
bool FlowModeSearch::jump(FlowMode& mode, double t, const double* x, const Vector& lambda, double step,
                          const Allowance& allowance, bool onlyReciprocal) {
  const std::string reason = reason_;
  const double smallest = 64. * std::numeric_limits<double>::epsilon() * std::abs(t);
  const double longest = stepOfJump(t, x, lambda);
  double size = std::isfinite(longest) ? longest : step;
  std::set<Branches> proposed;
  bool found = false;
  for (int k = 0; !found && k < jumpSteps && (k == 0 || size > smallest); ++k, size *= jumpFactor) {
    Branches branches;
    if (!propose(t, x, lambda, size, branches) || !proposed.insert(branches).second) continue;
    if (!jumpIn(branches, mode, t, x, lambda)) continue;
    const Vector p = impulseOf(mode, x);
    if (onlyReciprocal && !isReciprocal(p)) continue;
    Vector after;
    const double rounding = roundJump(mode, t, x, after);
    found = find(mode, t, data(after), lambda, step, {allowance.time, std::max(computed, rounding)});
    if (found) impulse_ = p;
  }
  reason_ = reason;
  return found;
}

// C B is symmetric and definite among the rows that have an impulse.
bool FlowModeSearch::isReciprocal(const Vector& p) const {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p(i) != 0.) rows.push_back(i);
  }
  const Matrix& C = model_.C();
  const Matrix& B = model_.B();
  Matrix CB(rows.size(), rows.size());
  setZero(CB);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = 0; k < model_.states(); ++k) CB(i, j) += C(rows[i], k) * B(k, rows[j]);
    }
  }
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const double size = std::max(std::abs(CB(i, j)), std::abs(CB(j, i)));
      if (std::abs(CB(i, j) - CB(j, i)) > impulseRounding * size) return false;
    }
  }
  return CholeskyFactorization().tryFactor(CB);
}

// An ε in which impulses outweigh what flows: short beside the time constants of the state, 1/‖A‖, and of feedthrough,
// D_ii/(C B)_ii. Much shorter ones ask for multipliers that solvers certify slowly or not.
double FlowModeSearch::stepOfJump(double t, const double* x, const Vector& lambda) {
  constexpr double part = 1e-3;
  const std::size_t m = model_.rows();
  Vector state(model_.states()), about(m), rates(model_.states());
  std::copy_n(x, model_.states(), data(state));
  for (std::size_t i = 0; i < m; ++i) about(i) = std::clamp(lambda(i), model_.lower()(i), model_.upper()(i));
  model_.rates(t, state, about, rates);
  model_.linearise(t, state, about);
  Matrix A, CB(m, m);
  model_.stateJacobian(t, state, about, A);
  multiply(1., model_.C(), model_.B(), 0., CB);
  double fastest = normInf(A);
  for (std::size_t i = 0; i < m; ++i) {
    if (model_.D()(i, i) != 0.) fastest = std::max(fastest, std::abs(CB(i, i) / model_.D()(i, i)));
  }
  return part / fastest;
}

// Solves the mode at x, and changes rows whose impulses have the wrong sign to the bound that stops them, until none
// has.
bool FlowModeSearch::jumpIn(Branches branches, FlowMode& mode, double t, const double* x, const Vector& lambda) {
  for (std::size_t round = 0; round <= model_.rows(); ++round) {
    if (!mode.select(branches, t, x, lambda)) return false;
    mode.solve(t, x);
    if (!findWrongImpulses(mode, impulseOf(mode, x))) return false;
    if (fallen_.empty()) return true;
    exchange(branches);
  }
  return false;
}

// The impulse of the last solve of a mode from x, without what moves no state by more than the rounding of the largest:
// outputs of rows that are held are zero to rounding.
Vector FlowModeSearch::impulseOf(const FlowMode& mode, const double* x) const {
  constexpr double bits = 64. * std::numeric_limits<double>::epsilon();
  const std::size_t n = model_.states();
  double largest = 0.;
  for (std::size_t i = 0; i < n; ++i) largest = std::max({largest, std::abs(x[i]), model_.sizes()(i)});
  Vector p = mode.impulse();
  for (std::size_t j = 0; j < p.size(); ++j) {
    double shift = 0.;
    for (std::size_t i = 0; i < n; ++i) shift = std::max(shift, std::abs(model_.B()(i, j) * p(j)));
    if (std::isfinite(p(j)) && shift <= bits * largest) p(j) = 0.;
  }
  return p;
}

// Guards of held rows whose impulses would pass a bound into fallen_. False if there is no impulse, or one that the
// laws do not admit in another way.
bool FlowModeSearch::findWrongImpulses(const FlowMode& mode, const Vector& p) {
  const Matrix& D = model_.D();
  fallen_.clear();
  bool any = false;
  for (std::size_t i = 0; i < p.size(); ++i) {
    any = any || mode.impulse()(i) != 0.;
    if (p(i) == 0.) continue;
    if (!model_.isLinear(i) || !std::isfinite(p(i))) return false;
    if (std::abs(p(i)) <= impulseRounding * magnitudeOf(p, model_, i)) continue;
    if (p(i) < 0. && std::isfinite(model_.lower()(i))) fallen_.push_back(2 * i);
    if (p(i) > 0. && std::isfinite(model_.upper()(i))) fallen_.push_back(2 * i + 1);
  }
  for (std::size_t i = 0; i < p.size() && fallen_.empty(); ++i) {
    const FlowBranch branch = mode.branches()[i];
    if (branch == FlowBranch::held || model_.lower()(i) == model_.upper()(i)) continue;
    double sum = 0., terms = 0.;
    for (std::size_t j = 0; j < p.size(); ++j) {
      sum += D(i, j) * p(j);
      terms += std::abs(D(i, j) * p(j));
    }
    if ((branch == FlowBranch::lower ? -sum : sum) > impulseRounding * terms) return false;
  }
  return any;
}

// The state after the jump; what is left by cancellation alone is zero. Returns how far it is from the constraints, of
// their terms: rounding, which is larger where the state was much larger before.
double FlowModeSearch::roundJump(FlowMode& mode, double t, const double* x, Vector& after) const {
  constexpr double bits = 64. * std::numeric_limits<double>::epsilon();
  after = mode.x();
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (std::abs(after(k)) <= bits * std::abs(x[k])) after(k) = 0.;
  }
  const Vector place = after;
  mode.solve(t, data(place));
  after = mode.x();
  return std::min(mostRounding, 10. * mode.mismatch().relative);
}

}  // namespace delassus
