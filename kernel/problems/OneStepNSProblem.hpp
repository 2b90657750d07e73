// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/integrators/OneStepBlocks.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/SolveReport.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <string>
#include <string_view>

namespace delassus {

/// The nonsmooth problem that closes a step: it finds the multipliers of the active blocks.
class OneStepNSProblem {
 public:
  virtual ~OneStepNSProblem() = default;

  virtual std::string_view name() const = 0;

  /// Takes the structure of the model as it is, and as the integrator sees it (which is bound before). Throws Error
  /// naming an interaction whose law this problem does not take, and what it takes.
  virtual void bind(const NonSmoothDynamicalSystem& model, const OneStepBlocks& step) = 0;

  /// Assembles and solves, starting from the integrator's multipliers, and writes the answer there, whatever the
  /// report says of it. An empty index set is solved at once.
  virtual numerics::SolveReport solve(OneStepBlocks& step) = 0;

  /// Parameters that do not change.
  virtual Settings settings() const { return {}; }
  /// Saves or restores what makes the next solve start where the last has ended.
  virtual void serializeState(StateArchive&) {}

  /// Number of scalar rows of the last problem.
  virtual std::size_t size() const = 0;
  /// Why the last problem has not exactly one solution whatever its free outputs are, naming rows of interactions;
  /// empty if it has. Computed anew only if the matrix has changed. Throws Error if it cannot be told.
  virtual std::string whyNotUnique() = 0;
  /// Names of the interactions in the last problem, for messages.
  virtual std::string activeNames() const = 0;

 protected:
  OneStepNSProblem() = default;
  OneStepNSProblem(const OneStepNSProblem&) = default;
  OneStepNSProblem(OneStepNSProblem&&) = default;
  OneStepNSProblem& operator=(const OneStepNSProblem&) = default;
  OneStepNSProblem& operator=(OneStepNSProblem&&) = default;
};

}  // namespace delassus
