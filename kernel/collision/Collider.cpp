// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/Collider.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

constexpr double stepsHeld = 8.;    // for which held bounds reach ahead along the velocity
constexpr double slackOfSize = .1;  // of the shape's size, by which they are larger at least

double widthSum(const Bounds& bounds) {
  double sum = 0.;
  for (std::size_t k = 0; k < 3; ++k) sum += bounds.upper[k] - bounds.lower[k];
  return sum;
}

}  // namespace

Collider::Collider(std::shared_ptr<NewtonEulerDS> body, const Shape& shape, std::size_t group)
    : body_(std::move(body)),
      shape_(shape),
      group_(group),
      spinRadius_(delassus::spinRadius(shape)),
      size_(sizeOf(shape)) {
  readState();
}

Collider::Collider(const Shape& shape, const Placement& placement, std::size_t group, std::string label)
    : shape_(shape),
      group_(group),
      label_(std::move(label)),
      placement_(placement),
      size_(sizeOf(shape)),
      isStill_(true) {
}

void Collider::readState() {
  if (!body_) return;
  const double* const q = data(body_->q());
  const double* const v = data(body_->velocity());
  const Vector3 position = vector3(q), velocity = vector3(v);
  const bool rested = velocity_ == Vector3{} && spinSpeed_ == 0.;
  isStill_ = rested && velocity == Vector3{} && position == placement_.position;
  placement_.position = position;
  velocity_ = velocity;
  double sum = 0.;
  for (std::size_t k = 0; k < 3; ++k) sum += q[k] + v[k] + v[3 + k];
  if (!std::isfinite(sum)) throw Error("CollisionManager", "the state of body '" + label() + "' is not finite.");
  if (spinRadius_ == 0.) return;  // a ball: its rotation does not matter
  const auto rotation = rotations::rotationMatrix({q[3], q[4], q[5], q[6]});
  spinSpeed_ = spinRadius_ * norm(vector3(v + 3));
  isStill_ = isStill_ && spinSpeed_ == 0. && rotation == placement_.rotation;
  placement_.rotation = rotation;
}

bool Collider::updateBounds(double h, double margin) {
  const Vector3 displacement = h * velocity_;
  bounds_ = boundsOf(shape_, placement_);
  bounds_.inflate(margin + h * spinSpeed_);
  bounds_.sweep(displacement);
  // Held bounds that have become much too large produce false pairs.
  const double slack = std::max(margin, slackOfSize * size_);
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
  archive.values("position", placement_.position.data(), placement_.position.size());
  archive.values("rotation", placement_.rotation.data(), placement_.rotation.size());
  archive.values("velocity", velocity_.data(), velocity_.size());
  archive.value("spinSpeed", spinSpeed_);
  archive.value("held", held_);
  archive.value("isStill", isStill_);
  for (Bounds* const bounds : {&bounds_, &heldBounds_}) {
    archive.values("lower", bounds->lower.data(), bounds->lower.size());
    archive.values("upper", bounds->upper.data(), bounds->upper.size());
  }
}

}  // namespace delassus
