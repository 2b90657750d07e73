// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactElement.hpp>
#include <delassus/kernel/hybrid/MotionElements.hpp>

namespace delassus {

std::string_view toString(ContactMode mode) {
  constexpr std::array<std::string_view, 5> names = {"open", "held", "forward", "backward", "creeping"};
  return names[static_cast<std::size_t>(mode)];
}

std::size_t ElementLaw::rows() const {
  return element->rows();
}

ContactElement ContactElement::equality(std::size_t row) {
  ContactElement element;
  element.element = &JointElement::instance();
  element.row = row;
  return element;
}

ContactElement ContactElement::unilateral(std::size_t row, ContactMode proposed) {
  ContactElement element;
  element.element = &UnilateralElement::instance();
  element.row = row;
  element.proposed = proposed;
  return element;
}

ContactElement ContactElement::friction(std::size_t row, double mu, int direction, ContactMode proposed) {
  ContactElement element = unilateral(row, proposed);
  if (mu == 0.) return element;
  element.element = &PlanarFrictionElement::instance();
  element.mu = mu;
  element.direction[0] = direction;
  return element;
}

ContactElement ContactElement::box(std::size_t row, double lower, double upper, int direction, ContactMode proposed) {
  ContactElement element;
  element.element = &BoxElement::instance();
  element.row = row;
  element.lower = lower;
  element.upper = upper;
  element.direction[0] = direction;
  element.proposed = proposed;
  return element;
}

ContactMode ContactElement::admissible(ContactMode mode) const {
  return element->admissible(*this, mode);
}

}  // namespace delassus
