// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <string_view>
#include <vector>

namespace delassus {

/// What a contact does.
enum class ContactStatus {
  open = 0,     ///< no force
  closed = 1,   ///< a force, and no friction in its law
  stick = 2,    ///< its force is inside the friction cone
  slip = 3,     ///< it is on the cone: sliding, or about to
  rolling = 4,  ///< as stick, but with the moment at the limit of rolling resistance
};

/// "open", "closed", "stick", "slip" or "rolling".
std::string_view toString(ContactStatus status);

/// One contact in space, with forces on the first body (the second, or the obstacle, gets the opposite ones).
struct ContactSample {
  ContactPoint place;                          ///< at the present state
  std::size_t block = 0;                       ///< of the interaction
  ContactStatus status = ContactStatus::open;  ///< by the force, or by the impulse where there is no force
  double gap = 0.;                             ///< m
  double normalForce = 0.;                     ///< mean over the last step (event-driven: now), N
  Vector3 force{};                             ///< with friction, N
  Vector3 tangentialForce{};                   ///< friction, N
  Vector3 impulse{};                           ///< over the last step (event-driven: of an impact), N s
  Vector3 slidingVelocity{};                   ///< tangential, of the first body against the second, m/s
};

/// Appends the contacts of an interaction, at `places`, one for each block of its law. Components of forces are taken
/// along the frames of the places, which are those of the present state; the step itself used frames up to one step
/// older. Throws Error if the number of places is wrong, or the interaction does not describe contacts between
/// mechanical systems.
void appendContacts(const Interaction& interaction, const std::vector<ContactPoint>& places,
                    std::vector<ContactSample>& samples);

}  // namespace delassus
