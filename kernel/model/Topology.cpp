// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/model/Topology.hpp>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/pool/pool_alloc.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/DisjointSets.hpp>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace {

// A list whose nodes come from a pool, for the edges of contacts that come and go. The pool grows by a thousand nodes
// at most, not by doubling: it writes to all that it takes.
struct PooledListS {};
constexpr unsigned fewestNodes = 32, mostNodes = 1024;

}  // namespace

template <class Value>
struct boost::container_gen<PooledListS, Value> {
  using type =
      std::list<Value, boost::fast_pool_allocator<Value, boost::default_user_allocator_new_delete,
                                                  boost::details::pool::default_mutex, fewestNodes, mostNodes>>;
};
template <>
struct boost::parallel_edge_traits<PooledListS> {
  using type = allow_parallel_edge_tag;
};

namespace delassus {
namespace {

// A vertex is a system or an interaction; the other pointer is null. Both are in a vertex that waits to be used again.
struct Node {
  const DynamicalSystem* system = nullptr;
  const Interaction* interaction = nullptr;
};

using InteractionGraph = boost::adjacency_list<PooledListS, PooledListS, boost::undirectedS, Node, boost::no_property,
                                               boost::no_property, PooledListS>;
using Vertex = boost::graph_traits<InteractionGraph>::vertex_descriptor;

// Index set I₁ with all systems, as a view of the graph.
struct InFirstIndexSet {
  const InteractionGraph* graph = nullptr;
  bool operator()(Vertex vertex) const {
    const Node& node = (*graph)[vertex];
    return node.interaction == nullptr || node.interaction->isActive();
  }
};

// Moves non-null entries to the front, with their serial numbers and records, and updates the number in each record.
template <class Objects, class Record>
void closeGapsOf(Objects& objects, std::vector<std::uint64_t>& serials, std::vector<Record*>& records) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < objects.size(); ++k) {
    if (!objects[k]) continue;
    if (kept != k) {
      objects[kept] = std::move(objects[k]);
      serials[kept] = serials[k];
      records[kept] = records[k];
      records[kept]->number = kept;
    }
    ++kept;
  }
  objects.resize(kept);
  serials.resize(kept);
  records.resize(kept);
}

}  // namespace

struct Topology::Graph {
  struct SystemRecord {
    Vertex vertex;
    std::size_t number;
  };
  struct InteractionRecord {
    Vertex vertex;
    std::size_t number;
    struct Part {
      const SystemRecord* record;
      SystemPart part;
    };
    std::vector<Part> parts;  // in the order of the link
  };

  InteractionGraph graph;
  std::unordered_map<const DynamicalSystem*, SystemRecord> systems;
  std::unordered_map<const Interaction*, InteractionRecord> interactions;
  std::vector<decltype(interactions)::node_type> parked;  // of removed interactions, to be used again
  // The same in the order of the objects; maps do not move what they hold. Null in gaps.
  std::vector<SystemRecord*> systemRecords;
  std::vector<InteractionRecord*> interactionRecords;

  template <class Object>
  [[noreturn]] static void refuse(const Object& object) {
    throw Error("Topology", "'" + object.name() + "' is not in the model (or no more).");
  }

  // The systems of an interaction, or the interactions of a system.
  template <class Object, class Records>
  std::vector<const Node*> neighbours(const Object& object, const Records& records) const {
    const auto record = records.find(&object);
    if (record == records.end()) refuse(object);
    std::vector<const Node*> found;
    const auto [begin, end] = boost::adjacent_vertices(record->second.vertex, graph);
    for (auto vertex = begin; vertex != end; ++vertex) found.push_back(&graph[*vertex]);
    return found;
  }

  // The record of a new interaction, without systems. Vertex and record of one that is gone are used again, so that
  // contacts which come and go cause no heap traffic.
  InteractionRecord& insert(const Interaction& interaction, std::size_t number) {
    if (parked.empty()) {
      const Vertex vertex = boost::add_vertex(Node{nullptr, &interaction}, graph);
      return interactions.emplace(&interaction, InteractionRecord{vertex, number, {}}).first->second;
    }
    auto node = std::move(parked.back());
    parked.pop_back();
    node.key() = &interaction;
    node.mapped().number = number;
    graph[node.mapped().vertex].interaction = &interaction;
    return interactions.insert(std::move(node)).position->second;
  }

  // Each gives the old number of what it removes.
  std::size_t remove(const Interaction& interaction) {
    auto node = interactions.extract(&interaction);
    boost::clear_vertex(node.mapped().vertex, graph);
    graph[node.mapped().vertex].interaction = nullptr;
    node.mapped().parts.clear();
    parked.push_back(std::move(node));
    return parked.back().mapped().number;
  }
  std::size_t remove(const DynamicalSystem& system) {
    const auto node = systems.extract(&system);
    boost::remove_vertex(node.mapped().vertex, graph);
    return node.mapped().number;
  }
};

Topology::Topology() : graph_(std::make_unique<Graph>()) {
}
Topology::~Topology() = default;

void Topology::insert(std::shared_ptr<DynamicalSystem> system) {
  const Vertex vertex = boost::add_vertex(Node{system.get(), nullptr}, graph_->graph);
  const auto made = graph_->systems.emplace(system.get(), Graph::SystemRecord{vertex, systems_.size()}).first;
  graph_->systemRecords.push_back(&made->second);
  systems_.push_back(std::move(system));
  systemSerials_.push_back(++version_);
}

void Topology::link(std::shared_ptr<Interaction> interaction, std::span<const SystemPart> parts) {
  Graph::InteractionRecord& record = graph_->insert(*interaction, interactions_.size());
  for (const SystemPart& part : parts) {
    const Graph::SystemRecord& system = graph_->systems.at(part.system().get());
    const bool isNew = std::none_of(record.parts.begin(), record.parts.end(),
                                    [&](const auto& before) { return before.record == &system; });
    record.parts.push_back({&system, part});
    if (isNew) boost::add_edge(record.vertex, system.vertex, graph_->graph);
  }
  graph_->interactionRecords.push_back(&record);
  interactions_.push_back(std::move(interaction));
  interactionSerials_.push_back(++version_);
}

void Topology::remove(const Interaction& interaction) {
  interactions_[graph_->remove(interaction)].reset();
  hasGaps_ = true;
  ++version_;
}

void Topology::insert(std::shared_ptr<ForceElement> element) {
  elements_.push_back(std::move(element));
  elementSerials_.push_back(++version_);
}

void Topology::remove(const ForceElement& element) {
  const auto place =
      std::find_if(elements_.begin(), elements_.end(), [&](const auto& each) { return each.get() == &element; });
  elementSerials_.erase(elementSerials_.begin() + (place - elements_.begin()));
  elements_.erase(place);
  ++version_;
}

bool Topology::contains(const ForceElement& element) const {
  return std::any_of(elements_.begin(), elements_.end(), [&](const auto& each) { return each.get() == &element; });
}

std::vector<char> Topology::movingSystems() const {
  compact();
  std::unordered_set<const DynamicalSystem*> tied;
  for (const auto& element : elements_) {
    for (const auto& system : element->systems()) tied.insert(system.get());
  }
  std::vector<char> moving;
  for (const auto& system : systems_) {
    moving.push_back(system->secondOrder() != nullptr || tied.contains(system.get()) ? 1 : 0);
  }
  if (tied.empty()) return moving;
  std::vector<std::size_t> group;
  DisjointSets sets(group, systems_.size());
  for (const Coupling& coupling : couplings()) {
    sets.join(coupling.system, couplings()[couplingBegin(coupling.interaction)].system);
  }
  std::vector<char> movesGroup(sets.number(), 0);
  for (std::size_t i = 0; i < moving.size(); ++i) movesGroup[group[i]] |= moving[i];
  for (std::size_t i = 0; i < moving.size(); ++i) moving[i] = movesGroup[group[i]];
  return moving;
}

std::vector<std::shared_ptr<ForceElement>> Topology::elementsOf(const DynamicalSystem& system) const {
  std::vector<std::shared_ptr<ForceElement>> found;
  for (const auto& element : elements_) {
    const auto& systems = element->systems();
    if (std::any_of(systems.begin(), systems.end(), [&](const auto& each) { return each.get() == &system; })) {
      found.push_back(element);
    }
  }
  return found;
}

void Topology::remove(const DynamicalSystem& system) {
  for (const auto& element : elementsOf(system)) remove(*element);
  for (const auto& interaction : interactionsOf(system)) remove(*interaction);
  systems_[graph_->remove(system)].reset();
  hasGaps_ = true;
  ++version_;
}

void Topology::takePart(const Topology& whole, const std::vector<char>& taken) {
  graph_ = std::make_unique<Graph>();
  systems_.clear();
  interactions_.clear();
  elements_.clear();
  systemSerials_.clear();
  interactionSerials_.clear();
  elementSerials_.clear();
  hasGaps_ = false;
  for (std::size_t i = 0; i < whole.systems().size(); ++i) {
    if (taken[i] == 0) continue;
    insert(whole.systems()[i]);
    systemSerials_.back() = whole.systemSerials()[i];
  }
  for (std::size_t k = 0; k < whole.interactions().size(); ++k) {
    if (taken[whole.couplings()[whole.couplingBegin(k)].system] == 0) continue;
    const auto& interaction = whole.interactions()[k];
    link(interaction, whole.partsOf(*interaction));
    interactionSerials_.back() = whole.interactionSerials()[k];
  }
  for (std::size_t k = 0; k < whole.elements().size(); ++k) {
    if (!contains(*whole.elements()[k]->systems().front())) continue;
    insert(whole.elements()[k]);
    elementSerials_.back() = whole.elementSerials()[k];
  }
  version_ = whole.version();
  couplingsFrom_.forget();
}

void Topology::closeGaps() const {
  closeGapsOf(systems_, systemSerials_, graph_->systemRecords);
  closeGapsOf(interactions_, interactionSerials_, graph_->interactionRecords);
  hasGaps_ = false;
}

bool Topology::contains(const DynamicalSystem& system) const {
  return graph_->systems.contains(&system);
}

bool Topology::contains(const Interaction& interaction) const {
  return graph_->interactions.contains(&interaction);
}

std::vector<SystemPart> Topology::partsOf(const Interaction& interaction) const {
  const auto record = graph_->interactions.find(&interaction);
  if (record == graph_->interactions.end()) graph_->refuse(interaction);
  std::vector<SystemPart> parts;
  for (const auto& linked : record->second.parts) parts.push_back(linked.part);
  return parts;
}

std::vector<std::shared_ptr<DynamicalSystem>> Topology::systemsOf(const Interaction& interaction) const {
  std::vector<std::shared_ptr<DynamicalSystem>> found;
  // Edges of an interaction are in the order of the link: they are added in this order and never removed alone.
  for (const Node* node : graph_->neighbours(interaction, graph_->interactions)) {
    found.push_back(systems_[graph_->systems.at(node->system).number]);
  }
  return found;
}

// Returns shared pointers, in the order of the links, each once.
std::vector<std::shared_ptr<Interaction>> Topology::inOrder(std::vector<const Interaction*> found) const {
  std::vector<std::size_t> numbers;
  numbers.reserve(found.size());
  for (const Interaction* interaction : found) numbers.push_back(graph_->interactions.at(interaction).number);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<std::shared_ptr<Interaction>> owners;
  owners.reserve(numbers.size());
  for (const std::size_t number : numbers) owners.push_back(interactions_[number]);
  return owners;
}

std::vector<std::shared_ptr<Interaction>> Topology::interactionsOf(const DynamicalSystem& system) const {
  std::vector<const Interaction*> found;
  for (const Node* node : graph_->neighbours(system, graph_->systems)) found.push_back(node->interaction);
  return inOrder(std::move(found));
}

std::vector<std::shared_ptr<Interaction>> Topology::linkedInteractions(const Interaction& interaction) const {
  std::vector<const Interaction*> linked;
  for (const Node* system : graph_->neighbours(interaction, graph_->interactions)) {
    for (const Node* node : graph_->neighbours(*system->system, graph_->systems)) {
      if (node->interaction != &interaction) linked.push_back(node->interaction);
    }
  }
  return inOrder(std::move(linked));
}

std::size_t Topology::activeIslands() const {
  using Active = boost::filtered_graph<InteractionGraph, boost::keep_all, InFirstIndexSet>;
  const Active active(graph_->graph, boost::keep_all(), InFirstIndexSet{&graph_->graph});
  std::map<Vertex, std::size_t> numbers;
  std::map<Vertex, boost::default_color_type> colours;
  const auto [begin, end] = boost::vertices(graph_->graph);
  for (auto vertex = begin; vertex != end; ++vertex) colours[*vertex] = boost::white_color;
  boost::connected_components(active, boost::make_assoc_property_map(numbers),
                              boost::color_map(boost::make_assoc_property_map(colours)));
  // Islands of a single system have no active interaction and no problem to solve.
  std::map<std::size_t, bool> hasInteraction;
  for (const auto& [vertex, number] : numbers) {
    if (graph_->graph[vertex].interaction != nullptr) hasInteraction[number] = true;
  }
  return hasInteraction.size();
}

IndexSet Topology::indexSet(std::size_t level) const {
  if (level >= Interaction::maxLevels) {
    throw Error("Topology", "asked for index set " + std::to_string(level) + "; there are 0 (all) and 1 (active).");
  }
  return {interactions(), level};
}

const std::vector<Coupling>& Topology::couplings() const {
  if (couplingsFrom_.isCurrent(version_)) return couplings_;
  compact();
  couplings_.clear();
  couplingStarts_.assign(1, 0);
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    std::size_t position = 0;
    for (const auto& linked : graph_->interactionRecords[k]->parts) {
      couplings_.push_back({k, linked.record->number, position++, linked.part.first(), linked.part.count()});
    }
    couplingStarts_.push_back(couplings_.size());
  }
  couplingsFrom_.take(version_);
  return couplings_;
}

}  // namespace delassus
