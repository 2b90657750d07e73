// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/LagrangianContactR.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {
namespace {

constexpr const char* name = "LagrangianContactR";

template <class F>
F required(F function, const char* what) {
  if (!function) throw Error(name, std::string(what) + " is empty.");
  return function;
}

void requireFrictionDimension(std::size_t dimension) {
  if (dimension == 2 || dimension == 3) return;
  throw Error(name, "with tangential rows the dimension must be 2 or 3, got " + std::to_string(dimension) + ".");
}

}  // namespace

LagrangianContactR::LagrangianContactR(Function gap, std::size_t contacts) : contacts_(contacts) {
  if (contacts == 0) throw Error(name, "the number of contacts must be at least 1.");
  gap_ = required(std::move(gap), "the function h of the gap");
}

void LagrangianContactR::setTangents(std::size_t dimension, Tangents tangents) {
  requireFrictionDimension(dimension);
  dimension_ = dimension;
  tangents_ = required(std::move(tangents), "the function T of the tangential rows");
}

LagrangianContactR& LagrangianContactR::setTangentialDrift(TangentialDrift drift) {
  if (!tangents_) throw Error(name, "there are no tangential rows, so they can have no drift.");
  tangentialDrift_ = required(std::move(drift), "the function w of the tangential drift");
  parametersChanged();
  return *this;
}

void LagrangianContactR::computeGaps(double t, const Vector& q, Vector& gaps) const {
  gap_.value(t, q, gaps);
  requireSize(gaps, contacts_, "LagrangianContactR: gap h");
}

void LagrangianContactR::computeGapJacobian(double t, const Vector& q, Matrix& byQ) const {
  gap_.jacobian(t, q, byQ);
  requireSize(byQ, contacts_, q.size(), "LagrangianContactR: Jacobian of h with respect to q");
}

void LagrangianContactR::computeOutput(double t, const Vector& q, const Vector&, Vector& y) {
  assignZero(normal_, contacts_);
  computeGaps(t, q, normal_);
  for (std::size_t k = 0; k < contacts_; ++k) y(k * dimension_) = normal_(k);
}

void LagrangianContactR::computeJacobian(double t, const Vector& q, const Vector&, Matrix& G) {
  const std::size_t tangents = dimension_ - 1;
  assignZero(normalRows_, contacts_, q.size());
  computeGapJacobian(t, q, normalRows_);
  if (tangents_) {
    assignZero(tangentialRows_, contacts_ * tangents, q.size());
    tangents_(t, q, tangentialRows_);
    requireSize(tangentialRows_, contacts_ * tangents, q.size(), "LagrangianContactR: tangential rows T");
  }
  for (std::size_t j = 0; j < q.size(); ++j) {
    for (std::size_t k = 0; k < contacts_; ++k) {
      G(k * dimension_, j) = normalRows_(k, j);
      for (std::size_t i = 0; i < tangents; ++i) G(k * dimension_ + 1 + i, j) = tangentialRows_(k * tangents + i, j);
    }
  }
}

void LagrangianContactR::computeDrift(double t, const Vector& q, Vector& drift) {
  const std::size_t tangents = dimension_ - 1;
  assignZero(normal_, contacts_);
  assignZero(tangential_, contacts_ * tangents);
  if (gap_.dependsOnTime()) {
    gap_.rate(t, q, normal_);
    requireSize(normal_, contacts_, "LagrangianContactR: derivative of h with respect to t");
  }
  if (tangentialDrift_) {
    tangentialDrift_(t, q, tangential_);
    requireSize(tangential_, contacts_ * tangents, "LagrangianContactR: tangential drift w");
  }
  for (std::size_t k = 0; k < contacts_; ++k) {
    drift(k * dimension_) = normal_(k);
    for (std::size_t i = 0; i < tangents; ++i) drift(k * dimension_ + 1 + i) = tangential_(k * tangents + i);
  }
}

void LagrangianContactR::checkJacobians(double t, const Vector& q, std::size_t, const JacobianCheck& check,
                                        const std::string& label) {
  const auto gaps = [this](double at, const Vector& x, Vector& y) { computeGaps(at, x, y); };
  checkJacobian<1>(
      gaps, [this](double at, const Vector& x, Matrix& byQ) { computeGapJacobian(at, x, byQ); },
      Matrix(contacts_, q.size()), check, label + ": Jacobian of the gaps with respect to q", t, q);
  if (!gap_.dependsOnTime()) return;
  checkJacobian<0>(
      gaps, [this](double at, const Vector& x, Vector& byTime) { gap_.rate(at, x, byTime); }, Vector(contacts_), check,
      label + ": derivative of the gaps with respect to t", t, q);
}

}  // namespace delassus
