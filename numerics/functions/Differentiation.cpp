// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/functions/Differentiation.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <sstream>

namespace delassus {
namespace {

[[noreturn]] void fail(const std::string& what, const std::string& entry, double given, double differenced) {
  std::ostringstream text;
  text.precision(10);
  text << "entry " << entry << " is " << given << ", but central differences of the function give " << differenced
       << '.';
  throw Error(what, text.str());
}

thread_local JacobianCollector* collector = nullptr;

Matrix asColumn(const Vector& v) {
  Matrix column(v.size(), 1);
  std::copy(v.begin(), v.end(), column.data().begin());
  return column;
}

// Negated, so that a NaN counts as different.
bool same(double given, double differenced, double margin) {
  return std::abs(given - differenced) <= margin;
}

}  // namespace

void failInTime(double t) {
  throw Error("differences", "the derivative in time of a differenced function is not found at t = " + toText(t) +
                                 ": it is not smooth there; withJacobians(f, ...) takes it as a function.");
}

void requireTypicalSize(double typicalSize) {
  if (typicalSize > 0. && std::isfinite(typicalSize)) return;
  throw Error("differences",
              "the typical size of arguments must be positive and finite, got " + toText(typicalSize) + ".");
}

JacobianCollector::JacobianCollector(Compare compare) : compare_(std::move(compare)), outer_(collector) {
  collector = this;
}

JacobianCollector::~JacobianCollector() {
  collector = outer_;
}

bool JacobianCollector::take(const std::string& what, const Matrix& given, const Matrix& differenced, double margin) {
  if (collector == nullptr) return false;
  collector->compare_(what, given, differenced, margin);
  return true;
}

void requireSameJacobian(const Matrix& given, const Matrix& differenced, double tolerance, double floor,
                         const std::string& what) {
  requireSize(given, differenced.size1(), differenced.size2(), what);
  const double margin = tolerance * normMax(differenced) + floor;
  if (JacobianCollector::take(what, given, differenced, margin)) return;
  for (std::size_t j = 0; j < given.size2(); ++j) {
    for (std::size_t i = 0; i < given.size1(); ++i) {
      if (same(given(i, j), differenced(i, j), margin)) continue;
      fail(what, "(" + std::to_string(i) + ", " + std::to_string(j) + ")", given(i, j), differenced(i, j));
    }
  }
}

void requireSameJacobian(const Vector& given, const Vector& differenced, double tolerance, double floor,
                         const std::string& what) {
  requireSize(given, differenced.size(), what);
  const double margin = tolerance * normInf(differenced) + floor;
  if (JacobianCollector::take(what, asColumn(given), asColumn(differenced), margin)) return;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (same(given(i), differenced(i), margin)) continue;
    fail(what, std::to_string(i), given(i), differenced(i));
  }
}

}  // namespace delassus
