// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace delassus {

/// The last line of the terminal at standard error, which a progress bar redraws. Other output goes through this class,
/// so that the two do not mix. May be called from any thread.
class TerminalLine {
 public:
  /// True if standard error is a terminal.
  static bool isTerminal();
  /// Columns of that terminal; 80 if unknown.
  static std::size_t width();

  /// Shows `text` in place of the line.
  static void show(std::string_view text);
  /// Takes the line away.
  static void clear();
  /// Prints `line` with a line end above the last line.
  static void print(std::string_view line);
};

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
