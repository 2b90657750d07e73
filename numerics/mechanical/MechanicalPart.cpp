// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalPart.hpp>
#include <delassus/numerics/sets/Box.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>
#include <delassus/numerics/sets/FreeSpace.hpp>
#include <delassus/numerics/sets/RollingCone.hpp>

namespace delassus::numerics {

MechanicalPart MechanicalPart::equality(std::size_t rows) {
  static const auto set = std::make_shared<FreeSpace>();
  return {set, rows};
}

MechanicalPart MechanicalPart::box(std::size_t rows) {
  static const auto set = std::make_shared<Box>();
  return {set, rows};
}

MechanicalPart MechanicalPart::coulomb(std::size_t dimension, double friction) {
  return {std::make_shared<CoulombCone>(friction), dimension};
}

MechanicalPart MechanicalPart::rollingContact(std::size_t dimension, double friction, double rolling) {
  return {std::make_shared<RollingCone>(friction, rolling), 2 * dimension - 1};
}

}  // namespace delassus::numerics
