// SPDX-License-Identifier: Apache-2.0
//
// FlowModel: its functions and their derivatives.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/FlowModel.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {

void FlowModel::factorMasses(double t) {
  for (System& s : systems_) {
    s.identityMass = !s.system->hasMass();
    s.constantMass = s.system->hasConstantMass();
    s.byRate = s.system->dependsOnRate();
    s.system->mass(t, s.x, s.mass);
    s.system->requireRegularMass(t, s.mass);
    factorMass(s, t);
  }
}

// The factor of M alone; if F depends on ẋ, solveRate replaces it by that of M − ∂F/∂ẋ.
void FlowModel::factorMass(System& s, double t) {
  if (s.factor.tryFactor(s.mass)) return;
  throw Error("System '" + s.system->name() + "'", "M is singular at t = " + toText(t) + ".");
}

// M ẋ = F(t, x, ẋ) + r, with r in s.r.
void FlowModel::solveRate(System& s, double t) {
  if (!s.constantMass) {
    s.system->mass(t, s.x, s.mass);
    factorMass(s, t);
  }
  if (!s.byRate) {
    setZero(s.xDot);
    s.system->vectorField(t, s.x, s.xDot, s.f);
    for (std::size_t i = 0; i < s.f.size(); ++i) s.xDot(i) = s.f(i) + s.r(i);
    if (!s.identityMass) s.factor.solve(s.xDot);
    return;
  }
  setZero(s.xDot);
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 50; ++iteration) {
    s.system->vectorField(t, s.x, s.xDot, s.f);
    s.system->vectorFieldJacobians(t, s.x, s.xDot, s.byX, s.byXDot);
    for (std::size_t i = 0; i < s.f.size(); ++i) s.f(i) += s.r(i);
    multiply(-1., s.mass, s.xDot, 1., s.f);
    Matrix W = s.mass;
    W -= s.byXDot;
    if (!s.factor.tryFactor(W)) break;
    s.factor.solve(s.f);
    s.xDot += s.f;
    const double change = normInf(s.f);
    const double size = normInf(s.xDot);
    if (change <= 1e-15 * size || (change <= 1e-10 * size && change >= 0.5 * last)) return;
    last = change;
  }
  throw Error("System '" + s.system->name() + "'",
              "its rate, which its control depends on, was not found at t = " + toText(t) + " by Newton's method.");
}

const Vector& FlowModel::stacked(InteractionWork& step, const Vector& x) const {
  for (const auto& link : step.links) {
    std::copy_n(data(x) + systems_[link.system].offset + link.first, link.count, data(step.stack) + link.column);
  }
  return step.stack;
}

void FlowModel::takeMultipliers(std::size_t k, const Vector& lambda) {
  Vector& part = interactions_[k].multiplier;
  std::copy_n(data(lambda) + firstRows_[k], part.size(), data(part));
}

void FlowModel::outputs(double t, const Vector& x, const Vector& lambda, Vector& y) {
  y.resize(rows(), false);
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    InteractionWork& step = interactions_[k];
    takeMultipliers(k, lambda);
    FirstOrderWorkspace::computeOutput(step, t, stacked(step, x), step.multiplier, step.y);
    std::copy(step.y.begin(), step.y.end(), data(y) + firstRows_[k]);
  }
}

void FlowModel::rates(double t, const Vector& x, const Vector& lambda, Vector& xDot) {
  for (System& s : systems_) {
    std::copy_n(data(x) + s.offset, s.x.size(), data(s.x));
    setZero(s.r);
  }
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    InteractionWork& step = interactions_[k];
    takeMultipliers(k, lambda);
    FirstOrderWorkspace::computeInput(step, t, stacked(step, x), step.multiplier);
    for (const auto& link : step.links) {
      Vector& r = systems_[link.system].r;
      for (std::size_t i = 0; i < link.count; ++i) r(link.first + i) += step.input(link.column + i);
    }
  }
  xDot.resize(states_, false);
  for (System& s : systems_) {
    solveRate(s, t);
    std::copy(s.xDot.begin(), s.xDot.end(), data(xDot) + s.offset);
  }
}

void FlowModel::linearise(double t, const Vector& x, const Vector& lambda) {
  setZero(C_);
  setZero(B_);
  setZero(D_);
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    InteractionWork& step = interactions_[k];
    takeMultipliers(k, lambda);
    FirstOrderWorkspace::computeJacobians(step, t, stacked(step, x), step.multiplier);
    const std::size_t m = step.multiplier.size();
    const std::size_t row = firstRows_[k];
    for (const auto& link : step.links) {
      const System& s = systems_[link.system];
      column_.resize(s.x.size(), false);
      for (std::size_t j = 0; j < m; ++j) {
        setZero(column_);
        for (std::size_t i = 0; i < link.count; ++i) {
          C_(row + j, s.offset + link.first + i) = step.C(j, link.column + i);
          column_(link.first + i) = step.B(link.column + i, j);
        }
        if (!s.identityMass || s.byRate) s.factor.solve(column_);
        for (std::size_t i = 0; i < s.x.size(); ++i) B_(s.offset + i, row + j) += column_(i);
      }
    }
    if (!step.relation->hasFeedthrough()) continue;
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t i = 0; i < m; ++i) D_(row + i, row + j) = step.D(i, j);
    }
  }
}

void FlowModel::stateJacobian(double t, const Vector& x, const Vector& lambda, Matrix& A) {
  assignZero(A, states_, states_);
  for (System& s : systems_) {
    s.system->vectorFieldJacobians(t, s.x, s.xDot, s.byX, s.byXDot);
    for (std::size_t j = 0; j < s.x.size(); ++j) {
      for (std::size_t i = 0; i < s.x.size(); ++i) A(s.offset + i, s.offset + j) = s.byX(i, j);
    }
  }
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    InteractionWork& step = interactions_[k];
    if (!step.relation->inputDependsOnState()) continue;
    takeMultipliers(k, lambda);
    FirstOrderWorkspace::computeJacobians(step, t, stacked(step, x), step.multiplier);
    for (const auto& to : step.links) {
      for (const auto& from : step.links) {
        const std::size_t row = systems_[to.system].offset + to.first;
        const std::size_t column = systems_[from.system].offset + from.first;
        for (std::size_t j = 0; j < from.count; ++j) {
          for (std::size_t i = 0; i < to.count; ++i) A(row + i, column + j) += step.K(to.column + i, from.column + j);
        }
      }
    }
  }
  for (System& s : systems_) {
    if (s.identityMass && !s.byRate) continue;
    column_.resize(s.x.size(), false);
    for (std::size_t j = 0; j < states_; ++j) {
      for (std::size_t i = 0; i < s.x.size(); ++i) column_(i) = A(s.offset + i, j);
      s.factor.solve(column_);
      for (std::size_t i = 0; i < s.x.size(); ++i) A(s.offset + i, j) = column_(i);
    }
  }
}

// The magnitudes that measure the rounding of outputs: Σ |C x| + |D λ|.
void FlowModel::findTerms(std::size_t k, const Vector& x, const Vector& lambda) {
  const std::size_t first = firstRows_[k];
  const std::size_t m = interactions_[k].multiplier.size();
  assignZero(terms_, m);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < states_; ++j) terms_(i) += std::abs(C_(first + i, j) * x(j));
    for (std::size_t j = 0; j < rows(); ++j) terms_(i) += std::abs(D_(first + i, j) * lambda(j));
  }
}

TimeDifferences::Place FlowModel::placeOf(double t) const {
  TimeDifferences::Place place;
  place.room = {std::max(0., t - begin_), std::max(0., end_ - t)};
  place.resolution = std::numeric_limits<double>::epsilon() * std::abs(t);
  place.longest = 1e-2;
  return place;
}

void FlowModel::chooseIncrements(double t, const Vector& x, const Vector& lambda) {
  if (!movingOutputs_) return;
  Vector xDot;
  rates(t, x, lambda, xDot);
  linearise(t, x, lambda);
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    InteractionWork& step = interactions_[k];
    if (!step.relation->outputDependsOnTime()) continue;
    takeMultipliers(k, lambda);
    stacked(step, x);
    if (FirstOrderWorkspace::computeOutputRate(step, t, step.stack, step.multiplier, part_)) continue;
    findTerms(k, x, lambda);
    increments_[k] = differences_.choose(
        [&](double offset, Vector& y) {
          FirstOrderWorkspace::computeOutput(step, clamped(t + offset), step.stack, step.multiplier, y);
        },
        placeOf(t), terms_);
  }
}

// ∂h/∂t of one interaction into part_.
void FlowModel::differentiate(std::size_t k, double t, const Vector& x, const Vector& lambda) {
  InteractionWork& step = interactions_[k];
  takeMultipliers(k, lambda);
  stacked(step, x);
  if (FirstOrderWorkspace::computeOutputRate(step, t, step.stack, step.multiplier, part_)) return;
  findTerms(k, x, lambda);
  const double used = differences_.compute(
      [&](double offset, Vector& y) {
        FirstOrderWorkspace::computeOutput(step, clamped(t + offset), step.stack, step.multiplier, y);
      },
      placeOf(t), terms_, increments_[k], part_);
  if (used > 0.) return;
  throw Error("Interaction '" + step.interaction->name() + "'",
              "the derivative of its output in time, which the law needs at t = " + toText(t) +
                  ", is not found by differences: the output is not smooth there. Jumps and kinks belong to time "
                  "events; a function may bring its derivative (setE, setOutputRate).");
}

void FlowModel::outputRates(double t, const Vector& x, const Vector& lambda, const std::vector<char>& wanted,
                            Vector& yDot) {
  assignZero(yDot, rows());
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    if (wanted[k] == 0 || !interactions_[k].relation->outputDependsOnTime()) continue;
    differentiate(k, t, x, lambda);
    std::copy(part_.begin(), part_.end(), data(yDot) + firstRows_[k]);
  }
}

}  // namespace delassus
