// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

FirstOrderNonLinearDS::FirstOrderNonLinearDS(const Vector& x0) : FirstOrderDS(x0, "FirstOrderNonLinearDS") {
}

FirstOrderNonLinearDS::FirstOrderNonLinearDS(const Vector& x0, Field f) : FirstOrderNonLinearDS(x0) {
  if (!f) throw Error("FirstOrderNonLinearDS", "the vector field f is empty.");
  f_ = std::move(f);
}

void FirstOrderNonLinearDS::setTypicalSize(double typicalSize) {
  requireTypicalSize(typicalSize);
  typicalSize_ = typicalSize;
}

void FirstOrderNonLinearDS::computeF(double t, const Vector& x, Vector& f) {
  if (!f_) throw Error(label(), "no vector field was given: pass f to the constructor, or override computeF.");
  f_.value(t, x, *this, f);
}

void FirstOrderNonLinearDS::computeJacobianFx(double t, const Vector& x, Matrix& jacobian) {
  if (f_) {
    f_.jacobian<0>(t, x, *this, jacobian);
  } else {
    const auto field = [this](double at, const Vector& y, Vector& out) { computeF(at, y, out); };
    differences_.compute<1>(field, t, x, jacobian, typicalSize_);
  }
}

}  // namespace delassus
