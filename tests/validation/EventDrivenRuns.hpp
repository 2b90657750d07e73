// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <iterator>
#include <vector>

namespace delassus::test {

/// Tolerances at which the integration adds little to rounding.
inline EventDrivenOptions tight() {
  EventDrivenOptions options;
  options.integration.relativeTolerance = 1e-12;
  options.integration.absoluteTolerance = 1e-13;
  return options;
}

inline std::vector<Event> ofKind(const std::vector<Event>& events, EventKind kind) {
  std::vector<Event> found;
  std::copy_if(events.begin(), events.end(), std::back_inserter(found),
               [&](const Event& event) { return event.kind == kind; });
  return found;
}

}  // namespace delassus::test
