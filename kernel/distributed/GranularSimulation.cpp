// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/distributed/GranularSimulation.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <limits>
#include <string>

namespace delassus::distributed {
namespace {

constexpr std::size_t stepsBetweenDivisions = 10;

void requirePositive(double value, const char* what) {
  if (value > 0. && std::isfinite(value)) return;
  throw Error("GranularSimulation", std::string(what) + " must be positive and finite, got " + toText(value) + ".");
}

// Where contacts come and go, some ranks alone would find out.
void requireCoulomb(const std::shared_ptr<NonSmoothLaw>& law) {
  if (!law) throw Error("GranularSimulation", "the law is null.");
  if (DistributedFrictionContact::takes(*law)) return;
  throw Error("GranularSimulation", "it takes Coulomb friction of size 3, but " + std::string(law->className()) +
                                        " (of size " + std::to_string(law->size()) + ") has " +
                                        law->multipliersInWords() + ".");
}

}  // namespace

GranularSimulation::GranularSimulation(const Ranks& ranks, std::shared_ptr<NonSmoothLaw> law,
                                       const GranularOptions& options)
    : ranks_(ranks), options_(options) {
  requirePositive(options.step, "the step");
  requirePositive(options.margin, "the margin");
  requirePositive(options.tolerance, "the tolerance");
  if (!(options.imbalance > 1.)) {
    throw Error("GranularSimulation", "the imbalance must be above 1, got " + toText(options.imbalance) + ".");
  }
  description_.add("step", options.step);
  description_.add("gravity", std::span<const double>(options.gravity));
  description_.add("margin", options.margin);
  description_.add("tolerance", options.tolerance);
  requireCoulomb(law);
  description_.add("law", law->settings());
  manager_ = std::make_shared<CollisionManager>(options.margin, std::move(law));
  newProblem_ = std::make_unique<DistributedFrictionContact>(ranks, options.tolerance);
  problem_ = newProblem_.get();
}

std::size_t GranularSimulation::insertObstacle(std::shared_ptr<const Shape> shape, const Vector3& x,
                                               const Quaternion& p, Group group) {
  if (!shape) throw Error("GranularSimulation", "the shape of an obstacle is null.");
  takeGroup(group);
  const std::string name = "obstacle of group " + std::to_string(group);
  description_.add(name, shape->settings());
  description_.add(name + ".position", std::span<const double>(x));
  description_.add(name + ".rotation", std::span<const double>(p));
  return manager_->insertObstacle(std::move(shape), x, p, groupOf(group, Role::obstacle));
}

void GranularSimulation::setLaw(Group a, Group b, std::shared_ptr<NonSmoothLaw> law) {
  requireCoulomb(law);
  takeGroup(a);
  takeGroup(b);
  description_.add("law of groups " + std::to_string(a) + " and " + std::to_string(b), law->settings());
  for (const auto& [first, second] : {std::pair{a, b}, std::pair{b, a}}) {
    manager_->setLaw(groupOf(first, Role::own), groupOf(second, Role::own), law);
    manager_->setLaw(groupOf(first, Role::own), groupOf(second, Role::ghost), law);
    manager_->setLaw(groupOf(first, Role::own), groupOf(second, Role::obstacle), law);
  }
}

// Two ghosts, or a ghost and an obstacle, have their contact on the rank of their owners.
void GranularSimulation::takeGroup(Group group) {
  if (!groups_.insert(group).second) return;
  for (const Group other : groups_) {
    manager_->exclude(groupOf(group, Role::ghost), groupOf(other, Role::ghost));
    manager_->exclude(groupOf(group, Role::ghost), groupOf(other, Role::obstacle));
    manager_->exclude(groupOf(other, Role::ghost), groupOf(group, Role::obstacle));
  }
}

void GranularSimulation::insert(Grain grain) {
  grain.body();  // throws
  if (grain.number >= PacketReader::mostCount || grain.group >= PacketReader::mostCount / roles) {
    throw Error(grain.name(),
                "numbers of grains must be below 2^53, those of groups below a third of it; its group is " +
                    std::to_string(grain.group) + ".");
  }
  new_.push_back(std::move(grain));
}

bool GranularSimulation::hasNextStep() const {
  return simulation_ ? simulation_->hasNextStep() : options_.begin < options_.end;
}

double GranularSimulation::time() const {
  return simulation_ ? simulation_->time() : options_.begin;
}

std::size_t GranularSimulation::stepIndex() const {
  return stepsBefore_ + (simulation_ ? simulation_->stepIndex() : 0);
}

void GranularSimulation::start() {
  model_ = std::make_unique<NonSmoothDynamicalSystem>(options_.begin, options_.end);
  model_->setGravity(options_.gravity);
  // Contacts are not kept in their positions: a step over ranks is not made again.
  auto scheme = std::make_unique<MoreauJeanOSI>(MoreauJeanOSI::semiExplicit(0.5, 0.5, ContactRule::pure));
  simulation_ = std::make_unique<TimeStepping>(*model_, options_.step, std::move(scheme), std::move(newProblem_),
                                               TimeSteppingOptions{.mostHalvings = 0});
  simulation_->setInteractionManager(manager_);
}

void GranularSimulation::step() {
  if (!simulation_) start();
  if (removals_ > own_.size() + ghosts_.size()) {
    manager_->forgetRemoved();
    removals_ = 0;
  }
  distribute();
  renewGhosts();
  try {
    simulation_->step();
  } catch (const Error& error) {
    // All ranks have the same report, and throw alike.
    if (problem_->lastReport().converged()) throw;
    throw AgreedError(error.what());
  }
}

void GranularSimulation::add(Members& members, Grain grain, std::size_t owner, Role role) {
  takeGroup(grain.group);
  Member member{std::move(grain), nullptr, owner};
  member.body = member.grain.body();
  model_->insert(member.body);
  manager_->insert(member.body, member.grain.shape, groupOf(member.grain.group, role));
  const std::uint64_t number = member.grain.number;
  members.emplace(number, std::move(member));
}

GranularSimulation::Members::iterator GranularSimulation::remove(Members& members, Members::iterator member) {
  manager_->remove(member->second.body);
  model_->remove(std::shared_ptr<DynamicalSystem>(member->second.body));
  ++removals_;
  return members.erase(member);
}

void GranularSimulation::takeState(Member& member) const {
  assign(member.body->q(), member.grain.q);
  assign(member.body->velocity(), member.grain.v);
}

// The grains of this rank are those in its box; space is divided anew where ranks have much more than others.
void GranularSimulation::distribute() {
  for (auto& [number, member] : own_) takeState(member);
  const bool hasNew = ranks_.any(!new_.empty());
  if (hasNew) requireDistinctNumbers(ranks_, own());
  if (!isDivided_) divide();
  sendToOwners();
  if (ranks_.size() == 1 || !isUnbalanced()) return;
  divide();
  sendToOwners();
}

bool GranularSimulation::isUnbalanced() {
  const auto own = static_cast<double>(own_.size());
  double sum = 0., most = 0., least = own;
  for (const double count : ranks_.gather({&own, 1})) {
    sum += count;
    most = std::max(most, count);
    least = std::min(least, count);
  }
  // A rank without grains has no model to step.
  if (least == 0.) return true;
  return stepIndex() >= lastDivision_ + stepsBetweenDivisions &&
         most > options_.imbalance * sum / static_cast<double>(ranks_.size());
}

void GranularSimulation::divide() {
  std::vector<Vector3> centres;
  for (const auto& [number, member] : own_) centres.push_back(vector3(data(member.grain.q)));
  for (const Grain& grain : new_) centres.push_back(vector3(data(grain.q)));
  division_ = SpaceDivision(ranks_, centres);
  isDivided_ = true;
  lastDivision_ = stepIndex();
  ++statistics_.divisions;
}

void GranularSimulation::sendToOwners() {
  Packets packets;
  std::vector<Grain> staying;
  for (Grain& grain : new_) {
    const std::size_t rank = division_.rankOf(vector3(data(grain.q)));
    if (rank == ranks_.rank()) {
      staying.push_back(std::move(grain));
    } else {
      grain.write(packets[rank]);
    }
  }
  new_.clear();
  for (auto member = own_.begin(); member != own_.end();) {
    const std::size_t rank = division_.rankOf(vector3(data(member->second.grain.q)));
    if (rank == ranks_.rank()) {
      ++member;
      continue;
    }
    member->second.grain.write(packets[rank]);
    ++statistics_.migrations;
    member = remove(own_, member);
  }
  for (const auto& [rank, packet] : sendPackets(ranks_, packets)) {
    for (PacketReader reader(packet); !reader.isAtEnd();) staying.push_back(Grain::read(reader));
  }
  for (Grain& grain : staying) {
    if (const auto ghost = ghosts_.find(grain.number); ghost != ghosts_.end()) remove(ghosts_, ghost);
    add(own_, std::move(grain), ranks_.rank(), Role::own);
  }
}

// A pair of two ranks is examined by the lower one. It gets all grains of ranks above that can reach one of its own.
void GranularSimulation::renewGhosts() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Bounds box{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  std::vector<std::pair<const Member*, Bounds>> reach;
  for (const auto& [number, member] : own_) {
    Collider collider(member.body, member.grain.shape, {}, 0);
    collider.updateBounds(options_.step, options_.margin);
    reach.emplace_back(&member, collider.bounds());
    for (std::size_t i = 0; i < 3; ++i) {
      box.lower[i] = std::min(box.lower[i], collider.bounds().lower[i]);
      box.upper[i] = std::max(box.upper[i], collider.bounds().upper[i]);
    }
  }
  const double corners[] = {box.lower[0], box.lower[1], box.lower[2], box.upper[0], box.upper[1], box.upper[2]};
  const std::span<const double> boxes = ranks_.gather(corners);
  Packets packets;
  std::vector<SharedSystem> shared;
  std::vector<char> isShared(reach.size(), 0);
  for (std::size_t rank = 0; rank < ranks_.rank(); ++rank) {
    const double* const of = boxes.data() + 6 * rank;
    const Bounds theirs{vector3(of), vector3(of + 3)};
    if (!theirs.overlaps(box)) continue;
    for (std::size_t k = 0; k < reach.size(); ++k) {
      if (!theirs.overlaps(reach[k].second)) continue;
      reach[k].first->grain.write(packets[rank]);
      isShared[k] = 1;
    }
  }
  for (std::size_t k = 0; k < reach.size(); ++k) {
    if (isShared[k] != 0) shared.push_back({reach[k].first->body.get(), reach[k].first->grain.number, ranks_.rank()});
  }
  statistics_.shared = shared.size();
  takeGhosts(sendPackets(ranks_, packets), shared);
  statistics_.ghosts = ghosts_.size();
  problem_->setShared(std::move(shared));
}

void GranularSimulation::takeGhosts(const Packets& packets, std::vector<SharedSystem>& shared) {
  std::set<std::uint64_t> present;
  for (const auto& [rank, packet] : packets) {
    for (PacketReader reader(packet); !reader.isAtEnd();) {
      Grain grain = Grain::read(reader);
      const std::uint64_t number = grain.number;
      present.insert(number);
      const auto ghost = ghosts_.find(number);
      if (ghost == ghosts_.end()) {
        add(ghosts_, std::move(grain), rank, Role::ghost);
      } else {
        ghost->second.owner = rank;
        ghost->second.body->setState(grain.q, grain.v);
      }
    }
  }
  for (auto ghost = ghosts_.begin(); ghost != ghosts_.end();) {
    ghost = present.contains(ghost->first) ? std::next(ghost) : remove(ghosts_, ghost);
  }
  for (const auto& [number, member] : ghosts_) shared.push_back({member.body.get(), number, member.owner});
}

std::vector<Grain> GranularSimulation::own() const {
  std::vector<Grain> grains = new_;
  for (const auto& [number, member] : own_) {
    grains.push_back(member.grain);
    assign(member.body->q(), grains.back().q);
    assign(member.body->velocity(), grains.back().v);
  }
  std::sort(grains.begin(), grains.end(), [](const Grain& a, const Grain& b) { return a.number < b.number; });
  return grains;
}

std::vector<Grain> GranularSimulation::gather() const {
  Packets packets;
  for (const Grain& grain : own()) grain.write(packets[0]);
  std::vector<Grain> all;
  for (const auto& [rank, packet] : sendPackets(ranks_, packets)) {
    for (PacketReader reader(packet); !reader.isAtEnd();) all.push_back(Grain::read(reader));
  }
  std::sort(all.begin(), all.end(), [](const Grain& a, const Grain& b) { return a.number < b.number; });
  return all;
}

GranularTotals GranularSimulation::totals() const {
  std::vector<double> sums(11, 0.);
  for (const Grain& grain : own()) {
    const auto body = grain.body();
    const Vector3 x = body->position(), momentum = grain.mass * vector3(data(grain.v));
    const Vector3 turning = cross(x, momentum) + body->angularMomentum();
    sums[0] += 1.;
    sums[1] += body->kineticEnergy();
    for (std::size_t i = 0; i < 3; ++i) {
      sums[2 + i] += momentum[i];
      sums[5 + i] += turning[i];
      sums[8 + i] += grain.mass * x[i];
    }
  }
  ranks_.sum(sums);
  return {static_cast<std::size_t>(sums[0]), sums[1], vector3(&sums[2]), vector3(&sums[5]), vector3(&sums[8])};
}

}  // namespace delassus::distributed
