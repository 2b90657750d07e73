// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/FirstOrderR.hpp>

#include <utility>

namespace delassus {
namespace {

// h and g of a relation as functions of all their arguments.
auto outputOf(FirstOrderR& relation) {
  return [&relation](double t, const Vector& x, const Vector& lambda, Vector& y) {
    relation.computeOutput(t, x, lambda, y);
  };
}

auto inputOf(FirstOrderR& relation) {
  return [&relation](double t, const Vector& x, const Vector& lambda, Vector& r) {
    relation.computeInput(t, x, lambda, r);
  };
}

}  // namespace

void FirstOrderR::setZ(const Vector& z) {
  requireFinite(z, std::string(className()) + ": z");
  checkParameters(z);
  z_ = z;
  parametersChanged();
}

void FirstOrderR::checkParameters(const Vector&) const {
}

void FirstOrderR::setTypicalSize(double typicalSize) {
  requireTypicalSize(typicalSize);
  typicalSize_ = typicalSize;
}

void FirstOrderR::computeC(double t, const Vector& x, const Vector& lambda, Matrix& C) {
  differences_.compute<1>(outputOf(*this), t, x, lambda, C, typicalSize_);
}

void FirstOrderR::computeD(double t, const Vector& x, const Vector& lambda, Matrix& D) {
  differences_.compute<2>(outputOf(*this), t, x, lambda, D, typicalSize_);
}

void FirstOrderR::computeB(double t, const Vector& x, const Vector& lambda, Matrix& B) {
  differences_.compute<2>(inputOf(*this), t, x, lambda, B, typicalSize_);
}

void FirstOrderR::computeK(double t, const Vector& x, const Vector& lambda, Matrix& K) {
  differences_.compute<1>(inputOf(*this), t, x, lambda, K, typicalSize_);
}

void FirstOrderR::setOutputRate(RateFunction rate) {
  if (!rate) throw Error(std::string(className()), "the rate of the output is empty.");
  rate_ = std::move(rate);
  parametersChanged();
}

bool FirstOrderR::computeOutputRate(double t, const Vector& x, const Vector& lambda, Vector& yDot) {
  if (!rate_) return false;
  rate_(t, x, lambda, yDot);
  return true;
}

void FirstOrderR::checkDimensions(std::size_t) const {
}

void FirstOrderR::checkJacobians(double t, const Vector& x, const Vector& lambda, const JacobianCheck& check,
                                 const std::string& label) {
  using V = Vector;
  const std::size_t m = size();
  const std::size_t n = x.size();
  checkJacobian<1>(
      outputOf(*this), [this](double at, const V& s, const V& l, Matrix& C) { computeC(at, s, l, C); }, Matrix(m, n),
      check, label + ": Jacobian of h with respect to x", t, x, lambda);
  checkJacobian<2>(
      inputOf(*this), [this](double at, const V& s, const V& l, Matrix& B) { computeB(at, s, l, B); }, Matrix(n, m),
      check, label + ": Jacobian of g with respect to lambda", t, x, lambda);
  // A dependence declared absent must be absent: its Jacobian is zero.
  const auto D = [this](double at, const V& s, const V& l, Matrix& out) {
    setZero(out);
    if (hasFeedthrough()) computeD(at, s, l, out);
  };
  const auto K = [this](double at, const V& s, const V& l, Matrix& out) {
    setZero(out);
    if (inputDependsOnState()) computeK(at, s, l, out);
  };
  checkJacobian<2>(outputOf(*this), D, Matrix(m, m), check, label + ": Jacobian of h with respect to lambda", t, x,
                   lambda);
  checkJacobian<1>(inputOf(*this), K, Matrix(n, n), check, label + ": Jacobian of g with respect to x", t, x, lambda);
}

void FirstOrderR::serializeState(StateArchive& archive) {
  Relation::serializeState(archive);
  archive.value("z", z_);
}

}  // namespace delassus
