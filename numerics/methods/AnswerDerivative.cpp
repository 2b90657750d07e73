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
  error_ = map_.evaluate(lambda_);
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

// Marks the rows of a part in which the projection has another Jacobian where the velocities are `w`, `first` for all
// rows that a law couples. The Jacobian by λ is that of the projection alone: by w the shift of a contact that sticks
// has a kink, too, which the answer does not have.
void AnswerDerivative::markKinks(std::size_t part, const std::vector<double>& w, std::vector<char>& marks) const {
  const ConvexSet& set = problem_->set(part);
  const MechanicalScales& scales = map_.scales();
  const std::size_t m = problem_->rows(part), first = problem_->offset(part);
  const double* const here = map_.byReaction(part);
  std::vector<double> value(m), A(m * m), B(m * m);
  set.naturalMap(scales.rows(*problem_, part), w.data(), data(lambda_) + first, value.data(), A.data(), B.data());
  for (std::size_t j = 0; j < m; ++j) {
    const double unit = scales.d[first + j] / scales.c[first + j];
    for (std::size_t i = 0; i < m; ++i) {
      if (std::abs(B[i + m * j] - here[i + m * j]) > jump * unit) marks[set.couplesRows() ? 0 : j] = 1;
    }
  }
}

std::vector<std::size_t> AnswerDerivative::kinks(double distance) const {
  requireBegun();
  const MechanicalScales& scales = map_.scales();
  const double size = scales.velocityNorm(data(problem_->q()));
  const double norm = size > 0. ? size : 1.;
  std::vector<std::size_t> found;
  for (std::size_t part = 0; part < problem_->partCount(); ++part) {
    const std::size_t m = problem_->rows(part), first = problem_->offset(part);
    const std::vector<double> here(data(map_.velocity()) + first, data(map_.velocity()) + first + m);
    std::vector<char> marks(m, 0);
    const auto stepOf = [&](std::size_t i) {
      return distance * norm / (scales.c[first + i] * std::sqrt(scales.weight[first + i]));
    };
    for (const double sign : {1., -1.}) {
      std::vector<double> w = here;
      // Coupled rows are moved one after the other, others all together.
      for (std::size_t i = 0; i < m; ++i) {
        w[i] += sign * stepOf(i);
        if (!problem_->set(part).couplesRows()) continue;
        markKinks(part, w, marks);
        w[i] = here[i];
      }
      markKinks(part, w, marks);
    }
    for (std::size_t i = 0; i < m; ++i) {
      if (marks[i] != 0) found.push_back(first + i);
    }
  }
  return found;
}

// y −= A x, or Aᵀ x, part by part.
template <bool transposed>
void AnswerDerivative::subtractByVelocity(const Vector& x, Vector& y) const {
  for (std::size_t part = 0; part < problem_->partCount(); ++part) {
    const std::size_t m = problem_->rows(part), first = problem_->offset(part);
    const double* const A = map_.byVelocity(part);
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t i = 0; i < m; ++i) y(first + i) -= A[transposed ? j + m * i : i + m * j] * x(first + j);
    }
  }
}

void AnswerDerivative::along(const Vector& dq, Vector& dlambda) {
  requireBegun();
  requireLength(dq, problem_->size(), "the change of q");
  if (&dq == &dlambda) return along(Vector(dq), dlambda);
  assignZero(dlambda, problem_->size());
  subtractByVelocity<false>(dq, dlambda);
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
  subtractByVelocity<true>(adjoint_, byQ);
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
