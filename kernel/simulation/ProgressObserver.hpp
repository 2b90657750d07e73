// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <delassus/kernel/simulation/SimulationObserver.hpp>
#include <string>

namespace delassus {

/// Options of ProgressObserver.
struct ProgressOptions {
  /// When there is a bar.
  enum class Bar {
    interactive,  ///< where standard error is a terminal
    always,       ///< also into a pipe
    never         ///< lines in the log only
  };
  Bar bar = Bar::interactive;     ///< when there is a bar
  double updatesPerSecond = 10.;  ///< of the bar, at most
  double firstAfter = 0.5;        ///< s; shorter runs have no bar
  std::size_t columns = 0;        ///< of its line; 0: those of the terminal
  double logEveryPart = 0.1;      ///< of the run: a line in the log at 10 %, 20 % …
  double logEverySeconds = 60.;   ///< and a line at least after each such interval
  bool summary = true;            ///< at the end, RunSummary: to the log, and where there is a bar to standard error
};

/// Shows the progress of a run: a bar with the time left, the simulated time, steps a second and the last step's
/// statistics on a terminal, and plain lines of level info in the Log.
///
///     simulation.addObserver(std::make_shared<ProgressObserver>("bouncing ball"));
///     simulation.run();
///
/// The time left is the number of steps left divided by the rate, averaged over about five seconds. Between two
/// readings of the clock a step costs one decrement.
class ProgressObserver final : public SimulationObserver {
 public:
  /// Throws Error if an option is not positive.
  explicit ProgressObserver(std::string title, const ProgressOptions& options = {});
  ~ProgressObserver() override;

  std::string_view name() const override { return "progress"; }
  void begin(Simulation& simulation) override;
  void beginRun(Simulation& simulation) override;
  void afterStep(Simulation& simulation) override {
    if (--left_ == 0) look(simulation);
  }
  void withinStep(Simulation& simulation, double t) override;
  void end(Simulation& simulation, RunEnd how) override;

  /// The line that the bar shows, without the bar: "42 %, t = 4.2, …".
  std::string line(const Simulation& simulation) const { return line(simulation, true); }
  /// Steps a second, smoothed; 0 before any were counted.
  double rate() const { return rate_; }

 private:
  using Clock = std::chrono::steady_clock;

  void start(const Simulation& simulation);
  void look(const Simulation& simulation);
  void updateRate(std::size_t steps, double seconds);
  void drawIfDue(const Simulation& simulation, Clock::time_point now);
  void logIfDue(const Simulation& simulation, Clock::time_point now);
  void draw(const Simulation& simulation);
  void log(const Simulation& simulation);
  double part(const Simulation& simulation) const;
  std::string line(const Simulation& simulation, bool withRate) const;

  std::string title_;
  ProgressOptions options_;
  bool hasBar_;
  bool drawn_ = false;
  double reached_ = 0.;         // s, by the integration within a step
  std::size_t left_ = 1;        // steps until the clock is read next
  std::size_t leftWithin_ = 1;  // the same, of the integration within a step
  std::size_t interval_ = 1;    // between readings of the clock
  std::size_t seenStep_ = 0;    // when rate_ was updated
  Clock::time_point seen_, begin_, lastLog_, nextDraw_;
  double rate_ = 0.;
  double weight_ = 0.;  // of the samples in rate_, below 1 at the beginning
  double nextLoggedPart_ = 0.;
};

}  // namespace delassus
