// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <delassus/kernel/hybrid/MotionElements.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus::test {

inline bool isEquality(const ContactElement& element) {
  return !element.element->hasGap() && !std::isfinite(element.lower) && !std::isfinite(element.upper);
}

inline bool isBounded(const ContactElement& element) {
  return !element.element->hasGap() && !isEquality(element);
}

inline bool hasFriction(const ContactElement& element) {
  return element.element->hasGap() && element.mu != 0.;
}

// The laws one by one, in words of the law and without a natural map: an oracle apart from the class.
inline bool meetsLaw(const ContactElement& element, const Vector& lambda, const Vector& a, double tolerance) {
  const std::size_t i = element.row;
  const auto zero = [&](double x) { return std::abs(x) <= tolerance; };
  if (isEquality(element)) return zero(a(i));
  if (!element.element->hasGap()) {
    const bool low = zero(lambda(i) - element.lower);
    const bool high = zero(lambda(i) - element.upper);
    if (element.direction[0] != 0) return element.direction[0] > 0 ? low : high;
    if (lambda(i) < element.lower - tolerance || lambda(i) > element.upper + tolerance) return false;
    return zero(a(i)) || (a(i) > 0. && low) || (a(i) < 0. && high);
  }
  if (lambda(i) < -tolerance || a(i) < -tolerance || !(zero(lambda(i)) || zero(a(i)))) return false;
  if (!hasFriction(element)) return true;
  const double limit = element.mu * lambda(i);
  const double tangential = lambda(i + 1);
  if (element.direction[0] != 0) return zero(tangential + element.direction[0] * limit);
  if (std::abs(tangential) > limit + tolerance) return false;
  return zero(a(i + 1)) || (a(i + 1) > 0. && zero(tangential + limit)) || (a(i + 1) < 0. && zero(tangential - limit));
}

inline bool meetsLaws(const std::vector<ContactElement>& elements, const Vector& lambda, const Vector& a,
                      double tolerance = 1e-7) {
  for (const ContactElement& element : elements) {
    if (!meetsLaw(element, lambda, a, tolerance)) return false;
  }
  return true;
}

}  // namespace delassus::test
