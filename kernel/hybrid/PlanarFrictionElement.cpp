// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactModeLcp.hpp>
#include <delassus/kernel/hybrid/MotionElements.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>

namespace delassus {

const PlanarFrictionElement& PlanarFrictionElement::instance() {
  static const PlanarFrictionElement element;
  return element;
}

ContactMode PlanarFrictionElement::admissible(const ContactElement& element, ContactMode mode) const {
  return mode == ContactMode::open || !element.isSliding() ? mode : slipMode(element.direction[0]);
}

void PlanarFrictionElement::require(const ContactElement& element, const std::string& where) const {
  if (element.mu >= 0. && std::isfinite(element.mu)) return;
  throw Error(where, "the coefficient of friction must not be negative, and finite, got " + toText(element.mu) + ".");
}

void PlanarFrictionElement::scale(ContactElement& element, const double* scales, double) const {
  element.mu *= scales[0] / scales[1];
}

void PlanarFrictionElement::countViolations(const ContactElement& element, const Vector& lambda, const Vector& a,
                                            Violations& violations) const {
  UnilateralElement::countViolations(element, lambda, a, violations);
  const std::size_t tangent = element.row + 1;
  const double limit = element.mu * std::max(lambda(element.row), 0.);
  const double nearest = element.isSliding() ? -element.direction[0] * limit
                                             : std::min(std::max(lambda(tangent) - a(tangent), -limit), limit);
  violations.count(tangent, lambda(tangent) - nearest);
}

bool PlanarFrictionElement::fits(const ContactElement& element, ContactMode mode, const Vector& lambda, const Vector& a,
                                 const RowTolerance& tolerance) const {
  if (!UnilateralElement::fits(element, mode, lambda, a, tolerance)) return false;
  const std::size_t tangent = element.row + 1;
  if (mode == ContactMode::open) return tolerance.isZero(tangent, lambda(tangent));
  if (mode == ContactMode::held) return tolerance.isZero(tangent, a(tangent));
  const int s = directionOf(mode);
  return tolerance.isZero(tangent, lambda(tangent) + s * element.mu * lambda(element.row)) &&
         (element.isSliding() || tolerance.isPositive(tangent, s * a(tangent)));
}

// At rest, in λ_N, the part λ_R = λ_T + μ λ_N the distance to one edge of the cone, and the negative part a⁻ of a_T:
// 0 ≤ a_T + a⁻ ⟂ λ_R ≥ 0, 0 ≤ 2 μ λ_N − λ_R ⟂ a⁻ ≥ 0.
void PlanarFrictionElement::formulate(const ContactElement& element, ContactLcpRows& problem, Vector& lambda) const {
  constexpr auto complementarity = numerics::MixedLinearComplementarityProblem::Row::complementarity;
  UnilateralElement::formulate(element, problem, lambda);
  const std::size_t tangent = element.row + 1;
  const std::size_t normal = problem.kinds.size() - 1;
  if (element.isSliding()) {
    problem.shares.push_back({tangent, normal, -element.direction[0] * element.mu});
    return;
  }
  const std::size_t edge = problem.add(complementarity);
  const std::size_t negative = problem.add(complementarity);
  problem.shares.push_back({tangent, normal, -element.mu});
  problem.shares.push_back({tangent, edge, 1.});
  problem.rates.push_back({edge, tangent, 1.});
  problem.links.push_back({edge, negative, 1.});
  problem.links.push_back({negative, normal, 2. * element.mu});
  problem.links.push_back({negative, edge, -1.});
}

void PlanarFrictionElement::hold(const ElementLaw& law, ContactMode mode, const SlipDirection& heading, std::size_t row,
                                 ModeRows& rows) const {
  if (mode == ContactMode::open) return;
  UnilateralElement::hold(law, mode, heading, row, rows);
  HeldRow& normal = rows.held.back();
  normal.tangents = 1;
  normal.mu = law.mu;
  normal.slips = mode != ContactMode::held;
  normal.direction[0] = directionOf(mode);
  if (normal.slips) return;
  HeldRow tangent;
  tangent.row = row + 1;
  tangent.position = false;
  rows.held.push_back(tangent);
}

void PlanarFrictionElement::computeGuards(const ElementState& state, double* g, double* gDot) const {
  UnilateralElement::computeGuards(state, g, gDot);
  const PlacedElement& placed = state.placed();
  if (!placed.isClosed()) return;
  const int direction = directionOf(placed.mode);
  if (direction != 0) {
    g[1] = direction * state.rate(1);
    gDot[1] = state.guardRate(direction * state.acceleration(1));
  } else {
    g[1] = placed.mu * state.force(0) - state.force(1);
    g[2] = placed.mu * state.force(0) + state.force(1);
  }
}

bool PlanarFrictionElement::isForceGuard(ContactMode mode, std::size_t slot) const {
  return mode == ContactMode::held || UnilateralElement::isForceGuard(mode, slot);
}

double PlanarFrictionElement::guardRounding(const ElementState& state, std::size_t slot) const {
  const bool isSlip = directionOf(state.placed().mode) != 0 && slot == 1;
  return isSlip ? state.rateRounding(1) : UnilateralElement::guardRounding(state, slot);
}

SlipDirection PlanarFrictionElement::slip(const ElementState& state) const {
  return {state.isZero(1) ? 0. : state.rate(1) > 0. ? 1. : -1., 0.};
}

bool PlanarFrictionElement::comesToRest(const ElementState& state, bool) const {
  const int direction = directionOf(state.placed().mode);
  return direction != 0 && state.isZero(1) && direction * state.acceleration(1) < 0.;
}

void PlanarFrictionElement::propose(const ElementState& state, std::size_t slot, PlacedElement& placed) const {
  if (opens(state, slot)) return UnilateralElement::propose(state, slot, placed);
  // λ_T at its upper bound acts against a backward slip, which therefore follows.
  const bool slips = directionOf(state.placed().mode) != 0;
  placed.proposed = slips ? ContactMode::held : slot == 1 ? ContactMode::backward : ContactMode::forward;
}

ContactMode PlanarFrictionElement::impactMode(const ElementState& state, double border, SlipDirection&) const {
  const double normal = state.force(0);
  if (!(normal > 0.)) return ContactMode::open;
  const double limit = (1. - border) * state.placed().mu * normal;
  return state.force(1) < -limit  ? ContactMode::forward
         : state.force(1) > limit ? ContactMode::backward
                                  : ContactMode::held;
}

}  // namespace delassus
