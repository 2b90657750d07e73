// SPDX-License-Identifier: Apache-2.0
//
// The part of EventDriven that tells what a run has done.
#include <delassus/kernel/hybrid/HybridFlow.hpp>
#include <delassus/kernel/hybrid/HybridMotion.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <sstream>

namespace delassus {

std::string EventDrivenStatistics::summary() const {
  std::ostringstream text;
  text << events << " events, " << impacts << " of them impacts; " << steps << " steps of integration with "
       << evaluations << " evaluations of the motion and " << restarts << " restarts.";
  if (const std::string what = motion.summary(); !what.empty()) text << " Motion: " << what << '.';
  return text.str();
}

RunCounts EventDriven::counts() const {
  RunCounts counts;
  counts.integrationSteps = statistics_.steps;
  counts.evaluations = statistics_.evaluations;
  counts.events = statistics_.events;
  counts.impacts = statistics_.impacts;
  counts.solves = motion_->impactProblem().solves();
  counts.solverIterations = motion_->impactProblem().solverIterations();
  counts.worstError = motion_->impactProblem().worstError();
  counts.fallbacks = motion_->impactProblem().fallbacks();
  counts.relaxed = motion_->impactProblem().relaxations();
  return counts;
}

std::string EventDriven::statusLine() const {
  return std::to_string(statistics_.events) + " events, " + std::to_string(statistics_.steps) + " steps of integration";
}

void EventDriven::stepNumbers(std::vector<StepNumber>& numbers) const {
  const auto add = [&](const char* name, const char* description, std::size_t value) {
    numbers.push_back({name, "", description, true, static_cast<double>(value)});
  };
  add("steps", "of the integration, so far", statistics_.steps);
  add("evaluations", "of the motion, so far", statistics_.evaluations);
  add("events", "so far", statistics_.events);
  add("impacts", "so far", statistics_.impacts);
  add("restarts", "of the integration, so far", statistics_.restarts);
  const MotionAudit::Instant& motion = watch_.audit().instant();
  numbers.push_back({"depth", "m", "the deepest penetration of a contact, at the output", false, motion.depth});
  numbers.push_back(
      {"drift", "", "the largest |y| of an equality before its projection, at the output", false, motion.drift});
  numbers.push_back({"given_energy", "J", "that impacts gave, so far", false, statistics_.motion.givenEnergy});
  numbers.push_back({"norm", "", "of the quaternion that is farthest off, minus 1, at the output", false, motion.norm});
}

}  // namespace delassus
