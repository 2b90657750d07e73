// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/Log.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/ProgressBar.hpp>
#include <mutex>
#include <utility>
#include <vector>

namespace delassus {
namespace {

constexpr std::array<std::string_view, 5> levelNames = {"none", "error", "warning", "info", "debug"};
constexpr std::size_t levels = levelNames.size();

struct State {
  struct Entry {
    std::shared_ptr<LogSink> sink;
    LogLevel level;
  };

  std::mutex mutex;
  std::vector<Entry> sinks;
  std::atomic<LogLevel> terminal = LogLevel::none;
  std::atomic<LogLevel> most = LogLevel::none;  // that any sink takes
  std::array<std::atomic<std::size_t>, levels> counts{};

  State() { begin(); }

  void begin() {
    sinks.clear();
    terminal = LogLevel::warning;
    update();
  }

  void update() {
    LogLevel level = terminal;
    for (const Entry& entry : sinks) level = std::max(level, entry.level);
    most = level;
  }
};

// Never destroyed: destructors of static objects may log messages.
State& state() {
  static State& instance = *std::make_unique<State>().release();
  return instance;
}

void writeLine(State& log, LogLevel level, std::string_view line) {
  if (level <= log.terminal.load()) {
    TerminalLine::print(level == LogLevel::info ? std::string(line)
                                                : std::string(toString(level)) + ": " + std::string(line));
  }
  for (const State::Entry& entry : log.sinks) {
    if (level > entry.level) continue;
    try {
      entry.sink->write(level, line);
    } catch (...) {
      // A full disk must not end the run.
    }
  }
}

std::string timeStamp() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto sinceEpoch = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 32> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%d %H:%M:%S", &local);
  std::array<char, 48> stamp{};
  std::snprintf(stamp.data(), stamp.size(), "%s.%03d", date.data(), static_cast<int>(sinceEpoch.count() % 1000));
  return stamp.data();
}

}  // namespace

std::string_view toString(LogLevel level) {
  return levelNames[static_cast<std::size_t>(level)];
}

LogLevel logLevelNamed(std::string_view name) {
  for (std::size_t i = 0; i < levels; ++i) {
    if (levelNames[i] == name) return static_cast<LogLevel>(i);
  }
  throw Error("Log", "there is no level '" + std::string(name) + "'; levels are none, error, warning, info and debug.");
}

void FileSink::Close::operator()(std::FILE* file) const {
  std::fclose(file);
}

FileSink::FileSink(const std::filesystem::path& path, Open open)
    : file_(std::fopen(path.c_str(), open == Open::append ? "a" : "w")) {
  if (!file_) {
    throw Error("Log", "the file " + path.string() + " cannot be written: " + std::string(std::strerror(errno)) + '.');
  }
}

void FileSink::write(LogLevel level, std::string_view line) {
  std::string text = timeStamp() + ' ' + std::string(toString(level));
  text.append(9 - std::min<std::size_t>(8, toString(level).size()), ' ');
  text.append(line);
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), file_.get());
  std::fflush(file_.get());
}

void Log::write(LogLevel level, std::string_view text) {
  State& log = state();
  log.counts[static_cast<std::size_t>(level)].fetch_add(1, std::memory_order_relaxed);
  if (level == LogLevel::none || level > log.most.load()) return;
  const std::lock_guard lock(log.mutex);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    writeLine(log, level, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool Log::wants(LogLevel level) {
  return level != LogLevel::none && level <= state().most.load();
}

void Log::setTerminal(LogLevel level, TerminalUse use) {
  State& log = state();
  const std::lock_guard lock(log.mutex);
  const bool whole = use == TerminalUse::always || TerminalLine::isTerminal();
  log.terminal = whole ? level : std::min(level, LogLevel::warning);
  log.update();
}

bool Log::terminalWants(LogLevel level) {
  return level != LogLevel::none && level <= state().terminal.load();
}

void Log::add(std::shared_ptr<LogSink> sink, LogLevel level) {
  if (!sink) throw Error("Log", "the sink is null.");
  State& log = state();
  const std::lock_guard lock(log.mutex);
  log.sinks.push_back({std::move(sink), level});
  log.update();
}

void Log::remove(const std::shared_ptr<LogSink>& sink) {
  State& log = state();
  const std::lock_guard lock(log.mutex);
  std::erase_if(log.sinks, [&](const State::Entry& entry) { return entry.sink == sink; });
  log.update();
}

void Log::reset() {
  State& log = state();
  const std::lock_guard lock(log.mutex);
  log.begin();
}

std::size_t Log::count(LogLevel level) {
  return state().counts[static_cast<std::size_t>(level)].load(std::memory_order_relaxed);
}

}  // namespace delassus
