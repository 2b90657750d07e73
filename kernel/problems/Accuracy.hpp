// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace delassus {

/// How far the certified answers of one-step problems may miss their laws, in one word: the tolerance of the solvers,
/// relative to the free velocity (ErrorMeasure::scaled).
enum class Accuracy {
  coarse,  ///< 1e-3: pictures of heaps and piles, where tighter tolerances cost much (docs/piles.md)
  medium,  ///< 1e-5: motion of many bodies that is looked at, not compared
  normal,  ///< 1e-8: the default; anything that is compared
  high     ///< 1e-10: near what rounding leaves
};

/// The tolerance that the word stands for.
constexpr double toleranceOf(Accuracy accuracy) {
  switch (accuracy) {
    case Accuracy::coarse:
      return 1e-3;
    case Accuracy::medium:
      return 1e-5;
    case Accuracy::normal:
      return 1e-8;
    case Accuracy::high:
      break;
  }
  return 1e-10;
}

/// The word itself, for settings.
constexpr std::string_view toString(Accuracy accuracy) {
  switch (accuracy) {
    case Accuracy::coarse:
      return "coarse";
    case Accuracy::medium:
      return "medium";
    case Accuracy::normal:
      return "normal";
    case Accuracy::high:
      break;
  }
  return "high";
}

}  // namespace delassus
