// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
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

/// The law between the accelerations a and the multipliers λ of one or two rows.
struct ElementLaw {
  /// True of a contact: 0 ≤ a ⟂ λ ≥ 0 in the normal row, and Coulomb friction in the tangential one after it unless μ
  /// is 0. Otherwise λ ∈ [l, u] against a velocity in one row: dry friction in an axis; without bounds a = 0, an
  /// equality.
  bool isContact = false;
  double mu = 0.;                                           ///< of a contact
  double lower = -std::numeric_limits<double>::infinity();  ///< of a row that is no contact
  double upper = std::numeric_limits<double>::infinity();   ///< of a row that is no contact

  /// A contact with a tangential row.
  bool hasFriction() const { return isContact && mu != 0.; }
  /// No contact, and without bounds.
  bool isEquality() const { return !isContact && !std::isfinite(lower) && !std::isfinite(upper); }
  /// No contact, with a bound.
  bool isBounded() const { return !isContact && !isEquality(); }
  /// 2 with friction, 1 otherwise.
  std::size_t rows() const { return hasFriction() ? 2 : 1; }
};

/// One law among the scalar rows of a ContactModeProblem, at an instant at which its contact is closed with zero normal
/// velocity. `direction` is the sign of the velocity that friction acts against, 0 where that is zero.
struct ContactElement : ElementLaw {
  std::size_t row = 0;  ///< the first of its rows
  int direction = 0;    ///< of friction and of rows with bounds
  /// The mode that is tried first and kept in a tie: the present one, or the one that an event proposes.
  ContactMode proposed = ContactMode::held;

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
