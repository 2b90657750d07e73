// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/nonlinear/ExtragradientSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr double contraction = 0.9;  // of the step that predicts
constexpr double shortest = 1e-14;

}  // namespace

ExtragradientSolver::ExtragradientSolver(ExtragradientOptions options) : WithOptions("ExtragradientSolver", options) {
}

// ‖a − b‖ in D⁻¹.
double ExtragradientSolver::velocity(const Vector& a, const Vector& b) const {
  double squares = 0.;
  for (std::size_t i = 0; i < a.size(); ++i) {
    squares += (a(i) - b(i)) * (a(i) - b(i)) / sets_.metric()[i];
  }
  return std::sqrt(squares);
}

// ‖a − b‖ in D.
double ExtragradientSolver::distance(const Vector& a, const Vector& b) const {
  double squares = 0.;
  for (std::size_t i = 0; i < a.size(); ++i) {
    squares += (a(i) - b(i)) * (a(i) - b(i)) * sets_.metric()[i];
  }
  return std::sqrt(squares);
}

void ExtragradientSolver::step(const Vector& x, const Vector& F, Vector& y) {
  assign(F, shifted_);
  sets_.addShift(data(F), data(shifted_));
  sets_.step(x, shifted_, tau_, y);
}

// y from x with F known there, and F(y), with a τ for which it contracts; false if there is none.
bool ExtragradientSolver::predict(const VariationalInequality& problem, const Vector& x) {
  for (; tau_ > shortest; tau_ *= 0.5) {
    step(x, F_, y_);
    const double moved = distance(y_, x);
    if (moved == 0.) {
      assign(F_, atY_);
      return true;
    }
    if (!problem.evaluate(y_, atY_)) continue;
    const double ratio = tau_ * velocity(atY_, F_) / moved;
    if (ratio <= contraction) {
      raise_ = ratio < 0.5 * contraction;
      return true;
    }
  }
  return false;
}

ExtragradientSolver::Outcome ExtragradientSolver::compute(const VariationalInequality& problem, Vector& x) {
  near_.begin(problem);
  // Without the matrix, which is that of the last solve still.
  sets_.beginWithoutMatrix(near_.affine());
  sets_.project(data(x));
  if (!near_.compute(problem, x)) return {SolveStatus::numericalFailure, 0, "F is not finite at the start"};
  sets_.begin(near_.affine());
  assign(near_.value(), F_);
  const double scale = sets_.normOfData();
  tau_ = 1.;
  double promisingChange = options_.tolerance;
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    raise_ = false;
    if (!predict(problem, x)) return {SolveStatus::numericalFailure, iteration, "no step contracts"};
    step(x, atY_, next_);
    if (!problem.evaluate(next_, F_)) {
      // As in predict(): F is not defined everywhere in C.
      tau_ *= 0.5;
      problem.evaluate(x, F_);
      continue;
    }
    const double change = distance(next_, x) / (std::min(1., tau_) * scale);
    x.swap(next_);
    observe(iteration, change);
    const bool look = change <= promisingChange || iteration % options_.errorInterval == 0;
    if (look) {
      const double error = certifiedError(problem, x);
      if (error <= options_.tolerance) {
        adoptCertificate();
        return {SolveStatus::converged, iteration, {}};
      }
      promisingChange = change * options_.tolerance / error;
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (change == 0.) return {SolveStatus::inaccurate, iteration, "nothing moves any more"};
    if (raise_) tau_ *= 1.5;
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, "the step limit was reached"};
}

}  // namespace delassus::numerics
