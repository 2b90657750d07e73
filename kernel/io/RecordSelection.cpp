// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/RecordSelection.hpp>

#include <algorithm>
#include <delassus/kernel/io/RecordedObjects.hpp>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {
namespace {

template <class Object>
std::shared_ptr<Object> find(const std::vector<std::shared_ptr<Object>>& objects, const std::string& name) {
  const auto found =
      std::find_if(objects.begin(), objects.end(), [&](const auto& object) { return object->name() == name; });
  return found == objects.end() ? nullptr : *found;
}

template <class Object>
std::string names(const std::vector<std::shared_ptr<Object>>& objects) {
  constexpr std::size_t most = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(objects.size(), most); ++i) {
    list += (i == 0 ? "'" : ", '") + objects[i]->name() + "'";
  }
  return objects.empty() ? "none" : objects.size() > most ? list + ", …" : list;
}

void planSolver(const Simulation& simulation, RecordPlan& plan) {
  // All numbers are asked for at once, with the first of them.
  const auto numbers = std::make_shared<std::vector<StepNumber>>();
  simulation.stepNumbers(*numbers);
  for (std::size_t k = 0; k < numbers->size(); ++k) {
    const StepNumber& number = (*numbers)[k];
    plan.add({std::string("solver/") + number.name,
              number.unit,
              number.description,
              {},
              {},
              {},
              number.isWhole ? RecordKind::integer : RecordKind::real},
             [numbers, k, &simulation](double* out) {
               if (k == 0) {
                 numbers->clear();
                 simulation.stepNumbers(*numbers);
               }
               *out = (*numbers)[k].value;
             });
  }
  const Topology& topology = simulation.model().topology();
  plan.add({"solver/interactions", "", "interactions in the model (index set 0)", {}, {}, {}, RecordKind::integer},
           [&topology](double* out) { *out = static_cast<double>(topology.interactions().size()); });
  plan.add(
      {"solver/active_interactions", "", "interactions that could act (index set 1)", {}, {}, {}, RecordKind::integer},
      [&topology](double* out) {
        const auto& all = topology.interactions();
        *out = static_cast<double>(std::count_if(all.begin(), all.end(), [](const auto& i) { return i->isActive(); }));
      });
}

}  // namespace

void RecordSelection::system(std::shared_ptr<DynamicalSystem> system, std::vector<RecordChoice> choices) {
  if (!system) throw Error("Recorder", "the system to record is null.");
  items_.push_back([system = std::move(system), choices = std::move(choices)](const Simulation&, RecordPlan& plan) {
    planSystem(system, choices, plan);
  });
}

void RecordSelection::interaction(std::shared_ptr<Interaction> interaction, std::vector<RecordChoice> choices) {
  if (!interaction) throw Error("Recorder", "the interaction to record is null.");
  items_.push_back([interaction = std::move(interaction), choices = std::move(choices)](
                       const Simulation&, RecordPlan& plan) { planInteraction(interaction, choices, plan); });
}

void RecordSelection::byName(std::string name, std::vector<RecordChoice> choices) {
  items_.push_back(
      [name = std::move(name), choices = std::move(choices)](const Simulation& simulation, RecordPlan& plan) {
        const Topology& topology = simulation.model().topology();
        const auto system = find(topology.systems(), name);
        const auto interaction = find(topology.interactions(), name);
        const auto element = find(topology.elements(), name);
        if ((system ? 1 : 0) + (interaction ? 1 : 0) + (element ? 1 : 0) > 1) {
          throw Error("Recorder", "'" + name +
                                      "' is the name of two of a system, an interaction and a force element; give "
                                      "the object itself.");
        }
        if (!system && !interaction && !element) {
          throw Error("Recorder", "the model has no system or interaction '" + name + "'; systems: " +
                                      names(topology.systems()) + "; interactions: " + names(topology.interactions()) +
                                      "; force elements: " + names(topology.elements()) + ".");
        }
        if (system) planSystem(system, choices, plan);
        if (interaction) planInteraction(interaction, choices, plan);
        if (element) planElement(element, simulation, choices, plan);
      });
}

void RecordSelection::together(std::string name, Systems systems, std::vector<RecordChoice> choices) {
  if (systems.empty()) throw Error("Recorder", "there are no systems in '" + name + "'.");
  if (std::find(systems.begin(), systems.end(), nullptr) != systems.end()) {
    throw Error("Recorder", "a system of '" + name + "' is null.");
  }
  items_.push_back([name = std::move(name), systems = std::move(systems), choices = std::move(choices)](
                       const Simulation&, RecordPlan& plan) { planSystems(name, systems, choices, plan); });
}

void RecordSelection::everything() {
  items_.push_back([](const Simulation& simulation, RecordPlan& plan) {
    const Topology& topology = simulation.model().topology();
    for (const auto& system : topology.systems()) planSystem(system, {}, plan);
    // Interactions of a manager differ when a run is restored; recordContacts is for them.
    const std::vector<const Interaction*> managed = simulation.managedInteractions();
    for (const auto& interaction : topology.interactions()) {
      if (std::binary_search(managed.begin(), managed.end(), interaction.get())) continue;
      planInteraction(interaction, {}, plan);
    }
    for (const auto& element : topology.elements()) planElement(element, simulation, {}, plan);
  });
}

void RecordSelection::function(RecordQuantity quantity, std::function<void(double*)> f) {
  if (!f) throw Error("Recorder", "the function of '" + quantity.path + "' is empty.");
  if (quantity.size() == 0) throw Error("Recorder", "'" + quantity.path + "' has no numbers.");
  quantity.path = "user/" + quantity.path;
  items_.push_back([quantity = std::move(quantity), f = std::move(f)](const Simulation&, RecordPlan& plan) {
    plan.add(quantity, f);
  });
}

void RecordSelection::energy(std::function<double()> potential) {
  items_.push_back([potential = std::move(potential)](const Simulation& simulation, RecordPlan& plan) {
    planEnergy(simulation, potential, plan);
  });
}

void RecordSelection::solver() {
  items_.push_back(planSolver);
}

void RecordSelection::contacts(ContactChoice choice) {
  if (choice.rows == 0)
    throw Error("Recorder", "recordContacts: at least one row of a contact must be recorded, got 0.");
  items_.push_back(
      [choice](const Simulation& simulation, RecordPlan& plan) { planContacts(simulation.model(), choice, plan); });
}

void RecordSelection::plan(const Simulation& simulation, RecordPlan& plan) const {
  for (const Item& item : items_) item(simulation, plan);
}

}  // namespace delassus
