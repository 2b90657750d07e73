// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/RunSummary.hpp>

#include <algorithm>
#include <delassus/numerics/Log.hpp>
#include <iomanip>
#include <sstream>

namespace delassus {
namespace {

class Lines {
 public:
  Lines() { text_ << std::setprecision(4); }

  std::ostringstream& begin(const char* what) {
    text_ << "  " << std::left << std::setw(12) << what;
    return text_;
  }
  std::ostringstream& text() { return text_; }

 private:
  std::ostringstream text_;
};

// "3 things" or "" for zero, with a separator if something precedes it.
void list(std::ostringstream& text, bool& first, std::size_t count, const char* what) {
  if (count == 0) return;
  text << (first ? "" : ", ") << count << ' ' << what;
  first = false;
}

void addFailures(Lines& lines, const RunCounts& counts) {
  if (counts.fallbacks + counts.relaxed + counts.divided + counts.keptDepths + counts.held + counts.accepted +
          counts.rejectedSteps ==
      0)
    return;
  std::ostringstream& text = lines.begin("failures");
  bool first = true;
  list(text, first, counts.fallbacks, "solves recovered by a further solver");
  list(text, first, counts.relaxed, "solves at a relaxed tolerance");
  list(text, first, counts.divided, "steps made in pieces");
  list(text, first, counts.keptDepths, "steps with depths kept");
  list(text, first, counts.held, "steps with relations held");
  list(text, first, counts.accepted, "steps accepted WITHOUT certificate");
  list(text, first, counts.rejectedSteps, "steps rejected");
  text << '\n';
}

void addWork(Lines& lines, const RunSummary& run) {
  const RunCounts& counts = run.counts;
  std::ostringstream& text = lines.begin("work");
  bool first = true;
  list(text, first, counts.newtonIterations, "Newton iterations");
  list(text, first, counts.solves, "problems solved");
  list(text, first, counts.solverIterations, "solver iterations");
  list(text, first, counts.integrationSteps, "steps of integration");
  list(text, first, counts.evaluations, "evaluations");
  list(text, first, counts.events, "events");
  list(text, first, counts.impacts, "impacts");
  text << (first ? "none\n" : "\n");
  if (counts.solves == 0) return;
  lines.begin("accuracy") << "largest error of a solve " << counts.worstError;
  if (counts.newtonIterations > 0) lines.text() << ", largest Newton residual " << counts.worstResidual;
  lines.text() << '\n';
}

}  // namespace

RunSummary RunSummary::of(const Simulation& simulation) {
  RunSummary run;
  const NonSmoothDynamicalSystem& model = simulation.model();
  run.simulation = simulation.className();
  run.method = simulation.method();
  run.begin = model.t0();
  run.time = simulation.time();
  run.end = model.T();
  run.systems = model.topology().systems().size();
  run.interactions = model.topology().interactions().size();
  run.steps = simulation.stepIndex();
  run.allSteps = simulation.steps();
  run.counts = simulation.counts();
  run.motion = simulation.motionSummary();
  run.warnings = Log::count(LogLevel::warning);
  run.errors = Log::count(LogLevel::error);
  const PhaseClock& clock = simulation.phaseClock();
  run.wallTime = clock.wallTime();
  run.timedSteps = clock.steps();
  run.measuredSteps = clock.measuredSteps();
  for (std::size_t i = 0; i < phases; ++i) {
    const auto phase = static_cast<Phase>(i);
    if (clock.seconds(phase) > 0.) run.phaseTimes.push_back({phase, clock.seconds(phase)});
  }
  return run;
}

std::string RunSummary::text() const {
  Lines lines;
  lines.text() << simulation << " from t = " << begin << " to " << time;
  if (steps < allSteps) lines.text() << " (of " << end << ')';
  lines.text() << '\n';
  lines.begin("model") << systems << " systems, " << interactions << " interactions\n";
  if (!method.empty()) lines.begin("method") << method << '\n';
  lines.begin("steps") << steps << " of " << allSteps << '\n';
  addWork(lines, *this);
  addFailures(lines, counts);
  if (!motion.empty()) lines.begin("motion") << motion << '\n';
  if (warnings + errors > 0) lines.begin("messages") << warnings << " warnings, " << errors << " errors\n";
  lines.begin("wall time") << wallTime << " s";
  if (timedSteps > 0) lines.text() << ", " << wallTime / static_cast<double>(timedSteps) << " s a step";
  if (timedSteps != steps) lines.text() << ", of " << timedSteps << " steps in this process";
  lines.text() << '\n';
  for (const PhaseTime& part : phaseTimes) {
    lines.begin("") << std::left << std::setw(30) << toString(part.phase) << std::right << std::setw(12) << part.seconds
                    << " s" << std::setw(6) << std::fixed << std::setprecision(1)
                    << 100. * part.seconds / std::max(wallTime, 1e-300) << " %\n";
    lines.text() << std::defaultfloat << std::setprecision(4);
  }
  return lines.text().str();
}

Settings RunSummary::asSettings() const {
  Settings all;
  all.add("simulation", simulation);
  all.add("method", method);
  all.add("begin", begin);
  all.add("time", time);
  all.add("end", end);
  all.add("systems", systems);
  all.add("interactions", interactions);
  all.add("steps", steps);
  all.add("allSteps", allSteps);
  all.add("newtonIterations", counts.newtonIterations);
  all.add("solves", counts.solves);
  all.add("solverIterations", counts.solverIterations);
  all.add("fallbacks", counts.fallbacks);
  all.add("relaxed", counts.relaxed);
  all.add("divided", counts.divided);
  all.add("keptDepths", counts.keptDepths);
  all.add("held", counts.held);
  all.add("accepted", counts.accepted);
  all.add("rejectedSteps", counts.rejectedSteps);
  all.add("worstError", counts.worstError);
  all.add("worstResidual", counts.worstResidual);
  all.add("integrationSteps", counts.integrationSteps);
  all.add("evaluations", counts.evaluations);
  all.add("events", counts.events);
  all.add("impacts", counts.impacts);
  all.add("motion", motion);
  all.add("warnings", warnings);
  all.add("errors", errors);
  all.add("wallTime", wallTime);
  all.add("timedSteps", timedSteps);
  for (const PhaseTime& part : phaseTimes) all.add("seconds." + std::string(toString(part.phase)), part.seconds);
  return all;
}

}  // namespace delassus
