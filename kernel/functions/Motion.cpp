// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/functions/Motion.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <string>
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
  Differences& own = differences_.get();
  own.terms.resize(1, false);
  own.terms(0) = std::abs(f_(t));
  TimeDifferences::Place place;
  place.resolution = std::numeric_limits<double>::epsilon() * std::abs(t);
  const auto at = [&](double offset, Vector& value) { value(0) = f_(t + offset); };
  const double used = own.method.compute(at, place, own.terms, place.longest, own.rate);
  if (used > 0. || !std::isfinite(own.rate(0))) return own.rate(0);
  throw Error("Motion", "its rate is not found by differences at t = " + toText(t) +
                            ", where it is not smooth; Motion(f, rate) takes it as a function.");
}

}  // namespace delassus
