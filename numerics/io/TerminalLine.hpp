// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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

}  // namespace delassus
