// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

namespace delassus::numerics {

/// What the library draws from, the same numbers in each run: a class of its own, so that headers need only its name.
class RandomGenerator : public std::mt19937_64 {
 public:
  using std::mt19937_64::mt19937_64;
};

}  // namespace delassus::numerics
