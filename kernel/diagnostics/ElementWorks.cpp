// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/diagnostics/ElementWorks.hpp>

#include <algorithm>
#include <delassus/kernel/diagnostics/RestoredEntries.hpp>
#include <utility>

namespace delassus {

void ElementWorks::bind(const Topology& topology) {
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < topology.elements().size(); ++k) {
    const std::uint64_t serial = topology.elementSerials()[k];
    const auto known =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.serial == serial; });
    Entry entry = known != entries_.end() ? std::move(*known) : Entry();
    entry.serial = serial;
    entry.element = topology.elements()[k];
    entry.sum.name = entry.element->name();
    entries.push_back(std::move(entry));
  }
  entries_.swap(entries);
}

void ElementWorks::addForces(double t, const PlaceOf& placeOf) {
  for (Entry& entry : entries_) {
    entry.q.resize(entry.element->coordinates(), false);
    entry.v.resize(entry.element->velocities(), false);
    double* q = data(entry.q);
    double* v = data(entry.v);
    for (const SystemPart& part : entry.element->parts()) {
      const Vector* const ofSystem = placeOf(*part.system()).velocity;
      const std::span<const double> velocity = ofSystem == nullptr ? part.velocity() : part.of(*ofSystem);
      q = std::copy(part.q().begin(), part.q().end(), q);
      v = std::copy(velocity.begin(), velocity.end(), v);
    }
    entry.element->computeInput(t, entry.q, entry.v, entry.p);
    std::size_t next = 0;
    for (const SystemPart& part : entry.element->parts()) {
      Vector* const force = placeOf(*part.system()).force;
      for (std::size_t i = 0; i < part.velocity().size(); ++i, ++next) {
        if (force == nullptr) {
          entry.p(next) = 0.;
        } else {
          (*force)(part.first() + i) += entry.p(next);
        }
      }
    }
  }
}

void ElementWorks::account(double h) {
  for (Entry& entry : entries_) {
    if (entry.isNew) continue;
    for (std::size_t i = 0; i < entry.p.size(); ++i) {
      entry.sum.work += 0.25 * h * (entry.p(i) + entry.pLast(i)) * (entry.v(i) + entry.vLast(i));
    }
  }
}

void ElementWorks::takeSnapshot(double t, bool jumped) {
  for (Entry& entry : entries_) {
    assign(entry.p, entry.pLast);
    assign(entry.v, entry.vLast);
    const double before = std::exchange(entry.sum.stored, entry.element->energy(t));
    if (std::exchange(entry.isNew, false)) {
      entry.sum.storedBefore = entry.sum.stored;
    } else if (jumped) {
      entry.sum.storedBefore += entry.sum.stored - before;
    }
  }
}

std::vector<ElementWorks::Work> ElementWorks::all() const {
  std::vector<Work> works;
  for (const Entry& entry : entries_) works.push_back(entry.sum);
  return works;
}

void ElementWorks::serializeState(StateArchive& archive, const Topology& topology) {
  detail::serializeEntries(archive, topology.elementSerials(), entries_, [&](Entry& entry, std::size_t place) {
    archive.value("isNew", entry.isNew);
    for (Vector* const x : {&entry.vLast, &entry.pLast}) archive.value("last instant", *x);
    archive.value("name", entry.sum.name);
    for (double* const x : {&entry.sum.work, &entry.sum.stored, &entry.sum.storedBefore}) archive.value("energy", *x);
    if (!archive.restores() || place == topology.elements().size()) return;
    entry.element = topology.elements()[place];
    if (entry.isNew || entry.vLast.size() == entry.element->velocities()) return;
    archive.refuse("It has the work of '" + entry.sum.name + "' with " + std::to_string(entry.vLast.size()) +
                   " velocities, where this model has '" + entry.element->name() + "'.");
  });
}

}  // namespace delassus
