// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/VtkWriter.hpp>

#include <cmath>
#include <delassus/kernel/io/ContactSample.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

constexpr double rounding = 1e-9;  // of an interval

// The fields of contacts.pvd, as they are collected.
struct ContactFields {
  std::vector<double> points, normals, gaps, normalForces, forces, tangentialForces, impulses, slidingVelocities;
  std::vector<std::int32_t> statuses, interactions, blocks, firstParts, secondParts;

  void add(const ContactSample& sample, std::int32_t interaction, std::int32_t firstPart, std::int32_t secondPart) {
    append(points, sample.place.point);
    append(normals, sample.place.normal);
    gaps.push_back(sample.gap);
    normalForces.push_back(sample.normalForce);
    append(forces, sample.force);
    append(tangentialForces, sample.tangentialForce);
    append(impulses, sample.impulse);
    append(slidingVelocities, sample.slidingVelocity);
    statuses.push_back(static_cast<std::int32_t>(sample.status));
    interactions.push_back(interaction);
    blocks.push_back(static_cast<std::int32_t>(sample.block));
    firstParts.push_back(firstPart);
    secondParts.push_back(secondPart);
  }

  void moveTo(VtkPolyData& file) {
    file.coordinates = std::move(points);
    file.hasVertices = true;
    file.pointData.push_back({"normal", "", 3, std::move(normals)});
    file.pointData.push_back({"gap", "m", 1, std::move(gaps)});
    file.pointData.push_back({"status", "", 1, std::move(statuses)});
    file.pointData.push_back({"normal_force", "N", 1, std::move(normalForces)});
    file.pointData.push_back({"force", "N", 3, std::move(forces)});
    file.pointData.push_back({"tangential_force", "N", 3, std::move(tangentialForces)});
    file.pointData.push_back({"impulse", "N s", 3, std::move(impulses)});
    file.pointData.push_back({"sliding_velocity", "m/s", 3, std::move(slidingVelocities)});
    file.pointData.push_back({"interaction", "", 1, std::move(interactions)});
    file.pointData.push_back({"block", "", 1, std::move(blocks)});
    file.pointData.push_back({"first_part", "", 1, std::move(firstParts)});
    file.pointData.push_back({"second_part", "", 1, std::move(secondParts)});
  }

 private:
  static void append(std::vector<double>& to, const Vector3& x) { to.insert(to.end(), x.begin(), x.end()); }
};

}  // namespace

VtkWriter::VtkWriter(std::filesystem::path folder, VtkOptions options)
    : options_(std::move(options)),
      bodies_(folder, "bodies"),
      centres_(folder, "centres"),
      obstacles_(folder, "obstacles"),
      contacts_(folder, "contacts") {
  if (options_.every == 0) throw Error("VtkWriter", "the number of steps from frame to frame must be at least 1.");
  if (!(options_.interval >= 0. && std::isfinite(options_.interval))) {
    throw Error("VtkWriter",
                "the time from frame to frame must be finite and not negative, got " + toText(options_.interval) + ".");
  }
  if (!(options_.largestGap >= 0.)) {
    throw Error("VtkWriter", "the largest gap must not be negative, got " + toText(options_.largestGap) + ".");
  }
}

void VtkWriter::addContact(std::shared_ptr<Interaction> interaction, ContactPlaces places) {
  if (!interaction) throw Error("VtkWriter", "the interaction of a contact is null.");
  if (!places) {
    throw Error("VtkWriter", "the function of the contacts of interaction '" + interaction->name() + "' is empty.");
  }
  const Interaction* const key = interaction.get();
  contactPlaces_[key] = {std::move(interaction), std::move(places)};
}

void VtkWriter::setHidden(const std::string& name, bool hidden) {
  scene_.setHidden(name, hidden);
  obstaclesChanged_ = true;
}

// ------------------------------------------------------------------------------------------------------------- when

void VtkWriter::begin(Simulation& simulation) {
  if (!scene_.hasBodies() && !scene_.hasObstacles() && !allContacts_ && contactPlaces_.empty()) {
    throw Error("VtkWriter", "there is nothing to draw: add bodies, obstacles or contacts first.");
  }
  if (frames_ == 0) {
    lastStep_ = simulation.stepIndex();
    writeFrame(simulation);
    return;
  }
  // A restored run: frames after the checkpoint leave the lists at once.
  for (VtkSeries* const series : {&bodies_, &centres_, &obstacles_, &contacts_}) series->writeList();
  // The checkpoint may have been made in this step, before this observer was called.
  if (simulation.stepIndex() > lastStep_) afterStep(simulation);
}

std::uint64_t VtkWriter::intervalsUntil(double t) const {
  return static_cast<std::uint64_t>(std::floor(t / options_.interval + rounding));
}

bool VtkWriter::isDue(const Simulation& simulation) const {
  if (options_.interval > 0.) {
    return intervalsUntil(simulation.time() - simulation.model().t0()) > lastInterval_;
  }
  return simulation.stepIndex() % options_.every == 0;
}

void VtkWriter::afterStep(Simulation& simulation) {
  lastStep_ = simulation.stepIndex();
  if (isDue(simulation)) writeFrame(simulation);
}

void VtkWriter::end(Simulation& simulation, RunEnd how) {
  if (how == RunEnd::failed) return;
  if (how == RunEnd::completed && lastTime_ < simulation.time()) writeFrame(simulation);
  for (VtkSeries* const series : {&bodies_, &centres_, &obstacles_, &contacts_}) series->writeList();
}

void VtkWriter::serializeState(StateArchive& archive) {
  archive.value("frames", frames_);
  archive.value("time of the last frame", lastTime_);
  archive.value("intervals", lastInterval_);
  archive.value("last step", lastStep_);
  archive.value("obstacles changed", obstaclesChanged_);
  scene_.serializeState(archive);
  for (VtkSeries* const series : {&bodies_, &centres_, &obstacles_, &contacts_}) series->serializeState(archive);
}

// ------------------------------------------------------------------------------------------------------------- what

void VtkWriter::writeFrame(Simulation& simulation) {
  const double t = simulation.time();
  const NonSmoothDynamicalSystem& model = simulation.model();
  if (scene_.hasBodies()) {
    bodies_.write(t, scene_.bodies(t, model));
    centres_.write(t, scene_.centres(t, model));
  }
  if (scene_.hasObstacles() && (obstaclesChanged_ || scene_.obstaclesMove())) {
    obstacles_.write(t, scene_.obstacles(t, model));
    obstaclesChanged_ = false;
  }
  if (allContacts_ || !contactPlaces_.empty()) contacts_.write(t, contactFile(t, model));
  ++frames_;
  lastTime_ = t;
  if (options_.interval > 0.) lastInterval_ = intervalsUntil(t - model.t0());
}

bool VtkWriter::findPlaces(double t, Interaction& interaction, const Topology& topology) {
  SecondOrderR* const relation = interaction.relation().secondOrder();
  if (relation == nullptr || !interaction.law().actsOnVelocities()) return false;
  const auto given = contactPlaces_.find(&interaction);
  if (given == contactPlaces_.end() && !allContacts_) return false;
  places_.clear();
  const Vector q = stackedStates(topology.partsOf(interaction));
  if (given == contactPlaces_.end()) return relation->findContacts(t, q, places_);
  given->second.second(t, q, places_);
  return true;
}

VtkPolyData VtkWriter::contactFile(double t, const NonSmoothDynamicalSystem& model) {
  const Topology& topology = model.topology();
  ContactFields fields;
  std::vector<std::string> names;
  std::vector<ContactSample> samples;
  for (const auto& interaction : topology.interactions()) {
    const auto systems = topology.systemsOf(*interaction);
    if (!findPlaces(t, *interaction, topology)) continue;
    samples.clear();
    appendContacts(*interaction, places_, samples);
    const std::int32_t first = scene_.partOf(*systems[0]);
    const std::int32_t second = systems.size() > 1 ? scene_.partOf(*systems[1]) : -1;
    for (const ContactSample& sample : samples) {
      if (sample.gap > options_.largestGap) continue;
      fields.add(sample, static_cast<std::int32_t>(names.size()), first, second);
    }
    names.push_back(interaction->name());
  }
  VtkPolyData file(t);
  fields.moveTo(file);
  file.names.emplace_back("interaction_names", std::move(names));
  file.names.emplace_back("names", scene_.names());
  return file;
}

}  // namespace delassus
