// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/distributed/DistributedFrictionContact.hpp>

#include <algorithm>
#include <delassus/numerics/distributed/DistributedFrictionSolver.hpp>
#include <utility>

namespace delassus::distributed {

using numerics::SolveReport;
using numerics::SolveStatus;

namespace {

constexpr std::size_t freedoms = 6;            // of a rigid body
constexpr std::size_t entries = 3 * freedoms;  // of an arm
using Row = DistributedDelassus::Row;

// W_αβ of a row: added to what is there.
void add(Row& row, std::size_t column, const double* left, std::size_t stride, const double* right) {
  std::size_t place = 0;
  while (place < row.columns.size() && row.columns[place] != column) ++place;
  if (place == row.columns.size()) {
    row.columns.push_back(column);
    row.blocks.resize(9 * row.columns.size(), 0.);
  }
  double* const block = row.blocks.data() + 9 * place;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < freedoms; ++k) block[i + 3 * j] += left[i + stride * k] * right[k + freedoms * j];
    }
  }
}

}  // namespace

DistributedFrictionContact::DistributedFrictionContact(const Ranks& ranks, double tolerance)
    : ranks_(ranks), tolerance_(tolerance), part_(ranks) {
}

void DistributedFrictionContact::bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) {
  for (const auto& interaction : model.topology().interactions()) {
    const NonSmoothLaw& law = interaction->law();
    if (takes(law)) continue;
    throw Error("Interaction '" + interaction->name() + "'",
                "DistributedFrictionContact takes Coulomb friction of size 3, but " + std::string(law.className()) +
                    " (of size " + std::to_string(law.size()) + ") has " + law.multipliersInWords() + ".");
  }
  if (!model.elements().empty()) {
    throw Error("Force element '" + model.elements().front()->name() + "'",
                "DistributedFrictionContact takes bodies one by one, which no force elements tie together.");
  }
  for (const StepEquations::Coupling& coupling : equations.couplings()) {
    if (coupling.columns == coupling.unknowns) continue;
    throw Error("Interaction '" + model.interactions()[coupling.interaction]->name() + "'",
                "DistributedFrictionContact takes whole bodies, and it is linked to some coordinates of one.");
  }
  assembly_.bind(model, equations);
  nodeOf_.clear();
  std::size_t node = 0;
  for (const auto& system : model.topology().systems()) nodeOf_[system.get()] = node++;
  if (equations.nodes().size() != node) {
    throw Error("DistributedFrictionContact", "it needs the free states of all systems, which " +
                                                  std::string(equations.scheme()) + " does not give.");
  }
}

void DistributedFrictionContact::setShared(std::vector<SharedSystem> shared) {
  shared_ = std::move(shared);
  last_ = {SolveStatus::converged, 0, 0., tolerance_, "DistributedFrictionSolver", {}};
}

SolveReport DistributedFrictionContact::attempt(StepEquations& equations) {
  enter(Phase::assembly);
  if (assembly_.assembleMatrix(equations, local_)) assembly_.assembleFriction(mu_);
  assembly_.assembleVector(equations, q_);
  assembly_.gatherMultipliers(equations, reactions_);

  const auto count = static_cast<double>(contacts());
  const std::span<const double> counts = ranks_.gather({&count, 1});
  std::vector<char> hasContacts(ranks_.size());
  firstContact_ = contactsOfAll_ = 0;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    hasContacts[rank] = counts[rank] > 0. ? 1 : 0;
    const auto of = static_cast<std::size_t>(counts[rank]);
    if (rank < ranks_.rank()) firstContact_ += of;
    contactsOfAll_ += of;
  }
  last_ = {SolveStatus::converged, 0, 0., tolerance_, "DistributedFrictionSolver", {}};
  if (contactsOfAll_ == 0) return last_;
  part_.choose(hasContacts);
  takeLocalRows();
  findArms(equations);
  coupleRanks();

  enter(Phase::solve);
  if (part_.ranks()) last_ = solveWith(*part_.ranks());
  // Those without contacts hear how it went.
  const double own[] = {static_cast<double>(last_.status), static_cast<double>(last_.iterations), last_.error};
  const auto teller = std::find(hasContacts.begin(), hasContacts.end(), 1) - hasContacts.begin();
  const double* const told = ranks_.gather(own).data() + 3 * teller;
  last_.status = static_cast<SolveStatus>(told[0]);
  last_.iterations = static_cast<std::size_t>(told[1]);
  last_.error = told[2];
  last_.solver = "DistributedFrictionSolver";  // not its member, which ranks without contacts do not know
  assembly_.scatterMultipliers(equations, reactions_);
  sendImpulses(equations);
  return last_;
}

// The contacts of this rank among themselves.
void DistributedFrictionContact::takeLocalRows() {
  rows_.resize(contacts());
  for (std::size_t contact = 0; contact < rows_.size(); ++contact) {
    Row& row = rows_[contact];
    row.columns.clear();
    row.blocks.clear();
    for (std::size_t k = local_.rowBegin(contact); k < local_.rowEnd(contact); ++k) {
      row.columns.push_back(firstContact_ + local_.column(k));
      row.blocks.insert(row.blocks.end(), local_.block(k), local_.block(k) + 9);
    }
  }
}

void DistributedFrictionContact::findArms(const StepEquations& equations) {
  nodes_.clear();
  std::map<std::size_t, SharedNode*> byNode;
  for (const SharedSystem& shared : shared_) {
    const auto node = nodeOf_.find(shared.system);
    if (node == nodeOf_.end()) {
      throw Error("DistributedFrictionContact", "the model has no system for body " + std::to_string(shared.number) +
                                                    ", which is shared with other ranks.");
    }
    byNode[node->second] = &(nodes_[shared.number] = {.owner = shared.owner, .node = node->second, .arms = {}});
  }
  for (std::size_t contact = 0; contact < assembly_.blocks().size(); ++contact) {
    const ActiveBlocks::ActiveBlock& block = assembly_.blocks()[contact];
    for (std::size_t k = equations.couplingBegin(block.interaction); k < equations.couplingEnd(block.interaction);
         ++k) {
      const StepEquations::Coupling& coupling = equations.couplings()[k];
      const auto found = byNode.find(coupling.node);
      if (found == byNode.end()) continue;
      found->second->arms.push_back({firstContact_ + contact, coupling.left + block.row, coupling.rows,
                                     coupling.right + coupling.columns * block.row});
    }
  }
}

// Body by body: its number, that of the arms, and these.
void DistributedFrictionContact::write(Packet& packet, std::uint64_t number, std::span<const Arm> arms) {
  if (arms.empty()) return;
  packet.push_back(static_cast<double>(number));
  packet.push_back(static_cast<double>(arms.size()));
  for (const Arm& arm : arms) {
    packet.push_back(static_cast<double>(arm.contact));
    packet.insert(packet.end(), arm.right, arm.right + entries);
  }
}

void DistributedFrictionContact::couple(const SharedNode& shared, std::size_t contact, const double* right) {
  for (const Arm& arm : shared.arms) add(rows_[arm.contact - firstContact_], contact, arm.left, arm.stride, right);
}

// The owner of a body learns of the contacts that others have with it, and tells each of those of all the others.
void DistributedFrictionContact::coupleRanks() {
  Packets toOwners;
  for (const auto& [number, shared] : nodes_) {
    if (shared.owner != ranks_.rank()) write(toOwners[shared.owner], number, shared.arms);
  }
  const Packets fromGhosts = sendPackets(ranks_, toOwners);
  struct Told {
    std::size_t rank;
    std::vector<Arm> arms;
  };
  std::map<std::uint64_t, std::vector<Told>> toldOf;
  for (const auto& [rank, packet] : fromGhosts) {
    for (PacketReader reader(packet); !reader.isAtEnd();) {
      const std::uint64_t number = reader.count();
      Told told{rank, std::vector<Arm>(reader.count())};
      for (Arm& arm : told.arms) {
        arm.contact = reader.count();
        arm.right = reader.numbers(entries);
        couple(nodes_.at(number), arm.contact, arm.right);
      }
      toldOf[number].push_back(std::move(told));
    }
  }
  Packets toGhosts;
  for (const auto& [number, all] : toldOf) {
    for (const Told& to : all) {
      std::vector<Arm> others = nodes_.at(number).arms;
      for (const Told& from : all) {
        if (from.rank != to.rank) others.insert(others.end(), from.arms.begin(), from.arms.end());
      }
      write(toGhosts[to.rank], number, others);
    }
  }
  for (const auto& [rank, packet] : sendPackets(ranks_, toGhosts)) {
    for (PacketReader reader(packet); !reader.isAtEnd();) {
      const SharedNode& shared = nodes_.at(reader.count());
      for (std::size_t left = reader.count(); left > 0; --left) {
        const std::size_t contact = reader.count();
        couple(shared, contact, reader.numbers(entries));
      }
    }
  }
}

SolveReport DistributedFrictionContact::solveWith(const Ranks& part) {
  const auto W = std::make_shared<const DistributedDelassus>(part, dimension, rows_);
  const numerics::FrictionContactProblem problem(dimension, W, q_, mu_);
  DistributedFrictionSolver solver(W, tolerance_);
  return solver.solve(problem, reactions_, velocities_);
}

// M⁻¹ H r of ghosts, to their owners.
void DistributedFrictionContact::sendImpulses(StepEquations& equations) const {
  Packets toOwners;
  for (const auto& [number, shared] : nodes_) {
    if (shared.owner == ranks_.rank() || shared.arms.empty()) continue;
    Packet& packet = toOwners[shared.owner];
    packet.push_back(static_cast<double>(number));
    const std::size_t first = packet.size();
    packet.resize(first + freedoms, 0.);
    for (const Arm& arm : shared.arms) {
      const double* const reaction = data(reactions_) + dimension * (arm.contact - firstContact_);
      for (std::size_t j = 0; j < dimension; ++j) {
        for (std::size_t i = 0; i < freedoms; ++i) packet[first + i] += arm.right[i + freedoms * j] * reaction[j];
      }
    }
  }
  for (const auto& [rank, packet] : sendPackets(ranks_, toOwners)) {
    for (PacketReader reader(packet); !reader.isAtEnd();) {
      const std::uint64_t number = reader.count();
      equations.addToFreeState(nodes_.at(number).node, reader.numbers(freedoms));
    }
  }
}

Settings DistributedFrictionContact::settings() const {
  Settings settings;
  settings.add("ranks", ranks_.size());
  settings.add("tolerance", tolerance_);
  return settings;
}

std::string DistributedFrictionContact::whyNotUnique() {
  throw Error("DistributedFrictionContact",
              "it cannot be decided whether the solution of a problem with friction is unique.");
}

}  // namespace delassus::distributed
