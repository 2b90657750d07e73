// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/model/Topology.hpp>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <delassus/numerics/Error.hpp>
#include <map>
#include <string>
#include <unordered_map>

namespace delassus {
namespace {

// A vertex is a system or an interaction; the other pointer is null.
struct Node {
  const DynamicalSystem* system = nullptr;
  const Interaction* interaction = nullptr;
};

struct Link {
  std::size_t position = 0;
};

using InteractionGraph = boost::adjacency_list<boost::vecS, boost::listS, boost::undirectedS, Node, Link>;
using Vertex = boost::graph_traits<InteractionGraph>::vertex_descriptor;

// Index set I₁ with all systems, as a view of the graph.
struct InFirstIndexSet {
  const InteractionGraph* graph = nullptr;
  bool operator()(Vertex vertex) const {
    const Node& node = (*graph)[vertex];
    return node.interaction == nullptr || node.interaction->isActive();
  }
};

template <class Objects, class Object>
void eraseObject(Objects& objects, const Object& object) {
  std::erase_if(objects, [&](const auto& held) { return held.get() == &object; });
}

}  // namespace

struct Topology::Graph {
  InteractionGraph graph;
  std::unordered_map<const void*, Vertex> vertices;

  template <class Object>
  std::vector<const Node*> neighbours(const Object& object) const {
    if (!vertices.contains(&object)) {
      throw Error("Topology", "'" + object.name() + "' is not in the model (or no more).");
    }
    std::vector<const Node*> found;
    const auto [begin, end] = boost::adjacent_vertices(vertices.at(&object), graph);
    for (auto vertex = begin; vertex != end; ++vertex) found.push_back(&graph[*vertex]);
    return found;
  }

  template <class Object>
  void remove(const Object& object) {
    const Vertex vertex = vertices.at(&object);
    boost::clear_vertex(vertex, graph);
    boost::remove_vertex(vertex, graph);
    vertices.erase(&object);
  }
};

Topology::Topology() : graph_(std::make_unique<Graph>()) {
}
Topology::~Topology() = default;

void Topology::insert(std::shared_ptr<DynamicalSystem> system) {
  graph_->vertices[system.get()] = boost::add_vertex(Node{system.get(), nullptr}, graph_->graph);
  systems_.push_back(std::move(system));
  ++version_;
}

void Topology::link(std::shared_ptr<Interaction> interaction,
                    std::span<const std::shared_ptr<DynamicalSystem>> systems) {
  const Vertex vertex = boost::add_vertex(Node{nullptr, interaction.get()}, graph_->graph);
  graph_->vertices[interaction.get()] = vertex;
  for (std::size_t position = 0; position < systems.size(); ++position) {
    boost::add_edge(vertex, graph_->vertices.at(systems[position].get()), Link{position}, graph_->graph);
  }
  interactions_.push_back(std::move(interaction));
  ++version_;
}

void Topology::remove(const Interaction& interaction) {
  graph_->remove(interaction);
  eraseObject(interactions_, interaction);
  ++version_;
}

void Topology::remove(const DynamicalSystem& system) {
  for (const auto& interaction : interactionsOf(system)) remove(*interaction);
  graph_->remove(system);
  eraseObject(systems_, system);
  ++version_;
}

bool Topology::contains(const DynamicalSystem& system) const {
  return graph_->vertices.contains(&system);
}

bool Topology::contains(const Interaction& interaction) const {
  return graph_->vertices.contains(&interaction);
}

std::vector<std::shared_ptr<DynamicalSystem>> Topology::systemsOf(const Interaction& interaction) const {
  std::vector<std::shared_ptr<DynamicalSystem>> found;
  // Edges of an interaction are in the order of their positions: they are added so and never alone removed.
  for (const Node* node : graph_->neighbours(interaction)) {
    const auto held = std::find_if(systems_.begin(), systems_.end(),
                                   [&](const auto& system) { return system.get() == node->system; });
    found.push_back(*held);
  }
  return found;
}

std::vector<std::shared_ptr<Interaction>> Topology::interactionsOf(const DynamicalSystem& system) const {
  const std::vector<const Node*> nodes = graph_->neighbours(system);
  std::vector<std::shared_ptr<Interaction>> found;
  for (const auto& interaction : interactions_) {
    const bool linked = std::any_of(nodes.begin(), nodes.end(),
                                    [&](const Node* node) { return node->interaction == interaction.get(); });
    if (linked) found.push_back(interaction);
  }
  return found;
}

std::vector<std::shared_ptr<Interaction>> Topology::linkedInteractions(const Interaction& interaction) const {
  std::vector<const Interaction*> linked;
  for (const Node* system : graph_->neighbours(interaction)) {
    for (const Node* node : graph_->neighbours(*system->system)) linked.push_back(node->interaction);
  }
  std::vector<std::shared_ptr<Interaction>> found;
  for (const auto& other : interactions_) {
    const bool shares = std::find(linked.begin(), linked.end(), other.get()) != linked.end();
    if (shares && other.get() != &interaction) found.push_back(other);
  }
  return found;
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
  return {interactions_, level};
}

const std::vector<Coupling>& Topology::couplings() const {
  if (couplingsVersion_ == version_) return couplings_;
  std::unordered_map<const DynamicalSystem*, std::size_t> numbers;
  for (std::size_t i = 0; i < systems_.size(); ++i) numbers[systems_[i].get()] = i;
  couplings_.clear();
  couplingStarts_.assign(1, 0);
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    std::size_t position = 0;
    const auto [begin, end] = boost::adjacent_vertices(graph_->vertices.at(interactions_[k].get()), graph_->graph);
    for (auto vertex = begin; vertex != end; ++vertex) {
      couplings_.push_back({k, numbers.at(graph_->graph[*vertex].system), position++});
    }
    couplingStarts_.push_back(couplings_.size());
  }
  couplingsVersion_ = version_;
  return couplings_;
}

}  // namespace delassus
