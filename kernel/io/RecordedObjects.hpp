// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/io/RecordPlan.hpp>
#include <delassus/kernel/io/RecordSelection.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

// Quantities of systems and interactions, for RecordSelection.
namespace delassus {

/// Adds the chosen quantities of a system, or the usual ones if none are chosen. Throws Error naming the system for a
/// quantity that it does not have.
void planSystem(const std::shared_ptr<DynamicalSystem>& system, std::span<const RecordChoice> choices,
                RecordPlan& plan);

/// Those of several systems of one size, as quantities of m members.
void planSystems(const std::string& name, const std::vector<std::shared_ptr<DynamicalSystem>>& systems,
                 std::span<const RecordChoice> choices, RecordPlan& plan);

/// As planSystem, of a force element of the model.
void planElement(const std::shared_ptr<ForceElement>& element, const Simulation& simulation,
                 std::span<const RecordChoice> choices, RecordPlan& plan);

/// As planSystem; the interaction must be in a model with a known scheme, which determines the number of levels.
void planInteraction(const std::shared_ptr<Interaction>& interaction, std::span<const RecordChoice> choices,
                     RecordPlan& plan);

/// Kinetic energy of all systems that have one, and with `potential` also that and the sum.
void planEnergy(const Simulation& simulation, const std::function<double()>& potential, RecordPlan& plan);

/// The contacts of the model, as a ragged table.
void planContacts(const NonSmoothDynamicalSystem& model, const ContactChoice& choice, RecordPlan& plan);

}  // namespace delassus
