// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <delassus/kernel/collision/BroadPhase.hpp>
#include <delassus/kernel/collision/Collider.hpp>
#include <delassus/kernel/collision/ContactEvents.hpp>
#include <delassus/kernel/collision/PairContact.hpp>
#include <delassus/kernel/shapes/AllShapes.hpp>
#include <delassus/kernel/simulation/InteractionManager.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace delassus {

struct MeetingAhead;

/// Counts and times of all updates of a CollisionManager.
struct CollisionStatistics {
  std::size_t updates = 0;       ///< one a step
  std::size_t linked = 0;        ///< interactions
  std::size_t removed = 0;       ///< interactions
  double detectionSeconds = 0.;  ///< bounds, broad and narrow phase
  double linkingSeconds = 0.;    ///< of interactions in the model, and their removal
};

/// Contacts among many rigid bodies and obstacles: before each step it finds the pairs that may touch in it, links an
/// interaction to each, and removes those of pairs that have separated.
///
///     auto contacts = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
///     contacts->insert(ball, SphereShape(0.1));
///     contacts->insertObstacle(Plane::through({0., 0., 0.}, {0., 0., 1.}));
///     simulation.setInteractionManager(contacts);
///
/// A pair is linked when its gap at the end of the step, with the present velocities, is at most `margin`, and removed
/// when it is more than 2 margin: pairs near the limit do not come and go. The margin should cover the change of
/// velocities in the step; a hundredth of the size of the bodies is usual. A pair that is found too late is linked in
/// the next step, with a penetration.
///
/// Bodies are NewtonEulerDS that are in the model, each with one shape, which may be a compound; obstacles are at rest
/// or move as an ObstacleMotion says. Members of groups may have laws of their own, or none. Pairs are processed in the
/// order in which their members were inserted, so that equal runs are equal to the last bit, on any number of threads
/// (setThreads). Interactions are reused for other pairs of their kind: contacts() lists those of the present step.
///
/// The broad phase is that of Bullet; the narrow phase is described at findManifold, the geometry of contacts at
/// BallGeometry and ManifoldGeometry.
class CollisionManager final : public InteractionManager {
 public:
  /// Number of a group, chosen by the user; 0 by default.
  using Group = std::size_t;

  /// `margin` is in m; `law` is for all pairs without a law of their own: NewtonImpactNSL, or NewtonImpactFrictionNSL
  /// of dimension 3, or NewtonImpactRollingFrictionNSL. Throws Error for another, or unless the margin is positive and
  /// finite.
  ///@{
  CollisionManager(double margin, std::shared_ptr<NonSmoothLaw> law);
  template <std::derived_from<NonSmoothLaw> Law>
  CollisionManager(double margin, Law law) : CollisionManager(margin, std::make_shared<Law>(std::move(law))) {}
  ///@}
  /// Warns through the Log if it holds bodies and no simulation has ever asked it for contacts: it was not set there.
  ~CollisionManager() override;

  CollisionManager(const CollisionManager&) = delete;
  CollisionManager& operator=(const CollisionManager&) = delete;

  /// The shape is fixed in the body at `at`, without that about the centre of mass; contacts of a compound are those of
  /// its parts. Shapes may be given as such or shared. Throws Error if the body or the shape is null, the body was
  /// inserted already, the shape is a half-space or has no part, the placement is not finite or no rotation, or there
  /// is none and the centre of mass of the shape is not its origin.
  ///@{
  void insert(std::shared_ptr<NewtonEulerDS> body, std::shared_ptr<const Shape> shape, const Placement& at,
              Group group = 0);
  void insert(std::shared_ptr<NewtonEulerDS> body, std::shared_ptr<const Shape> shape, Group group = 0);
  template <ShapeOrPlane S>
  void insert(std::shared_ptr<NewtonEulerDS> body, S shape, const Placement& at, Group group = 0) {
    insert(std::move(body), shareShape(std::move(shape)), at, group);
  }
  template <ShapeOrPlane S>
  void insert(std::shared_ptr<NewtonEulerDS> body, S shape, Group group = 0) {
    insert(std::move(body), shareShape(std::move(shape)), group);
  }
  ///@}
  /// An obstacle at rest. Returns its number, that of the first part of a compound. A Plane is a half-space. Throws
  /// Error if the shape is null or has no part, the placement is not finite, or p is zero.
  ///@{
  std::size_t insertObstacle(std::shared_ptr<const Shape> shape, const Vector3& x = {},
                             const Quaternion& p = {1., 0., 0., 0.}, Group group = 0);
  template <ShapeOrPlane S>
  std::size_t insertObstacle(S shape, const Vector3& x = {}, const Quaternion& p = {1., 0., 0., 0.}, Group group = 0) {
    return insertObstacle(shareShape(std::move(shape)), x, p, group);
  }
  /// At rest at a configuration q = (x, p), as NewtonEulerDS::at(x, p) gives it. Throws Error also unless it has 7
  /// entries.
  template <ShapeOrPlane S, std::same_as<Vector> Configuration>
  std::size_t insertObstacle(S shape, const Configuration& q, Group group = 0) {
    requireSize(q, 7, "CollisionManager: the configuration (x, p) of an obstacle");
    return insertObstacle(shareShape(std::move(shape)), vector3(data(q)), Quaternion{q(3), q(4), q(5), q(6)}, group);
  }
  /// One that moves, or whose surface runs; the shape is in the frame that moves. Throws Error if the shape is null or
  /// has no part.
  std::size_t insertObstacle(std::shared_ptr<const Shape> shape, ObstacleMotion motion, Group group = 0);
  template <ShapeOrPlane S>
  std::size_t insertObstacle(S shape, ObstacleMotion motion, Group group = 0) {
    return insertObstacle(shareShape(std::move(shape)), std::move(motion), group);
  }
  ///@}

  /// Its interactions are removed in the next step. Throws Error if the body was not inserted.
  void remove(const std::shared_ptr<NewtonEulerDS>& body);
  /// Removes an obstacle by its number; its interactions are removed in the next step. Throws Error if there is no such
  /// obstacle.
  void removeObstacle(std::size_t obstacle);
  /// Releases bodies and obstacles that were removed before the last update, and numbers the others anew, in their
  /// order: for long runs in which many come and go. An obstacle's number falls by those of removed members below it.
  void forgetRemoved();

  /// Pairs of a member of `a` with one of `b` (which may be the same group) follow this law, or, excluded, pass through
  /// each other. Throws Error for a law that the constructor would not take.
  ///@{
  template <std::derived_from<NonSmoothLaw> Law>
  void setLaw(Group a, Group b, Law law) {
    setLaw(a, b, std::make_shared<Law>(std::move(law)));
  }
  void setLaw(Group a, Group b, std::shared_ptr<NonSmoothLaw> law);
  void exclude(Group a, Group b);
  ///@}

  /// Throws Error if a body is not in the model, a state is not finite, or the model is not the one of the calls
  /// before.
  void updateInteractions(NonSmoothDynamicalSystem& model, double t, double h) override;

  std::string_view className() const override { return "CollisionManager"; }
  Settings settings() const override;
  std::vector<const Interaction*> managed() const override;
  void serializeState(StateArchive& archive, NonSmoothDynamicalSystem& model) override;

  double margin() const { return margin_; }  ///< m

  /// A pair that is linked.
  using Contact = LinkedContact;
  /// Calls the action for each contact that begins (its interaction is linked from then on) or ends (its interaction is
  /// removed; it still has its last multiplier). They are called at the end of updateInteractions, before the step:
  /// those that end, then those that begin, each in the order of their pairs. A pair that gets another law ends and
  /// begins. A checkpoint that is restored tells nothing. An action may insert and remove bodies here and in the model,
  /// whose contacts are those of the next step. If it throws, the step is not made; manager and model are as they are
  /// between two steps, and what was not told yet is told before the next one. Throws Error if the action is empty.
  ///@{
  void onContactBegin(ContactEvents::Action action) { events_.onBegin(std::move(action)); }
  void onContactEnd(ContactEvents::Action action) { events_.onEnd(std::move(action)); }
  ///@}
  /// As of the last update, in the order of the pairs.
  std::vector<Contact> contacts() const;
  /// How many contacts() there are.
  std::size_t contactCount() const { return contactCount_; }
  /// Statistics of all updates, including those before a checkpoint was restored.
  const CollisionStatistics& statistics() const { return statistics_; }
  /// Shapes of bodies and obstacles, parts of compounds by themselves, by their numbers, including removed ones
  /// (Collider::isRemoved).
  const std::vector<Collider>& colliders() const { return colliders_; }
  /// Number of pairs that pass the broad phase, including those with planes.
  std::size_t candidateCount() const { return pairs_.size(); }

 private:
  static constexpr std::uint32_t noLaw = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t noContact = static_cast<std::uint32_t>(-1);

  // What becomes of a pair in a step.
  enum class Change : char { none, link, drop };
  // Of those near each other, many more than touch.
  struct Pair {
    MemberPair key;
    std::uint32_t law = noLaw;
    std::uint32_t contact = noContact;
    bool obstacleFirst = false;  // in the key
    bool isExamined = false;     // for the present law, contact and state of the members, if these are still
    Change change = Change::none;

    // A body comes first, and of two bodies the one inserted first.
    std::uint32_t first() const { return obstacleFirst ? key.second : key.first; }
    std::uint32_t second() const { return obstacleFirst ? key.first : key.second; }
  };

  void serializeColliders(StateArchive& archive);
  void serializePairs(StateArchive& archive);
  void findPendingPairs();
  void rebuildBroadPhase();
  std::vector<std::size_t> linkOrder(const NonSmoothDynamicalSystem& model) const;
  void unlinkAll(NonSmoothDynamicalSystem& model);
  void takeContact(Pair& pair);
  void link(NonSmoothDynamicalSystem& model, const Pair& pair);
  void requireBodies(const NonSmoothDynamicalSystem& model) const;
  void forgetContactsRemovedByOthers(const NonSmoothDynamicalSystem& model);
  void moveColliders(double t, double h);
  void updatePairs();
  void refreshLaws();
  void examinePairs(double h);
  bool mayTouch(const Pair& pair, double h) const;
  double rangeOf(const Collider& first, const Collider& second, double h) const;
  Change examine(Pair& pair, double h);
  double findManifoldOf(const Pair& pair, double h, Manifold& manifold) const;
  void listFlatNeighbours();
  void findSettled();
  bool isSettled(std::uint32_t member) const { return isSettled_[member] != 0; }
  std::span<const std::uint32_t> flatPairsOf(std::uint32_t member) const;
  double meetInStep(const Pair& pair, double h, Manifold& manifold) const;
  // The way of the first member of a pair relative to the second one in a step: straight, or with a bend where it
  // comes down on an obstacle first.
  struct Way {
    Vector3 before, after;
  };
  // A flat shape that a body touches or meets in a step.
  struct MetSurface {
    double part;      // of the step, after which they meet
    Vector3 normal;   // there, unit, into the body
    double height;    // normal · x on the surface, m
    double approach;  // normal · displacement of the body in the step, m; negative where it comes nearer
  };
  void findMetSurfaces(const Pair& pair, double h, std::vector<MetSurface>& met) const;
  static Way bentWay(const Vector3& straight, std::span<const MetSurface> met);
  double meetAhead(const Pair& pair, const MeetingAhead& meeting, const Vector3& way, double h,
                   Manifold& manifold) const;
  bool passSurfaces(const Pair& pair, std::span<const MetSurface> met, double h, Manifold& manifold) const;
  double meet(const Pair& pair, double h, Manifold& manifold) const;
  bool isHidden(const Pair& pair, double h, const Manifold& manifold) const;
  void openSides(const Pair& pair, Manifold& manifold) const;
  bool hidesBehindSupport(const Pair& pair, std::uint32_t member, double h, const Manifold& manifold) const;
  void follow(const Pair& pair, const Manifold& manifold, bool isNew);
  void begin(std::size_t pair, double h);
  void drop(Pair& pair);
  Contact contactOf(const Pair& pair) const;
  void applyChanges(NonSmoothDynamicalSystem& model);
  std::uint32_t addParts(const std::shared_ptr<NewtonEulerDS>& body, const ObstacleMotion& motion,
                         const PlacedShape& whole, Group group);
  std::size_t addObstacle(const ObstacleMotion& motion, const PlacedShape& whole, Group group);
  void addCollider(Collider collider);
  void removeParts(std::uint32_t number);
  Pair pairOf(const MemberPair& key) const;
  std::uint32_t lawOf(const Collider& first, const Collider& second) const;
  std::uint32_t addLaw(std::shared_ptr<NonSmoothLaw> law);

  double margin_;
  std::vector<std::shared_ptr<NonSmoothLaw>> laws_;  // the first is that of all other pairs
  std::map<std::pair<Group, Group>, std::uint32_t> lawOfGroups_;
  bool lawsChanged_ = false;

  std::vector<Collider> colliders_;
  std::vector<std::uint32_t> planes_;
  std::unordered_map<const NewtonEulerDS*, std::uint32_t> numberOf_;
  BroadPhase broadPhase_;
  std::vector<Pair> pairs_;  // by key
  std::vector<MemberPair> begun_, ended_;
  std::vector<MemberPair> begunPlanes_;  // with planes, or from a checkpoint: they begin with the next update
  bool anyRemoved_ = false;
  bool hasFlat_ = false;
  std::vector<std::size_t> flatEnd_;      // by members: the end of the member's part of flatPairs_
  std::vector<std::uint32_t> flatPairs_;  // with shapes that are no spheres

  std::vector<PairContact> held_;  // contacts in use, by Pair::contact
  std::vector<std::uint32_t> holes_;
  std::vector<PairContact> dropped_;
  std::vector<PairContact> gone_;    // that others have removed from the model
  std::vector<std::size_t> toLink_;  // numbers of pairs
  std::size_t contactCount_ = 0;
  PairContactPool pool_;
  ContactEvents events_;
  std::string name_;                 // work space
  std::vector<char> outgrowBounds_;  // by colliders
  // By colliders: whose pairs have begun or ended in this step, empty where none have; and those about which a still
  // pair need not be examined again.
  std::vector<char> neighboursChanged_, isSettled_;
  CollisionStatistics statistics_;

  const NonSmoothDynamicalSystem* model_ = nullptr;
  MadeFrom<std::uint64_t> leftAt_;  // Topology::version, after an update
};

}  // namespace delassus
