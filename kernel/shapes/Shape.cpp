// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/Shape.hpp>

namespace delassus {

Placement placementInBody(const Shape& shape) {
  return {-shape.massProperties(1.).centre, Placement{}.rotation};
}

bool isAboutCentreOfMass(const Shape& shape) {
  constexpr double rounding = 1e-9;
  return norm(shape.massProperties(1.).centre) <= rounding * shape.size();
}

}  // namespace delassus
