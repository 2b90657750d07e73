// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/MixedOSI.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {
namespace {

constexpr std::uint64_t never = static_cast<std::uint64_t>(-1);

std::string labelOf(const DynamicalSystem& system) {
  return "'" + (system.name().empty() ? std::string(system.className()) : system.name()) + "'";
}

// The serial numbers of the chosen objects.
std::vector<std::uint64_t> chosen(const std::vector<std::uint64_t>& serials, const std::vector<char>& taken) {
  std::vector<std::uint64_t> part;
  for (std::size_t k = 0; k < serials.size(); ++k) {
    if (taken[k] != 0) part.push_back(serials[k]);
  }
  return part;
}

}  // namespace

void MixedOSI::addMember(std::unique_ptr<OneStepIntegrator> scheme,
                         const std::vector<std::shared_ptr<DynamicalSystem>>& systems) {
  const std::string what = "the group of " + std::string(scheme->name());
  if (systems.empty()) throw Error("MixedOSI", what + " has no systems.");
  for (std::size_t i = 0; i < systems.size(); ++i) {
    if (!systems[i]) throw Error("MixedOSI", "system " + std::to_string(i) + " of " + what + " is null.");
    const auto before = listed_.find(systems[i].get());
    if (before != listed_.end()) {
      throw Error("MixedOSI", "system " + labelOf(*systems[i]) + " of " + what + " is in the group of " +
                                  std::string(members_[before->second.member].scheme->name()) +
                                  " already; a system belongs to one scheme.");
    }
    if (std::find(systems.begin(), systems.begin() + static_cast<std::ptrdiff_t>(i), systems[i]) !=
        systems.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw Error("MixedOSI", "system " + labelOf(*systems[i]) + " stands twice in " + what + ".");
    }
  }
  for (const auto& system : systems) {
    listed_.emplace(system.get(), Listed{system, members_.size(), false});
    listOrder_.push_back(system.get());
  }
  Member member;
  member.scheme = std::move(scheme);
  members_.push_back(std::move(member));
  name_ = "MixedOSI (";
  for (std::size_t k = 0; k < members_.size(); ++k) {
    name_ += (k == 0 ? "" : ", ") + std::string(members_[k].scheme->name());
  }
  name_ += ")";
}

std::size_t MixedOSI::maxRelativeDegree() const {
  std::size_t largest = 0;
  for (const Member& member : members_) largest = std::max(largest, member.scheme->maxRelativeDegree());
  return largest;
}

void MixedOSI::bind(const NonSmoothDynamicalSystem& model, double t) {
  const Topology& topology = model.topology();
  const std::vector<std::size_t> memberOfSystem = findMembers(topology);
  requireSeparate(topology, memberOfSystem);
  std::vector<char> taken(memberOfSystem.size());
  for (std::size_t k = 0; k < members_.size(); ++k) {
    for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = memberOfSystem[i] == k ? 1 : 0;
    bind(members_[k], model, taken, t);
  }
  findPlaces(topology, memberOfSystem);
  makeBlocks();
  ++indexSetVersion_;
}

// Finds the member of each system of the model.
std::vector<std::size_t> MixedOSI::findMembers(const Topology& topology) {
  std::vector<std::size_t> memberOfSystem;
  for (const auto& system : topology.systems()) {
    const auto found = listed_.find(system.get());
    if (found == listed_.end()) {
      throw Error("MixedOSI", "system " + labelOf(*system) + " of the model is in no group; add it to one.");
    }
    found->second.seen = true;
    memberOfSystem.push_back(found->second.member);
  }
  for (const DynamicalSystem* const system : listOrder_) {
    const Listed& entry = listed_.at(system);
    if (entry.seen) continue;
    throw Error("MixedOSI", "system " + labelOf(*system) + " of the group of " +
                                std::string(members_[entry.member].scheme->name()) +
                                " is not in the model; insert it.");
  }
  return memberOfSystem;
}

void MixedOSI::requireSeparate(const Topology& topology, const std::vector<std::size_t>& memberOfSystem) const {
  const auto& couplings = topology.couplings();
  for (std::size_t k = 0; k < topology.interactions().size(); ++k) {
    const std::size_t first = couplings[topology.couplingBegin(k)].system;
    for (std::size_t c = topology.couplingBegin(k); c < topology.couplingEnd(k); ++c) {
      const std::size_t other = couplings[c].system;
      if (memberOfSystem[other] == memberOfSystem[first]) continue;
      const auto describe = [&](std::size_t system) {
        return "system " + labelOf(*topology.systems()[system]) + " (" +
               std::string(members_[memberOfSystem[system]].scheme->name()) + ")";
      };
      throw Error(
          "Interaction '" + topology.interactions()[k]->name() + "'",
          "it links " + describe(first) + " and " + describe(other) +
              ", which are in groups with schemes of their own. It would be undetermined which rule holds (the "
              "law between velocities while a forecast gap is closed, or between positions in every step) and "
              "how its one multiplier acts on both (an impulse in one scheme is a force, or h times an impulse, "
              "in another). Put both systems into one group.");
    }
  }
}

// A member whose part of the model is unchanged stays bound: changes elsewhere do not affect it.
void MixedOSI::bind(Member& member, const NonSmoothDynamicalSystem& model, const std::vector<char>& taken,
                    double t) const {
  const Topology& topology = model.topology();
  std::vector<char> linked;
  for (std::size_t k = 0; k < topology.interactions().size(); ++k) {
    linked.push_back(taken[topology.couplings()[topology.couplingBegin(k)].system]);
  }
  if (!member.part) member.part = std::make_unique<NonSmoothDynamicalSystem>(model.t0(), model.T());
  const Topology& before = member.part->topology();
  if (member.bound && before.systemSerials() == chosen(topology.systemSerials(), taken) &&
      before.interactionSerials() == chosen(topology.interactionSerials(), linked)) {
    return;
  }
  member.bound = false;
  member.part->takePart(model, taken);
  member.scheme->bind(*member.part, t);
  member.bound = true;
}

void MixedOSI::findPlaces(const Topology& topology, const std::vector<std::size_t>& memberOfSystem) {
  places_.clear();
  std::vector<std::size_t> next(members_.size(), 0);
  for (std::size_t k = 0; k < topology.interactions().size(); ++k) {
    const std::size_t member = memberOfSystem[topology.couplings()[topology.couplingBegin(k)].system];
    places_.push_back({member, next[member]++});
  }
}

// Couplings in the order of the interactions here, with the nodes of one member after those of the other.
void MixedOSI::makeBlocks() {
  std::size_t firstNode = 0;
  bool allGiveNodes = true;
  std::vector<std::vector<std::size_t>> starts(members_.size());
  for (std::size_t k = 0; k < members_.size(); ++k) {
    Member& member = members_[k];
    member.firstNode = firstNode;
    std::size_t count = member.scheme->nodes();
    allGiveNodes = allGiveNodes && count > 0;
    starts[k].assign(member.part->topology().interactions().size() + 1, 0);
    for (const CouplingBlocks& coupling : member.scheme->couplings()) {
      count = std::max(count, coupling.node + 1);
      ++starts[k][coupling.interaction + 1];
    }
    for (std::size_t i = 1; i < starts[k].size(); ++i) starts[k][i] += starts[k][i - 1];
    firstNode += count;
    member.blocksVersion = member.indexSetVersion = never;
  }
  nodes_ = allGiveNodes ? firstNode : 0;
  blocks_.clear();
  couplings_.clear();
  for (std::size_t interaction = 0; interaction < places_.size(); ++interaction) {
    const Place& place = places_[interaction];
    const Member& member = members_[place.member];
    for (std::size_t c = starts[place.member][place.number]; c < starts[place.member][place.number + 1]; ++c) {
      couplings_.push_back({place.member, c});
      blocks_.push_back(member.scheme->couplings()[c]);
      blocks_.back().interaction = interaction;
      blocks_.back().node += member.firstNode;
    }
  }
  followMembers();
}

// Follows blocks and index sets that members have changed.
void MixedOSI::followMembers() {
  bool newBlocks = false;
  for (Member& member : members_) {
    newBlocks = newBlocks || member.blocksVersion != member.scheme->blocksVersion();
    if (member.indexSetVersion == member.scheme->indexSetVersion()) continue;
    member.indexSetVersion = member.scheme->indexSetVersion();
    ++indexSetVersion_;
  }
  if (!newBlocks) return;
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    const Member& member = members_[couplings_[c].member];
    if (member.blocksVersion == member.scheme->blocksVersion()) continue;
    const CouplingBlocks& own = member.scheme->couplings()[couplings_[c].number];
    blocks_[c].left = own.left;
    blocks_[c].right = own.right;
  }
  for (Member& member : members_) member.blocksVersion = member.scheme->blocksVersion();
  ++blocksVersion_;
}

bool MixedOSI::needsInitialMultipliers() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.scheme->needsInitialMultipliers(); });
}

void MixedOSI::run(bool initial) {
  for (Member& member : members_) {
    const bool runs = !initial || member.scheme->needsInitialMultipliers();
    if (runs != member.runs) ++indexSetVersion_;
    member.runs = runs;
  }
}

void MixedOSI::beginStep(const TimeStep& timeStep) {
  run(timeStep.size == 0.);
  firstPass_ = true;
  for (Member& member : members_) {
    if (member.runs) member.scheme->beginStep(timeStep);
  }
  followMembers();
}

void MixedOSI::computeFreeState() {
  for (Member& member : members_) {
    // The free state of a linear scheme is that of its first pass.
    if (member.runs && (firstPass_ || !member.scheme->isLinear())) member.scheme->computeFreeState();
  }
  firstPass_ = false;
  followMembers();
}

void MixedOSI::updateState() {
  for (Member& member : members_) {
    if (member.runs) member.scheme->updateState();
  }
}

bool MixedOSI::isLinear() const {
  return std::all_of(members_.begin(), members_.end(),
                     [](const Member& member) { return !member.runs || member.scheme->isLinear(); });
}

StepResidual MixedOSI::residual() {
  StepResidual worst;
  for (Member& member : members_) {
    if (!member.runs || member.scheme->isLinear()) continue;
    const StepResidual residual = member.scheme->residual();
    worst.include(residual.equations, residual.change, residual.where);
  }
  return worst;
}

void MixedOSI::prepareAccept() {
  for (Member& member : members_) {
    if (member.runs) member.scheme->prepareAccept();
  }
}

void MixedOSI::accept() {
  for (Member& member : members_) {
    if (member.runs) member.scheme->accept();
  }
}

const MixedOSI::Member* MixedOSI::memberOfNode(std::size_t node) const {
  const Member* found = &members_.front();
  for (const Member& member : members_) {
    if (member.firstNode <= node) found = &member;
  }
  return found;
}

const Matrix* MixedOSI::iterationMatrix(std::size_t node) const {
  const Member& member = *memberOfNode(node);
  return member.scheme->iterationMatrix(node - member.firstNode);
}

const Vector* MixedOSI::freeState(std::size_t node) const {
  const Member& member = *memberOfNode(node);
  return member.scheme->freeState(node - member.firstNode);
}

std::vector<IterationMatrix> MixedOSI::iterationMatrices() const {
  std::vector<IterationMatrix> all;
  for (const Member& member : members_) {
    for (IterationMatrix& each : member.scheme->iterationMatrices()) all.push_back(std::move(each));
  }
  return all;
}

Settings MixedOSI::settings() const {
  Settings settings;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    std::string names;
    for (const DynamicalSystem* const system : listOrder_) {
      if (listed_.at(system).member == k) names += (names.empty() ? "'" : ", '") + system->name() + "'";
    }
    const std::string group = "group " + std::to_string(k + 1);
    settings.add(group, std::string(members_[k].scheme->name()) + " on " + names);
    settings.add(group, members_[k].scheme->settings());
  }
  return settings;
}

void MixedOSI::serializeState(StateArchive& archive) {
  archive.section("MixedOSI");
  archive.value("firstPass", firstPass_);
  for (Member& member : members_) {
    archive.value("runs", member.runs);
    archive.value("blocksVersion", member.blocksVersion);
    archive.value("indexSetVersion", member.indexSetVersion);
    member.scheme->serializeState(archive);
  }
  for (const DynamicalSystem* const system : listOrder_) archive.value("seen", listed_.at(system).seen);
  archive.section("blocks of MixedOSI");
  serializeBlocks(archive);
}

}  // namespace delassus
