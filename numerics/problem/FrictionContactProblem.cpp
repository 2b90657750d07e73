// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/FrictionContactProblem.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>
#include <string>
#include <utility>

namespace delassus::numerics {

const ProblemTraits FrictionContactProblem::ofItsClass{"FrictionContactProblem", ResidualNorm::velocity};

FrictionContactProblem::FrictionContactProblem() : ProblemOverSets(ofItsClass) {
  setOperator(std::make_shared<AssembledDelassus>(dimension_, BlockSparseMatrix()));
}

FrictionContactProblem::FrictionContactProblem(std::size_t dimension, const Matrix& W, Vector q, Vector mu)
    : FrictionContactProblem(dimension, BlockSparseMatrix(W), std::move(q), std::move(mu)) {
}

FrictionContactProblem::FrictionContactProblem(std::size_t dimension, BlockSparseMatrix W, Vector q, Vector mu)
    : FrictionContactProblem(dimension, std::make_shared<AssembledDelassus>(dimension, std::move(W)), std::move(q),
                             std::move(mu)) {
}

FrictionContactProblem::FrictionContactProblem(std::size_t dimension, std::shared_ptr<const DelassusOperator> W,
                                               Vector q, Vector mu)
    : ProblemOverSets(ofItsClass), dimension_(dimension) {
  if (dimension != 2 && dimension != 3) {
    throw Error("FrictionContactProblem", "expected dimension 2 or 3, got " + std::to_string(dimension) + ".");
  }
  setOperator(std::move(W));
  q_ = std::move(q);
  setFriction(mu);
  validate();
}

void FrictionContactProblem::requireDimension(const DelassusOperator& W) const {
  if (W.dimension() == dimension_) return;
  throw Error("FrictionContactProblem: W", "expected an operator of dimension " + std::to_string(dimension_) +
                                               ", got one of dimension " + std::to_string(W.dimension()) + ".");
}

void FrictionContactProblem::setOperator(std::shared_ptr<const DelassusOperator> W) {
  if (!W) throw Error("FrictionContactProblem", "expected an operator W, got none.");
  requireDimension(*W);
  W_ = std::move(W);
  renewOperator();
}

// Contacts of one coefficient share their set, which is kept: in time stepping they come and go.
void FrictionContactProblem::setFriction(const Vector& mu) {
  assign(mu, mu_);
  parts_.resize(mu.size());
  for (std::size_t contact = 0; contact < mu.size(); ++contact) {
    Part& part = parts_[contact];
    part.rows = dimension_;
    if (part.set != nullptr && part.set->coefficients()[0] == mu(contact)) continue;
    const bool isAsBefore = contact > 0 && mu(contact) == mu(contact - 1);
    part.set = isAsBefore ? parts_[contact - 1].set : coneOf(mu(contact));
  }
}

const std::shared_ptr<const ConvexSet>& FrictionContactProblem::coneOf(double mu) {
  constexpr std::size_t mostKept = 16;
  const auto known =
      std::find_if(cones_.begin(), cones_.end(), [mu](const auto& cone) { return cone->coefficients()[0] == mu; });
  if (known != cones_.end()) return *known;
  if (cones_.size() == mostKept) cones_.clear();
  return cones_.emplace_back(std::make_shared<CoulombCone>(mu));
}

void FrictionContactProblem::addExtended(const double* lambda, long double* w) const {
  W_->addExtended(lambda, w);
}

void FrictionContactProblem::addRounding(const double* lambda, double* bound) const {
  W_->addRounding(lambda, bound);
}

bool FrictionContactProblem::takes(const ProblemOverSets& problem) {
  if (problem.partCount() == 0) return false;
  const std::size_t dimension = problem.rows(0);
  if (dimension != 2 && dimension != 3) return false;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    if (!problem.set(part).coulombFriction() || problem.rows(part) != dimension) return false;
  }
  return problem.requireMatrix();
}

bool FrictionContactProblem::state(const ProblemOverSets& problem) {
  if (!takes(problem)) return false;
  dimension_ = problem.rows(0);
  setOperator(AssembledDelassus::referringTo(dimension_, problem.matrix()));
  norm_ = problem.norm();
  const bool isRounded = problem.factors() != nullptr || &problem.origin() != &problem;
  origin_ = isRounded ? &problem.origin() : nullptr;
  assign(problem.q(), q_);
  mu_.resize(problem.partCount(), false);
  parts_.resize(problem.partCount());
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    mu_(part) = *problem.set(part).coulombFriction();
    parts_[part] = {problem.sharedSet(part), dimension_};
  }
  return true;
}

void FrictionContactProblem::release() {
  static const auto none = std::make_shared<const AssembledDelassus>(3, BlockSparseMatrix());
  dimension_ = 3;
  origin_ = nullptr;
  setOperator(none);
}

Vector alongNormals(std::size_t dimension, const Vector& weights) {
  Vector directions(dimension * weights.size());
  for (std::size_t contact = 0; contact < weights.size(); ++contact) directions(dimension * contact) = weights(contact);
  return directions;
}

void FrictionContactProblem::validateVectors() const {
  requireDimension(*W_);
  requireSize(q_, W_->size(), "FrictionContactProblem: q");
  requireFinite(q_, "FrictionContactProblem: q");
  requireSize(mu_, W_->size() / dimension_, "FrictionContactProblem: mu");
  requireFinite(mu_, "FrictionContactProblem: mu");
  for (std::size_t contact = 0; contact < contacts(); ++contact) {
    if (mu_(contact) >= 0.) continue;
    throw Error("FrictionContactProblem: mu", "expected coefficients of friction >= 0, got " + toText(mu_(contact)) +
                                                  " at contact " + std::to_string(contact) + ".");
  }
}

void FrictionContactProblem::validate() const {
  W_->validate();
  validateVectors();
}

}  // namespace delassus::numerics
