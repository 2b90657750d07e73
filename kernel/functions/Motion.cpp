// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/functions/Motion.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <utility>

namespace delassus {

Motion::Motion(Function f) : f_(std::move(f)) {
  if (!f_) throw Error("Motion", "the function f is empty.");
}

Motion::Motion(Function f, Function rate) : Motion(std::move(f)) {
  if (!rate) throw Error("Motion", "the rate of f is empty; Motion(f) differences it.");
  rate_ = std::move(rate);
}

double Motion::rate(double t) const {
  if (rate_) return rate_(t);
  const double step = std::cbrt(std::numeric_limits<double>::epsilon());
  const double above = t + step;
  const double below = t - step;
  return (f_(above) - f_(below)) / (above - below);
}

}  // namespace delassus
