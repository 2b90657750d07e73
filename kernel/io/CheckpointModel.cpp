// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <delassus/kernel/io/CheckpointArchive.hpp>
#include <delassus/kernel/io/CheckpointModel.hpp>
#include <delassus/kernel/relations/FirstOrderR.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <map>

namespace delassus::detail {
namespace {

using Named = CheckpointContent::Named;
using Probe = CheckpointContent::Probe;

constexpr std::size_t mostShown = 4;  // differences in a message

// These may differ, so that a study can be continued.
constexpr std::array<std::string_view, 3> mayDiffer{"simulation: T", "simulation: steps", "simulation: outputs"};

// Descriptions are compared by names: repeated ones of a user's class are numbered.
void add(std::vector<Named>& all, const std::string& what, const Settings& settings) {
  const std::vector<Setting>& list = settings.list();
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto before =
        static_cast<std::size_t>(std::count_if(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(k),
                                               [&](const Setting& other) { return other.name == list[k].name; }));
    const std::string number = before > 0 ? " (" + std::to_string(before + 1) + ")" : "";
    all.emplace_back(what + ": " + list[k].name + number, list[k].value);
  }
}

void describeSystems(const Topology& topology, std::vector<Named>& all) {
  all.emplace_back("number of systems", std::to_string(topology.systems().size()));
  for (std::size_t i = 0; i < topology.systems().size(); ++i) {
    const DynamicalSystem& system = *topology.systems()[i];
    all.emplace_back("system " + std::to_string(i),
                     "'" + system.name() + "' (" + std::string(system.className()) + ")");
    add(all, "system " + std::to_string(i) + " '" + system.name() + "'", system.settings());
  }
}

void describeInteractions(const Simulation& simulation, std::vector<Named>& all) {
  const Topology& topology = simulation.model().topology();
  const std::vector<const Interaction*> managed = simulation.managedInteractions();
  std::size_t number = 0;
  for (const auto& interaction : topology.interactions()) {
    if (std::binary_search(managed.begin(), managed.end(), interaction.get())) continue;
    const std::string what = "interaction " + std::to_string(number++);
    std::string value = "'" + interaction->name() + "' (" + std::string(interaction->law().className()) + ", " +
                        std::string(interaction->relation().className()) + " of size " +
                        std::to_string(interaction->size()) + ") on";
    bool first = true;
    for (const SystemPart& part : topology.partsOf(*interaction)) {
      value += (first ? " " : ", ") + part.label();
      first = false;
    }
    all.emplace_back(what, std::move(value));
    add(all, what + " '" + interaction->name() + "', law", interaction->law().settings());
    add(all, what + " '" + interaction->name() + "', relation", interaction->relation().settings());
  }
  all.emplace_back("number of interactions", std::to_string(number));
}

void describeElements(const Topology& topology, std::vector<Named>& all) {
  if (topology.elements().empty()) return;
  all.emplace_back("number of force elements", std::to_string(topology.elements().size()));
  for (std::size_t k = 0; k < topology.elements().size(); ++k) {
    const ForceElement& element = *topology.elements()[k];
    const std::string what = "force element " + std::to_string(k);
    std::string value = "'" + element.name() + "' (" + std::string(element.law().className()) + ", " +
                        std::string(element.relation().className()) + " of size " + std::to_string(element.size()) +
                        ") on";
    for (const SystemPart& part : element.parts()) value += " " + part.label();
    all.emplace_back(what, std::move(value));
    add(all, what + " '" + element.name() + "', law", element.law().settings());
    add(all, what + " '" + element.name() + "', relation", element.relation().settings());
  }
}

std::string join(const std::vector<std::string>& differences) {
  std::string text;
  for (std::size_t k = 0; k < std::min(differences.size(), mostShown); ++k) {
    text += (k == 0 ? "" : "; ") + differences[k];
  }
  if (differences.size() > mostShown) text += "; and " + std::to_string(differences.size() - mostShown) + " more";
  return text;
}

template <class Compute>
void probe(std::vector<Probe>& all, std::string name, Compute compute) {
  Probe probe{std::move(name), {}};
  try {
    compute(probe.values);
  } catch (const std::exception&) {
    probe.values.clear();  // such as a table that ends at T
  }
  all.push_back(std::move(probe));
}

// Those that are not zero: sparse ones may have got places for more.
void addEntries(const SquareMatrix& mass, std::vector<double>& values) {
  forEachEntry(mass, [&](std::size_t, std::size_t, double entry) {
    if (entry != 0.) values.push_back(entry);
  });
}

void probe(SecondOrderDS& system, double t, std::vector<Probe>& all) {
  probe(all, "the mass of '" + system.name() + "'", [&](std::vector<double>& values) {
    SquareMatrix mass;
    system.mass(t, system.q(), mass);
    addEntries(mass, values);
  });
  probe(all, "the force on '" + system.name() + "'", [&](std::vector<double>& values) {
    Vector force;
    system.forces(t, system.q(), system.velocity(), force);
    values = force.data();
  });
}

void probe(FirstOrderDS& system, double t, std::vector<Probe>& all) {
  probe(all, "the matrix M of '" + system.name() + "'", [&](std::vector<double>& values) {
    SquareMatrix mass;
    system.mass(t, system.x(), mass);
    addEntries(mass, values);
  });
  probe(all, "the vector field of '" + system.name() + "'", [&](std::vector<double>& values) {
    Vector f;
    Vector rest;
    assignZero(rest, system.dimension());
    system.vectorField(t, system.x(), rest, f);
    values = f.data();
  });
}

// Relations may remember their last evaluation.
void probe(Interaction& interaction, const Vector& x, double t, std::vector<Probe>& all) {
  Relation& relation = interaction.relation();
  SavingArchive memory;
  relation.serializeState(memory);
  const Vector lambda = interaction.lambda(0);
  probe(all, "the output of '" + interaction.name() + "'", [&](std::vector<double>& values) {
    Vector y;
    assignZero(y, interaction.size());
    if (SecondOrderR* const second = relation.secondOrder()) second->computeOutput(t, x, lambda, y);
    if (FirstOrderR* const first = relation.firstOrder()) first->computeOutput(t, x, lambda, y);
    values = y.data();
  });
  if (FirstOrderR* const first = relation.firstOrder()) {
    probe(all, "the input of '" + interaction.name() + "'", [&](std::vector<double>& values) {
      Vector r;
      assignZero(r, x.size());
      first->computeInput(t, x, lambda, r);
      values = r.data();
    });
  }
  RestoringArchive back(std::move(memory).bytes(), "Checkpoint");
  relation.serializeState(back);
}

void probe(ForceElement& element, double t, std::vector<Probe>& all) {
  SavingArchive memory;
  element.serializeState(memory);
  probe(all, "the force of '" + element.name() + "'",
        [&](std::vector<double>& values) { values = element.force(t).data(); });
  RestoringArchive back(std::move(memory).bytes(), "Checkpoint");
  element.serializeState(back);
}

std::string show(const std::vector<double>& values) {
  if (values.empty()) return "an error";
  Settings settings;
  settings.add("values", std::span<const double>(values));
  return settings.list().front().value;
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

}  // namespace

std::vector<Named> describe(const Simulation& simulation) {
  std::vector<Named> all;
  all.emplace_back("the simulation", std::string(simulation.className()));
  add(all, "simulation", simulation.settings());
  describeSystems(simulation.model().topology(), all);
  describeInteractions(simulation, all);
  describeElements(simulation.model().topology(), all);
  return all;
}

std::string differences(const std::vector<Named>& here, const std::vector<Named>& checkpoint) {
  std::map<std::string_view, std::string_view> inCheckpoint(checkpoint.begin(), checkpoint.end());
  std::vector<std::string> found;
  for (const auto& [what, value] : here) {
    if (std::find(mayDiffer.begin(), mayDiffer.end(), what) != mayDiffer.end()) {
      inCheckpoint.erase(what);
      continue;
    }
    const auto other = inCheckpoint.find(what);
    if (other == inCheckpoint.end()) {
      found.push_back(what + " is " + value + " here and missing in the checkpoint");
      continue;
    }
    if (other->second != value) {
      found.push_back(what + " is " + value + " here, " + std::string(other->second) + " in the checkpoint");
    }
    inCheckpoint.erase(other);
  }
  for (const auto& [what, value] : checkpoint) {
    if (!inCheckpoint.contains(what)) continue;
    if (std::find(mayDiffer.begin(), mayDiffer.end(), what) != mayDiffer.end()) continue;
    found.push_back(what + " is missing here, " + value + " in the checkpoint");
  }
  return join(found);
}

std::vector<Probe> probe(const Simulation& simulation) {
  std::vector<Probe> all;
  for (const auto& system : simulation.model().topology().systems()) {
    if (SecondOrderDS* const body = system->secondOrder()) probe(*body, simulation.time(), all);
    if (FirstOrderDS* const flow = system->firstOrder()) probe(*flow, simulation.time(), all);
  }
  const Topology& topology = simulation.model().topology();
  const std::vector<const Interaction*> managed = simulation.managedInteractions();
  for (const auto& interaction : topology.interactions()) {
    if (std::binary_search(managed.begin(), managed.end(), interaction.get())) continue;
    probe(*interaction, stackedStates(topology.partsOf(*interaction)), simulation.time(), all);
  }
  for (const auto& element : topology.elements()) probe(*element, simulation.time(), all);
  return all;
}

std::string differences(const std::vector<Probe>& here, const std::vector<Probe>& checkpoint, double time) {
  std::vector<std::string> found;
  for (std::size_t k = 0; k < std::min(here.size(), checkpoint.size()); ++k) {
    if (sameBits(here[k].values, checkpoint[k].values)) continue;
    found.push_back(here[k].name + " at t = " + toText(time) + " is " + show(here[k].values) + " here, " +
                    show(checkpoint[k].values) + " in the checkpoint");
  }
  return join(found);
}

}  // namespace delassus::detail
