// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactElement.hpp>

#include <array>

namespace delassus {

std::string_view toString(ContactMode mode) {
  constexpr std::array<std::string_view, 4> names = {"open", "held", "forward", "backward"};
  return names[static_cast<std::size_t>(mode)];
}

ContactElement ContactElement::equality(std::size_t row) {
  ContactElement element;
  element.row = row;
  return element;
}

ContactElement ContactElement::unilateral(std::size_t row, ContactMode proposed) {
  ContactElement element;
  element.isContact = true;
  element.row = row;
  element.proposed = proposed;
  return element;
}

ContactElement ContactElement::friction(std::size_t row, double mu, int direction, ContactMode proposed) {
  ContactElement element = unilateral(row, proposed);
  if (mu == 0.) return element;
  element.mu = mu;
  element.direction = direction;
  return element;
}

ContactElement ContactElement::box(std::size_t row, double lower, double upper, int direction, ContactMode proposed) {
  ContactElement element;
  element.row = row;
  element.lower = lower;
  element.upper = upper;
  element.direction = direction;
  element.proposed = proposed;
  return element;
}

ContactMode ContactElement::admissible(ContactMode mode) const {
  if (isContact) {
    if (mode == ContactMode::open) return mode;
    if (!hasFriction()) return ContactMode::held;
    return direction == 0 ? mode : slipMode(direction);
  }
  if (direction != 0) return slipMode(direction);
  if (mode == ContactMode::forward && std::isfinite(lower)) return mode;
  if (mode == ContactMode::backward && std::isfinite(upper)) return mode;
  return ContactMode::held;
}

}  // namespace delassus
