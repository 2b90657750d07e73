// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/MixedOSI.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {
namespace {

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
  requireSeparateElements(topology);
  std::vector<char> taken(memberOfSystem.size());
  for (std::size_t k = 0; k < members_.size(); ++k) {
    for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = memberOfSystem[i] == k ? 1 : 0;
    bind(members_[k], model, taken, t);
  }
  findPlaces(topology, memberOfSystem);
  makeEquations();
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

void MixedOSI::requireSeparateElements(const Topology& topology) const {
  for (const auto& element : topology.elements()) {
    const auto memberOf = [this](const DynamicalSystem& system) { return listed_.at(&system).member; };
    const auto& systems = element->systems();
    for (const auto& system : systems) {
      if (memberOf(*system) == memberOf(*systems.front())) continue;
      throw Error("Force element '" + element->name() + "'",
                  "it ties system " + labelOf(*systems.front()) + " to system " + labelOf(*system) +
                      ", which are in groups with schemes of their own. Put both into one group.");
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
  std::vector<char> tied;
  for (const auto& element : topology.elements()) {
    tied.push_back(&members_[listed_.at(element->systems().front().get()).member] == &member ? 1 : 0);
  }
  if (!member.part) member.part = std::make_unique<NonSmoothDynamicalSystem>(model.t0(), model.T());
  const Topology& before = member.part->topology();
  if (member.bound && before.systemSerials() == chosen(topology.systemSerials(), taken) &&
      before.interactionSerials() == chosen(topology.interactionSerials(), linked) &&
      before.elementSerials() == chosen(topology.elementSerials(), tied)) {
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
void MixedOSI::makeEquations() {
  equations_.clear(name_);
  std::vector<std::size_t> firstNodes;
  const bool allGiveNodes = std::all_of(members_.begin(), members_.end(), [](const Member& member) {
    return !member.scheme->equations().nodes().empty();
  });
  std::size_t nodes = 0;
  for (Member& member : members_) {
    const StepEquations& own = member.scheme->equations();
    firstNodes.push_back(nodes);
    for (const StepEquations::Coupling& coupling : own.couplings()) {
      nodes = std::max(nodes, firstNodes.back() + coupling.node + 1);
    }
    nodes = std::max(nodes, firstNodes.back() + own.nodes().size());
    for (const StepEquations::Node& node : own.nodes()) {
      if (allGiveNodes) equations_.addNode(node);
    }
    member.blocksFrom.take(own.blocksVersion());
  }
  for (const Place& place : places_) {
    const StepEquations& own = members_[place.member].scheme->equations();
    equations_.addInteraction(own.size(place.number), own.blocks(place.number));
    for (std::size_t c = own.couplingBegin(place.number); c < own.couplingEnd(place.number); ++c) {
      const StepEquations::Coupling& coupling = own.couplings()[c];
      equations_.addCoupling(firstNodes[place.member] + coupling.node,
                             {coupling.first, coupling.columns, coupling.unknowns, coupling.interface}, coupling.left,
                             coupling.right, coupling.input);
    }
  }
  equations_.finish();
}

void MixedOSI::takeMultipliers() {
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const StepEquations& own = members_[places_[k].member].scheme->equations();
    std::copy_n(own.multiplier(places_[k].number), own.size(places_[k].number), equations_.multiplier(k));
  }
}

// The rows of the members, and which of them act; blocks are where they were.
void MixedOSI::takeEquations() {
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const Member& member = members_[places_[k].member];
    const StepEquations& own = member.scheme->equations();
    const std::size_t number = places_[k].number;
    std::copy_n(own.freeOutput(number), own.size(number), equations_.freeOutput(k));
    std::copy_n(own.outputBefore(number), own.size(number), equations_.outputBefore(k));
    equations_.setFeedthrough(k, own.feedthrough(number));
    equations_.setMultiplierScale(k, own.multiplierScale(number));
    for (std::size_t block = 0; block < own.blocks(number); ++block) {
      equations_.setActive(k, block, member.runs && own.isActive(number, block));
    }
  }
  for (Member& member : members_) {
    member.blocksFrom.renew(member.scheme->equations().blocksVersion(), [this] { equations_.touchBlocks(); });
  }
}

bool MixedOSI::needsInitialMultipliers() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.scheme->needsInitialMultipliers(); });
}

void MixedOSI::run(bool initial) {
  for (Member& member : members_) {
    member.runs = !initial || member.scheme->needsInitialMultipliers();
  }
}

void MixedOSI::beginStep(const TimeStep& timeStep) {
  run(timeStep.size == 0.);
  firstPass_ = true;
  for (Member& member : members_) {
    if (member.runs) member.scheme->beginStep(timeStep);
  }
  takeMultipliers();
}

void MixedOSI::computeFreeState() {
  for (Member& member : members_) {
    // The free state of a linear scheme is that of its first pass.
    if (member.runs && (firstPass_ || !member.scheme->isLinear())) member.scheme->computeFreeState();
  }
  firstPass_ = false;
  takeEquations();
}

void MixedOSI::updateState() {
  for (std::size_t k = 0; k < places_.size(); ++k) {
    double* const target = members_[places_[k].member].scheme->equations().multiplier(places_[k].number);
    std::copy_n(equations_.multiplier(k), equations_.size(k), target);
  }
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

void MixedOSI::simplify() {
  for (Member& member : members_) {
    if (member.runs) member.scheme->simplify();
  }
}

bool MixedOSI::multipliersRunAway() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.runs && member.scheme->multipliersRunAway(); });
}

bool MixedOSI::takesDepthsBack() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.runs && member.scheme->takesDepthsBack(); });
}

bool MixedOSI::holdRelations() {
  bool any = false;
  for (Member& member : members_) any = (member.runs && member.scheme->holdRelations()) || any;
  return any;
}

bool MixedOSI::askForRest() {
  bool any = false;
  for (Member& member : members_) any = (member.runs && member.scheme->askForRest()) || any;
  firstPass_ = firstPass_ || any;
  return any;
}

void MixedOSI::settle() {
  for (Member& member : members_) {
    if (member.runs) member.scheme->settle();
  }
}

bool MixedOSI::missesContact() {
  bool any = false;
  for (Member& member : members_) {
    if (member.runs && member.scheme->missesContact()) any = true;
  }
  return any;
}

void MixedOSI::show(MotionAudit& audit) const {
  for (const Member& member : members_) {
    if (member.runs) member.scheme->show(audit);
  }
}

void MixedOSI::searchChange() {
  for (Member& member : members_) {
    if (member.runs && !member.scheme->isLinear()) member.scheme->searchChange();
  }
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
    member.blocksFrom.serializeState(archive, "blocksFrom");
    member.scheme->serializeState(archive);
  }
  for (const DynamicalSystem* const system : listOrder_) archive.value("seen", listed_.at(system).seen);
  archive.section("equations of MixedOSI");
  equations_.serializeState(archive);
}

}  // namespace delassus
