// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/HybridEquations.hpp>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

void HybridEquations::set(std::vector<HybridSystem*> systems) {
  systems_ = std::move(systems);
  size_ = guards_ = 0;
  for (const HybridSystem* const system : systems_) {
    size_ += system->size();
    guards_ += system->guards();
  }
}

void HybridEquations::setPiece(double begin, double end, double margin) {
  piece_ = TimePiece::between(begin, end, margin);
  for (HybridSystem* const system : systems_) system->setPiece(piece_);
}

void HybridEquations::serializeState(StateArchive& archive) {
  piece_.serializeState(archive);
  for (HybridSystem* const system : systems_) {
    if (archive.restores()) system->setPiece(piece_);
    system->serializeState(archive);
  }
}

int HybridEquations::rootDirection(std::size_t i) const {
  if (i < guards_) return -1;
  if (i < firstUserGuard()) return 1;
  switch (userGuards_[i - firstUserGuard()].crossing) {
    case Crossing::falling:
      return -1;
    case Crossing::rising:
      return 1;
    default:
      return 0;
  }
}

std::string HybridEquations::rootName(std::size_t root) const {
  if (root >= firstUserGuard()) return "event function '" + userGuards_[root - firstUserGuard()].name + "'";
  std::string name;
  forEach([&](const HybridSystem& system, std::size_t, std::size_t guard) {
    const std::size_t i = root % std::max<std::size_t>(guards_, 1);
    if (i >= guard && i < guard + system.guards()) name = system.guardName(i - guard);
  });
  return name;
}

std::string HybridEquations::owner(std::size_t i) const {
  std::string name;
  forEach([&](const HybridSystem& system, std::size_t offset, std::size_t) {
    if (i >= offset && i < offset + system.size()) name = system.owner(i - offset);
  });
  return name;
}

void HybridEquations::computeRates(double t, const double* z, double* zDot) {
  const double at = inside(t);
  forEach([&](HybridSystem& system, std::size_t offset, std::size_t) { system.rates(at, z + offset, zDot + offset); });
}

void HybridEquations::sampleGuards(double t, const double* z, double* g) {
  const double at = inside(t);
  forEach([&](HybridSystem& system, std::size_t offset, std::size_t guard) {
    system.sampleGuards(at, z + offset, g + guard);
  });
}

void HybridEquations::computeRoots(double t, const double* z, double* g) {
  const double at = inside(t);
  forEach([&](HybridSystem& system, std::size_t offset, std::size_t guard) {
    system.computeGuards(at, z + offset, g + guard, g + guards_ + guard);
  });
  for (std::size_t i = 0; i < userGuards_.size(); ++i) g[firstUserGuard() + i] = userGuards_[i].value(at, z);
  for (std::size_t i = 0; i < roots(); ++i) {
    if (std::isfinite(g[i])) continue;
    throw Error("EventDriven", rootName(i) + " is not finite at t = " + toText(t) + '.');
  }
}

}  // namespace delassus
