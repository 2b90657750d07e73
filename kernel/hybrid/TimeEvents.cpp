// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/TimeEvents.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

double TimeEvents::resolution(double t) {
  return 16. * std::numeric_limits<double>::epsilon() * std::abs(t);
}

void TimeEvents::begin(double t) {
  for (Series& series : series_) {
    series.next = 0;
    while (series.instant(series.next) < t - resolution(t)) ++series.next;
  }
}

double TimeEvents::next() const {
  double first = std::numeric_limits<double>::infinity();
  for (const Series& series : series_) first = std::min(first, series.instant(series.next));
  return first;
}

std::vector<TimeEvents::Series> TimeEvents::pop() {
  const double first = next();
  std::vector<Series> found;
  for (Series& series : series_) {
    if (series.instant(series.next) > first + resolution(first)) continue;
    ++series.next;
    found.push_back(series);
  }
  return found;
}

void TimeEvents::requireSpacing(double spacing) const {
  for (const Series& one : series_) {
    const double t = one.instant(one.next);
    const auto check = [&](const Series& two, double other) {
      const double apart = other - t;
      if (!(apart > resolution(t)) || apart >= spacing) return;
      throw Error("EventDriven", "the events '" + one.name + "' at t = " + toText(t) + " and '" + two.name +
                                     "' at t = " + toText(other) + " are " + toText(apart) +
                                     " s apart, less than the minimal step of " + toText(spacing) + " s.");
    };
    check(one, one.instant(one.next + 1));
    for (const Series& two : series_) check(two, two.instant(two.next));
  }
}

}  // namespace delassus
