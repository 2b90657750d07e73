// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/diagnostics/ModelDescription.hpp>

#include <algorithm>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <sstream>

namespace delassus {
namespace {

constexpr std::size_t numbersShown = 12;
constexpr std::size_t lettersShown = 60;

std::string shortened(const std::string& text) {
  return text.size() <= lettersShown ? text : text.substr(0, lettersShown) + " …";
}

std::string textOf(const Vector& v) {
  std::ostringstream text;
  text.precision(6);
  text << '(';
  for (std::size_t i = 0; i < std::min(v.size(), numbersShown); ++i) text << (i == 0 ? "" : ", ") << v(i);
  if (v.size() > numbersShown) text << ", … " << v.size() << " in all";
  text << ')';
  return text.str();
}

template <class Object>
std::string labelOf(const std::shared_ptr<Object>& object) {
  return "'" + object->name() + "'";
}

std::string labelOf(const SystemPart& part) {
  return part.label();
}

template <class Object>
void addNames(const std::vector<Object>& objects, std::ostringstream& text) {
  for (std::size_t k = 0; k < std::min(objects.size(), numbersShown); ++k) {
    text << (k == 0 ? "" : ", ") << labelOf(objects[k]);
  }
  if (objects.size() > numbersShown) text << ", … " << objects.size() << " in all";
}

void addSettings(const Settings& settings, const char* indent, std::ostringstream& text) {
  for (const Setting& setting : settings.list()) {
    text << indent << setting.name << " = " << shortened(setting.value) << '\n';
  }
}

void addSystem(const Topology& topology, DynamicalSystem& system, std::ostringstream& text) {
  text << "  '" << system.name() << "' " << system.className();
  if (const FirstOrderDS* const first = system.firstOrder()) {
    text << ", " << first->dimension() << " states\n";
    addSettings(system.settings(), "    ", text);
    text << "    x = " << textOf(first->x()) << '\n';
  } else if (const SecondOrderDS* const second = system.secondOrder()) {
    text << ", " << second->dimension() << " degrees of freedom\n";
    addSettings(system.settings(), "    ", text);
    text << "    q = " << textOf(second->q()) << "\n    v = " << textOf(second->velocity()) << '\n';
  } else {
    text << '\n';
    addSettings(system.settings(), "    ", text);
  }
  const auto interactions = topology.interactionsOf(system);
  if (interactions.empty()) return;
  text << "    interactions ";
  addNames(interactions, text);
  text << '\n';
}

std::size_t activeBlocks(const Interaction& interaction) {
  std::size_t count = 0;
  for (std::size_t block = 0; block < interaction.blocks(); ++block) count += interaction.isActive(block) ? 1 : 0;
  return count;
}

void addInteraction(const Topology& topology, const Interaction& interaction, std::ostringstream& text) {
  text << "  '" << interaction.name() << "' " << interaction.law().className() << " (size " << interaction.law().size()
       << ", " << interaction.law().multipliersInWords() << "), " << interaction.relation().className() << " ("
       << interaction.size() << " outputs)\n";
  addSettings(interaction.law().settings(), "    law: ", text);
  addSettings(interaction.relation().settings(), "    relation: ", text);
  text << "    systems ";
  addNames(topology.partsOf(interaction), text);
  const auto linked = topology.linkedInteractions(interaction);
  if (!linked.empty()) {
    text << "; linked interactions ";
    addNames(linked, text);
  }
  text << "\n    " << activeBlocks(interaction) << " of " << interaction.blocks() << " blocks active\n";
  for (std::size_t level = 0; level < interaction.levels(); ++level) {
    text << "    y(" << level << ") = " << textOf(interaction.y(level)) << ", lambda(" << level
         << ") = " << textOf(interaction.lambda(level)) << '\n';
  }
}

void addElement(const ForceElement& element, std::ostringstream& text) {
  text << "  '" << element.name() << "' " << element.law().className() << " (size " << element.law().size() << "), "
       << element.relation().className() << " (" << element.size() << " outputs)\n";
  addSettings(element.law().settings(), "    law: ", text);
  addSettings(element.relation().settings(), "    relation: ", text);
  text << "    systems ";
  addNames(element.parts(), text);
  text << '\n';
}

void addIndexSet(const Topology& topology, std::size_t level, std::ostringstream& text) {
  std::vector<std::shared_ptr<Interaction>> members;
  for (const auto& interaction : topology.indexSet(level)) members.push_back(interaction);
  text << "  I" << level << ": " << members.size() << (members.empty() ? "" : " - ");
  addNames(members, text);
  text << '\n';
}

// A name as a string of the language: its quotes and backslashes are escaped.
std::string quoted(const std::string& name) {
  std::string text;
  for (const char letter : name) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter == '\n' ? ' ' : letter;
  }
  return text;
}

void addElements(const Topology& topology, std::ostringstream& text) {
  const auto& systems = topology.systems();
  for (std::size_t k = 0; k < topology.elements().size(); ++k) {
    const ForceElement& element = *topology.elements()[k];
    text << "  e" << k << " [shape=ellipse, label=\"" << quoted(element.name()) << "\\n"
         << element.law().className() << "\\n"
         << element.relation().className() << "\"];\n";
    for (const auto& system : element.systems()) {
      const auto place = std::find(systems.begin(), systems.end(), system);
      text << "  e" << k << " -- s" << place - systems.begin() << ";\n";
    }
  }
}

}  // namespace

std::string describe(const NonSmoothDynamicalSystem& model, std::size_t most) {
  const Topology& topology = model.topology();
  const auto& systems = topology.systems();
  const auto& interactions = topology.interactions();
  std::ostringstream text;
  text << "model from t0 = " << model.t0() << " to T = " << model.T() << ": " << systems.size() << " systems, "
       << interactions.size() << " interactions\nsystems\n";
  for (std::size_t k = 0; k < std::min(most, systems.size()); ++k) addSystem(topology, *systems[k], text);
  if (systems.size() > most) text << "  … and " << systems.size() - most << " more\n";
  text << "interactions\n";
  for (std::size_t k = 0; k < std::min(most, interactions.size()); ++k) {
    addInteraction(topology, *interactions[k], text);
  }
  if (interactions.size() > most) text << "  … and " << interactions.size() - most << " more\n";
  const auto& elements = topology.elements();
  if (!elements.empty()) text << "force elements\n";
  for (std::size_t k = 0; k < std::min(most, elements.size()); ++k) addElement(*elements[k], text);
  if (elements.size() > most) text << "  … and " << elements.size() - most << " more\n";
  text << "index sets\n";
  for (const std::size_t level : {std::size_t{0}, std::size_t{1}}) addIndexSet(topology, level, text);
  text << "  " << topology.activeIslands() << " independent groups in I1\n";
  return text.str();
}

std::string graphvizOf(const NonSmoothDynamicalSystem& model) {
  const Topology& topology = model.topology();
  std::ostringstream text;
  text << "graph model {\n  graph [overlap=false];\n  node [fontname=\"sans-serif\"];\n";
  const auto& systems = topology.systems();
  for (std::size_t k = 0; k < systems.size(); ++k) {
    text << "  s" << k << " [shape=box, label=\"" << quoted(systems[k]->name()) << "\\n"
         << systems[k]->className() << "\"];\n";
  }
  const auto& interactions = topology.interactions();
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    const Interaction& interaction = *interactions[k];
    const bool active = interaction.isActive();
    text << "  i" << k << " [shape=ellipse, label=\"" << quoted(interaction.name()) << "\\n"
         << interaction.law().className() << "\\n"
         << interaction.relation().className() << "\\n"
         << (active ? "I0, I1" : "I0") << '"' << (active ? ", style=filled, fillcolor=\"#ffd27f\"" : ", style=dashed")
         << "];\n";
  }
  const std::vector<Coupling>& couplings = topology.couplings();
  for (std::size_t c = 0; c < couplings.size(); ++c) {
    const Coupling& coupling = couplings[c];
    const auto begin = couplings.begin() + static_cast<std::ptrdiff_t>(topology.couplingBegin(coupling.interaction));
    const auto here = couplings.begin() + static_cast<std::ptrdiff_t>(c);
    // One edge for all parts of a system.
    if (std::any_of(begin, here, [&](const Coupling& before) { return before.system == coupling.system; })) continue;
    text << "  i" << coupling.interaction << " -- s" << coupling.system
         << (interactions[coupling.interaction]->isActive() ? " [penwidth=2];\n" : " [style=dashed];\n");
  }
  addElements(topology, text);
  text << "}\n";
  return text.str();
}

void writeGraphviz(const NonSmoothDynamicalSystem& model, const std::filesystem::path& path) {
  numerics::writeContent(path, graphvizOf(model));
}

}  // namespace delassus
