// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/model/ForceElement.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/SystemPart.hpp>
#include <delassus/kernel/systems/DynamicalSystem.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <memory>
#include <span>
#include <vector>

namespace delassus {

/// One pair of an interaction and a system, or a part of it, by their numbers in the topology. `position` counts the
/// parts of the interaction, in the order of the link.
struct Coupling {
  std::size_t interaction;              ///< index into Topology::interactions()
  std::size_t system;                   ///< index into Topology::systems()
  std::size_t position;                 ///< place of the part in the link, from 0
  std::size_t first = 0;                ///< number of its first coordinate in the system
  std::size_t count = SystemPart::all;  ///< coordinates; SystemPart::all of a whole system
};

/// The interactions of an index set, for a range-based loop. A view: it is valid until the topology changes, and its
/// contents follow the activity of the interactions.
class IndexSet {
 public:
  /// Interactions of a topology, in their order.
  using Interactions = std::vector<std::shared_ptr<Interaction>>;
  /// Skips interactions that are not in the set: level 0 contains all, level 1 the active ones.
  class Iterator {
   public:
    /// \cond
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::shared_ptr<Interaction>;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;
    /// \endcond

    Iterator() = default;
    /// At the first one of the set from `place` on.
    Iterator(std::size_t level, Interactions::const_iterator place, Interactions::const_iterator end)
        : level_(level), place_(place), end_(end) {
      skip();
    }

    /// \cond
    reference operator*() const { return *place_; }
    pointer operator->() const { return &*place_; }
    Iterator& operator++() {
      ++place_;
      skip();
      return *this;
    }
    Iterator operator++(int) {
      const Iterator here = *this;
      ++*this;
      return here;
    }
    bool operator==(const Iterator& other) const { return place_ == other.place_; }
    /// \endcond

   private:
    void skip() {
      while (place_ != end_ && level_ > 0 && !(*place_)->isActive()) ++place_;
    }

    std::size_t level_ = 0;
    Interactions::const_iterator place_, end_;
  };

  /// A view of `interactions`, which must outlive it.
  IndexSet(const Interactions& interactions, std::size_t level) : interactions_(interactions), level_(level) {}

  /// For range-based loops; the elements are std::shared_ptr<Interaction>.
  ///@{
  Iterator begin() const { return {level_, interactions_.begin(), interactions_.end()}; }
  Iterator end() const { return {level_, interactions_.end(), interactions_.end()}; }
  ///@}

 private:
  const Interactions& interactions_;
  std::size_t level_;
};

/// The graph of systems and interactions, on Boost.Graph: a bipartite graph whose vertices are both, with an edge
/// between an interaction and each of its systems, of however many parts. Systems and interactions keep the order of
/// their insertion, so that the same program gives the same numbers.
///
/// Index sets are views of it: I₀ is every interaction, I₁ those with a block that was active in the last step. Nothing
/// is copied when a contact opens or closes; the flag in the interaction defines the set.
class Topology {
 public:
  Topology();
  ~Topology();
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  /// The system must not be in the graph; NonSmoothDynamicalSystem checks what users insert, link and remove.
  void insert(std::shared_ptr<DynamicalSystem> system);
  /// The systems of `parts` must be inserted; no coordinate may occur twice.
  void link(std::shared_ptr<Interaction> interaction, std::span<const SystemPart> parts);
  /// Appends an element, whose systems must be inserted.
  void insert(std::shared_ptr<ForceElement> element);
  /// It must be in the graph.
  ///@{
  void remove(const Interaction& interaction);
  void remove(const ForceElement& element);
  ///@}
  /// Removes the system with its interactions and force elements.
  void remove(const DynamicalSystem& system);

  /// Makes this the part of `whole` with the systems for which `taken` is not 0, and the interactions of which the
  /// first system is among them (then all must be). Order, serial numbers and version are those of `whole`.
  void takePart(const Topology& whole, const std::vector<char>& taken);

  /// True if it is in the graph.
  ///@{
  bool contains(const DynamicalSystem& system) const;
  bool contains(const Interaction& interaction) const;
  bool contains(const ForceElement& element) const;
  ///@}

  /// In the order of insertion or link; their indices are their numbers.
  ///@{
  const std::vector<std::shared_ptr<DynamicalSystem>>& systems() const {
    compact();
    return systems_;
  }
  const std::vector<std::shared_ptr<Interaction>>& interactions() const {
    compact();
    return interactions_;
  }
  ///@}

  /// Serial numbers of systems and interactions, in their order: ascending, one for each insertion or link ever. They
  /// distinguish what was there before from what is new.
  ///@{
  const std::vector<std::uint64_t>& systemSerials() const {
    compact();
    return systemSerials_;
  }
  const std::vector<std::uint64_t>& interactionSerials() const {
    compact();
    return interactionSerials_;
  }
  ///@}

  /// Force elements in the order of their links, and their serial numbers. They are smooth, and no part of the graph.
  ///@{
  const std::vector<std::shared_ptr<ForceElement>>& elements() const { return elements_; }
  const std::vector<std::uint64_t>& elementSerials() const { return elementSerials_; }
  ///@}

  /// Changes with every insertion, link and removal.
  std::uint64_t version() const { return version_; }

  // The next three throw Error for a system or interaction that is not in the graph.

  /// What an interaction was linked to, in the order of the link.
  std::vector<SystemPart> partsOf(const Interaction& interaction) const;
  /// The systems of these, each once, in the order of the link.
  std::vector<std::shared_ptr<DynamicalSystem>> systemsOf(const Interaction& interaction) const;
  /// Interactions of a system, in the order of their links.
  std::vector<std::shared_ptr<Interaction>> interactionsOf(const DynamicalSystem& system) const;
  /// Force elements of a system, in the order of their links; none of one that is not in the model.
  std::vector<std::shared_ptr<ForceElement>> elementsOf(const DynamicalSystem& system) const;
  /// Whether each system moves: a mechanical one, or one of first order that a force element ties to such, by itself or
  /// through interactions with others of first order.
  std::vector<char> movingSystems() const;
  /// The linked interactions of [Siconos 2017], 1.1: the others that share a system with this one, in the order of
  /// insertion.
  std::vector<std::shared_ptr<Interaction>> linkedInteractions(const Interaction& interaction) const;
  /// Number of groups of systems that interactions connect, in I₁ alone: independent one-step problems.
  std::size_t activeIslands() const;

  /// I_level as a view over interactions(): level 0 all, level 1 the active ones.
  /// Throws Error for another level.
  IndexSet indexSet(std::size_t level) const;

  /// All couplings, interaction after interaction, for loops in every step; rebuilt when the version has changed.
  const std::vector<Coupling>& couplings() const;
  /// Range [begin, end) of the interaction with this number in couplings().
  ///@{
  std::size_t couplingBegin(std::size_t interaction) const {
    couplings();
    return couplingStarts_[interaction];
  }
  std::size_t couplingEnd(std::size_t interaction) const {
    couplings();
    return couplingStarts_[interaction + 1];
  }
  ///@}

 private:
  struct Graph;

  /// Closes the gaps that removals leave; many at once cost no more than one.
  void compact() const {
    if (hasGaps_) closeGaps();
  }
  void closeGaps() const;
  std::vector<std::shared_ptr<Interaction>> inOrder(std::vector<const Interaction*> found) const;

  std::unique_ptr<Graph> graph_;
  mutable std::vector<std::shared_ptr<DynamicalSystem>> systems_;
  mutable std::vector<std::shared_ptr<Interaction>> interactions_;
  mutable std::vector<std::uint64_t> systemSerials_, interactionSerials_;
  std::vector<std::shared_ptr<ForceElement>> elements_;
  std::vector<std::uint64_t> elementSerials_;
  mutable bool hasGaps_ = false;
  std::uint64_t version_ = 0;
  mutable MadeFrom<std::uint64_t> couplingsFrom_;  // version()
  mutable std::vector<Coupling> couplings_;
  mutable std::vector<std::size_t> couplingStarts_;
};

}  // namespace delassus
