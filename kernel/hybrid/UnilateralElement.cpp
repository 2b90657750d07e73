// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactModeLcp.hpp>
#include <delassus/kernel/hybrid/MotionElements.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>

namespace delassus {

const UnilateralElement& UnilateralElement::instance() {
  static const UnilateralElement element;
  return element;
}

ContactMode UnilateralElement::admissible(const ContactElement&, ContactMode mode) const {
  return mode == ContactMode::open ? mode : ContactMode::held;
}

void UnilateralElement::countViolations(const ContactElement& element, const Vector& lambda, const Vector& a,
                                        Violations& violations) const {
  violations.count(element.row, std::min(lambda(element.row), a(element.row)));
}

bool UnilateralElement::fits(const ContactElement& element, ContactMode mode, const Vector& lambda, const Vector& a,
                             const RowTolerance& tolerance) const {
  return tolerance.isZero(element.row, mode == ContactMode::open ? lambda(element.row) : a(element.row));
}

void UnilateralElement::formulate(const ContactElement& element, ContactLcpRows& problem, Vector&) const {
  const std::size_t normal = problem.add(numerics::MixedLinearComplementarityProblem::Row::complementarity);
  problem.shares.push_back({element.row, normal, 1.});
  problem.rates.push_back({normal, element.row, 1.});
}

void UnilateralElement::hold(const ElementLaw&, ContactMode mode, const SlipDirection&, std::size_t row,
                             ModeRows& rows) const {
  if (mode == ContactMode::open) return;
  HeldRow held;
  held.row = row;
  held.lower = 0.;
  rows.held.push_back(held);
}

const char* UnilateralElement::guardName(ContactMode mode, std::size_t slot) const {
  return slot != 0 ? "friction" : mode == ContactMode::open ? "gap" : "normal force";
}

void UnilateralElement::computeGuards(const ElementState& state, double* g, double* gDot) const {
  if (state.placed().isClosed()) {
    g[0] = state.force(0);
  } else {
    g[0] = state.y();
    gDot[0] = state.guardRate(state.rate(0));
  }
}

bool UnilateralElement::isForceGuard(ContactMode mode, std::size_t slot) const {
  return mode != ContactMode::open && slot == 0;
}

double UnilateralElement::guardRounding(const ElementState& state, std::size_t) const {
  return state.placed().isClosed() ? state.forceRounding() : state.gapRounding();
}

void UnilateralElement::propose(const ElementState& state, std::size_t, PlacedElement& placed) const {
  if (state.placed().isClosed()) {
    placed.proposed = ContactMode::open;
  } else {
    placed.touches = true;
  }
}

bool UnilateralElement::opens(const ElementState& state, std::size_t slot) const {
  constexpr double roundings = 1e3;
  const PlacedElement& placed = state.placed();
  if (slot == 0 || placed.proposed == ContactMode::open) return true;
  return isForceGuard(placed.mode, slot) && state.force(0) <= roundings * state.forceRounding();
}

ContactMode UnilateralElement::impactMode(const ElementState& state, double, SlipDirection&) const {
  return state.force(0) > 0. ? ContactMode::held : ContactMode::open;
}

void UnilateralElement::requireConsistent(const ElementState& state, const std::string& label, double t,
                                          bool initial) const {
  const double tolerance = state.tolerances().gap;
  if (state.y() < -tolerance) {
    throw Error(label, "its gap must not be negative in the state at t = " + toText(t) +
                           ", but y = " + toText(state.y()) + " (tolerance " + toText(tolerance) + ").");
  }
  if (!initial || state.y() > tolerance || state.rate(0) >= 0. || state.isZero(0)) return;
  throw Error(label, "the contact is closed, and must not be approached in the initial state at t = " + toText(t) +
                         ", but dy/dt = " + toText(state.rate(0)) + ".");
}

void UnilateralElement::log(const ElementChange& change, std::vector<EventKind>& kinds) const {
  const bool wasOpen = change.before == ContactMode::open;
  const bool isClosed = change.after != ContactMode::open;
  if (change.wasHit) {
    kinds.push_back(change.isShort && isClosed && wasOpen ? EventKind::accumulation : EventKind::impact);
  } else if (wasOpen && isClosed && !change.starts) {
    kinds.push_back(EventKind::landing);
  }
  if (!wasOpen && !isClosed) kinds.push_back(EventKind::takeOff);
  MotionElement::log(change, kinds);
}

}  // namespace delassus
