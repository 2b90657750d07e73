// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <delassus/kernel/model/Topology.hpp>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <delassus/kernel/systems/DynamicalSystem.hpp>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

/// Whether link() takes a T: a std::shared_ptr to a system, or a part of one.
template <class T>
inline constexpr bool isLinkable = isShared<T, DynamicalSystem> || std::same_as<T, SystemPart>;

/// The model: dynamical systems, the interactions that link them, and the interval of time [t₀, T]. Systems and
/// interactions may be inserted, linked and removed at any time, also between two steps of a simulation.
///
/// A system has one state and an interaction one output and one multiplier: each is in one model at a time. They are
/// free for another one when they are removed, or when the model is destroyed. Laws may be shared by any number of
/// interactions, and so may relations without a memory (see Relation::hasMemory).
///
///     NonSmoothDynamicalSystem model(0., 10.);
///     model.setGravity({0., 0., -9.81});
///     model.insert("ball", ball);
///     const auto floor = model.link("floor", NewtonImpactNSL(0.9), relation, ball);
class NonSmoothDynamicalSystem {
 public:
  /// Throws Error unless t0 < T, both finite.
  NonSmoothDynamicalSystem(double t0, double T);

  /// Start and end of the interval of time.
  ///@{
  double t0() const { return t0_; }
  double T() const { return T_; }
  ///@}

  /// The acceleration of gravity in the inertial frame, m/s²; zero until it is set.
  const Vector3& gravity() const { return gravity_; }
  /// Gives each body in space (NewtonEulerDS) of the model, now or later, its weight m g, beside the forces of its own;
  /// at any time between two steps. First-order systems have none. Throws Error if g is not finite, or naming a system
  /// whose coordinates do not say which way a weight acts, such as a Lagrangian one; its insertion then throws, too.
  /// In such a model give weights as external forces.
  void setGravity(const Vector3& g);

  /// Throws Error if the system is null, already inserted, or in another model, or cannot take the gravity.
  void insert(std::shared_ptr<DynamicalSystem> system) { insertSystem({}, std::move(system)); }
  /// The same with a name (see DynamicalSystem::setName); returns the system.
  template <std::derived_from<DynamicalSystem> System>
  std::shared_ptr<System> insert(std::string name, std::shared_ptr<System> system) {
    insertSystem(std::move(name), system);
    return system;
  }

  /// Lets `interaction` act on one or more systems, each whole or by some of its coordinates (SystemPart), whose states
  /// its relation sees stacked in this order. Throws Error if one is null or was never inserted, the interaction is
  /// already linked, here or in another model, a system or a coordinate occurs twice, or the relation does not fit, or
  /// has a memory and is that of another interaction.
  template <class... Systems>
  void link(std::shared_ptr<Interaction> interaction, const Systems&... systems) {
    static_assert(sizeof...(Systems) > 0, "an interaction must be linked to at least one system");
    static_assert((isLinkable<Systems> && ...),
                  "link(..., systems...): each system is a std::shared_ptr, as insert() takes it, or a SystemPart");
    if constexpr ((isLinkable<Systems> && ...)) {
      const std::array<SystemPart, sizeof...(Systems)> all{systems...};
      linkParts(std::move(interaction), all);
    }
  }
  /// Makes an interaction of this name, links and returns it. Law and relation are copied, or shared if they come as
  /// std::shared_ptr. Throws Error as Interaction and link() do.
  template <class Law, class R, class... Systems>
  std::shared_ptr<Interaction> link(std::string name, Law law, R relation, const Systems&... systems) {
    static_assert(
        PartOf<Law, NonSmoothLaw> && PartOf<R, Relation>,
        "link(name, law, relation, systems...): the law comes first, then the relation, each by value or as a "
        "std::shared_ptr");
    static_assert(sizeof...(Systems) > 0, "an interaction must be linked to at least one system");
    static_assert((isLinkable<Systems> && ...),
                  "link(..., systems...): each system is a std::shared_ptr, as insert() takes it, or a SystemPart");
    if constexpr (PartOf<Law, NonSmoothLaw> && PartOf<R, Relation> && (isLinkable<Systems> && ...)) {
      return link(std::move(name), std::move(law), std::move(relation), std::vector<SystemPart>{systems...});
    }
    return nullptr;
  }

  /// Makes a force element of this name, a spring or damper say, links and returns it: a smooth law in the place of a
  /// nonsmooth one. Law and relation are copied, or shared if they come as std::shared_ptr. Throws Error as
  /// ForceElement does, and as link() of interactions.
  template <PartOf<SmoothLaw> Law, PartOf<Relation> R, class... Systems>
  std::shared_ptr<ForceElement> link(std::string name, Law law, R relation, const Systems&... systems) {
    static_assert(sizeof...(Systems) > 0, "a force element must be linked to at least one system");
    static_assert((isLinkable<Systems> && ...),
                  "link(..., systems...): each system is a std::shared_ptr, as insert() takes it, or a SystemPart");
    if constexpr ((isLinkable<Systems> && ...)) {
      return link(std::move(name), std::move(law), std::move(relation), std::vector<SystemPart>{systems...});
    }
    return nullptr;
  }

  /// The same for as many parts as there are: all nodes of a face, say. Throw Error also if there is none.
  ///@{
  template <PartOf<NonSmoothLaw> Law, PartOf<Relation> R>
  std::shared_ptr<Interaction> link(std::string name, Law law, R relation, const std::vector<SystemPart>& parts) {
    auto interaction = std::make_shared<Interaction>(std::move(law), std::move(relation));
    interaction->setName(std::move(name));
    linkParts(interaction, parts);
    return interaction;
  }
  template <PartOf<SmoothLaw> Law, PartOf<Relation> R>
  std::shared_ptr<ForceElement> link(std::string name, Law law, R relation, const std::vector<SystemPart>& parts) {
    auto element = std::make_shared<ForceElement>(sharedPart<SmoothLaw>(std::move(law)),
                                                  sharedPart<Relation>(std::move(relation)));
    element->setName(std::move(name));
    linkElement(element, parts);
    return element;
  }
  ///@}

  /// Throws Error if it is null or not linked.
  ///@{
  void remove(const std::shared_ptr<Interaction>& interaction);
  void remove(const std::shared_ptr<ForceElement>& element);
  ///@}
  /// Removes the system and every interaction and force element that acts on it. Throws Error if it is null or was
  /// never inserted.
  void remove(const std::shared_ptr<DynamicalSystem>& system);

  /// In the order in which they were inserted or linked.
  ///@{
  const std::vector<std::shared_ptr<DynamicalSystem>>& systems() const { return topology_.systems(); }
  const std::vector<std::shared_ptr<Interaction>>& interactions() const { return topology_.interactions(); }
  const std::vector<std::shared_ptr<ForceElement>>& elements() const { return topology_.elements(); }
  ///@}
  /// The graph of systems and interactions: who is linked with whom.
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
  void insertSystem(std::string name, std::shared_ptr<DynamicalSystem> system);
  void giveGravity();
  void release(Interaction& interaction);
  void linkParts(std::shared_ptr<Interaction> interaction, std::span<const SystemPart> parts);
  void linkElement(const std::shared_ptr<ForceElement>& element, std::span<const SystemPart> parts);
  void requireLinked(const std::string& name, std::span<const SystemPart> parts) const;
  void takeRelation(Relation& relation, const char* what, const std::string& name);

  double t0_;
  double T_;
  Vector3 gravity_{0., 0., 0.};
  Topology topology_;
  std::size_t systemCount_ = 0;       // ever inserted; numbers names
  std::size_t interactionCount_ = 0;  // ever linked
  std::size_t elementCount_ = 0;      // ever linked
  std::uint64_t moves_ = 0;
  std::shared_ptr<const void> life_ = std::make_shared<char>();  // what members know this model by
};

}  // namespace delassus
