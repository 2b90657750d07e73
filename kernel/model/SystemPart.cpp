// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/model/SystemPart.hpp>

#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {

SystemPart::SystemPart(std::shared_ptr<DynamicalSystem> system, std::size_t first, std::size_t count)
    : system_(std::move(system)), first_(first), count_(count) {
  if (!system_) throw Error("SystemPart", "the system is null.");
  const std::string label = "Part of system '" + system_->name() + "'";
  const SecondOrderDS* const body = system_->secondOrder();
  if (body != nullptr && !body->hasRatesAsVelocities()) {
    throw Error(label, "only systems whose velocities are the rates of their coordinates are linked by parts, and " +
                           std::string(system_->className()) + " is not one; link the whole system.");
  }
  const FirstOrderDS* const flow = system_->firstOrder();
  if (body == nullptr && flow == nullptr) {
    throw Error(label, "it is neither of first nor of second order, and has no states that are known.");
  }
  const std::size_t n = body != nullptr ? body->dimension() : flow->dimension();
  if (count > 0 && first < n && count <= n - first) return;
  throw Error(label, "expected coordinates among its " + std::to_string(n) + ", got " + std::to_string(count) +
                         " from number " + std::to_string(first) + " on.");
}

std::span<const double> SystemPart::q() const {
  const SecondOrderDS* const body = system_->secondOrder();
  return body == nullptr ? std::span<const double>() : of(body->q());
}

std::span<const double> SystemPart::velocity() const {
  if (const SecondOrderDS* const body = system_->secondOrder()) return of(body->velocity());
  const FirstOrderDS* const flow = system_->firstOrder();
  return flow == nullptr ? std::span<const double>() : of(flow->x());
}

std::string SystemPart::label() const {
  const std::string name = "'" + system_->name() + "'";
  if (isWhole()) return name;
  if (count_ == 1) return name + " (coordinate " + std::to_string(first_) + ")";
  return name + " (coordinates " + std::to_string(first_) + " to " + std::to_string(first_ + count_ - 1) + ")";
}

Vector stackedStates(std::span<const SystemPart> parts) {
  Vector stack;
  for (const SystemPart& part : parts) {
    if (const FirstOrderDS* const flow = part.system()->firstOrder()) append(part.of(flow->x()), stack);
    if (part.system()->secondOrder() != nullptr) append(part.q(), stack);
  }
  return stack;
}

}  // namespace delassus
