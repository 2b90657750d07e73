// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/PairContact.hpp>

#include <array>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

struct RelationOfSize {
  std::size_t size;
  std::shared_ptr<Relation> (*make)(std::shared_ptr<ContactGeometry>);
};

template <class R>
std::shared_ptr<Relation> makeRelation(std::shared_ptr<ContactGeometry> geometry) {
  return std::make_shared<R>(std::move(geometry));
}

constexpr std::array<RelationOfSize, 3> relations{
    {{1, makeRelation<NewtonEuler1DR>}, {3, makeRelation<NewtonEuler3DR>}, {5, makeRelation<NewtonEuler5DR>}}};

const RelationOfSize* relationFor(const NonSmoothLaw& law) {
  for (const RelationOfSize& relation : relations) {
    if (relation.size == law.size() && law.actsOnVelocities()) return &relation;
  }
  return nullptr;
}

}  // namespace

void PairContactPool::requireLaw(const NonSmoothLaw& law) {
  if (relationFor(law) != nullptr) return;
  throw Error("CollisionManager",
              "a law of contacts in space is expected (NewtonImpactNSL, or NewtonImpactFrictionNSL "
              "of dimension 3, or NewtonImpactRollingFrictionNSL), got " +
                  std::string(law.className()) + " of size " + std::to_string(law.size()) + ".");
}

PairContact PairContactPool::take(std::size_t lawNumber, const std::shared_ptr<NonSmoothLaw>& law,
                                  const PairKind& kind) {
  auto& free = free_[{lawNumber, kind}];
  if (!free.empty()) {
    PairContact contact = std::move(free.back());
    free.pop_back();
    return contact;
  }
  PairContact contact;
  contact.geometry = makePairGeometry(kind);
  contact.kind = kind;
  contact.law = lawNumber;
  contact.interaction = std::make_shared<Interaction>(law, relationFor(*law)->make(contact.geometry));
  return contact;
}

void PairContactPool::giveBack(PairContact contact) {
  auto& free = free_[{contact.law, contact.kind}];
  free.push_back(std::move(contact));
}

}  // namespace delassus
