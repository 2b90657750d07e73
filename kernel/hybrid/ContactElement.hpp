// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

namespace delassus {

class MotionElement;

/// What a contact, a row of dry friction or a constraint does in the motion that follows.
enum class ContactMode : char {
  open,     ///< no force
  held,     ///< all its accelerations are zero: closed without friction, sticking, an equality, an axis at rest
  forward,  ///< closed, and slips with u > 0: λ_T = −μ λ_N, of a box λ = l; in 3D along u: λ_T = −μ λ_N u/|u|
  backward,  ///< closed, and slips with u < 0: λ_T = +μ λ_N, of a box λ = u
  creeping   ///< closed, in 3D, begins to slip: λ_T = −μ λ_N d with the direction d of its acceleration
};

/// The name of the mode, for messages and logs.
std::string_view toString(ContactMode mode);

/// +1 forward, −1 backward, 0 of the others.
inline int directionOf(ContactMode mode) {
  return mode == ContactMode::forward ? 1 : mode == ContactMode::backward ? -1 : 0;
}

/// Forward for a positive direction, backward for a negative one, held for 0.
inline ContactMode slipMode(double direction) {
  return direction > 0. ? ContactMode::forward : direction < 0. ? ContactMode::backward : ContactMode::held;
}

/// The direction of a slip, a unit vector in the tangential rows (±1 in the first where there is one row), or zero.
using SlipDirection = std::array<double, 2>;

/// A law between accelerations a and multipliers λ: its element, and its numbers.
struct ElementLaw {
  const MotionElement* element = nullptr;                   ///< what the law does
  double mu = 0.;                                           ///< coefficient of friction of a contact
  double lower = -std::numeric_limits<double>::infinity();  ///< of λ in a row of dry friction
  double upper = std::numeric_limits<double>::infinity();   ///< of λ in a row of dry friction

  /// Of the element.
  std::size_t rows() const;
};

/// One law among the scalar rows of a ContactModeProblem, at an instant at which its contact is closed with zero normal
/// velocity. `direction` is that of the velocity that friction acts against, zero where that is zero.
struct ContactElement : ElementLaw {
  std::size_t row = 0;                 ///< the first of its rows
  SlipDirection direction = {0., 0.};  ///< of friction and of rows with bounds
  /// The mode that is tried first and kept in a tie: the present one, or the one that an event proposes.
  ContactMode proposed = ContactMode::held;
  SlipDirection heading = {0., 0.};  ///< where it may begin to creep, if it is at rest

  /// True if friction acts against a velocity.
  bool isSliding() const { return direction[0] != 0. || direction[1] != 0.; }

  /// An element with such a law whose first row is `row`; bounds may be infinite. ContactModeProblem checks it.
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
