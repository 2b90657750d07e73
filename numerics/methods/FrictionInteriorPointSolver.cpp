// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/FrictionInteriorPointSolver.hpp>

#include <algorithm>
#include <array>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/contact/FrictionCone.hpp>
#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

// out := A x (d x d, column-major)
void apply(std::size_t d, const double* A, const double* x, double* out) {
  for (std::size_t i = 0; i < d; ++i) {
    double sum = 0.;
    for (std::size_t j = 0; j < d; ++j) sum += A[i + d * j] * x[j];
    out[i] = sum;
  }
}

}  // namespace

FrictionInteriorPointSolver::FrictionInteriorPointSolver(FrictionInteriorPointOptions options)
    : WithOptions("FrictionInteriorPointSolver", options) {
}

// On the axis of the cones, with the magnitudes of q and of the reactions that would balance it.
void FrictionInteriorPointSolver::start(const FrictionContactProblem& problem) {
  const std::size_t n = problem.size();
  for (Vector* const v : {&x_, &y_, &dx_, &dy_, &residual_, &target_, &reaction_}) assignZero(*v, n);
  scalings_.resize(problem.contacts());

  contactScales(problem, scales_);
  const double speed = std::max(normInf(problem.q()), 1e-150);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    x_(problem.dimension() * contact) = speed / scales_[contact];
    y_(problem.dimension() * contact) = speed;
  }
}

// residual := P (W P x + q) + ‖y_T‖ e − y
void FrictionInteriorPointSolver::computeResidual(const FrictionContactProblem& problem) {
  const std::size_t d = problem.dimension();
  readReaction(problem, reaction_);
  problem.W().multiply(data(reaction_), data(residual_));
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const std::size_t first = d * contact;
    for (std::size_t i = first; i < first + d; ++i) residual_(i) += problem.q()(i);
    residual_(first) = residual_(first) / problem.mu()(contact) + tangentNorm(d, data(y_) + first);
    for (std::size_t i = first; i < first + d; ++i) residual_(i) -= y_(i);
  }
}

bool FrictionInteriorPointSolver::factor(const FrictionContactProblem& problem, const BlockSparseMatrix& W) {
  const std::size_t d = problem.dimension();
  system_.begin(W);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const double* const y = data(y_) + d * contact;
    NesterovTodd& scaling = scalings_[contact];
    scaling.compute(d, data(x_) + d * contact, y);
    system_.left(contact)[0] = 1. / problem.mu()(contact);
    system_.right(contact)[0] = 1. / problem.mu()(contact);
    double* const E = system_.local(contact);
    for (std::size_t j = 0; j < d; ++j) apply(d, scaling.G, scaling.G + d * j, E + d * j);
    const double slip = tangentNorm(d, y);
    if (!(slip > 0.)) continue;
    for (std::size_t j = 0; j < d; ++j) {
      double along = 0.;
      for (std::size_t i = 1; i < d; ++i) along += y[i] / slip * E[i + d * j];
      E[d * j] -= along;
    }
  }
  return system_.factor();
}

// Newton's step towards x ∘ y = centre e; with `correct`, for the second-order term of the step in dx, dy too.
void FrictionInteriorPointSolver::solveFor(const FrictionContactProblem& problem, bool correct) {
  const std::size_t d = problem.dimension();
  std::array<double, 3> goal{}, other{}, half{};
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const std::size_t first = d * contact;
    const NesterovTodd& scaling = scalings_[contact];
    jordanProduct(d, scaling.scaled, scaling.scaled, goal.data());
    for (std::size_t i = 0; i < d; ++i) goal[i] = -goal[i];
    goal[0] += centre_;
    if (correct) {
      apply(d, scaling.G, data(dx_) + first, other.data());
      apply(d, scaling.inverse, data(dy_) + first, half.data());
      std::array<double, 3> second{};
      jordanProduct(d, other.data(), half.data(), second.data());
      for (std::size_t i = 0; i < d; ++i) goal[i] -= second[i];
    }
    jordanDivide(d, scaling.scaled, goal.data(), other.data());
    // dy = target − G² dx
    double* const target = data(target_) + first;
    apply(d, scaling.G, other.data(), target);
    double along = 0.;
    const double* const y = data(y_) + first;
    const double slip = tangentNorm(d, y);
    for (std::size_t i = 1; i < d && slip > 0.; ++i) along += y[i] / slip * target[i];
    for (std::size_t i = 0; i < d; ++i) dx_(first + i) = target[i] - residual_(first + i);
    dx_(first) -= along;
  }
  system_.solve(data(dx_));
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const std::size_t first = d * contact;
    const NesterovTodd& scaling = scalings_[contact];
    apply(d, scaling.G, data(dx_) + first, other.data());
    apply(d, scaling.G, other.data(), half.data());
    for (std::size_t i = 0; i < d; ++i) dy_(first + i) = target_(first + i) - half[i];
  }
}

double FrictionInteriorPointSolver::longestStep(const FrictionContactProblem& problem) const {
  const std::size_t d = problem.dimension();
  double step = 1. / options_.fractionToBoundary;
  for (std::size_t first = 0; first < x_.size(); first += d) {
    step = std::min(step, stepToBoundary(d, data(x_) + first, data(dx_) + first));
    step = std::min(step, stepToBoundary(d, data(y_) + first, data(dy_) + first));
  }
  return options_.fractionToBoundary * step;
}

double FrictionInteriorPointSolver::complementarity(double step) const {
  double sum = 0.;
  for (std::size_t i = 0; i < x_.size(); ++i) sum += (x_(i) + step * dx_(i)) * (y_(i) + step * dy_(i));
  return sum / static_cast<double>(scalings_.size());
}

void FrictionInteriorPointSolver::readReaction(const FrictionContactProblem& problem, Vector& r) const {
  assign(x_, r);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    r(problem.dimension() * contact) /= problem.mu()(contact);
  }
}

// A point whose distance to the boundary is lost to rounding is moved inside by a few units in the last place.
void FrictionInteriorPointSolver::keepInside(std::size_t d) {
  constexpr double inside = 1. + 8. * std::numeric_limits<double>::epsilon();
  for (Vector* const v : {&x_, &y_}) {
    for (std::size_t first = 0; first < v->size(); first += d) {
      double& axis = (*v)(first);
      axis = std::max(axis, tangentNorm(d, data(*v) + first) * inside);
    }
  }
}

FrictionInteriorPointSolver::Outcome FrictionInteriorPointSolver::compute(const FrictionContactProblem& problem,
                                                                          Vector& r) {
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, problem.whyNoMatrix};
  if (std::any_of(problem.mu().begin(), problem.mu().end(), [](double mu) { return !(mu > 0.); })) {
    return {SolveStatus::unsupported, 0, "a contact has no friction, which leaves its cone no interior"};
  }
  if (problem.size() == 0) return {SolveStatus::converged, 0, {}};
  start(problem);
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    computeResidual(problem);
    const double error = certifiedError(problem, reaction_);
    if (error < best) {
      best = error;
      assign(reaction_, r);
    }
    observe(iteration, error);
    if (best <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (!factor(problem, problem.matrix()))
      return {SolveStatus::numericalFailure, iteration, "Newton's matrix became singular"};
    centre_ = 0.;
    solveFor(problem, false);
    if (!allFinite(dx_) || !allFinite(dy_)) return {SolveStatus::numericalFailure, iteration, "a step is not finite"};
    const double now = complementarity(0.);
    const double ratio = std::max(0., complementarity(std::min(1., longestStep(problem)))) / now;
    centre_ = std::max(1e-8, std::min(1., ratio * ratio * ratio)) * now;
    solveFor(problem, true);
    if (!allFinite(dx_) || !allFinite(dy_)) return {SolveStatus::numericalFailure, iteration, "a step is not finite"};
    const double step = std::min(1., longestStep(problem));
    if (!(step > 1e-10)) return {SolveStatus::numericalFailure, iteration, "the steps became too short"};
    addScaled(step, dx_, x_);
    addScaled(step, dy_, y_);
    keepInside(problem.dimension());
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, {}};
}

}  // namespace delassus::numerics
