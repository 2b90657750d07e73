// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/Vector.hpp>
#include <string>
#include <string_view>

namespace delassus {

/// What may happen at an instant of an event-driven simulation.
enum class EventKind {
  impact,        ///< a contact was hit, or a velocity that was set does not fit a joint: velocities jump
  accumulation,  ///< impacts of a contact followed each other faster than the minimal flight: it is closed for good
  landing,       ///< a contact closes without a jump
  takeOff,       ///< a closed contact opens
  stick,         ///< a closed contact with friction stops slipping
  slip,          ///< it begins to slip, or slips the other way
  modeSwitch,    ///< a row of a first-order law changes between its branches
  sliding,       ///< a row of a first-order law begins to hold its output at zero
  user,          ///< an instant or a function given by the user
  sample,        ///< an instant of a sampled function of the user
  stateJump      ///< a state of first order jumps, as a law asks for: charge or flux moves at once
};

/// The name of the kind, for tables and logs.
std::string_view toString(EventKind kind);

/// The direction in which a user's function crosses zero at an event.
enum class Crossing {
  falling,  ///< from above zero to below
  rising,   ///< from below zero to above
  both      ///< either
};

/// An entry of the event log.
struct Event {
  double t = 0.;                     ///< s
  EventKind kind = EventKind::user;  ///< what has happened
  std::string source;  ///< name of the interaction (and block, where there are several), or of the user's event
  /// Configurations of the systems of the interaction (of parts, their coordinates), or of the user's function, one
  /// after the other; empty for first order, and for events at times, which are about no system.
  Vector q;
  Vector before;  ///< their velocities (first order: states) just before …
  Vector after;   ///< … and just after
  /// The impulse of the interaction, N·s; for a jump of the state, the integral of its multipliers over the instant.
  /// It is empty where nothing acts at once.
  Vector impulse;
  /// accumulation: how long the impacts that were left out would have gone on, s (each shorter by the same factor).
  double duration = 0.;
};

}  // namespace delassus
