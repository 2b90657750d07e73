// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace delassus {

/// Whether TimeStepping projects configurations on constraints (ConstraintProjection), and which contacts are among
/// them. A projection that does not reach its tolerance is a failure of the step, which the failure policy decides.
/// Outputs y and ẏ are then those of the projected configuration; velocities and multipliers are not touched.
/// Positions change without any work: a body lifted out of an obstacle by δ gains m g δ. With joints the order of the
/// energy error stays that of the scheme, 2 for θ = γ = ½ and 1 otherwise; the projection ends the drift of positions.
/// ([Siconos 2017], chapter 13; Acary, Projected event-capturing time-stepping schemes, CMAME 256, 2013.)
enum class Projection {
  none,  ///< configurations stay where the scheme has them
  /// After the velocity problem of a step, the configuration is projected on all equalities and on the contacts that
  /// are active at the velocity level, so that |h| ≤ tolerance and their gaps are at least −tolerance after each step.
  ///
  /// A contact that closes within a step without being active there (its forecast was open) is not projected: it
  /// penetrates at the end of that one step, by up to |ẏ| h, becomes active in the next one, and is projected then.
  /// With `combined` there are no such steps.
  direct,
  /// Contacts are active at the velocity level not only by the forecast of their gap, but also where the projection
  /// needs them, so that after each step no gap at all is below −tolerance, and every contact that was pushed open has
  /// had its impact law in the same step.
  ///
  ///     I := contacts whose forecast is closed, or that rest: |y| ≤ tolerance and |h ẏ| ≤ tolerance
  ///     repeat:  solve the velocity problem with the active contacts I, from the beginning of the step
  ///              project on equalities, the contacts I, and all contacts whose gap is below −tolerance
  ///              N := contacts outside I that a projection pushed (Λ > 0);   end if N is empty;   I := I ∪ N
  ///
  /// The second part of the first line avoids repeats for resting contacts, whose gap may be 10⁻¹⁵ on the open side.
  ///
  /// I only grows, so a step ends after at most one pass more than there are contacts; two are usual when a contact
  /// closes, and one otherwise. A contact of I stays there even if the last projection does not push it: its law is one
  /// of complementarity, which lets it open. (The idea of letting the active sets of velocities and of positions agree
  /// is Acary's; the rule above, which cannot cycle, is this library's own.)
  ///
  /// While no contact closes it is `direct` at the cost of one more evaluation of all gaps.
  combined
};

/// The unknowns of a projection, along which configurations move.
enum class ProjectionForm {
  /// Displacements in velocity coordinates, along twists for rigid bodies: q ⊕ δ ([Siconos 2017], chapter 13, the
  /// approach using V).
  velocity,
  /// The coordinates themselves, q + δq, with |p| = 1 of quaternions as one more constraint row (the approach using q).
  configuration
};

/// Options of a projection on constraints. TimeStepping throws Error unless the tolerance is positive and finite and
/// there is an iteration, and where other options are given without a kind.
struct ProjectionOptions {
  Projection kind = Projection::none;  ///< whether there is one, and of which contacts
  double tolerance = 1e-8;             ///< on |h| of equalities and on −gap of contacts, in their units
  std::size_t maxIterations = 50;      ///< Newton's, a step; 1 or 2 are usual. Passes with new contacts do not count
  ProjectionForm form = ProjectionForm::velocity;  ///< the unknowns of each pass

  /// The same in each of them.
  bool operator==(const ProjectionOptions&) const = default;
};

}  // namespace delassus
