// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/integrators/TiedSystems.hpp>
#include <delassus/kernel/model/Topology.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace delassus {

/// The nodes of a model for schemes of mechanics: the systems, where force elements tie some together these as one
/// (TiedSystems), in the order of their first systems. Beside them a system of first order that no force element ties
/// is a TiedSystems by itself: interactions may link it to one that is tied.
class SystemNodes {
 public:
  /// No nodes.
  SystemNodes() = default;
  /// A copy has none: they belong to a model, to which a copied scheme is not bound.
  ///@{
  SystemNodes(const SystemNodes&) {}
  SystemNodes& operator=(const SystemNodes&) { return *this = SystemNodes(); }
  ///@}
  /// Takes the other's nodes.
  ///@{
  SystemNodes(SystemNodes&&) = default;
  SystemNodes& operator=(SystemNodes&&) = default;
  ///@}
  ~SystemNodes() = default;

  /// Finds the nodes of the model as it is now, at t. True if ties may be others than before: what was kept of any node
  /// is then void.
  bool update(const Topology& topology, double t);

  /// The systems of the nodes, and numbers that distinguish them from what was there before, ascending.
  ///@{
  const std::vector<std::shared_ptr<DynamicalSystem>>& systems() const { return systems_; }
  const std::vector<std::uint64_t>& serials() const { return serials_; }
  ///@}
  /// Where a system of the model is: its node, and the places of its first coordinate and velocity there.
  struct Place {
    std::size_t node = 0;    ///< number of the node
    std::size_t firstQ = 0;  ///< of q
    std::size_t firstV = 0;  ///< of v
    std::size_t part = 0;    ///< number of the system in the node
  };
  /// Place of a system by its number in the topology.
  Place placeOf(std::size_t system) const { return places_.empty() ? Place{system, 0, 0, 0} : places_[system]; }

  /// Lets nodes of several systems take in what was set in these (TiedSystems::takeParts).
  void takeParts() const {
    for (const auto& tied : tied_) tied->takeParts();
  }
  /// Saves or restores these nodes.
  void serializeState(StateArchive& archive) const {
    for (const auto& tied : tied_) tied->serializeState(archive);
  }
  /// The node as tied systems; null for a mechanical system without force elements.
  const TiedSystems* tiedAt(std::size_t node) const { return tiedAt_.empty() ? nullptr : tiedAt_[node]; }
  /// Whether the node is a TiedSystems.
  bool isTied(std::size_t node) const { return tiedAt(node) != nullptr; }
  /// Place of a system in a node, if it is there.
  std::optional<Place> placeOf(std::size_t node, const DynamicalSystem& system) const;
  /// The systems of a node, as the model has them.
  std::vector<const DynamicalSystem*> membersOf(std::size_t node) const;

 private:
  void makeNodes(const Topology& topology, double t);

  std::vector<std::shared_ptr<DynamicalSystem>> systems_;
  std::vector<std::uint64_t> serials_;
  std::vector<std::shared_ptr<TiedSystems>> tied_;
  std::vector<const TiedSystems*> tiedAt_;                     // by node; empty without elements
  std::vector<Place> places_;                                  // empty without elements
  std::vector<std::uint64_t> systemsBefore_, elementsBefore_;  // serial numbers of the last update with elements
};

}  // namespace delassus
