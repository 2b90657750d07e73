// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/sets/Part.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/AssociatedCone.hpp>
#include <delassus/numerics/sets/Ball.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>
#include <delassus/numerics/sets/DruckerPragerCone.hpp>
#include <delassus/numerics/sets/RollingCone.hpp>
#include <delassus/numerics/sets/RowwiseSet.hpp>
#include <delassus/numerics/sets/SecondOrderCone.hpp>
#include <string>

namespace delassus::numerics {

Part Part::equality(std::size_t rows) {
  static const auto set = std::make_shared<FreeSpace>();
  return {set, rows};
}

Part Part::box(std::size_t rows) {
  static const auto set = std::make_shared<Box>();
  return {set, rows};
}

Part Part::orthant(std::size_t rows) {
  static const auto set = std::make_shared<Orthant>();
  return {set, rows};
}

Part Part::coulomb(std::size_t dimension, double friction) {
  return {std::make_shared<CoulombCone>(friction), dimension};
}

Part Part::associated(std::size_t dimension, double friction) {
  return {std::make_shared<AssociatedCone>(friction), dimension};
}

Part Part::rollingContact(std::size_t dimension, double friction, double rolling) {
  return {std::make_shared<RollingCone>(friction, rolling), 2 * dimension - 1};
}

Part Part::secondOrderCone(std::size_t rows, double aperture) {
  return {std::make_shared<SecondOrderCone>(aperture), rows};
}

Part Part::ball(std::size_t rows, double radius) {
  return {std::make_shared<Ball>(radius), rows};
}

Part Part::druckerPrager(std::size_t rows, double friction, double cohesion) {
  return {std::make_shared<DruckerPragerCone>(friction, cohesion), rows};
}

void failPart(std::size_t part, const std::string& what) {
  throw Error("part " + std::to_string(part) + " of the problem", what);
}

}  // namespace delassus::numerics
