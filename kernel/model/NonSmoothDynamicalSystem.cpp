// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/relations/FirstOrderR.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {
namespace {

const char* const className = "NonSmoothDynamicalSystem";

[[noreturn]] void refuse(const Relation& relation, const DynamicalSystem& system, const char* kind) {
  throw Error(std::string(relation.className()), std::string("it links ") + kind + " systems, but system '" +
                                                     system.name() + "' (" + std::string(system.className()) +
                                                     ") is not one.");
}

void requireFit(FirstOrderR& relation, std::span<const SystemPart> parts) {
  std::size_t states = 0;
  for (const SystemPart& part : parts) {
    const FirstOrderDS* const linked = part.system()->firstOrder();
    if (linked == nullptr) refuse(relation, *part.system(), "first-order");
    states += part.of(linked->x()).size();
  }
  relation.checkDimensions(states);
}

// A relation between mechanical systems must have exactly one column for each of their coordinates, after one for each
// state of first-order systems, if it has such.
void requireFit(SecondOrderR& relation, std::span<const SystemPart> parts) {
  std::size_t configurations = 0;
  std::size_t velocities = 0;
  const std::size_t states = relation.firstOrderStates();
  for (const SystemPart& part : parts) {
    const bool isMechanical = velocities >= states;
    if (isMechanical && part.system()->secondOrder() == nullptr) refuse(relation, *part.system(), "mechanical");
    if (!isMechanical && part.system()->firstOrder() == nullptr) {
      refuse(relation, *part.system(), "first-order (and then mechanical)");
    }
    configurations += part.q().size();
    velocities += part.velocity().size();
    if (isMechanical || velocities <= states) continue;
    throw Error(std::string(relation.className()), "it sees " + std::to_string(states) +
                                                       " states of first-order systems, but up to " + part.label() +
                                                       " the link names " + std::to_string(velocities) + ".");
  }
  relation.checkDimensions(configurations, velocities);
}

void requireFit(Relation& relation, std::span<const SystemPart> parts, const char* what, const std::string& name) {
  try {
    if (FirstOrderR* const firstOrder = relation.firstOrder()) requireFit(*firstOrder, parts);
    if (SecondOrderR* const secondOrder = relation.secondOrder()) requireFit(*secondOrder, parts);
  } catch (const Error& error) {
    throw Error(std::string(what) + " '" + name + "'", error.what());
  }
}

}  // namespace

NonSmoothDynamicalSystem::NonSmoothDynamicalSystem(double t0, double T) : t0_(t0), T_(T) {
  if (!std::isfinite(t0) || !std::isfinite(T) || !(t0 < T)) {
    throw Error(className, "the final time T must be after the initial time t0, got t0 = " + toText(t0) +
                               " and T = " + toText(T) + ".");
  }
}

void NonSmoothDynamicalSystem::setGravity(const Vector3& g) {
  for (const double component : g) {
    if (!std::isfinite(component)) throw Error(className, "the gravity must be finite, got " + toText(component) + ".");
  }
  const Vector3 before = std::exchange(gravity_, g);
  try {
    giveGravity();
  } catch (...) {
    gravity_ = before;
    giveGravity();
    throw;
  }
}

void NonSmoothDynamicalSystem::giveGravity() {
  for (const auto& system : topology_.systems()) {
    if (SecondOrderDS* const body = system->secondOrder()) body->takeGravity(gravity_);
  }
}

void NonSmoothDynamicalSystem::insertSystem(std::string name, std::shared_ptr<DynamicalSystem> system) {
  if (!system) throw Error(className, "the system to insert is null.");
  if (topology_.contains(*system)) {
    throw Error(className, "system '" + system->name() + "' is already inserted.");
  }
  if (system->membership().isTaken()) {
    throw Error(className, "system '" + system->name() +
                               "' is in another model, and has one state: make a system for each model, or remove it "
                               "from the other one before.");
  }
  if (SecondOrderDS* const body = system->secondOrder()) body->takeGravity(gravity_);
  if (!name.empty()) system->setName(std::move(name));
  if (system->name().empty()) {
    system->setName(std::string(system->className()) + " " + std::to_string(systemCount_));
  }
  ++systemCount_;
  system->membership().begin(life_);
  topology_.insert(std::move(system));
}

void NonSmoothDynamicalSystem::linkParts(std::shared_ptr<Interaction> interaction, std::span<const SystemPart> parts) {
  if (!interaction) throw Error(className, "the interaction to link is null.");
  const std::string given = interaction->name().empty() ? "interaction " + std::to_string(interactionCount_) : "";
  const std::string& name = given.empty() ? interaction->name() : given;
  if (topology_.contains(*interaction)) throw Error(className, "'" + name + "' is already linked.");
  if (interaction->membership().isTaken()) {
    throw Error(className, "interaction '" + name +
                               "' is linked in another model, and has one output and one multiplier: make an "
                               "interaction for each model (they may share the law), or remove it from the other one "
                               "before.");
  }
  requireLinked(name, parts);
  Relation& relation = interaction->relation();
  if (relation.secondOrder() != nullptr && relation.secondOrder()->firstOrderStates() > 0) {
    throw Error("Interaction '" + name + "'", "the relation " + std::string(relation.className()) +
                                                  " has states of first-order systems, and is one of force elements "
                                                  "(SmoothLaw, GyratorLaw) alone.");
  }
  requireFit(relation, parts, "Interaction", name);
  takeRelation(relation, "Interaction", name);
  interaction->membership().begin(life_);
  if (!given.empty()) interaction->setName(given);
  interaction->reset();
  ++interactionCount_;
  topology_.link(std::move(interaction), parts);
}

// Throws Error unless each system of the link of `name` is in the model, and none of its coordinates stands there
// twice.
void NonSmoothDynamicalSystem::requireLinked(const std::string& name, std::span<const SystemPart> parts) const {
  if (parts.empty()) throw Error(className, "'" + name + "' must be linked to at least one system.");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& system = parts[i].system();
    if (!system) {
      throw Error(className, "system " + std::to_string(i) + " to link '" + name + "' to is null.");
    }
    if (!topology_.contains(*system)) {
      const std::string label = system->name().empty() ? std::string(system->className()) : system->name();
      throw Error(className, "cannot link '" + name + "' to system '" + label +
                                 "', which was never inserted; call insert with it first.");
    }
    for (const SystemPart& before : parts.first(i)) {
      if (before.system() != system) continue;
      if (before.isWhole() || parts[i].isWhole()) {
        throw Error(className, "system '" + system->name() + "' stands twice in the link of '" + name + "'.");
      }
      const std::size_t common = std::max(before.first(), parts[i].first());
      if (common >= std::min(before.first() + before.count(), parts[i].first() + parts[i].count())) continue;
      throw Error(className, "coordinate " + std::to_string(common) + " of system '" + system->name() +
                                 "' stands twice in the link of '" + name + "'.");
    }
  }
}

void NonSmoothDynamicalSystem::takeRelation(Relation& relation, const char* what, const std::string& name) {
  if (!relation.hasMemory()) return;
  if (relation.membership().isTaken()) {
    throw Error(std::string(what) + " '" + name + "'",
                "its relation " + std::string(relation.className()) +
                    " is that of another link too, and it has a memory: give each link a copy.");
  }
  relation.membership().begin(life_);
}

void NonSmoothDynamicalSystem::linkElement(const std::shared_ptr<ForceElement>& element,
                                           std::span<const SystemPart> parts) {
  if (element->name().empty()) element->setName("force element " + std::to_string(elementCount_));
  requireLinked(element->name(), parts);
  requireFit(element->relation(), parts, "Force element", element->name());
  takeRelation(element->relation(), "Force element", element->name());
  element->setParts(parts);
  element->membership().begin(life_);
  ++elementCount_;
  topology_.insert(element);
}

void NonSmoothDynamicalSystem::remove(const std::shared_ptr<ForceElement>& element) {
  if (!element) throw Error(className, "the force element to remove is null.");
  if (!topology_.contains(*element)) {
    throw Error(className, "force element '" + element->name() + "' is not linked, so it cannot be removed.");
  }
  element->membership().end();
  element->relation().membership().end();
  topology_.remove(*element);
}

void NonSmoothDynamicalSystem::remove(const std::shared_ptr<Interaction>& interaction) {
  if (!interaction) throw Error(className, "the interaction to remove is null.");
  if (!topology_.contains(*interaction)) {
    throw Error(className, "interaction '" + interaction->name() + "' is not linked, so it cannot be removed.");
  }
  release(*interaction);
  topology_.remove(*interaction);
}

void NonSmoothDynamicalSystem::release(Interaction& interaction) {
  interaction.membership().end();
  interaction.relation().membership().end();
}

void NonSmoothDynamicalSystem::remove(const std::shared_ptr<DynamicalSystem>& system) {
  if (!system) throw Error(className, "the system to remove is null.");
  if (!topology_.contains(*system)) {
    throw Error(className, "system '" + system->name() + "' was never inserted, so it cannot be removed.");
  }
  for (const auto& interaction : topology_.interactionsOf(*system)) release(*interaction);
  for (const auto& element : topology_.elementsOf(*system)) remove(element);
  system->membership().end();
  topology_.remove(*system);
}

}  // namespace delassus
