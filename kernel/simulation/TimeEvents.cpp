// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/simulation/TimeEvents.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

double TimeEvents::resolution(double t) {
  return 16. * std::numeric_limits<double>::epsilon() * std::abs(t);
}

// Comparisons with NaN are false: such an instant would never come, and nobody would hear of it.
double TimeEvents::instantOf(const Series& series, std::size_t number) {
  const double t = series.instant(number);
  if (!std::isnan(t)) return t;
  throw Error("Event '" + series.name + "'", "instant " + std::to_string(number) +
                                                 " must be a time, or infinite where none follows, but is " +
                                                 toText(t) + '.');
}

void TimeEvents::requireAscent(const Series& series) {
  const double passed = instantOf(series, series.next);
  const double next = instantOf(series, series.next + 1);
  if (!(next > passed)) {
    throw Error("Event '" + series.name + "'", "instant " + std::to_string(series.next + 1) +
                                                   " at t = " + toText(next) + " does not come after instant " +
                                                   std::to_string(series.next) + " at t = " + toText(passed) + '.');
  }
}

std::size_t TimeEvents::countBefore(Series series, double t) {
  // The times before t of a list, or of a switching that begins early; samplings begin at t0 or after it.
  constexpr std::size_t most = 100000000;
  series.next = 0;
  while (instantOf(series, series.next) < t - resolution(t)) {
    requireAscent(series);
    if (++series.next < most) continue;
    throw Error("Event '" + series.name + "'",
                "its first " + std::to_string(most) + " instants lie before t = " + toText(t) + '.');
  }
  return series.next;
}

void TimeEvents::begin(double t) {
  for (Series& series : series_) series.next = countBefore(series, t);
}

double TimeEvents::next() const {
  double first = std::numeric_limits<double>::infinity();
  for (const Series& series : series_) first = std::min(first, instantOf(series, series.next));
  return first;
}

double TimeEvents::nextAfter(double t) const {
  double first = std::numeric_limits<double>::infinity();
  for (const Series& series : series_) {
    const double due = instantOf(series, series.next);
    first = std::min(first, due > t + resolution(t) ? due : instantOf(series, series.next + 1));
  }
  return first;
}

void TimeEvents::pop(std::vector<std::size_t>& due) {
  const double first = next();
  const auto isDue = [first](const Series& series) {
    return instantOf(series, series.next) <= first + resolution(first);
  };
  for (const Series& series : series_) {
    if (isDue(series)) requireAscent(series);
  }
  due.clear();
  for (std::size_t i = 0; i < series_.size(); ++i) {
    if (isDue(series_[i])) due.push_back(i);
  }
  for (const std::size_t i : due) ++series_[i].next;
}

void TimeEvents::serializeState(StateArchive& archive) {
  const std::size_t count = archive.count("time events and samplings", series_.size());
  if (count != series_.size()) {
    archive.refuse("The run that was saved has " + std::to_string(count) +
                   " series of time events and samplings, this one has " + std::to_string(series_.size()) + ".");
  }
  for (Series& series : series_) {
    std::string name = series.name;
    archive.value("name", name);
    if (name != series.name) {
      archive.refuse("The run that was saved has the time events or sampling '" + name + "' where this one has '" +
                     series.name + "'.");
    }
    archive.value("next", series.next);
    if (series.isMovable) continue;
    const double here = instantOf(series, series.next);
    double instant = here;
    archive.value("instant", instant);
    if (instant == here) continue;
    archive.refuse("Instant " + std::to_string(series.next) + " of '" + name + "' is t = " + toText(instant) +
                   " in the run that was saved and t = " + toText(here) + " in this one.");
  }
}

void TimeEvents::requireSpacing(double spacing) const {
  for (const Series& one : series_) {
    const double t = instantOf(one, one.next);
    const auto check = [&](const Series& two, double other) {
      const double apart = other - t;
      if (!(apart > resolution(t)) || apart >= spacing) return;
      throw Error("EventDriven", "the events '" + one.name + "' at t = " + toText(t) + " and '" + two.name +
                                     "' at t = " + toText(other) + " are " + toText(apart) +
                                     " s apart, less than the minimal step of " + toText(spacing) + " s.");
    };
    check(one, instantOf(one, one.next + 1));
    for (const Series& two : series_) check(two, instantOf(two, two.next));
  }
}

}  // namespace delassus
