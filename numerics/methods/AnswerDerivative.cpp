// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/methods/AnswerDerivative.hpp>
#include <string>

namespace delassus::numerics {
namespace {

// Estimates of 1/κ(J) below this are those of a singular J with rounding.
constexpr double leastCondition = 1e-13;
constexpr double shiftOfSingular = 1e-9;
// Of an entry of B, which is 1 at most in the scales of the rows: what is curved changes less.
constexpr double jump = 0.1;

void requireLength(const Vector& x, std::size_t size, const char* what) {
  requireSize(x, size, std::string("AnswerDerivative: ") + what);
}

}  // namespace

void AnswerDerivative::begin(const ProblemOverSets& problem, const Vector& lambda) {
  requireLength(lambda, problem.size(), "the answer");
  requireFinite(lambda, "AnswerDerivative: the answer");
  if (problem.factors() == nullptr && !problem.requireMatrix()) {
    throw Error("AnswerDerivative", std::string(ProblemOverSets::whyNoMatrix) + '.');
  }
  problem_ = nullptr;
  assign(lambda, lambda_);
  assignZero(adjoint_, problem.size());
  map_.begin(problem);
  map_.evaluate(lambda_);
  map_.fill(0., system_);
  isUnique_ = system_.factor() && system_.reciprocalCondition() > leastCondition;
  if (!isUnique_) {
    map_.fill(shiftOfSingular, system_);
    if (!system_.factor()) {
      throw Error("AnswerDerivative", "the Jacobian of the natural map is singular at the answer.");
    }
  }
  problem_ = &problem;
}

void AnswerDerivative::requireBegun() const {
  if (problem_ == nullptr) throw Error("AnswerDerivative", "it has no answer; call begin() first.");
}

std::vector<std::size_t> AnswerDerivative::kinks(double distance) const {
  requireBegun();
  const MechanicalScales& scales = map_.scales();
  const double size = scales.velocityNorm(data(problem_->q()));
  const double norm = size > 0. ? size : 1.;
  std::vector<std::size_t> found;
  std::vector<double> w, value, A, B;
  for (std::size_t part = 0; part < problem_->partCount(); ++part) {
    const std::size_t m = problem_->rows(part), first = problem_->offset(part);
    const bool isCoupled = problem_->set(part).couplesRows();
    const double* const here = map_.byReaction(part);
    value.resize(m);
    A.assign(m * m, 0.);
    B.assign(m * m, 0.);
    std::vector<char> isKink(m, 0);
    // Of coupled rows one is moved after the other, of others all together. The Jacobian by λ is that of the projection
    // alone: by w the shift of a contact that sticks has a kink, too, which the answer does not have.
    for (std::size_t trial = 0; trial < (isCoupled ? 2 * m : 2); ++trial) {
      w.assign(data(map_.velocity()) + first, data(map_.velocity()) + first + m);
      for (std::size_t i = 0; i < m; ++i) {
        if (isCoupled && i != trial / 2) continue;
        const double step = distance * norm / (scales.c[first + i] * std::sqrt(scales.weight[first + i]));
        w[i] += trial % 2 == 0 ? step : -step;
      }
      problem_->set(part).naturalMap(scales.rows(*problem_, part), w.data(), data(lambda_) + first, value.data(),
                                     A.data(), B.data());
      for (std::size_t j = 0; j < m; ++j) {
        const double unit = scales.d[first + j] / scales.c[first + j];
        for (std::size_t i = isCoupled ? 0 : j; i < (isCoupled ? m : j + 1); ++i) {
          if (std::abs(B[i + m * j] - here[i + m * j]) > jump * unit) isKink[isCoupled ? 0 : j] = 1;
        }
      }
    }
    for (std::size_t i = 0; i < m; ++i) {
      if (isKink[i] != 0) found.push_back(first + i);
    }
  }
  return found;
}

void AnswerDerivative::along(const Vector& dq, Vector& dlambda) {
  requireBegun();
  requireLength(dq, problem_->size(), "the change of q");
  if (&dq == &dlambda) return along(Vector(dq), dlambda);
  assignZero(dlambda, problem_->size());
  for (std::size_t part = 0; part < problem_->partCount(); ++part) {
    const std::size_t m = problem_->rows(part), first = problem_->offset(part);
    const double* const A = map_.byVelocity(part);
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t i = 0; i < m; ++i) dlambda(first + i) -= A[i + m * j] * dq(first + j);
    }
  }
  system_.solve(data(dlambda));
}

void AnswerDerivative::mapByFriction(std::size_t part, double* value) const {
  const std::size_t first = problem_->offset(part);
  if (problem_->set(part).mapByFriction(map_.scales().rows(*problem_, part), data(map_.velocity()) + first,
                                        data(lambda_) + first, value)) {
    return;
  }
  throw Error("AnswerDerivative", "part " + std::to_string(part) + " is " + problem_->set(part).description() +
                                      "; derivatives by friction are those of Coulomb's cone without rolling alone.");
}

void AnswerDerivative::alongFriction(const Vector& dmu, Vector& dlambda) {
  requireBegun();
  requireLength(dmu, problem_->partCount(), "the change of the coefficients");
  if (&dmu == &dlambda) return alongFriction(Vector(dmu), dlambda);
  assignZero(dlambda, problem_->size());
  for (std::size_t part = 0; part < problem_->partCount(); ++part) {
    if (dmu(part) == 0.) continue;
    double* const rows = data(dlambda) + problem_->offset(part);
    mapByFriction(part, rows);
    for (std::size_t i = 0; i < problem_->rows(part); ++i) rows[i] *= -dmu(part);
  }
  system_.solve(data(dlambda));
}

void AnswerDerivative::gradient(const Vector& byLambda, Vector& byQ) {
  requireBegun();
  requireLength(byLambda, problem_->size(), "the gradient of the objective");
  assign(byLambda, adjoint_);
  system_.solveTransposed(data(adjoint_));
  assignZero(byQ, problem_->size());
  for (std::size_t part = 0; part < problem_->partCount(); ++part) {
    const std::size_t m = problem_->rows(part), first = problem_->offset(part);
    const double* const A = map_.byVelocity(part);
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t i = 0; i < m; ++i) byQ(first + j) -= A[i + m * j] * adjoint_(first + i);
    }
  }
}

double AnswerDerivative::gradientByFriction(std::size_t part) const {
  requireBegun();
  if (part >= problem_->partCount()) {
    throw Error("AnswerDerivative", "the problem has " + std::to_string(problem_->partCount()) +
                                        " parts, and no part " + std::to_string(part) + ".");
  }
  std::vector<double> byFriction(problem_->rows(part));
  mapByFriction(part, byFriction.data());
  double sum = 0.;
  for (std::size_t i = 0; i < byFriction.size(); ++i) sum -= adjoint_(problem_->offset(part) + i) * byFriction[i];
  return sum;
}

}  // namespace delassus::numerics
