// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <delassus/kernel/model/Topology.hpp>
#include <delassus/kernel/systems/DynamicalSystem.hpp>
#include <memory>
#include <vector>

namespace delassus {

/// The model: dynamical systems, the interactions that link them, and the interval of time [t₀, T]. Systems and
/// interactions may be inserted, linked and removed at any time, also between two steps of a simulation.
///
/// A system has one state and an interaction one output and one multiplier: each is in one model at a time. They are
/// free for another one when they are removed, or when the model is destroyed. Laws may be shared by any number of
/// interactions, and so may relations without a memory (see Relation::hasMemory).
///
///     NonSmoothDynamicalSystem model(0., 10.);
///     model.insert(ball);
///     model.link(floor, ball);
class NonSmoothDynamicalSystem {
 public:
  /// Throws Error unless t0 < T, both finite.
  NonSmoothDynamicalSystem(double t0, double T);

  /// Start and end of the interval of time.
  ///@{
  double t0() const { return t0_; }
  double T() const { return T_; }
  ///@}

  /// Throws Error if the system is null, already inserted, or in another model.
  void insert(std::shared_ptr<DynamicalSystem> system);

  /// Lets `interaction` act on one or more systems, whose states its relation sees stacked in this order. Throws Error
  /// if one is null or was never inserted, the interaction is already linked, here or in another model, a system occurs
  /// twice, or the relation does not fit the systems, or has a memory and is that of another interaction.
  template <std::derived_from<DynamicalSystem>... Systems>
  void link(std::shared_ptr<Interaction> interaction, const std::shared_ptr<Systems>&... systems) {
    static_assert(sizeof...(Systems) > 0, "an interaction must be linked to at least one system");
    linkSystems(std::move(interaction), {systems...});
  }

  /// Throws Error if it is null or not linked.
  void remove(const std::shared_ptr<Interaction>& interaction);
  /// Removes the system and every interaction that acts on it. Throws Error if it is null or was never inserted.
  void remove(const std::shared_ptr<DynamicalSystem>& system);

  /// The graph of systems and interactions, for loops over them.
  const Topology& topology() const { return topology_; }

  /// For simulations: how often one has moved the systems, and one more.
  ///@{
  std::uint64_t moves() const { return moves_; }
  std::uint64_t countMove() { return ++moves_; }
  ///@}

  /// For schemes that act on a part of a model: see Topology::takePart. Names, outputs and multipliers stay as they
  /// are.
  void takePart(const NonSmoothDynamicalSystem& whole, const std::vector<char>& taken) {
    topology_.takePart(whole.topology_, taken);
  }

 private:
  void release(Interaction& interaction);
  void linkSystems(std::shared_ptr<Interaction> interaction,
                   const std::vector<std::shared_ptr<DynamicalSystem>>& systems);

  double t0_;
  double T_;
  Topology topology_;
  std::size_t systemCount_ = 0;       // ever inserted; numbers names
  std::size_t interactionCount_ = 0;  // ever linked
  std::uint64_t moves_ = 0;
  std::shared_ptr<const void> life_ = std::make_shared<char>();  // what members know this model by
};

}  // namespace delassus
