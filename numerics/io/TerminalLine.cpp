// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/TerminalLine.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <string>

namespace delassus {
namespace {

constexpr const char* erase = "\r\033[K";

std::mutex& guard() {
  static std::mutex mutex;
  return mutex;
}

bool isDrawn = false;

void eraseLine() {
  if (isDrawn) std::fputs(erase, stderr);
  isDrawn = false;
}

}  // namespace

bool TerminalLine::isTerminal() {
  return isatty(STDERR_FILENO) == 1;
}

std::size_t TerminalLine::width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void TerminalLine::show(std::string_view text) {
  const std::lock_guard lock(guard());
  const std::string line = erase + std::string(text);
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
  isDrawn = true;
}

void TerminalLine::clear() {
  const std::lock_guard lock(guard());
  eraseLine();
  std::fflush(stderr);
}

void TerminalLine::print(std::string_view line) {
  const std::lock_guard lock(guard());
  eraseLine();
  const std::string text = std::string(line) + '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace delassus
