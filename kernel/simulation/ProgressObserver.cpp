// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/ProgressObserver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/simulation/RunSummary.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/io/ProgressBar.hpp>
#include <iomanip>
#include <sstream>
#include <utility>

namespace delassus {
namespace {

constexpr double memory = 5.;              // s, of the rate
constexpr double timeBetweenLooks = 0.02;  // s
constexpr std::size_t mostBetweenLooks = 256;
constexpr std::size_t betweenLooksWithin = 16;  // steps of an integration, which take some microseconds each
constexpr std::size_t barWidth = 24;            // where there is room
constexpr std::size_t shortestBar = 6;

double secondsBetween(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// "12 s", "3 min 20 s", "5 h 12 min", "3 d 4 h".
std::string durationText(double seconds) {
  const auto whole = [](double x) { return std::to_string(static_cast<long long>(x)); };
  if (!(seconds < 3e9)) return "ever";
  if (seconds < 10.) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << seconds << " s";
    return text.str();
  }
  if (seconds < 60.) return whole(seconds) + " s";
  if (seconds < 3600.) return whole(seconds / 60.) + " min " + whole(std::fmod(seconds, 60.)) + " s";
  if (seconds < 86400.) return whole(seconds / 3600.) + " h " + whole(std::fmod(seconds, 3600.) / 60.) + " min";
  return whole(seconds / 86400.) + " d " + whole(std::fmod(seconds, 86400.) / 3600.) + " h";
}

std::string_view wordFor(RunEnd how) {
  switch (how) {
    case RunEnd::completed:
      return "completed";
    case RunEnd::stopped:
      return "stopped";
    case RunEnd::failed:
      return "failed";
  }
  return "ended";
}

}  // namespace

ProgressObserver::ProgressObserver(std::string title, const ProgressOptions& options)
    : title_(std::move(title)), options_(options) {
  const bool positive = options.updatesPerSecond > 0. && options.firstAfter >= 0. && options.logEveryPart > 0. &&
                        options.logEverySeconds > 0.;
  if (!positive) throw Error("ProgressObserver", "rates and intervals must be positive.");
  const bool interactive = options.bar == ProgressOptions::Bar::interactive && TerminalLine::isTerminal();
  hasBar_ = interactive || options.bar == ProgressOptions::Bar::always;
}

ProgressObserver::~ProgressObserver() {
  if (drawn_) TerminalLine::clear();
}

void ProgressObserver::begin(Simulation& simulation) {
  start(simulation);
  Log::info(title_ + ": begins at t = " + delassus::toText(simulation.time()) + " with " +
            std::string(simulation.className()) + ", " + std::to_string(simulation.steps() - simulation.stepIndex()) +
            " steps to T = " + delassus::toText(simulation.model().T()));
}

// The time since the previous run does not count.
void ProgressObserver::beginRun(Simulation& simulation) {
  start(simulation);
}

void ProgressObserver::start(const Simulation& simulation) {
  begin_ = seen_ = lastLog_ = Clock::now();
  nextDraw_ = begin_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options_.firstAfter));
  seenStep_ = simulation.stepIndex();
  left_ = leftWithin_ = interval_ = 1;
  rate_ = weight_ = 0.;
  reached_ = simulation.time();
  nextLoggedPart_ = (std::floor(part(simulation) / options_.logEveryPart) + 1.) * options_.logEveryPart;
}

// The part of the run that is done: counted in steps, and within a step by the time that its integration has reached,
// which never counts for more than the step.
double ProgressObserver::part(const Simulation& simulation) const {
  const auto all = static_cast<double>(std::max<std::size_t>(1, simulation.steps()));
  const double ofSteps = static_cast<double>(simulation.stepIndex()) / all;
  if (!(reached_ > simulation.time())) return ofSteps;
  const double t0 = simulation.model().t0();
  return std::clamp((reached_ - t0) / (simulation.model().T() - t0), ofSteps, ofSteps + 1. / all);
}

void ProgressObserver::withinStep(Simulation& simulation, double t) {
  reached_ = t;
  if (--leftWithin_ > 0) return;
  leftWithin_ = betweenLooksWithin;
  const Clock::time_point now = Clock::now();
  drawIfDue(simulation, now);
  logIfDue(simulation, now);
}

void ProgressObserver::look(const Simulation& simulation) {
  const Clock::time_point now = Clock::now();
  const std::size_t steps = simulation.stepIndex() - seenStep_;
  const double seconds = secondsBetween(seen_, now);
  if (seconds < timeBetweenLooks) {
    interval_ = std::min(2 * interval_, mostBetweenLooks);
  } else {
    updateRate(steps, seconds);
    seen_ = now;
    seenStep_ = simulation.stepIndex();
    const double wanted = rate_ * timeBetweenLooks;
    interval_ = static_cast<std::size_t>(std::clamp(wanted, 1., static_cast<double>(mostBetweenLooks)));
    drawIfDue(simulation, now);
  }
  left_ = interval_;
  logIfDue(simulation, now);
}

void ProgressObserver::drawIfDue(const Simulation& simulation, Clock::time_point now) {
  if (!hasBar_ || now < nextDraw_) return;
  draw(simulation);
  const double pause = 1. / options_.updatesPerSecond;
  nextDraw_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause));
}

void ProgressObserver::logIfDue(const Simulation& simulation, Clock::time_point now) {
  const bool partDone = part(simulation) >= nextLoggedPart_ && simulation.hasNextStep();
  if (partDone || secondsBetween(lastLog_, now) >= options_.logEverySeconds) {
    log(simulation);
    lastLog_ = now;
    nextLoggedPart_ = (std::floor(part(simulation) / options_.logEveryPart) + 1.) * options_.logEveryPart;
  }
}

// The mean of rates, each weighted by its time and by exp(−age/memory).
void ProgressObserver::updateRate(std::size_t steps, double seconds) {
  const double kept = std::exp(-seconds / memory);
  const double now = static_cast<double>(steps) / seconds;
  const double weight = kept * weight_ + (1. - kept);
  rate_ = (kept * weight_ * rate_ + (1. - kept) * now) / weight;
  weight_ = weight;
}

std::string ProgressObserver::line(const Simulation& simulation, bool withRate) const {
  std::ostringstream text;
  text << std::fixed << std::setprecision(0) << std::floor(100. * part(simulation)) << " %";
  text << std::defaultfloat << std::setprecision(4) << ", t = " << std::max(reached_, simulation.time());
  if (rate_ > 0.) {
    const auto stepsLeft = static_cast<double>(simulation.steps() - simulation.stepIndex());
    if (withRate) text << std::setprecision(3) << ", " << rate_ << " steps/s";
    text << ", " << durationText(stepsLeft / rate_) << " left";
  }
  const std::string status = simulation.statusLine();
  if (!status.empty()) text << "; " << status;
  return text.str();
}

void ProgressObserver::draw(const Simulation& simulation) {
  // The status of the run comes first; the bar takes the remaining columns.
  const std::size_t columns = (options_.columns > 0 ? options_.columns : TerminalLine::width()) - 1;
  const std::size_t frame = title_.size() + 4;
  std::string state = line(simulation);
  if (frame + state.size() > columns) state = line(simulation, false);
  const std::size_t width = std::min(barWidth, columns - std::min(columns, frame + state.size()));
  std::string text = title_;
  if (width >= shortestBar) {
    const auto filled = static_cast<std::size_t>(std::min(1., part(simulation)) * static_cast<double>(width));
    text += " [" + std::string(filled, '#') + std::string(width - filled, '.') + "] ";
  } else {
    text += ": ";
  }
  text += state;
  // A longer line would wrap and could not be erased.
  if (text.size() > columns) text.resize(columns);
  TerminalLine::show(text);
  drawn_ = true;
}

void ProgressObserver::log(const Simulation& simulation) {
  if (!Log::wants(LogLevel::info)) return;
  Log::info(title_ + ": " + line(simulation) + ", " + durationText(secondsBetween(begin_, Clock::now())) + " so far");
  drawn_ = drawn_ && !Log::terminalWants(LogLevel::info);
}

void ProgressObserver::end(Simulation& simulation, RunEnd how) {
  if (drawn_) TerminalLine::clear();
  drawn_ = false;
  std::string text = title_ + ": " + std::string(wordFor(how)) + " at t = " + delassus::toText(simulation.time());
  text += ", step " + std::to_string(simulation.stepIndex()) + " of " + std::to_string(simulation.steps());
  if (options_.summary) text += '\n' + RunSummary::of(simulation).text();
  Log::info(text);
  if (options_.summary && hasBar_ && !Log::terminalWants(LogLevel::info)) {
    while (text.ends_with('\n')) text.pop_back();
    TerminalLine::print(text);
  }
}

}  // namespace delassus
