// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace delassus {

/// How much a message matters. A sink takes the messages of its level and of all levels before it.
enum class LogLevel {
  none,     ///< for sinks only: they take nothing
  error,    ///< what was asked for could not be done
  warning,  ///< it was done, but not as it should be: a result at a relaxed tolerance, say
  info,     ///< how far a run is, its summary
  debug     ///< for finding a mistake
};

/// "error", "warning", "info", "debug" or "none".
std::string_view toString(LogLevel level);
/// Throws Error, listing the names, for any other text.
LogLevel logLevelNamed(std::string_view name);

/// Where messages go. Called by one thread at a time; exceptions it throws are ignored, since no message is worth a
/// run.
class LogSink {
 public:
  virtual ~LogSink() = default;
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;

  /// One line, without its end.
  virtual void write(LogLevel level, std::string_view line) = 0;

 protected:
  LogSink() = default;
};

/// Lines in a file, each with the time of day and its level, and flushed: after a kill all of them are there.
///
///     2026-03-01 14:02:11.042 warning  step 512 at t = 0.512: error 3e-7 accepted …
class FileSink final : public LogSink {
 public:
  /// What happens to the lines already in the file.
  enum class Open {
    append,  ///< kept, new ones are appended
    replace  ///< deleted
  };

  /// Throws Error if the file cannot be opened.
  explicit FileSink(const std::filesystem::path& path, Open open = Open::append);

  void write(LogLevel level, std::string_view line) override;

 private:
  struct Close {
    void operator()(std::FILE* file) const;
  };
  std::unique_ptr<std::FILE, Close> file_;
};

/// Hands lines to a function: for programs with a window of their own, and for tests.
class FunctionSink final : public LogSink {
 public:
  /// Takes the level and one line, without its end.
  using Function = std::function<void(LogLevel, std::string_view)>;

  /// Has no effect with an empty function.
  explicit FunctionSink(Function function) : function_(std::move(function)) {}

  void write(LogLevel level, std::string_view line) override {
    if (function_) function_(level, line);
  }

 private:
  Function function_;
};

/// When the terminal's sink writes to standard error.
enum class TerminalUse {
  interactive,  ///< info and debug only where that is a terminal, warnings and errors always (the default)
  always        ///< all into a pipe or a file too
};

/// The messages of the library: one log for the whole process.
///
///     Log::setTerminal(LogLevel::info);                       // default: warnings and errors
///     Log::add(std::make_shared<FileSink>("run.log"), LogLevel::debug);
///     Log::warning("the spring is longer than its model allows");
///
/// By default warnings and errors go to standard error and nothing else goes anywhere. All messages are counted, taken
/// or not, and a run's summary says how many warnings and errors there were. A message of several lines is several
/// lines of the log. May be called from any thread.
class Log {
 public:
  /// A message of this level; one of the level `none` is counted only.
  ///@{
  static void error(std::string_view text) { write(LogLevel::error, text); }
  static void warning(std::string_view text) { write(LogLevel::warning, text); }
  static void info(std::string_view text) { write(LogLevel::info, text); }
  static void debug(std::string_view text) { write(LogLevel::debug, text); }
  static void write(LogLevel level, std::string_view text);
  ///@}

  /// True if a sink takes messages of this level; avoids composing messages that no sink takes.
  static bool wants(LogLevel level);

  /// Sets the messages that go to standard error.
  static void setTerminal(LogLevel level, TerminalUse use = TerminalUse::interactive);
  /// True if messages of this level go to standard error.
  static bool terminalWants(LogLevel level);

  /// Throws Error if the sink is null.
  static void add(std::shared_ptr<LogSink> sink, LogLevel level = LogLevel::info);
  /// Has no effect if the sink was not added.
  static void remove(const std::shared_ptr<LogSink>& sink);
  /// The initial state: the terminal, which takes warnings, is the only sink.
  static void reset();

  /// Number of messages of this level since the process began, taken or not.
  static std::size_t count(LogLevel level);
};

}  // namespace delassus
