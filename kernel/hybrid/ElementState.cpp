// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/ElementState.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr double epsilon = 4. * std::numeric_limits<double>::epsilon();
constexpr double forceTolerance = 1e-12;

}  // namespace

bool ElementState::isZero(std::size_t i) const {
  constexpr double rounding = 1e-12;
  const double scale = blocks_.speedScale(placed_.interaction, placed_.row + i);
  return std::abs(rate(i)) <= std::max(tolerances_.velocity, rounding * scale);
}

double ElementState::guardRate(double rate) const {
  return std::abs(rate) <= tolerances_.velocity ? 1. : rate;
}

double ElementState::gapRounding() const {
  double reach = 0.;
  for (std::size_t c = step().begin; c < step().end; ++c) {
    reach = std::max(reach, normInf(blocks_.systems()[blocks_.systemOf(c)].q));
  }
  return epsilon * reach;
}

double ElementState::rateRounding(std::size_t i) const {
  return epsilon * blocks_.speedScale(placed_.interaction, placed_.row + i);
}

double ElementState::accelerationRounding(std::size_t i) const {
  return forceTolerance * blocks_.loadScale(placed_.interaction, placed_.row + i);
}

double ElementState::forceRounding() const {
  double largest = 0.;
  for (std::size_t i = 0; i < placed_.rows(); ++i) {
    const std::size_t row = placed_.row + i;
    const double diagonal = blocks_.delassus(placed_.interaction, row, placed_.interaction, row);
    if (diagonal > 0.) largest = std::max(largest, accelerationRounding(i) / diagonal);
  }
  return largest;
}

}  // namespace delassus
