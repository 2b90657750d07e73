// SPDX-License-Identifier: Apache-2.0
//
// The part of EulerMoreauOSI that says how far a trial state is from the equations, and searches along the changes of
// Newton's method.
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/LineSearch.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {

// The equations of systems, and the input of relations, at the trial state.
void EulerMoreauOSI::evaluateTrial() {
  for (SystemWork& work : work_.systems) {
    evaluate(work);
    setZero(work.r);
  }
  for (InteractionWork& work : work_.interactions) {
    FirstOrderWorkspace::computeInput(work, relationTime_, work_.stacked(work, placed()), work.multiplier);
    work_.addToSystems(work, work.input, &SystemWork::r);
  }
}

StepResidual EulerMoreauOSI::residual() {
  StepResidual worst;
  for (SystemWork& work : work_.systems) {
    // The maxima below would pass over a NaN.
    if (!allFinite(work.x)) return {std::numeric_limits<double>::infinity(), 0., work.system->name()};
    setZero(work.inputTerms);
  }
  evaluateTrial();
  for (InteractionWork& work : work_.interactions) {
    work_.addInputTerms(work);
    if (!work.linear) worst.include(residualOf(work), 0., work.interaction->name());
  }
  for (SystemWork& work : work_.systems) worst.include(residualOf(work), 0., work.system->name());
  evaluated_ = true;
  return worst;
}

// In the step of size zero the algebraic equations alone have an input.
const Vector& EulerMoreauOSI::actingInput(SystemWork& work) const {
  if (h_ > 0. || !work.isAlgebraic) return work.r;
  multiply(1., work.system->algebraicPart(), work.r, 0., work.algebraic);
  return work.algebraic;
}

// What the input leaves of an equation.
double EulerMoreauOSI::leftOf(const SystemWork& work, const Vector& acting, std::size_t i) const {
  return work.residual(i) - work.inputScale * acting(i) - h_ * (1. - stepWeight_) * work.system->r()(i);
}

// Magnitudes of the terms in each row, and the largest of them that are computed as numbers.
void EulerMoreauOSI::measureTerms(SystemWork& work, const Vector& acting) const {
  const Vector& before = work.system->x();
  const Vector& inputBefore = work.system->r();
  const double size = std::max(h_, work.inputScale);
  for (std::size_t i = 0; i < before.size(); ++i) work.terms(i) = size * work.inputTerms(i);
  const auto addTerms = [&](const SquareMatrix& A, double factor) {
    forEachEntry(A, [&](std::size_t i, std::size_t j, double entry) {
      work.terms(i) += factor * std::abs(entry) * (std::abs(work.x(j)) + std::abs(before(j)));
    });
  };
  addTerms(work.mass, 1.);
  addTerms(work.byX, size);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double input = work.inputScale * acting(i) + h_ * (1. - stepWeight_) * inputBefore(i);
    work.scales(i) = std::max(
        {std::abs(work.residual(i)), std::abs(input), size * std::abs(work.f(i)), h_ * std::abs(work.fBefore(i))});
  }
}

// Whether what the Jacobian of the last pass says of rounding hides what is left. Where a pass has led down a steep
// slope, that Jacobian is far larger than the one where it ended.
bool EulerMoreauOSI::hidesError(const SystemWork& work, const Vector& acting) const {
  constexpr double sharp = 1e-12;
  for (std::size_t i = 0; i < work.x.size(); ++i) {
    const double least = sharp * work.scales(i);
    if (std::abs(leftOf(work, acting, i)) > least && !(residualRounding * work.terms(i) <= least)) return true;
  }
  return false;
}

// Row by row, since rows may have different units; an error counts relative to the largest term of its row, beyond what
// rounding does to the sums in it, now or in the steps before: a state that has come down to zero is known only to
// that, and its rates may be singular there.
double EulerMoreauOSI::residualOf(SystemWork& work) const {
  const Vector& acting = actingInput(work);
  measureTerms(work, acting);
  if (!work.linear && hidesError(work, acting)) {
    work.system->vectorFieldJacobians(end_, work.x, work.xDot, work.byX, work.byRate);
    measureTerms(work, acting);
  }
  double worst = 0.;
  for (std::size_t i = 0; i < work.x.size(); ++i) {
    work.terms(i) = std::max(work.terms(i), work.termsBefore(i));
    const double left = std::abs(leftOf(work, acting, i)) - residualRounding * work.terms(i);
    worst = std::max(worst, relativeTo(work.scales(i), left));
  }
  return worst;
}

// Moves to that part of the change. The rows are relative to the terms that they had in the last pass, since they may
// have different units.
double EulerMoreauOSI::residualAt(double part) {
  for (SystemWork& work : work_.systems) {
    for (std::size_t i = 0; i < work.x.size(); ++i) work.x(i) = work.xLast(i) + part * work.change(i);
    place(work, work.x, work.xPlace);
  }
  evaluateTrial();
  double largest = 0.;
  for (SystemWork& work : work_.systems) {
    const Vector& acting = actingInput(work);
    for (std::size_t i = 0; i < work.x.size(); ++i) {
      const double left = std::abs(leftOf(work, acting, i));
      if (!std::isfinite(left)) return std::numeric_limits<double>::infinity();
      if (left > largest * work.scales(i)) largest = relativeTo(work.scales(i), left);
    }
  }
  return largest;
}

// All systems together, since relations may couple them. The equations with the multipliers as they are, whose step of
// Newton's method this is.
void EulerMoreauOSI::searchChange() {
  for (SystemWork& work : work_.systems) {
    if (!allFinite(work.x)) return;
  }
  for (SystemWork& work : work_.systems) {
    for (std::size_t i = 0; i < work.x.size(); ++i) work.change(i) = work.x(i) - work.xLast(i);
  }
  const double before = residualAt(0.);
  searchLine(before, [this](double part) { return residualAt(part); });
}

}  // namespace delassus
