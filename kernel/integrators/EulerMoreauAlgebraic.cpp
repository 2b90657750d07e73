// SPDX-License-Identifier: Apache-2.0
//
// The part of EulerMoreauOSI that is about algebraic equations: systems with a singular M.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>
#include <vector>

namespace delassus {
namespace {

// D A for the projector D of the algebraic equations.
SquareMatrix productOf(const SparseMatrix& D, const SquareMatrix& A) {
  if (!A.isSparse()) {
    Matrix result(A.size1(), A.size2());
    multiply(1., D, A.dense(), 0., result);
    return result;
  }
  std::vector<Triplet> entries;
  forEachEntry(A, [&](std::size_t i, std::size_t j, double value) {
    for (std::size_t k = columnStart(D, i); k < columnStart(D, i + 1); ++k) {
      entries.push_back({rowOf(D, k), j, valueOf(D, k) * value});
    }
  });
  return sparseFromTriplets(A.size1(), A.size2(), std::move(entries));
}

}  // namespace

void EulerMoreauOSI::requireTaken(const FirstOrderDS& system) const {
  if (!system.hasAlgebraicPart()) return;
  const std::string label = "System '" + system.name() + "'";
  if (weight_ < 1. || place_ < 1.) {
    throw Error(label, "its M is singular, and EulerMoreauOSI takes algebraic equations with gamma = 1 only, got " +
                           toText(gamma()) + ".");
  }
  if (!system.dependsOnRate()) return;
  throw Error(label, "its M is singular, and its control depends on the rate of x, which is then not known.");
}

// F(t, x) has a part in the step only where the algebraic equations hold there, with the input of the step before. A
// relation that has changed, or has come or gone, may have changed that.
void EulerMoreauOSI::chooseTheta() {
  stepTheta_ = theta_;
  if (theta_ == 1. || h_ == 0. || !work_.anyAlgebraic) return;
  for (SystemWork& work : work_.systems) setZero(work.inputTerms);
  for (InteractionWork& work : work_.interactions) work_.addInputTerms(work);
  const bool areConsistent =
      std::all_of(work_.systems.begin(), work_.systems.end(), [this](SystemWork& work) { return isConsistent(work); });
  if (!isInputKnown_ || !areConsistent) stepTheta_ = 1.;
}

// Each combination of rows in D F + D r, compared with the terms of all rows in it.
bool EulerMoreauOSI::isConsistent(SystemWork& work) const {
  // Newton's method leaves less; what is left costs h (1 - theta) of it, once.
  constexpr double tolerance = 1e-5;
  if (!work.isAlgebraic) return true;
  const Vector& r = work.system->r();
  const Vector& x = work.system->x();
  Vector& terms = work.algebraic;
  for (std::size_t i = 0; i < r.size(); ++i) terms(i) = std::abs(work.fBefore(i)) + work.inputTerms(i);
  forEachEntry(work.byX, [&](std::size_t i, std::size_t j, double a) { terms(i) += std::abs(a * x(j)); });
  const SparseMatrix& D = work.system->algebraicPart();  // symmetric: its columns are its rows
  for (std::size_t i = 0; i < r.size(); ++i) {
    double defect = 0., size = 0.;
    for (std::size_t k = columnStart(D, i); k < columnStart(D, i + 1); ++k) {
      const std::size_t row = rowOf(D, k);
      defect += valueOf(D, k) * (work.fBefore(row) + r(row));
      size += std::abs(valueOf(D, k)) * terms(row);
    }
    if (std::abs(defect) > tolerance * size) return false;
  }
  return true;
}

// In the step of size zero the input acts on the algebraic equations alone, in units in which they compare with M.
void EulerMoreauOSI::scaleInput(SystemWork& work) {
  work.inputScale = h_ * stepWeight_;
  if (h_ > 0. || !work.isAlgebraic) return;
  work.system->vectorFieldJacobians(begin_, work.system->x(), work.xDot, work.byX, work.byRate);
  const double ofMass = normMax(work.mass), ofField = normMax(work.byX);
  work.inputScale = ofMass > 0. && ofField > 0. ? ofMass / ofField : 1.;
}

// Of D F at the end of the step, beside hθ.
double EulerMoreauOSI::weightOfAlgebraic(const SystemWork& work) const {
  return h_ > 0. ? h_ * (1. - stepTheta_) : work.inputScale;
}

// − D (weight F − h(1 − θ) F_k), in the residual.
void EulerMoreauOSI::addAlgebraicPart(SystemWork& work) const {
  const double weight = weightOfAlgebraic(work);
  const double first = h_ * (1. - stepTheta_);
  for (std::size_t i = 0; i < work.f.size(); ++i) work.algebraic(i) = weight * work.f(i) - first * work.fBefore(i);
  multiply(-1., work.system->algebraicPart(), work.algebraic, 1., work.residual);
}

// − weight D A, in W.
void EulerMoreauOSI::addAlgebraicPart(const SystemWork& work, SquareMatrix& W) const {
  const SquareMatrix algebraic = productOf(work.system->algebraicPart(), work.byX);
  W.setDifference(W, weightOfAlgebraic(work), algebraic, 0., algebraic);
}

}  // namespace delassus
