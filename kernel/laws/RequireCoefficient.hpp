// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {

/// Throws Error naming the law and the coefficient unless it is in [0, 1].
inline void requireRestitution(double e, const char* law, const char* what) {
  if (e >= 0. && e <= 1.) return;
  throw Error(law, "the coefficient of " + std::string(what) + " must be in [0, 1], got " + toText(e) + ".");
}

/// Throws Error naming the law and the coefficient if it is negative or not finite.
inline void requireNotNegative(double value, const char* law, const char* what) {
  if (value >= 0. && std::isfinite(value)) return;
  throw Error(law, "the " + std::string(what) + " must not be negative, and finite, got " + toText(value) + ".");
}

}  // namespace delassus
