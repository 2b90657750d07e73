// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/Collider.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

constexpr double stepsHeld = 8.;    // for which held bounds reach ahead along the velocity
constexpr double resting = 1e-5;    // of the size, and of rotations: the last motion of a body that comes to rest
constexpr double slackOfSize = .1;  // of the shape's size, by which they are larger at least

double widthSum(const Bounds& bounds) {
  double sum = 0.;
  for (std::size_t k = 0; k < 3; ++k) sum += bounds.upper[k] - bounds.lower[k];
  return sum;
}

}  // namespace

Collider::Collider(std::shared_ptr<NewtonEulerDS> body, std::shared_ptr<const Shape> shape, const Placement& at,
                   std::size_t group, std::string part)
    : body_(std::move(body)),
      shape_(std::move(shape)),
      at_(at),
      group_(group),
      label_(std::move(part)),
      spinRadius_(norm(at.position) + shape_->spinRadius()) {
  readBody();
}

Collider::Collider(std::shared_ptr<const Shape> shape, const Placement& at, ObstacleMotion motion, std::size_t group,
                   std::string label)
    : shape_(std::move(shape)),
      at_(at),
      motion_(std::move(motion)),
      group_(group),
      label_(std::move(label)),
      placement_(at),
      isStill_(!motion_.isMoving()) {
  if (plane() != nullptr && isFixed()) fixedPlane_ = plane()->placed(placement_);
}

void Collider::readState(double t) {
  if (body_) {
    readBody();
  } else if (motion_.isMoving()) {
    readMotion(t);
  }
}

void Collider::readMotion(double t) {
  ObstacleMotion::State now;
  try {
    now = motion_.at(t);
  } catch (const Error& error) {
    throw Error("CollisionManager", "the motion of " + label() + " has failed. " + error.what());
  }
  bodyPlacement_ = now.place;
  placement_ = bodyPlacement_.place(at_);
  velocity_ = now.velocity + cross(now.rotation, placement_.position - now.place.position);
  turning_ = now.rotation;
  spinSpeed_ = shape_->spinRadius() * norm(now.rotation);
  if (plane() != nullptr) tiltRate_ = norm(cross(now.rotation, multiply(placement_.rotation, plane()->normal)));
}

// A body that has lost its last velocity, by falling asleep or by friction, is still as soon as that is 0, so that its
// contacts stay what they were: relations that change would wake it. One that has landed in the step is not.
void Collider::readBody() {
  const double* const q = data(body_->q());
  const double* const v = data(body_->velocity());
  double sum = 0.;
  for (std::size_t k = 0; k < 3; ++k) sum += q[k] + v[k] + v[3 + k];
  if (!std::isfinite(sum)) throw Error("CollisionManager", "the state of body '" + label() + "' is not finite.");
  const bool rested = velocity_ == Vector3{} && spinSpeed_ == 0.;
  const Vector3 moved = vector3(q) - bodyPlacement_.position;
  velocity_ = vector3(v);
  bodyPlacement_.position = vector3(q);
  isStill_ = velocity_ == Vector3{} && norm(moved) <= (rested ? 0. : resting * shape_->size());
  if (spinRadius_ == 0.) {  // a ball: its rotation does not matter
    placement_.position = bodyPlacement_.position;
    return;
  }
  const auto rotation = rotations::rotationMatrix({q[3], q[4], q[5], q[6]});
  double turned = 0.;
  for (std::size_t k = 0; k < 9; ++k) turned = std::max(turned, std::abs(rotation[k] - bodyPlacement_.rotation[k]));
  turning_ = multiply(rotation, vector3(v + 3));
  spinSpeed_ = spinRadius_ * norm(vector3(v + 3));
  isStill_ = isStill_ && spinSpeed_ == 0. && turned <= (rested ? 0. : resting);
  bodyPlacement_.rotation = rotation;
  placement_ = bodyPlacement_.place(at_);
}

bool Collider::updateBounds(double h, double margin) {
  const Vector3 displacement = h * velocity_;
  bounds_ = shape_->bounds(placement_);
  bounds_.inflate(margin + h * spinSpeed_);
  bounds_.sweep(displacement);
  // Held bounds that have become much too large produce false pairs.
  const double slack = std::max(margin, slackOfSize * shape_->size());
  const Vector3 ahead = stepsHeld * displacement;
  const double excess = 6. * slack + std::abs(ahead[0]) + std::abs(ahead[1]) + std::abs(ahead[2]);
  if (held_ && heldBounds_.contains(bounds_) && widthSum(heldBounds_) - widthSum(bounds_) <= 2. * excess) return false;
  held_ = true;
  heldBounds_ = bounds_;
  heldBounds_.inflate(slack);
  heldBounds_.sweep(ahead);
  return true;
}

void Collider::serializeState(StateArchive& archive) {
  archive.values("position", bodyPlacement_.position.data(), bodyPlacement_.position.size());
  archive.values("rotation", bodyPlacement_.rotation.data(), bodyPlacement_.rotation.size());
  if (!isFixed()) placement_ = bodyPlacement_.place(at_);
  archive.values("velocity", velocity_.data(), velocity_.size());
  archive.values("turning", turning_.data(), turning_.size());
  archive.value("spinSpeed", spinSpeed_);
  archive.value("held", held_);
  archive.value("isStill", isStill_);
  for (Bounds* const bounds : {&bounds_, &heldBounds_}) {
    archive.values("lower", bounds->lower.data(), bounds->lower.size());
    archive.values("upper", bounds->upper.data(), bounds->upper.size());
  }
}

}  // namespace delassus
