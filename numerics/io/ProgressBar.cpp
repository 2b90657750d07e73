// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/ProgressBar.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <delassus/numerics/io/TerminalLine.hpp>
#include <utility>

namespace delassus {
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
