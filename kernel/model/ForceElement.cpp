// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/model/ForceElement.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/functions/NamedErrors.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <utility>

namespace delassus {

ForceElement::ForceElement(std::shared_ptr<SmoothLaw> law, std::shared_ptr<Relation> relation) : law_(std::move(law)) {
  if (!law_) throw Error("ForceElement", "the smooth law is null.");
  if (!relation) throw Error("ForceElement", "the relation is null.");
  const std::string className(relation->className());
  if (relation->secondOrder() == nullptr) {
    throw Error("ForceElement",
                "forces act between mechanical systems, and the relation " + className + " is none between such.");
  }
  relation_ = std::shared_ptr<SecondOrderR>(relation, relation->secondOrder());
  if (relation_->isCompliant()) {
    throw Error("ForceElement", "the relation " + className +
                                    " is compliant: its output depends on a force, which is unknown where the law of a "
                                    "force element gives it.");
  }
  const std::size_t size = relation_->size();
  if (size == 0 || size % law_->size() != 0) {
    throw Error("ForceElement", "the relation " + className + " has " + std::to_string(size) +
                                    " outputs, which is not a multiple of the size " + std::to_string(law_->size()) +
                                    " of the law " + std::string(law_->className()) + ".");
  }
  if (relation_->firstOrderStates() > 0 && size != law_->size()) {
    throw Error("ForceElement", "the relation " + className + " has " + std::to_string(relation_->firstOrderStates()) +
                                    " states of first-order systems among its " + std::to_string(size) +
                                    " outputs, of which the law " + std::string(law_->className()) + " takes " +
                                    std::to_string(law_->size()) + "; expected a law of all of them, or a link each.");
  }
  for (Vector* const v : {&y_, &yDot_, &lambda_, &noForce_}) *v = Vector(size);
  const std::size_t n = law_->size();
  block_ = {Vector(n), Vector(n), Vector(n), Matrix(n, n), Matrix(n, n)};
  byY_ = byRate_ = Matrix(size, size);
}

void ForceElement::setParts(std::span<const SystemPart> parts) {
  parts_.assign(parts.begin(), parts.end());
  systems_.clear();
  std::size_t coordinates = 0, velocities = 0;
  for (const SystemPart& part : parts_) {
    if (std::find(systems_.begin(), systems_.end(), part.system()) == systems_.end()) {
      systems_.push_back(part.system());
    }
    coordinates += part.q().size();
    velocities += part.velocity().size();
  }
  q_ = moved_ = Vector(coordinates);
  v_ = displacement_ = above_ = below_ = Vector(velocities);
  G_ = product_ = Matrix(size(), velocities);
}

void ForceElement::takeStates() {
  double* q = data(q_);
  double* v = data(v_);
  for (const SystemPart& part : parts_) {
    q = std::copy(part.q().begin(), part.q().end(), q);
    v = std::copy(part.velocity().begin(), part.velocity().end(), v);
  }
}

const Vector& ForceElement::output(double t) {
  takeStates();
  evaluate(t, q_, v_);
  return y_;
}

const Vector& ForceElement::rate(double t) {
  output(t);
  return yDot_;
}

const Vector& ForceElement::force(double t) {
  output(t);
  applyLaw(t);
  return lambda_;
}

double ForceElement::energy(double t) {
  output(t);
  double sum = 0.;
  forEachBlock([&](std::size_t) { sum += law_->energy(block_.y); });
  return sum;
}

void ForceElement::require(const Vector& v, const char* what, double t) const {
  if (v.size() == size() && allFinite(v)) return;
  const std::string name = label() + ": " + what + " at t = " + toText(t);
  requireSize(v, size(), name);
  requireFinite(v, name);
}

// y, G and ẏ = G v + ∂h/∂t.
void ForceElement::evaluate(double t, const Vector& q, const Vector& v) {
  evaluateNamed([&] { return label() + ": relation at t = " + toText(t); },
                [&] {
                  requireRigid();
                  assignZero(y_, size());
                  relation_->computeOutput(t, q, noForce_, y_);
                  assignZero(G_, size(), velocities());
                  relation_->computeJacobian(t, q, noForce_, G_);
                  assignZero(yDot_, size());
                  if (relation_->isTimeDependent()) relation_->computeDrift(t, q, yDot_);
                  requireSize(G_, size(), velocities(), "Jacobian G");
                });
  require(y_, "output", t);
  if (yDot_.size() != size()) requireSize(yDot_, size(), label() + ": drift of the output");
  multiply(1., G_, v, 1., yDot_);
  require(yDot_, "rate of the output", t);
}

// visit(first row) for each application of the law, with its part of y and ẏ in block_.
template <class Visit>
void ForceElement::forEachBlock(const Visit& visit) {
  const std::size_t n = law_->size();
  for (std::size_t row = 0; row < size(); row += n) {
    std::copy_n(data(y_) + row, n, data(block_.y));
    std::copy_n(data(yDot_) + row, n, data(block_.yDot));
    visit(row);
  }
}

// Parameters that were set since the link may have made it compliant.
void ForceElement::requireRigid() const {
  if (!relation_->isCompliant()) return;
  throw Error(std::string(relation_->className()), "a compliant relation has no law of force.");
}

void ForceElement::applyLaw(double t) {
  const std::size_t n = law_->size();
  evaluateNamed([&] { return label() + ": law at t = " + toText(t); },
                [&] {
                  forEachBlock([&](std::size_t row) {
                    assignZero(block_.lambda, n);
                    law_->computeForce(t, block_.y, block_.yDot, block_.lambda);
                    requireSize(block_.lambda, n, "force");
                    std::copy_n(data(block_.lambda), n, data(lambda_) + row);
                  });
                });
  require(lambda_, "force", t);
}

void ForceElement::computeInput(double t, const Vector& q, const Vector& v, Vector& p) {
  evaluate(t, q, v);
  applyLaw(t);
  assignZero(p, velocities());
  for (std::size_t j = 0; j < p.size(); ++j) {
    for (std::size_t i = 0; i < size(); ++i) p(j) += G_(i, j) * lambda_(i);
  }
}

void ForceElement::computeLawJacobians(double t) {
  const std::size_t n = law_->size();
  setZero(byY_);
  setZero(byRate_);
  evaluateNamed(
      [&] { return label() + ": Jacobians of the law at t = " + toText(t); },
      [&] {
        forEachBlock([&](std::size_t row) {
          assignZero(block_.byY, n, n);
          assignZero(block_.byRate, n, n);
          law_->computeJacobians(t, block_.y, block_.yDot, block_.byY, block_.byRate);
          for (const auto& [from, to] : {std::pair(&block_.byY, &byY_), std::pair(&block_.byRate, &byRate_)}) {
            requireSize(*from, n, n, "Jacobian");
            requireFinite(*from, "Jacobian");
            for (std::size_t j = 0; j < n; ++j) {
              for (std::size_t i = 0; i < n; ++i) (*to)(row + i, row + j) = (*from)(i, j);
            }
          }
        });
      });
}

void ForceElement::computeJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) {
  evaluate(t, q, v);
  computeLawJacobians(t);
  const std::size_t n = velocities();
  const auto sandwich = [&](const Matrix& inner, Matrix& result) {
    multiply(1., inner, G_, 0., product_);
    assignZero(result, n, n);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < size(); ++k) result(i, j) += G_(k, i) * product_(k, j);
      }
    }
  };
  sandwich(byRate_, byV);
  if (relation_->isLinear()) {
    sandwich(byY_, byQ);
  } else {
    differenceByQ(t, q, v, byQ);
  }
}

void ForceElement::move(const Vector& q, const Vector& displacement, Vector& moved) const {
  std::size_t coordinate = 0, velocity = 0;
  static thread_local Vector own, part, place;
  for (const SystemPart& each : parts_) {
    own.resize(each.q().size(), false);
    place.resize(own.size(), false);
    part.resize(each.velocity().size(), false);
    std::copy_n(data(q) + coordinate, own.size(), data(own));
    std::copy_n(data(displacement) + velocity, part.size(), data(part));
    if (own.empty()) {
      velocity += part.size();
      continue;
    }
    if (each.isWhole()) {
      each.system()->secondOrder()->move(own, part, place);
    } else {
      for (std::size_t i = 0; i < own.size(); ++i) place(i) = own(i) + part(i);
    }
    std::copy_n(data(place), place.size(), data(moved) + coordinate);
    coordinate += own.size();
    velocity += part.size();
  }
}

// Of a displacement: beside the size of a body that has one, of a micrometre say.
double ForceElement::stepOf(std::size_t velocity) const {
  std::size_t part = 0;
  while (velocity >= parts_[part].velocity().size()) velocity -= parts_[part++].velocity().size();
  const SecondOrderDS* const body = parts_[part].system()->secondOrder();
  const double length = body == nullptr ? 0. : body->length();
  return std::cbrt(std::numeric_limits<double>::epsilon()) * (length > 0. ? std::min(length, 1.) : 1.);
}

void ForceElement::differenceByQ(double t, const Vector& q, const Vector& v, Matrix& byQ) {
  const std::size_t n = velocities();
  assignZero(byQ, n, n);
  setZero(displacement_);
  for (std::size_t j = 0; j < n; ++j) {
    const double step = stepOf(j);
    displacement_(j) = step;
    move(q, displacement_, moved_);
    computeInput(t, moved_, v, above_);
    displacement_(j) = -step;
    move(q, displacement_, moved_);
    computeInput(t, moved_, v, below_);
    displacement_(j) = 0.;
    for (std::size_t i = 0; i < n; ++i) byQ(i, j) = (above_(i) - below_(i)) / (2. * step);
  }
}

void ForceElement::checkJacobians(double t, const JacobianCheck& check) {
  takeStates();
  relation_->checkJacobians(t, q_, velocities(), check, label());
  evaluate(t, q_, v_);
  forEachBlock([&](std::size_t) { law_->checkJacobians(t, block_.y, block_.yDot, check, label()); });
}

}  // namespace delassus
