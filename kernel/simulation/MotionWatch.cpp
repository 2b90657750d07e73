// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/MotionWatch.hpp>
#include <delassus/numerics/Log.hpp>

namespace delassus {

MotionAudit& MotionWatch::begin(double t) {
  if (action_ == FailureAction::raise) before_ = audit_;
  audit_.begin(t);
  return audit_;
}

std::string MotionWatch::end() {
  std::string excess = audit_.end();
  if (excess.empty() || action_ == FailureAction::accept) return {};
  excess += ' ' + advice_;
  if (action_ == FailureAction::relax) {
    Log::warning(simulation_ + ": " + excess);
    return {};
  }
  audit_ = *before_;
  return excess;
}

void MotionWatch::warnOfStart(const std::string& clause) {
  if (clause.empty() || hasWarnedOfStart_ || action_ == FailureAction::accept) return;
  hasWarnedOfStart_ = true;
  Log::warning(simulation_ + ": at the start " + clause +
               ". A step takes depth back slowly, or keeps it (pure schemes): place bodies on one another.");
}

}  // namespace delassus
