// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace delassus {

/// A line on the terminal (standard error) that shows the progress of a run and the time left. Silent if standard error
/// is not a terminal, and for runs that end within the first half second.
class ProgressBar {
 public:
  /// `total`: what update() says at the end of the run. The clock starts here.
  ProgressBar(std::string title, std::size_t total);
  /// Removes the line.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Whether standard error is a terminal; otherwise nothing is ever shown.
  bool onTerminal() const { return onTerminal_; }
  /// Removes the line until the next update, for a message.
  void clear();

  /// Cheap enough for every step: it reads the clock only occasionally.
  void update(std::size_t done);

 private:
  using Clock = std::chrono::steady_clock;

  void draw(std::size_t done, Clock::time_point now);

  std::string title_;
  std::size_t total_;
  std::size_t interval_;
  bool onTerminal_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point nextDrawing_;
};

}  // namespace delassus
