// SPDX-License-Identifier: Apache-2.0
//
// FlowModel: its functions and their derivatives.
#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/hybrid/FlowModel.hpp>
#include <delassus/kernel/hybrid/PieceDifferences.hpp>
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
    const System& s = systems_[link.system];
    std::copy_n(data(x) + s.offset, s.x.size(), data(step.stack) + link.column);
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
      for (std::size_t i = 0; i < r.size(); ++i) r(i) += step.input(link.column + i);
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
        for (std::size_t i = 0; i < s.x.size(); ++i) {
          C_(row + j, s.offset + i) = step.C(j, link.column + i);
          column_(i) = step.B(link.column + i, j);
        }
        if (!s.identityMass || s.byRate) s.factor.solve(column_);
        for (std::size_t i = 0; i < s.x.size(); ++i) B_(s.offset + i, row + j) = column_(i);
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
        for (std::size_t j = 0; j < systems_[from.system].x.size(); ++j) {
          for (std::size_t i = 0; i < systems_[to.system].x.size(); ++i) {
            A(systems_[to.system].offset + i, systems_[from.system].offset + j) +=
                step.K(to.column + i, from.column + j);
          }
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

// ∂h/∂t with the multipliers stored in the interaction.
void FlowModel::differentiate(std::size_t k, double t, const Vector& x, double increment, Vector& result) {
  InteractionWork& step = interactions_[k];
  const PieceDifferences differences(t, increment, begin_, end_);
  stacked(step, x);
  assignZero(result, step.multiplier.size());
  for (std::size_t j = 0; j < PieceDifferences::nodes; ++j) {
    if (differences.weight(j) == 0.) continue;
    FirstOrderWorkspace::computeOutput(step, differences.node(j), step.stack, step.multiplier, step.yLinear);
    addScaled(differences.weight(j), step.yLinear, result);
  }
}

// The largest increment whose halving changes nothing significant, or hardly more than the best one: at a single place
// smaller ones may agree by chance.
void FlowModel::chooseIncrements(double t, const Vector& x, const Vector& lambda) {
  constexpr std::array<double, 9> increments = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
  constexpr double negligible = 1e-11;
  Vector coarse, fine;
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    if (!interactions_[k].relation->outputDependsOnTime()) continue;
    takeMultipliers(k, lambda);
    std::array<double, increments.size()> differences{};
    double size = 0.;
    for (std::size_t j = 0; j < increments.size(); ++j) {
      for (const double place : {t, clamped(t + 0.7 * increments[j])}) {
        differentiate(k, place, x, increments[j], coarse);
        differentiate(k, place, x, 0.5 * increments[j], fine);
        for (std::size_t i = 0; i < fine.size(); ++i) {
          differences[j] = std::max(differences[j], std::abs(fine(i) - coarse(i)));
          size = std::max(size, std::abs(fine(i)));
        }
      }
    }
    const double best = *std::min_element(differences.begin(), differences.end());
    const double enough = std::max(10. * best, negligible * size);
    const auto found = std::find_if(differences.begin(), differences.end(), [=](double d) { return d <= enough; });
    increments_[k] = 0.5 * increments[static_cast<std::size_t>(found - differences.begin())];
  }
}

void FlowModel::outputRates(double t, const Vector& x, const Vector& lambda, const std::vector<char>& wanted,
                            Vector& yDot) {
  assignZero(yDot, rows());
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    if (wanted[k] == 0 || !interactions_[k].relation->outputDependsOnTime()) continue;
    takeMultipliers(k, lambda);
    differentiate(k, t, x, increments_[k], part_);
    std::copy(part_.begin(), part_.end(), data(yDot) + firstRows_[k]);
  }
}

}  // namespace delassus
