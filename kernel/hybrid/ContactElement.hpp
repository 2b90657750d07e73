// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace delassus {

/// What a contact, a row of dry friction or a constraint does in the motion that follows.
enum class ContactMode : char {
  open,     ///< no force
  held,     ///< all its accelerations are zero: closed without friction, sticking, an equality, an axis at rest
  forward,  ///< closed, and slips with u > 0: λ_T = −μ λ_N, of a box λ = l
  backward  ///< closed, and slips with u < 0: λ_T = +μ λ_N, of a box λ = u
};

/// The name of the mode, for messages and logs.
std::string_view toString(ContactMode mode);

/// +1 forward, −1 backward, 0 of the others.
inline int directionOf(ContactMode mode) {
  return mode == ContactMode::forward ? 1 : mode == ContactMode::backward ? -1 : 0;
}

/// Forward for a positive direction, backward for a negative one, held for 0.
inline ContactMode slipMode(int direction) {
  return direction > 0 ? ContactMode::forward : direction < 0 ? ContactMode::backward : ContactMode::held;
}

/// One law among the scalar rows of a ContactModeProblem, at an instant at which its contact is closed with zero normal
/// velocity. `direction` is the sign of the velocity that friction acts against, 0 where that is zero.
struct ContactElement {
  /// The law between accelerations a and multipliers λ of the rows.
  enum class Kind : char {
    equality,    ///< a = 0
    unilateral,  ///< 0 ≤ a ⟂ λ ≥ 0
    friction,    ///< a contact with Coulomb friction in 2D: the normal row, and the tangential one after it
    box          ///< λ ∈ [l, u] against a velocity: dry friction in an axis
  };

  Kind kind = Kind::equality;  ///< of the law
  std::size_t row = 0;         ///< the first of its rows
  double mu = 0.;              ///< friction
  double lower = 0.;           ///< box; may be −∞
  double upper = 0.;           ///< box; may be ∞
  int direction = 0;           ///< friction and box
  /// The mode that is tried first and kept in a tie: the present one, or the one that an event proposes.
  ContactMode proposed = ContactMode::held;

  /// 2 for friction, 1 otherwise.
  std::size_t rows() const { return kind == Kind::friction ? 2 : 1; }

  /// An element of that kind (but see friction) whose first row is `row`. ContactModeProblem checks it.
  ///@{
  static ContactElement equality(std::size_t row);
  static ContactElement unilateral(std::size_t row, ContactMode proposed = ContactMode::held);
  /// With μ = 0 it is a unilateral element of the normal row, and λ of the tangential row is zero.
  static ContactElement friction(std::size_t row, double mu, int direction, ContactMode proposed = ContactMode::held);
  static ContactElement box(std::size_t row, double lower, double upper, int direction,
                            ContactMode proposed = ContactMode::held);
  ///@}

  /// The admissible mode nearest to `mode`: slipping elements keep their direction, a unilateral one does not slip, an
  /// equality is held.
  ContactMode admissible(ContactMode mode) const;
};

}  // namespace delassus
