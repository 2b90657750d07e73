// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/diagnostics/DriftMonitor.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/diagnostics/RestoredEntries.hpp>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <iomanip>
#include <limits>
#include <sstream>

namespace delassus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void note(double violation, double t, DriftMonitor::Drift& drift) {
  drift.present = std::max(drift.present, violation);
  if (!(violation <= drift.largest)) {
    drift.largest = violation;
    drift.at = t;
  }
}

void serialize(StateArchive& archive, DriftMonitor::Drift& drift) {
  archive.value("name", drift.name);
  archive.value("equality", drift.equality);
  archive.value("largest", drift.largest);
  archive.value("at", drift.at);
  archive.value("largest rate", drift.largestRate);
  archive.value("present", drift.present);
}

}  // namespace

void DriftMonitor::wasAdded(Simulation& simulation) {
  simulation_ = &simulation;
  begun_ = false;
  watched_.clear();
  bodies_.clear();
  retired_.clear();
}

// A restored monitor may not have been notified of the last step: the checkpoint was made before.
void DriftMonitor::begin(Simulation& simulation) {
  const bool goesOn = begun_;
  bind(simulation);
  begun_ = true;
  if (goesOn && simulation.stepIndex() > lastStep_) afterStep(simulation);
  lastStep_ = simulation.stepIndex();
}

void DriftMonitor::bind(const Simulation& simulation) {
  const Topology& topology = simulation.model().topology();
  bindInteractions(topology);
  bindBodies(topology);
  forgetSmallest();
  boundTo_.take(topology.version());
}

// What the rows of an application of the law are: both bounds infinite an equality, one of them a contact.
void DriftMonitor::bindInteractions(const Topology& topology) {
  std::vector<Watched> before;
  before.swap(watched_);
  const auto& interactions = topology.interactions();
  std::size_t old = 0;
  for (std::size_t k = 0; k < interactions.size(); ++k) {
    const std::uint64_t serial = topology.interactionSerials()[k];
    while (old < before.size() && detail::isBefore(before[old].serial, serial)) retire(before[old++]);
    if (old < before.size() && before[old].serial == serial) {
      watched_.push_back(std::move(before[old++]));
      continue;
    }
    const Interaction& interaction = *interactions[k];
    const NonSmoothLaw& law = interaction.law();
    Watched watched;
    watched.serial = serial;
    watched.interaction = &interaction;
    watched.equalities.name = watched.inequalities.name = interaction.name();
    watched.equalities.equality = true;
    Vector lower(law.unknowns()), upper(law.unknowns());
    law.bounds(data(lower), data(upper));
    const bool plain = law.unknowns() == law.size();
    const std::size_t rows = law.set()->isContact() ? 1 : law.size();
    for (std::size_t block = 0; block < interaction.blocks() && plain; ++block) {
      for (std::size_t i = 0; i < rows; ++i) {
        const bool equality = lower(i) == -infinity && upper(i) == infinity;
        const bool oneSided = lower(i) == 0. && upper(i) == infinity;
        if (equality || oneSided) watched.rows.push_back({block * law.size() + i, equality});
      }
    }
    // One-sided laws other than contacts bound ẏ of mechanical systems, not y.
    const bool equalities = !watched.rows.empty() && watched.rows.front().equality;
    watched.level = law.actsOnVelocities() || equalities ? 0 : interaction.levels() - 1;
    watched_.push_back(std::move(watched));
  }
  while (old < before.size()) retire(before[old++]);
}

void DriftMonitor::bindBodies(const Topology& topology) {
  std::vector<Body> before;
  before.swap(bodies_);
  std::size_t old = 0;
  for (std::size_t k = 0; k < topology.systems().size(); ++k) {
    const SecondOrderDS* const system = topology.systems()[k]->secondOrder();
    if (system == nullptr || system->configurationConstraints() == 0) continue;
    const std::uint64_t serial = topology.systemSerials()[k];
    while (old < before.size() && detail::isBefore(before[old].serial, serial)) retire(before[old++].drift);
    if (old < before.size() && before[old].serial == serial) {
      bodies_.push_back(std::move(before[old++]));
      continue;
    }
    Body body;
    body.serial = serial;
    body.system = system;
    body.drift.name = system->name();
    body.drift.equality = true;
    bodies_.push_back(std::move(body));
  }
  while (old < before.size()) retire(before[old++].drift);
}

void DriftMonitor::retire(const Watched& watched) {
  retire(watched.equalities);
  retire(watched.inequalities);
}

void DriftMonitor::retire(const Drift& drift) {
  if (drift.largest > 0. || drift.largestRate > 0.) retired_.push_back(drift);
}

void DriftMonitor::forgetSmallest() {
  if (retired_.size() <= 2 * mostKept_) return;
  std::sort(retired_.begin(), retired_.end(), [](const Drift& a, const Drift& b) { return a.largest > b.largest; });
  retired_.resize(mostKept_);
}

void DriftMonitor::watch(Watched& watched, double t) const {
  const Interaction& interaction = *watched.interaction;
  const Vector& y = interaction.y(std::min(watched.level, interaction.levels() - 1));
  watched.equalities.present = watched.inequalities.present = 0.;
  for (const Row& row : watched.rows) {
    if (!row.equality) {
      note(std::max(0., -y(row.index)), t, watched.inequalities);
      continue;
    }
    note(std::abs(y(row.index)), t, watched.equalities);
    if (interaction.levels() < 2) continue;
    const double rate = std::abs(interaction.y(1)(row.index));
    watched.equalities.largestRate = std::max(watched.equalities.largestRate, rate);
  }
}

void DriftMonitor::afterStep(Simulation& simulation) {
  if (!boundTo_.isCurrent(simulation.model().topology().version())) bind(simulation);
  for (Watched& watched : watched_) watch(watched, simulation.time());
  for (Body& body : bodies_) {
    body.drift.present = 0.;
    double largest = 0.;
    for (std::size_t k = 0; k < body.system->configurationConstraints(); ++k) {
      largest = std::max(largest, std::abs(body.system->configurationConstraint(k, body.system->q(), gradient_)));
    }
    note(largest, simulation.time(), body.drift);
  }
  lastStep_ = simulation.stepIndex();
}

void DriftMonitor::serializeState(StateArchive& archive) {
  if (!begun_ && !archive.restores()) return;
  if (simulation_ == nullptr) archive.refuse("The drift monitor was added to no simulation.");
  archive.value("last step", lastStep_);
  serializeWatched(archive);
  serializeBodies(archive);
  retired_.resize(archive.count("removed", retired_.size()));
  for (Drift& drift : retired_) serialize(archive, drift);
  if (!archive.restores()) return;
  begun_ = true;
  boundTo_.forget();
}

void DriftMonitor::serializeWatched(StateArchive& archive) {
  const Topology& topology = simulation_->model().topology();
  detail::serializeEntries(archive, topology.interactionSerials(), watched_, [&](Watched& watched, std::size_t place) {
    serialize(archive, watched.equalities);
    serialize(archive, watched.inequalities);
    archive.value("level", watched.level);
    watched.rows.resize(archive.count("rows", watched.rows.size()));
    for (Row& row : watched.rows) {
      archive.value("row", row.index);
      archive.value("equality", row.equality);
    }
    if (!archive.restores() || place == topology.interactions().size()) return;
    watched.interaction = topology.interactions()[place].get();
    for (const Row& row : watched.rows) {
      if (row.index < watched.interaction->size()) continue;
      archive.refuse("It has the drift of row " + std::to_string(row.index) + " of '" + watched.equalities.name +
                     "', where this model has '" + watched.interaction->name() + "'.");
    }
  });
}

void DriftMonitor::serializeBodies(StateArchive& archive) {
  const Topology& topology = simulation_->model().topology();
  detail::serializeEntries(archive, topology.systemSerials(), bodies_, [&](Body& body, std::size_t place) {
    serialize(archive, body.drift);
    if (!archive.restores() || place == topology.systems().size()) return;
    body.system = topology.systems()[place]->secondOrder();
    if (body.system != nullptr && body.system->configurationConstraints() > 0) return;
    archive.refuse("It has the drift of '" + body.drift.name + "', where this model has '" +
                   topology.systems()[place]->name() + "' without a constraint of its own.");
  });
}

std::vector<DriftMonitor::Drift> DriftMonitor::drifts() const {
  std::vector<Drift> all;
  for (const Watched& watched : watched_) {
    const auto has = [&](bool equality) {
      return std::any_of(watched.rows.begin(), watched.rows.end(),
                         [&](const Row& row) { return row.equality == equality; });
    };
    if (has(true)) all.push_back(watched.equalities);
    if (has(false)) all.push_back(watched.inequalities);
  }
  for (const Body& body : bodies_) all.push_back(body.drift);
  all.insert(all.end(), retired_.begin(), retired_.end());
  return all;
}

double DriftMonitor::largestEquality() const {
  double largest = 0.;
  for (const Drift& drift : drifts()) largest = std::max(largest, drift.equality ? drift.largest : 0.);
  return largest;
}

double DriftMonitor::largestPenetration() const {
  double largest = 0.;
  for (const Drift& drift : drifts()) largest = std::max(largest, drift.equality ? 0. : drift.largest);
  return largest;
}

std::string DriftMonitor::text(std::size_t most) const {
  std::ostringstream text;
  text.precision(3);
  for (const bool equality : {true, false}) {
    std::vector<Drift> some;
    for (const Drift& drift : drifts()) {
      if (drift.equality == equality) some.push_back(drift);
    }
    if (some.empty()) continue;
    std::sort(some.begin(), some.end(), [](const Drift& a, const Drift& b) { return a.largest > b.largest; });
    text << (equality ? "equalities: largest |y|, its time, at the end, largest |dy/dt|\n"
                      : "contacts: largest penetration, its time, at the end\n");
    for (std::size_t k = 0; k < std::min(most, some.size()); ++k) {
      const Drift& drift = some[k];
      text << "  " << std::left << std::setw(30) << drift.name << std::right << std::setw(11) << drift.largest
           << std::setw(11) << drift.at << std::setw(11) << drift.present;
      if (equality) text << std::setw(11) << drift.largestRate;
      text << '\n';
    }
    if (some.size() > most) text << "  and " << some.size() - most << " more\n";
  }
  return text.str();
}

}  // namespace delassus
