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

// Whether pᵀ S p > 0 for all p with B p ≠ 0, of a symmetric S: by elimination with diagonal pivots, the same on the
// columns of B, until all that are left of these are zero.
bool isPositiveWhereItActs(Matrix S, Matrix B) {
  const std::size_t m = S.size1(), n = B.size1();
  Vector sizes(m);
  for (std::size_t j = 0; j < m; ++j) sizes(j) = S(j, j);
  const Matrix terms = B;
  std::vector<char> isDone(m);
  for (;;) {
    std::size_t pivot = m;
    bool acts = false;
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t k = 0; k < n && isDone[j] == 0; ++k) {
        acts = acts || std::abs(B(k, j)) > impulseRounding * std::abs(terms(k, j));
      }
      if (isDone[j] != 0 || !(S(j, j) > impulseRounding * sizes(j))) continue;
      if (pivot == m || S(j, j) * sizes(pivot) > S(pivot, pivot) * sizes(j)) pivot = j;
    }
    if (!acts) return true;
    if (pivot == m) return false;
    isDone[pivot] = 1;
    for (std::size_t j = 0; j < m; ++j) {
      if (isDone[j] != 0) continue;
      const double factor = S(pivot, j) / S(pivot, pivot);
      for (std::size_t k = 0; k < n; ++k) B(k, j) -= factor * B(k, pivot);
      for (std::size_t i = 0; i < m; ++i) {
        if (isDone[i] == 0) S(i, j) -= factor * S(i, pivot);
      }
    }
  }
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
    stateProblem(t, x, lambda, size);
    Branches branches;
    if (!propose(branches) || !proposed.insert(branches).second) continue;
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

// C B is symmetric among the rows that have an impulse, and positive for all impulses that move a state. Rows that
// share an impulse, as a switch in series with a diode does, leave combinations that move none.
bool FlowModeSearch::isReciprocal(const Vector& p) const {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p(i) != 0.) rows.push_back(i);
  }
  const std::size_t m = rows.size(), n = model_.states();
  Matrix CB(m, m), B(n, m);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t k = 0; k < n; ++k) B(k, j) = model_.B()(k, rows[j]);
    for (std::size_t i = 0; i < m; ++i) {
      CB(i, j) = 0.;
      for (std::size_t k = 0; k < n; ++k) CB(i, j) += model_.C()(rows[i], k) * B(k, j);
    }
  }
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const double size = std::max(std::abs(CB(i, j)), std::abs(CB(j, i)));
      if (std::abs(CB(i, j) - CB(j, i)) > impulseRounding * size) return false;
    }
  }
  return isPositiveWhereItActs(CB, B);
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

// Solves the mode at x, and changes rows whose impulses have the wrong sign to the bound that stops them, and one whose
// output an impulse drives out of its law to one that is held, until there is none: where a diode beside a switch is in
// series with another one, how these share the impulse is free but for their laws.
bool FlowModeSearch::jumpIn(Branches branches, FlowMode& mode, double t, const double* x, const Vector& lambda) {
  for (std::size_t round = 0; round < 2 * model_.rows() + 4; ++round) {
    if (!mode.select(branches, t, x, lambda)) return false;
    mode.solve(t, x);
    if (!findWrongImpulses(mode, impulseOf(mode, x))) return false;
    if (fallen_.empty()) return true;
    exchange(branches, false);
  }
  return false;
}

// The impulse of the last solve of a mode from x, without what moves no state by more than the rounding of the largest
// that there was: outputs of rows that are held are zero to rounding. A row that acts on no state of its own, as a
// switch that closes the way to another one, has an impulse where others of its interaction have one.
Vector FlowModeSearch::impulseOf(const FlowMode& mode, const double* x) const {
  constexpr double bits = 64. * std::numeric_limits<double>::epsilon();
  const std::size_t n = model_.states();
  double largest = 0.;
  for (std::size_t i = 0; i < n; ++i) largest = std::max({largest, std::abs(x[i]), model_.sizes()(i)});
  Vector p = mode.impulse();
  std::vector<char> moves(model_.interactions()), isPassive(p.size());
  for (std::size_t j = 0; j < p.size(); ++j) {
    double shift = 0.;
    for (std::size_t i = 0; i < n; ++i) shift = std::max(shift, std::abs(model_.B()(i, j) * p(j)));
    isPassive[j] = shift == 0. ? 1 : 0;
    if (isPassive[j] == 0 && std::isfinite(p(j)) && shift <= bits * largest) p(j) = 0.;
    if (isPassive[j] == 0 && p(j) != 0.) moves[model_.interactionOf(j)] = 1;
  }
  for (std::size_t j = 0; j < p.size(); ++j) {
    if (isPassive[j] != 0 && moves[model_.interactionOf(j)] == 0) p(j) = 0.;
  }
  return p;
}

// Guards into fallen_: of held rows whose impulses would pass a bound, or else of the first row at a bound whose output
// an impulse drives out of its law. False if there is no impulse, or one of a relation that is not linear.
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
    if ((branch == FlowBranch::lower ? -sum : sum) > impulseRounding * terms) fallen_.push_back(2 * i);
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
