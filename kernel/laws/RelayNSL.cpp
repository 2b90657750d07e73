// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/RelayNSL.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Memory.hpp>
#include <limits>
#include <string>

namespace delassus {

namespace {

Vector equalBounds(std::size_t size, double bound) {
  return memoryFor("RelayNSL", std::to_string(size) + " rows", [=] { return Vector(size, bound); });
}

}  // namespace

RelayNSL::RelayNSL(std::size_t size, double lower, double upper)
    : RelayNSL(equalBounds(size, lower), equalBounds(size, upper)) {
  if (std::isfinite(lower) && std::isfinite(upper)) return;
  throw Error("RelayNSL", "the bounds of a relay must be finite, got [" + toText(lower) + ", " + toText(upper) +
                              "]; give vectors of bounds for rows without.");
}

RelayNSL::RelayNSL(const Vector& lower, const Vector& upper) : lower_(lower), upper_(upper) {
  if (lower.size() == 0) throw Error("RelayNSL", "the size must be at least 1.");
  requireBounds();
}

void RelayNSL::requireBounds() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  requireSize(upper_, lower_.size(), "RelayNSL: upper bounds (of the size of the lower ones)");
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    if (lower_(i) <= upper_(i) && lower_(i) < infinity && upper_(i) > -infinity) continue;
    throw Error("RelayNSL", "row " + std::to_string(i) + " has the lower bound " + toText(lower_(i)) +
                                " and the upper bound " + toText(upper_(i)) + "; lower <= upper is needed.");
  }
}

void RelayNSL::setBounds(const Vector& lower, const Vector& upper) {
  const RelayNSL next(lower, upper);
  requireSize(lower, lower_.size(), "RelayNSL: new bounds (as many as before)");
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (std::isfinite(lower(i)) == std::isfinite(lower_(i)) && std::isfinite(upper(i)) == std::isfinite(upper_(i))) {
      continue;
    }
    throw Error("RelayNSL", "row " + std::to_string(i) + " cannot change its bounds from [" + toText(lower_(i)) + ", " +
                                toText(upper_(i)) + "] to [" + toText(lower(i)) + ", " + toText(upper(i)) +
                                "]: finite ones stay finite, and infinite ones infinite.");
  }
  lower_ = lower;
  upper_ = upper;
  boundsChanged();
}

void RelayNSL::bounds(double* lower, double* upper) const {
  std::copy(lower_.begin(), lower_.end(), lower);
  std::copy(upper_.begin(), upper_.end(), upper);
}

Settings RelayNSL::settings() const {
  Settings settings;
  settings.add("lower", lower_);
  settings.add("upper", upper_);
  return settings;
}

}  // namespace delassus
