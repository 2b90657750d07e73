// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/FischerBurmeisterSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus::numerics {
namespace {

// √(a² + b²) − a − b, without cancellation where a + b > 0.
double complementarityFunction(double a, double b) {
  const double length = std::hypot(a, b);
  return a + b > 0. ? -2. * a * b / (length + a + b) : length - a - b;
}

double scaleOfColumn(const Matrix& M, std::size_t j) {
  double largest = 0.;
  for (std::size_t i = 0; i < M.size1(); ++i) largest = std::max(largest, std::abs(M(i, j)));
  return largest > 0. ? largest : 1.;
}

}  // namespace

void FischerBurmeisterNewton::start(const BoxView& view, const Vector& z) {
  normOfData_ = norm2(view.q);
  if (!(normOfData_ > 1e-150)) normOfData_ = 1.;
  isFree_.resize(view.size());
  scale_.resize(view.size());
  for (std::size_t j = 0; j < view.size(); ++j) {
    isFree_[j] = view.isFree(j) ? 1 : 0;
    scale_[j] = isFree_[j] != 0 ? scaleOfColumn(view.M, j) : view.scale(j);
  }
  merit_ = evaluate(view, z);
}

double FischerBurmeisterNewton::residual() const {
  return std::sqrt(2. * merit_) / normOfData_;
}

double FischerBurmeisterNewton::evaluate(const BoxView& view, const Vector& z) {
  assign(view.q, w_);
  multiply(1., view.M, z, 1., w_);
  if (phi_.size() != w_.size()) phi_.resize(w_.size(), false);
  double squares = 0.;
  for (std::size_t i = 0; i < w_.size(); ++i) {
    phi_(i) = isFree_[i] != 0 ? w_(i) : complementarityFunction(scale_[i] * z(i), w_(i));
    squares += phi_(i) * phi_(i);
  }
  return 0.5 * squares;
}

// An element of the B-subdifferential, in the scaled unknowns. Where a = b = 0 it is the limit along the direction
// (1, …, 1) of the unknowns of such rows.
void FischerBurmeisterNewton::differentiate(const BoxView& view, const Vector& z) {
  const std::size_t n = view.size();
  jacobian_.resize(n, n, false);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) jacobian_(i, j) = view.M(i, j) / scale_[j];
  }
  const auto isDegenerate = [&](std::size_t i) {
    return isFree_[i] == 0 && std::hypot(scale_[i] * z(i), w_(i)) < 1e-15 * normOfData_;
  };
  // w_ and phi_ belong to z here.
  for (std::size_t i = 0; i < n; ++i) {
    if (isFree_[i] != 0) continue;
    double a = scale_[i] * z(i);
    double b = w_(i);
    if (isDegenerate(i)) {
      a = 1.;
      b = 0.;
      for (std::size_t l = 0; l < n; ++l) {
        if (isDegenerate(l)) b += jacobian_(i, l);
      }
    }
    const double length = std::hypot(a, b);
    const double weightZ = a / length - 1.;
    const double weightW = b / length - 1.;
    for (std::size_t j = 0; j < n; ++j) jacobian_(i, j) *= weightW;
    jacobian_(i, i) += weightZ;
  }
  if (gradient_.size() != n) gradient_.resize(n, false);
  multiplyTransposed(1., jacobian_, phi_, 0., gradient_);
}

double FischerBurmeisterNewton::slope() const {
  return dot(gradient_, direction_);
}

bool FischerBurmeisterNewton::newtonDirection() {
  if (!lu_.tryFactor(jacobian_)) return false;
  assign(phi_, direction_);
  for (double& entry : direction_.data()) entry = -entry;
  lu_.solve(direction_);
  constexpr double leastCosine = 1e-10;
  return allFinite(direction_) && slope() <= -leastCosine * norm2(gradient_) * norm2(direction_);
}

bool FischerBurmeisterNewton::regularisedDirection(double weight) {
  const std::size_t n = jacobian_.size2();
  normal_.resize(n, n, false);
  double trace = 0.;
  for (std::size_t j = 0; j < n; ++j) {
    const double* const columnJ = data(jacobian_) + j * jacobian_.size1();
    for (std::size_t i = j; i < n; ++i) {
      const double* const columnI = data(jacobian_) + i * jacobian_.size1();
      double sum = 0.;
      for (std::size_t k = 0; k < jacobian_.size1(); ++k) sum += columnI[k] * columnJ[k];
      normal_(i, j) = sum;
    }
    trace += normal_(j, j);
  }
  for (std::size_t j = 0; j < n; ++j) normal_(j, j) += weight * trace / static_cast<double>(n);
  if (!cholesky_.tryFactor(normal_)) return false;
  assign(gradient_, direction_);
  for (double& entry : direction_.data()) entry = -entry;
  cholesky_.solve(direction_);
  return slope() < 0.;
}

bool FischerBurmeisterNewton::search(const BoxView& view, Vector& z) {
  constexpr double armijo = 1e-4;
  constexpr double shortest = 1e-5;
  const double descent = slope();
  if (trial_.size() != z.size()) trial_.resize(z.size(), false);
  for (double length = 1.; length > shortest; length *= 0.5) {
    for (std::size_t j = 0; j < z.size(); ++j) trial_(j) = z(j) + length * direction_(j) / scale_[j];
    const double merit = evaluate(view, trial_);
    if (merit <= merit_ + armijo * length * descent) {
      merit_ = merit;
      z.swap(trial_);
      return true;
    }
  }
  evaluate(view, z);
  return false;
}

bool FischerBurmeisterNewton::step(const BoxView& view, Vector& z) {
  differentiate(view, z);
  if (newtonDirection() && search(view, z)) return true;
  constexpr double leastWeight = 1e-12;
  double weight = std::max(leastWeight, 1e-3 * std::min(1., residual()));
  for (; weight < 1e8; weight *= 100.) {
    if (regularisedDirection(weight) && search(view, z)) return true;
  }
  return false;
}

FischerBurmeisterSolver::Outcome FischerBurmeisterSolver::compute(const ProblemOverSets& problem, Vector& z) {
  const std::optional<BoxView> view = box_.view(problem);
  if (!view || !box_.intervals().areMixed()) {
    return {SolveStatus::unsupported, 0, "the multipliers are not all free or bounded by 0 below alone"};
  }
  finish_.reset();
  newton_.start(*view, z);
  for (std::size_t iteration = 0; iteration <= options_.maxIterations; ++iteration) {
    const double error = certifiedError(problem, z);
    observe(iteration, error);
    if (error <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (finish_.propose(*view, z) && certifiedError(problem, finish_.candidate()) <= options_.tolerance) {
      assign(finish_.candidate(), z);
      return {SolveStatus::converged, iteration, {}};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (!newton_.step(*view, z)) {
      return {SolveStatus::numericalFailure, iteration, "a stationary point of the merit function"};
    }
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, "the step limit was reached"};
}

}  // namespace delassus::numerics
