// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/hybrid/Event.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <functional>
#include <string>
#include <vector>

namespace delassus {

/// Events at times known in advance, in several series. Times of different series that agree to rounding are one
/// instant. Whatever asks for an instant throws Error naming the series if its function returns NaN.
class TimeEvents {
 public:
  /// What an event of the user does.
  using Action = std::function<void()>;

  /// Events of one name.
  struct Series {
    std::string name;                            ///< in messages, event logs and checkpoints
    EventKind kind = EventKind::user;            ///< of the events
    std::function<double(std::size_t)> instant;  ///< of number k; infinite past the end
    Action action;                               ///< may be empty
    std::size_t next = 0;                        ///< number of the next instant
    bool isMovable = false;                      ///< instants that have not passed may change
  };

  /// Appends a series; its number is how many there were before.
  void add(Series series) { series_.push_back(std::move(series)); }
  /// True if there is no series.
  bool empty() const { return series_.empty(); }

  /// Skips the instants before t. Throws Error as countBefore() does.
  void begin(double t);
  /// The number of instants of a series before t. Throws Error naming the series, with the numbers, if an instant is
  /// NaN, does not come after the one before it, or 10⁸ of them lie before t.
  static std::size_t countBefore(Series series, double t);
  /// The next instant; infinite if there is none.
  double next() const;
  /// The first instant that comes after t: where events at t are still due, the next one; infinite if there is none.
  double nextAfter(double t) const;
  /// Makes `due` the numbers of the series of the next instant and advances these series.
  void pop(std::vector<std::size_t>& due);
  /// The series of that number.
  const Series& series(std::size_t number) const { return series_[number]; }
  /// Throws Error naming two series whose next instants are less than `spacing` apart, but not equal.
  void requireSpacing(double spacing) const;

  /// Saves or restores the positions of the series; refuses series with other names or, where these are fixed,
  /// instants.
  void serializeState(StateArchive& archive);

  /// Differences of times that count as rounding.
  static double resolution(double t);

 private:
  static double instantOf(const Series& series, std::size_t number);
  static void requireAscent(const Series& series);

  std::vector<Series> series_;
};

}  // namespace delassus
