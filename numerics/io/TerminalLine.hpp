// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace delassus {

/// The last line of the terminal at standard error, that a progress bar draws again and again. What else is printed
/// there goes through this, so that the two do not mix. May be called from any thread.
class TerminalLine {
 public:
  /// True if standard error is a terminal.
  static bool isTerminal();
  /// Columns of that terminal; 80 where it is not known.
  static std::size_t width();

  /// Shows `text` in place of the line.
  static void show(std::string_view text);
  /// Takes the line away.
  static void clear();
  /// Takes the line away and prints `line` with an end above it.
  static void print(std::string_view line);
};

}  // namespace delassus
