// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <string_view>
#include <vector>

namespace delassus {

/// Links and removes interactions while a simulation runs, as contacts come and go. TimeStepping calls it before each
/// step, when the model may change.
class InteractionManager {
 public:
  virtual ~InteractionManager() = default;

  /// Updates the interactions of `model` for a step of size h from the present state at t.
  virtual void updateInteractions(NonSmoothDynamicalSystem& model, double t, double h) = 0;

  /// In descriptions of a simulation.
  virtual std::string_view className() const { return "InteractionManager"; }
  /// Parameters that do not change.
  virtual Settings settings() const { return {}; }
  /// The interactions that it has presently linked, in any order.
  virtual std::vector<const Interaction*> managed() const { return {}; }

  /// Saves or restores what is kept from step to step; restoring also links and removes interactions of `model`, so
  /// that it has those of the archive, in their order.
  virtual void serializeState(StateArchive&, NonSmoothDynamicalSystem&) {}

 protected:
  InteractionManager() = default;
  InteractionManager(const InteractionManager&) = default;
  InteractionManager& operator=(const InteractionManager&) = default;
};

}  // namespace delassus
