// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/ObstacleMotion.hpp>

#include <array>
#include <cmath>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/numerics/Error.hpp>
#include <mutex>
#include <utility>

namespace delassus {

struct ObstacleMotion::Definition {
  Function motion;  // empty where the frame is at rest
  Vector3 surfaceVelocity{}, surfaceRotation{};
  Factor factor;  // empty: 1

  void place(double t, Vector& q, Vector& rate, State& state) const;
  void run(double t, State& state) const;
};

// The states of the last instants: the contacts of an obstacle ask for the same few in each step.
struct ObstacleMotion::Recent {
  struct Known {
    double t = 0.;
    bool isKnown = false;
    State state;
  };
  std::mutex mutex;
  std::array<Known, 4> known;
  std::size_t next = 0;  // which is computed anew
  Vector q, rate;        // work space of the thread that calls the functions

  bool find(double t, State& state) {
    const std::lock_guard lock(mutex);
    for (const Known& each : known) {
      if (!each.isKnown || each.t != t) continue;
      state = each.state;
      return true;
    }
    return false;
  }
  void keep(double t, const State& state) {
    const std::lock_guard lock(mutex);
    known[next] = {t, true, state};
    next = (next + 1) % known.size();
  }
};

namespace {

constexpr const char* name = "ObstacleMotion";

// What functions of several obstacles capture may be the same.
std::recursive_mutex& userFunctions() {
  static std::recursive_mutex mutex;
  return mutex;
}

void requirePlace(double t, const Vector& q, const Vector& rate) {
  if (q.size() == 7 && rate.size() == 7 && allFinite(q) && allFinite(rate)) return;
  const std::string what = "ObstacleMotion: motion (x, p) or its derivative at t = " + toText(t);
  for (const Vector* v : {&q, &rate}) {
    requireSize(*v, 7, what);
    requireFinite(*v, what);
  }
}

}  // namespace

void ObstacleMotion::Definition::place(double t, Vector& q, Vector& rate, State& state) const {
  assignZero(q, 7);
  assignZero(rate, 7);
  motion.value(t, q);
  motion.jacobian<0>(t, rate);
  requirePlace(t, q, rate);
  Quaternion p{q(3), q(4), q(5), q(6)};
  if (p == Quaternion{}) p[0] = 1.;
  // (0, ω) = 2 ṗ ∘ p⁻¹; what changes |p| alone is in its scalar part.
  const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  const Quaternion omega = rotations::product({rate(3), rate(4), rate(5), rate(6)}, rotations::conjugate(p));
  state.place = Placement::at(vector3(data(q)), p);
  state.velocity = vector3(data(rate));
  state.rotation = 2. / square * Vector3{omega[1], omega[2], omega[3]};
}

void ObstacleMotion::Definition::run(double t, State& state) const {
  const double share = factor ? factor(t) : 1.;
  if (!std::isfinite(share)) {
    throw Error(name, "the factor of its surface must be finite, got " + toText(share) + " at t = " + toText(t) + ".");
  }
  state.runs = share * multiply(state.place.rotation, surfaceVelocity);
  state.surfaceRotation = share * multiply(state.place.rotation, surfaceRotation);
}

ObstacleMotion::ObstacleMotion(Function motion) {
  if (!motion) throw Error(name, "the function of the motion is empty.");
  Definition definition;
  definition.motion = std::move(motion);
  definition_ = std::make_shared<const Definition>(std::move(definition));
  recent_ = std::make_shared<Recent>();
}

ObstacleMotion ObstacleMotion::withSurface(const Vector3& velocity, const Vector3& rotation, Factor factor) const {
  if (!isFinite(velocity) || !isFinite(rotation)) {
    throw Error(name, "velocity and rotation of the surface must be finite.");
  }
  Definition definition = definition_ ? *definition_ : Definition{};
  definition.surfaceVelocity = velocity;
  definition.surfaceRotation = rotation;
  definition.factor = std::move(factor);
  ObstacleMotion result;
  result.definition_ = std::make_shared<const Definition>(std::move(definition));
  result.recent_ = std::make_shared<Recent>();
  return result;
}

ObstacleMotion::State ObstacleMotion::at(double t) const {
  State state;
  if (!isMoving() || recent_->find(t, state)) return state;
  const std::lock_guard one(userFunctions());
  if (recent_->find(t, state)) return state;  // while it waited
  if (definition_->motion) definition_->place(t, recent_->q, recent_->rate, state);
  definition_->run(t, state);
  recent_->keep(t, state);
  return state;
}

bool ObstacleMotion::movesFrame() const {
  return definition_ != nullptr && definition_->motion;
}

void ObstacleMotion::State::drive(ContactPoint& contact) const {
  const Vector3 arm = contact.point - place.position;
  const Vector3 run = runs + cross(surfaceRotation, arm);
  const Vector3 along = run - dot(contact.normal, run) * contact.normal;
  contact.obstacleRotation = rotation + surfaceRotation;
  contact.obstacleVelocity = velocity + cross(rotation, arm) + along;
}

Settings ObstacleMotion::settings() const {
  Settings settings;
  settings.add("moves", movesFrame());
  if (!definition_) return settings;
  settings.add("surfaceVelocity", std::span<const double>(definition_->surfaceVelocity));
  settings.add("surfaceRotation", std::span<const double>(definition_->surfaceRotation));
  settings.add("surfaceFactor", static_cast<bool>(definition_->factor));
  return settings;
}

}  // namespace delassus
