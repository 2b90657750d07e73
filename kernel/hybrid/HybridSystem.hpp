// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <delassus/kernel/hybrid/Event.hpp>
#include <delassus/kernel/hybrid/TimePiece.hpp>
#include <delassus/kernel/integrators/MotionAudit.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <optional>
#include <string>
#include <vector>

namespace delassus {

/// The part of a model that EventDriven integrates as a hybrid system: smooth motion ż = f(t, z) in a mode, guards
/// that tell where the mode ends, and jumps of state and mode there. HybridMotion is the one of mechanical systems,
/// HybridFlow that of first-order systems.
///
/// Sizes hold from one bind to the next. A guard is positive in the mode; where it falls through zero the mode ends. A
/// guard that the present mode does not use is the constant 1.
///
/// Times are just before or just after a time event, never exactly at it, so that functions of time that jump there are
/// evaluated on one side only. Everything works on z; only accept changes the systems of the model. All functions throw
/// Error, naming system or interaction and t, if a result of the user's functions has the wrong size or is not finite.
class HybridSystem {
 public:
  virtual ~HybridSystem() = default;

  /// Builds workspaces for the systems of its order in the present model and for their interactions. Throws Error
  /// naming a system, relation or law that it does not accept.
  virtual void bind(const NonSmoothDynamicalSystem& model, double t) = 0;

  /// Functions of time may be looked at inside of the piece only, also for differences. Called after bind and again
  /// where a piece begins.
  virtual void setPiece(const TimePiece&) {}

  /// Number of variables z; 0 if the model has no systems of this order.
  virtual std::size_t size() const = 0;
  /// What variable i belongs to: "system 'ball'", for messages.
  virtual std::string owner(std::size_t i) const = 0;
  /// Number of guards, including those that the present mode does not use.
  virtual std::size_t guards() const = 0;
  /// "gap of 'floor'": for messages.
  virtual std::string guardName(std::size_t guard) const = 0;

  /// Where the variables of a system are in z.
  struct StatePlace {
    std::size_t first = 0;     ///< where q begins
    std::size_t velocity = 0;  ///< where v begins, or x of a system of first order
  };
  /// The place of a system; none if it is not part of this.
  virtual std::optional<StatePlace> placeOf(const DynamicalSystem& system) const = 0;

  /// Writes the present states of the systems into z. Throws Error naming an interaction that they violate: a
  /// penetration, an approach to a closed contact (`initial`), outputs without multipliers.
  virtual void start(double t, bool initial, double* z) = 0;

  /// Finds the mode that continues from (t, z); jumps that must come first are written to z. Appends what happened to
  /// `events`. Called after start, and where forces may have jumped.
  virtual void enter(double t, double* z, std::vector<Event>& events) = 0;

  /// ż in the present mode.
  virtual void rates(double t, const double* z, double* zDot) = 0;

  /// Guards g, and their derivatives along the motion where these are cheap (otherwise 1): a minimum below zero reveals
  /// a crossing that the signs at the ends of a step do not show.
  virtual void computeGuards(double t, const double* z, double* g, double* gDot) = 0;
  /// The guards alone at any (t, z) of the piece; 1 for those that the tolerance of z resolves, in which they depend on
  /// no source of their own.
  virtual void sampleGuards(double, const double*, double* g) { std::fill_n(g, guards(), 1.); }

  /// The guards `fallen` have reached zero at (t, z): jumps (written to z) and the next mode.
  virtual void cross(double t, double* z, const std::vector<std::size_t>& fallen, std::vector<Event>& events) = 0;

  /// Shows the audit the state (t, z), which accept may follow; systems without motion show nothing.
  virtual void show(double /*t*/, const double* /*z*/, MotionAudit&) {}

  /// Makes z the state of the systems, with outputs and multipliers of the interactions.
  virtual void accept(double t, const double* z) = 0;

  /// Within a mode, rates and guards depend on (t, z) alone and not on earlier evaluations, so that steps can be
  /// repeated. Shorter increments of differences that evaluations have asked for take effect only at the beginning of a
  /// mode and in this function. Returns true if any have changed; the integration must then be restarted.
  virtual bool refine() { return false; }
  /// True if parameters of systems or relations have changed since the mode began, so that it must be entered anew;
  /// enter then takes them in, and throws Error as start does.
  virtual bool hasChanged() const { return false; }

  /// Saves or restores the mode and what is kept from mode to mode; after bind, between steps.
  virtual void serializeState(StateArchive& archive) = 0;
  /// The same for what outlives a bind: the memories of solvers.
  virtual void serializeMemory(StateArchive& archive) = 0;
  /// Recomputes what was not saved of the mode; called after everything that the functions of the model depend on has
  /// been restored.
  virtual void resume() {}
  /// Between `true` and `false` steps are repeated, which must leave no trace in memories.
  virtual void repeat(bool) {}

 protected:
  HybridSystem() = default;
  HybridSystem(const HybridSystem&) = default;
  HybridSystem& operator=(const HybridSystem&) = default;
};

}  // namespace delassus
