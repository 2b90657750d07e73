// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/Shape.hpp>

#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {

Placement placementInBody(const Shape& shape) {
  return {-shape.massProperties(1.).centre, Placement{}.rotation};
}

void requireLength(double length, std::string_view shape, std::string_view what) {
  if (length > 0. && std::isfinite(length)) return;
  throw Error(std::string(shape), std::string(what) + " must be positive and finite, got " + toText(length) + ".");
}

}  // namespace delassus
