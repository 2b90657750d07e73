// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/SystemNodes.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/DisjointSets.hpp>
#include <unordered_map>

namespace delassus {

bool SystemNodes::update(const Topology& topology, double t) {
  const bool hadElements = !elementsBefore_.empty();
  if (topology.elements().empty()) {
    tied_.clear();
    tiedAt_.clear();
    places_.clear();
    elementsBefore_.clear();
    if (hadElements || serials_ != topology.systemSerials()) {
      systems_ = topology.systems();
      serials_ = topology.systemSerials();
    }
    return hadElements;
  }
  if (systemsBefore_ == topology.systemSerials() && elementsBefore_ == topology.elementSerials()) return false;
  makeNodes(topology, t);
  systemsBefore_ = topology.systemSerials();
  elementsBefore_ = topology.elementSerials();
  return true;
}

void SystemNodes::makeNodes(const Topology& topology, double t) {
  const auto& systems = topology.systems();
  std::unordered_map<const DynamicalSystem*, std::size_t> numbers;
  for (std::size_t i = 0; i < systems.size(); ++i) numbers[systems[i].get()] = i;
  std::vector<std::size_t> nodeOf;
  DisjointSets sets(nodeOf, systems.size());
  for (const auto& element : topology.elements()) {
    for (const auto& system : element->systems()) {
      sets.join(numbers[element->systems().front().get()], numbers[system.get()]);
    }
  }
  const std::size_t count = sets.number();
  std::vector<std::vector<std::shared_ptr<DynamicalSystem>>> members(count);
  std::vector<std::vector<std::shared_ptr<ForceElement>>> elements(count);
  for (const auto& element : topology.elements()) {
    elements[nodeOf[numbers[element->systems().front().get()]]].push_back(element);
  }
  SystemNodes made;
  std::vector<Place> next(count);
  for (std::size_t i = 0; i < systems.size(); ++i) {
    const std::size_t node = nodeOf[i];
    if (members[node].empty()) made.serials_.push_back(topology.systemSerials()[i]);
    members[node].push_back(systems[i]);
    made.places_.push_back({node, next[node].firstQ, next[node].firstV, next[node].part++});
    const SystemPart whole(systems[i]);
    next[node].firstQ += whole.q().size();
    next[node].firstV += whole.velocity().size();
  }
  for (std::size_t node = 0; node < count; ++node) {
    const bool isFlow = members[node].front()->secondOrder() == nullptr;
    if (elements[node].empty() && !isFlow) {
      made.systems_.push_back(members[node].front());
      made.tiedAt_.push_back(nullptr);
      continue;
    }
    made.tied_.push_back(std::make_shared<TiedSystems>(std::move(members[node]), std::move(elements[node]), t));
    made.systems_.push_back(made.tied_.back());
    made.tiedAt_.push_back(made.tied_.back().get());
  }
  *this = std::move(made);
}

std::optional<SystemNodes::Place> SystemNodes::placeOf(std::size_t node, const DynamicalSystem& system) const {
  if (systems_[node].get() == &system) return Place{node, 0, 0, 0};
  const TiedSystems* const tied = tiedAt(node);
  if (tied == nullptr) return std::nullopt;
  for (std::size_t k = 0; k < tied->parts().size(); ++k) {
    const TiedSystems::Part& part = tied->parts()[k];
    if (part.owner.get() == &system) return Place{node, part.firstQ, part.firstV, k};
  }
  return std::nullopt;
}

std::vector<const DynamicalSystem*> SystemNodes::membersOf(std::size_t node) const {
  const TiedSystems* const tied = tiedAt(node);
  if (tied == nullptr) return {systems_[node].get()};
  std::vector<const DynamicalSystem*> members;
  for (const TiedSystems::Part& part : tied->parts()) members.push_back(part.owner.get());
  return members;
}

}  // namespace delassus
