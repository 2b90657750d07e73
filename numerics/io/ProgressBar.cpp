// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/ProgressBar.hpp>

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

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

namespace {

constexpr std::size_t barWidth = 40;

}  // namespace

ProgressBar::ProgressBar(std::string title, std::size_t total)
    : title_(std::move(title)),
      total_(total),
      interval_(std::max<std::size_t>(1, total / 1000)),
      onTerminal_(TerminalLine::isTerminal()),
      start_(Clock::now()),
      nextDrawing_(start_ + std::chrono::milliseconds(500)) {
}

ProgressBar::~ProgressBar() {
  clear();
}

void ProgressBar::clear() {
  if (drawn_) TerminalLine::clear();
  drawn_ = false;
}

void ProgressBar::update(std::size_t done) {
  if (!onTerminal_ || done % interval_ != 0) return;
  const Clock::time_point now = Clock::now();
  if (now < nextDrawing_) return;
  draw(done, now);
  nextDrawing_ = now + std::chrono::milliseconds(100);
}

void ProgressBar::draw(std::size_t done, Clock::time_point now) {
  const double part = std::min(1., static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(1, total_)));
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double left = part > 0. ? seconds * (1. - part) / part : 0.;
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(barWidth));
  const std::string bar = std::string(filled, '#') + std::string(barWidth - filled, '.');
  std::array<char, 80> times{};
  std::snprintf(times.data(), times.size(), "] %3.0f %%, %.0f s, %.0f s left", 100. * part, seconds, left);
  TerminalLine::show(title_ + " [" + bar + times.data());
  drawn_ = true;
}

}  // namespace delassus
