// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/integrators/MotionAudit.hpp>
#include <delassus/kernel/simulation/FailureAction.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace delassus {

/// The audit of a simulation's motion, and what is done where the motion passes a limit:
///
///     begin     an instant, whose state the audit that it returns is then shown
///     end       before that state is accepted
class MotionWatch {
 public:
  /// `simulation` and `advice`, a sentence, are for messages. Throws Error unless all limits are positive.
  MotionWatch(std::string_view simulation, std::string_view advice, const MotionAuditOptions& limits,
              FailureAction action)
      : simulation_(simulation), advice_(advice), audit_(limits), action_(action) {}

  /// Begins the instant t.
  MotionAudit& begin(double t);
  /// Ends it. Returns the message of the Error to throw where the motion passes a limit for the first time and is to
  /// stop there; the audit has then not seen the instant. Otherwise returns nothing, and the log warns, if that is
  /// asked for.
  std::string end();
  /// Warns in the log, once in all, of contacts that are deep before the first step, which this clause describes; not
  /// of an empty one, nor where a wrong motion is accepted.
  void warnOfStart(const std::string& clause);
  /// What it has seen.
  const MotionAudit& audit() const { return audit_; }

  /// Saves or restores the audit.
  void serializeState(StateArchive& archive) { audit_.serializeState(archive); }

 private:
  std::string simulation_, advice_;
  MotionAudit audit_;
  std::optional<MotionAudit> before_;  // the instant, where it may have to be taken back
  FailureAction action_;
  bool hasWarnedOfStart_ = false;
};

}  // namespace delassus
