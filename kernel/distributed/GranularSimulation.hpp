// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/distributed/DistributedFrictionContact.hpp>
#include <delassus/kernel/distributed/Grain.hpp>
#include <delassus/kernel/distributed/SpaceDivision.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace delassus::distributed {

/// Options of a GranularSimulation.
struct GranularOptions {
  double step = 5e-3;              ///< h, s
  double begin = 0.;               ///< t₀, s
  double end = 1.;                 ///< T, s
  Vector3 gravity{0., 0., -9.81};  ///< m/s²
  double margin = 1e-3;            ///< of gaps that detection lists, m; see CollisionManager
  double tolerance = 1e-3;         ///< of the certificate of each step
  double imbalance = 1.2;          ///< of the largest number of grains of a rank to the mean, at which space is
                                   ///< divided anew; above 1
};

/// What a GranularSimulation has done.
struct GranularStatistics {
  std::size_t divisions = 0;   ///< of space
  std::size_t migrations = 0;  ///< of grains, from this rank to others
  std::size_t ghosts = 0;      ///< of this rank, in the last step
  std::size_t shared = 0;      ///< grains of this rank that were ghosts of others, in the last step
};

/// Sums over all grains.
struct GranularTotals {
  std::size_t grains = 0;     ///< of all ranks
  double kineticEnergy = 0.;  ///< J
  Vector3 momentum{};         ///< kg m/s
  Vector3 angularMomentum{};  ///< about the origin of the inertial frame, kg m²/s
  Vector3 moments{};          ///< Σ m x, kg m
};

/// Rigid bodies that fall, collide and slide with Coulomb friction, over the ranks of MPI. Space is divided among them;
/// a body moves to another rank where it crosses a border, and near one the rank below has a ghost of it. Each rank
/// detects its contacts by a CollisionManager, and all solve one problem a step (DistributedFrictionContact), so that
/// the motion is that of one process to the tolerance. A step is that of MoreauJeanOSI::semiExplicit() with
/// ContactRule::pure.
///
///     GranularSimulation pile(ranks, NewtonImpactFrictionNSL(0., 0., 0.5), {.end = 3.});
///     pile.insertObstacle(Plane{});
///     if (ranks.isFirst()) pile.insert(Grain::ball(0, 0.05, 2500., {0., 0., 1.}));
///     while (pile.hasNextStep()) pile.step();
///
/// The same program on as many ranks gives the same bits. Laws are those of Coulomb friction in three dimensions;
/// forces but gravity, joints and other systems have no place here. All ranks call the functions that are marked
/// collective in the same order; what goes wrong in these on all of them is an AgreedError.
class GranularSimulation {
 public:
  using Group = CollisionManager::Group;  ///< of grains and obstacles

  /// `law` is that of all contacts for which no other is set. Throws Error if the law is null or not that of Coulomb
  /// friction in three dimensions, or an option is out of its range.
  ///@{
  GranularSimulation(const Ranks& ranks, std::shared_ptr<NonSmoothLaw> law, const GranularOptions& options = {});
  template <std::derived_from<NonSmoothLaw> Law>
  GranularSimulation(const Ranks& ranks, Law law, const GranularOptions& options = {})
      : GranularSimulation(ranks, std::make_shared<Law>(std::move(law)), options) {}
  ///@}

  // Before the first step, on all ranks alike.

  /// See CollisionManager::insertObstacle. Its number is the same on all ranks if obstacles come before grains.
  ///@{
  std::size_t insertObstacle(std::shared_ptr<const Shape> shape, const Vector3& x = {},
                             const Quaternion& p = {1., 0., 0., 0.}, Group group = 0);
  template <ShapeOrPlane S>
  std::size_t insertObstacle(S shape, const Vector3& x = {}, const Quaternion& p = {1., 0., 0., 0.}, Group group = 0) {
    return insertObstacle(shareShape(std::move(shape)), x, p, group);
  }
  ///@}
  /// The law of contacts between members of these groups, grains or obstacles. Throws Error if it is null, or not
  /// one of Coulomb friction in three dimensions.
  ///@{
  template <std::derived_from<NonSmoothLaw> Law>
  void setLaw(Group a, Group b, Law law) {
    setLaw(a, b, std::make_shared<Law>(std::move(law)));
  }
  void setLaw(Group a, Group b, std::shared_ptr<NonSmoothLaw> law);
  ///@}

  /// On any rank, before any step: the next one sends the grain where it belongs. Throws Error if it is no body.
  void insert(Grain grain);

  /// Collective. Throws AgreedError if the step is not solved to the tolerance (the state stays as it was), if two
  /// grains have the same number, or if there are fewer grains than ranks.
  void step();
  bool hasNextStep() const;                                  ///< until T
  double time() const;                                       ///< of the present state, s
  double begin() const { return options_.begin; }            ///< t₀, or the time of the checkpoint, s
  bool isRestored() const { return isRestored_; }            ///< from a checkpoint
  std::size_t stepIndex() const;                             ///< steps done, those before the checkpoint included
  std::size_t restoredStep() const { return stepsBefore_; }  ///< that of the checkpoint, or 0

  /// Grains of this rank in their present state, by number.
  std::vector<Grain> own() const;
  /// Collective. Those of all ranks, by number, on the first; none on the others.
  std::vector<Grain> gather() const;
  /// Collective. The sums, on all ranks.
  GranularTotals totals() const;
  std::size_t contactsOfAll() const { return problem_->contactsOfAll(); }             ///< in the last step
  const numerics::SolveReport& lastReport() const { return problem_->lastReport(); }  ///< of the last step
  const GranularStatistics& statistics() const { return statistics_; }                ///< of this rank
  const Ranks& ranks() const { return ranks_; }                                       ///< over which it is spread
  /// The obstacles and laws, and what this rank detects: its own grains and its ghosts.
  const CollisionManager& contacts() const { return *manager_; }

  /// Collective. Writes all grains to one file, beside and renamed, by the first rank. Throws AgreedError if the disk
  /// does not take it.
  void save(const std::filesystem::path& path) const;
  /// Collective, before the first step and without grains: takes those of a file, and its time; the number of ranks may
  /// be another one. Reactions are not stored: the first step begins without. Throws AgreedError if the file is not a
  /// checkpoint of such a simulation, or one with other laws, obstacles or options (but for end and imbalance).
  void restore(const std::filesystem::path& path);

 private:
  struct Member {
    Grain grain;  // its state is that before the step
    std::shared_ptr<NewtonEulerDS> body;
    std::size_t owner = 0;  // rank
  };
  using Members = std::map<std::uint64_t, Member>;
  // A group of a user is three of the manager: of own grains, of ghosts and of obstacles.
  enum class Role : std::size_t { own, ghost, obstacle };

  static constexpr Group roles = 3;

  static constexpr Group groupOf(Group group, Role role) { return roles * group + static_cast<Group>(role); }

  void start();
  void takeGroup(Group group);
  void add(Members& members, Grain grain, std::size_t owner, Role role);
  Members::iterator remove(Members& members, Members::iterator member);
  void takeState(Member& member) const;
  void distribute();
  bool isUnbalanced();
  void divide();
  void sendToOwners();
  void renewGhosts();
  void takeGhosts(const Packets& packets, std::vector<SharedSystem>& shared);

  Ranks ranks_;
  GranularOptions options_;
  bool isRestored_ = false;
  std::size_t stepsBefore_ = 0;  // those of the checkpoint
  std::shared_ptr<CollisionManager> manager_;
  std::set<Group> groups_;
  Settings description_;    // of what a checkpoint must have, too
  std::vector<Grain> new_;  // not yet in any model
  Members own_, ghosts_;
  SpaceDivision division_;
  bool isDivided_ = false;
  std::size_t lastDivision_ = 0;  // step
  std::size_t removals_ = 0;      // of members, of which the manager still knows
  GranularStatistics statistics_;
  std::unique_ptr<NonSmoothDynamicalSystem> model_;
  std::unique_ptr<DistributedFrictionContact> newProblem_;  // until the first step
  DistributedFrictionContact* problem_;
  std::unique_ptr<TimeStepping> simulation_;  // from the first step on
};

}  // namespace delassus::distributed
