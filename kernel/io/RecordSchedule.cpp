// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/RecordSchedule.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/io/Fnv1a.hpp>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

void RecordSchedule::every(std::size_t steps) {
  if (steps == 0) throw Error("Recorder", "every: the number of steps must be at least 1, got 0.");
  every_ = steps;
}

void RecordSchedule::at(std::vector<double> instants) {
  for (std::size_t i = 0; i < instants.size(); ++i) {
    if (std::isfinite(instants[i]) && (i == 0 || instants[i - 1] < instants[i])) continue;
    throw Error("Recorder", "at: instants must be finite and ascend, but number " + std::to_string(i) + " is " +
                                toText(instants[i]) + (i == 0 ? "." : ", after " + toText(instants[i - 1]) + "."));
  }
  instants_ = std::move(instants);
}

void RecordSchedule::begin(const Simulation& simulation) {
  if (every_ == 0 && instants_.empty() && !events_) every_ = 1;
  if (!std::exchange(restored_, false) && events_) activeContacts_ = activeContacts(simulation);
  begun_ = true;
}

bool RecordSchedule::reachesInstant(const Simulation& simulation) {
  const NonSmoothDynamicalSystem& model = simulation.model();
  const double rounding = 1e-12 * std::max(std::abs(model.t0()), std::abs(model.T()));
  const std::size_t before = next_;
  while (next_ < instants_.size() && instants_[next_] <= simulation.time() + rounding) ++next_;
  return next_ > before;
}

const char* RecordSchedule::reasonForStart(const Simulation& simulation) {
  const bool instant = reachesInstant(simulation);
  return instant || events_ || (every_ > 0 && simulation.stepIndex() % every_ == 0) ? "start" : nullptr;
}

const char* RecordSchedule::reasonForStep(const Simulation& simulation) {
  bool changed = false;
  if (events_) {
    const std::uint64_t present = activeContacts(simulation);
    changed = present != activeContacts_;
    activeContacts_ = present;
  }
  if (reachesInstant(simulation)) return "instant";
  if (changed) return "contacts";
  return every_ > 0 && simulation.stepIndex() % every_ == 0 ? "step" : nullptr;
}

std::uint64_t RecordSchedule::activeContacts(const Simulation& simulation) {
  // By their names: numbers change when contacts appear and vanish.
  Fnv1a hash;
  for (const auto& interaction : simulation.model().topology().interactions()) {
    for (std::size_t block = 0; block < interaction->blocks(); ++block) {
      if (!interaction->isActive(block)) continue;
      hash.add(interaction->name());
      hash.add(std::uint64_t{block});
    }
  }
  return hash.value();
}

void RecordSchedule::serializeState(StateArchive& archive) {
  bool begun = begun_ || restored_;
  archive.value("begun", begun);
  archive.value("next instant", next_);
  archive.value("active contacts", activeContacts_);
  if (!archive.restores()) return;
  restored_ = begun;
  begun_ = false;
}

}  // namespace delassus
