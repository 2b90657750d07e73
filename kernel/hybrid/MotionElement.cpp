// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/MotionElements.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

ElementLaw boxOf(const NonSmoothLaw& law, std::size_t row, const std::string& label) {
  std::vector<double> lower(law.unknowns(), 0.);
  std::vector<double> upper(law.unknowns(), 0.);
  law.bounds(lower.data(), upper.data());
  const double least = lower[row % law.size()];
  const double most = upper[row % law.size()];
  if (std::isfinite(least) && std::isfinite(most)) return {&BoxElement::instance(), 0., least, most};
  throw Error(label, "dry friction needs finite bounds in an event-driven simulation, which impacts exceed, but row " +
                         std::to_string(row) + " has [" + toText(least) + ", " + toText(most) +
                         "]; EqualityConditionNSL holds a rate against them.");
}

[[noreturn]] void refuse(const NonSmoothLaw& law, const std::string& label) {
  const bool ownLaw = !law.actsOnVelocities() && law.hasIntervals() && !law.relatesRates();
  throw Error(label,
              "the event-driven simulation takes NewtonImpactNSL, NewtonImpactFrictionNSL, "
              "EqualityConditionNSL and RelayNSL between mechanical systems, but " +
                  std::string(law.className()) + " (of size " + std::to_string(law.size()) + ") has " +
                  law.multipliersInWords() +
                  (ownLaw ? "; a law of one's own that relates rates to forces says so by relatesRates()." : "."));
}

}  // namespace

ElementLaw elementOf(const NonSmoothLaw& law, std::size_t row, const std::string& label) {
  if (!law.actsOnVelocities() && law.relatesRates() && law.hasIntervals()) {
    return law.set()->isFree() ? ElementLaw{&JointElement::instance()} : boxOf(law, row, label);
  }
  if (!law.actsOnVelocities()) refuse(law, label);
  if (law.isComplementarity() && law.size() == 1) return {&UnilateralElement::instance()};
  const std::optional<double> mu = law.set()->coulombFriction();
  if (!mu || law.size() < 2 || law.size() > 3) refuse(law, label);
  if (*mu == 0.) return {&UnilateralElement::instance()};
  if (law.size() == 3) return {&SpatialFrictionElement::instance(), *mu};
  return {&PlanarFrictionElement::instance(), *mu};
}

void MotionElement::log(const ElementChange& change, std::vector<EventKind>& kinds) const {
  const bool wasOpen = change.before == ContactMode::open;
  if (wasOpen || change.after == ContactMode::open || change.before == change.after || change.starts) return;
  kinds.push_back(change.after == ContactMode::held ? EventKind::stick : EventKind::slip);
}

}  // namespace delassus
