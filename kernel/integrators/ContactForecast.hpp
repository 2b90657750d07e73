// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace delassus {

/// What a scheme does about the positions of unilateral contacts, whose laws act on velocities.
enum class ContactRule {
  /// A contact that is closed and pressed stays closed, and an impact leaves no depth: see ContactForecast.
  kept,
  /// The scheme of the notes and of published results: a contact is in the problem where y + γ h ẏ ≤ 0, its law is
  /// ẏ⁺ + e ẏ ≥ 0, and the configuration is moved by θ v⁺ + (1 − θ) v whatever the contacts do. A body lands up to
  /// h |ẏ|/2 deep and stays there, and a loaded contact is open for a step where rounding leaves its gap positive.
  pure
};

/// A contact at the beginning of a step.
struct ContactBegin {
  double gap = 0.;   ///< y, m
  double rate = 0.;  ///< ẏ, m/s
  /// a, m/s²: by how much forces may change its rate, the sum over its systems of |G| |M⁻¹F| without cancelling. Two
  /// bodies of a stack fall alike, but only until one of them is held.
  double reach = 0.;
  double restitution = 0.;  ///< e of its law
  bool isLoaded = false;    ///< it carried an impulse in the step before, or is to be in the problem anyway
  bool keepsDepth = false;  ///< a depth is not taken back
  double unforeseen = 0.;   ///< s, m/s: by how much others may make it close faster than its approach and forces
};

/// Whether a contact is in the problem of a step, and the least rate that its law demands there, by the rule
/// ContactRule::kept. With u = −ẏ, the approach:
///
/// - It closes by its own motion, y ≤ h u. It is in the problem, with Newton's law ẏ⁺ ≥ e u. Without restitution the
/// law
///   is ẏ⁺ ≥ −max(y − (1 − θ) h u, 0)/h: the contact ends on the surface in two steps, where ẏ⁺ ≥ 0 would stop it
///   above. A depth y < 0 is taken back by ẏ⁺ ≥ min(recovery · |y|/h, h a): slowly, and with no more speed than forces
///   give in one step, so that the energy of the push is of order h².
/// - Forces reach it, y ≤ h (u + h a), others may, y ≤ h (u + h a + s) without restitution, or it was loaded in the
///   step before. It is in the problem with the law ẏ⁺ ≥ −max(y − (1 − θ) h u, 0)/h, which does not act where the
///   contact stays open. An impact that is to rebound faster than forces pull (e u > h a) is left whole to the step
///   that it happens in.
/// - Otherwise it is open.
///
/// No length enters that the user would have to choose: a gap counts as small against the motion of the step. The
/// reach is an estimate (forces of the step before, no multipliers); a contact that is closed by others in the same
/// step is found afterwards, and the step is made again with it. In a pile that collapses nearly every step would be
/// made twice: how fast such contacts closed beyond their forecast, s, is therefore expected of all contacts without
/// restitution in what follows, by a tenth less from step to step, and then of none more than its systems' speeds give.
struct ContactForecast {
  bool active = false;    ///< in the problem
  bool expected = false;  ///< in the problem for s alone
  bool impacts = false;   ///< it closes faster than forces could make it, u > h a
  bool raises = false;    ///< there is a depth to take back
  double leastRate = 0.;  ///< of ẏ⁺, m/s

  /// For a step of size h and the scheme's θ.
  static ContactForecast of(const ContactBegin& contact, double h, double theta);

  /// The part of a depth that is taken back in a step. With θ = ½ the depth falls without overshoot up to 0.34.
  static constexpr double recovery = 0.2;
};

}  // namespace delassus
