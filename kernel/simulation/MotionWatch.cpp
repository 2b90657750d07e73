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

}  // namespace delassus
