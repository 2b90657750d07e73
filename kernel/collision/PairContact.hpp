// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/PairGeometry.hpp>
#include <delassus/kernel/laws/NonSmoothLaw.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace delassus {

/// An interaction that a CollisionManager links, with its geometry.
struct PairContact {
  std::shared_ptr<Interaction> interaction;  ///< its relation has the geometry
  std::shared_ptr<PairGeometry> geometry;    ///< of the present pair
  PairKind kind;                             ///< of the geometry
  std::size_t law = 0;                       ///< number of the interaction's law in the CollisionManager
};

/// Hands out contacts by law and kind; creates one only if none of those given back is left.
class PairContactPool {
 public:
  /// Throws Error unless the law acts on contacts and is of size 1 (no friction), 3 (friction), or 5 (with rolling).
  static void requireLaw(const NonSmoothLaw& law);

  /// A contact of this kind with this law, whose number is `lawNumber`; its geometry has not been started with the pair
  /// yet.
  PairContact take(std::size_t lawNumber, const std::shared_ptr<NonSmoothLaw>& law, const PairKind& kind);
  /// Its interaction must no longer be linked; take() may hand it out for another pair.
  void giveBack(PairContact contact);

 private:
  std::map<std::pair<std::size_t, PairKind>, std::vector<PairContact>> free_;
};

}  // namespace delassus
