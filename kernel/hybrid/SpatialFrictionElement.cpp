// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/kernel/hybrid/ContactModeLcp.hpp>
#include <delassus/kernel/hybrid/MotionElements.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>

namespace delassus {
namespace {

// A direction turns by 60° before it is taken as the new heading: then u · e = ½ |u|.
constexpr double turn = 0.5;

double dot(const SlipDirection& a, const SlipDirection& b) {
  return a[0] * b[0] + a[1] * b[1];
}

double norm(const SlipDirection& a) {
  return std::hypot(a[0], a[1]);
}

SlipDirection unit(const SlipDirection& a) {
  const double length = norm(a);
  if (length == 0.) return a;
  return {a[0] / length, a[1] / length};
}

SlipDirection tangential(const Vector& rows, std::size_t normal) {
  return {rows(normal + 1), rows(normal + 2)};
}

SlipDirection velocityOf(const ElementState& state) {
  return {state.rate(1), state.rate(2)};
}

SlipDirection accelerationOf(const ElementState& state) {
  return {state.acceleration(1), state.acceleration(2)};
}

SlipDirection againstForce(const ElementState& state) {
  return unit({-state.force(1), -state.force(2)});
}

bool isZero(const ElementState& state) {
  return state.isZero(1) && state.isZero(2);
}

}  // namespace

const SpatialFrictionElement& SpatialFrictionElement::instance() {
  static const SpatialFrictionElement element;
  return element;
}

ContactMode SpatialFrictionElement::admissible(const ContactElement& element, ContactMode mode) const {
  if (mode == ContactMode::open) return mode;
  if (element.isSliding()) return ContactMode::forward;
  return mode == ContactMode::held ? mode : ContactMode::creeping;
}

void SpatialFrictionElement::require(const ContactElement& element, const std::string& where) const {
  if (element.mu >= 0. && std::isfinite(element.mu)) return;
  throw Error(where, "the coefficient of friction must not be negative, and finite, got " + toText(element.mu) + ".");
}

// A cone stays round if both tangents have the same unit.
void SpatialFrictionElement::alignScales(double* scales) const {
  scales[1] = scales[2] = std::min(scales[1], scales[2]);
}

void SpatialFrictionElement::scale(ContactElement& element, const double* scales, double) const {
  element.mu *= scales[0] / scales[1];
}

void SpatialFrictionElement::countViolations(const ContactElement& element, const Vector& lambda, const Vector& a,
                                             Violations& violations) const {
  UnilateralElement::countViolations(element, lambda, a, violations);
  const double limit = element.mu * std::max(lambda(element.row), 0.);
  const SlipDirection force = tangential(lambda, element.row);
  const SlipDirection rate = tangential(a, element.row);
  SlipDirection nearest = {-limit * element.direction[0], -limit * element.direction[1]};
  if (!element.isSliding()) {
    nearest = {force[0] - rate[0], force[1] - rate[1]};
    const double length = norm(nearest);
    if (length > limit) nearest = {nearest[0] * limit / length, nearest[1] * limit / length};
  }
  // Where tangents are not loaded, they have no terms of their own to measure rounding by.
  for (std::size_t t = 0; t < 2; ++t) violations.count(element.row + 1 + t, force[t] - nearest[t], limit);
}

// Of a contact that creeps, the directions of acceleration and force are tested with the natural map.
bool SpatialFrictionElement::fits(const ContactElement& element, ContactMode mode, const Vector& lambda,
                                  const Vector& a, const RowTolerance& tolerance) const {
  if (!UnilateralElement::fits(element, mode, lambda, a, tolerance)) return false;
  const Vector& zeros = mode == ContactMode::open ? lambda : a;
  const std::size_t i = element.row;
  return element.isSliding() || mode == ContactMode::creeping ||
         (tolerance.isZero(i + 1, zeros(i + 1)) && tolerance.isZero(i + 2, zeros(i + 2)));
}

// At rest, the cone is replaced by the one over a regular polygon: λ_T = Σ β_k c_k with corners c_k, and with the
// speed γ,  0 ≤ c_kᵀ a_T + γ ⟂ β_k ≥ 0,  0 ≤ μ λ_N − Σ β_k ⟂ γ ≥ 0  (Stewart and Trinkle, 1996).
void SpatialFrictionElement::formulate(const ContactElement& element, ContactLcpRows& problem, Vector& lambda) const {
  constexpr auto complementarity = numerics::MixedLinearComplementarityProblem::Row::complementarity;
  constexpr std::size_t corners = 8;
  constexpr double h = 0.70710678118654752;
  constexpr double c[corners][2] = {{1., 0.}, {h, h}, {0., 1.}, {-h, h}, {-1., 0.}, {-h, -h}, {0., -1.}, {h, -h}};
  UnilateralElement::formulate(element, problem, lambda);
  const std::size_t normal = problem.kinds.size() - 1;
  if (element.isSliding()) {
    for (std::size_t t = 0; t < 2; ++t)
      problem.shares.push_back({element.row + 1 + t, normal, -element.direction[t] * element.mu});
    return;
  }
  const std::size_t speed = problem.add(complementarity);
  problem.links.push_back({speed, normal, element.mu});
  for (std::size_t k = 0; k < corners; ++k) {
    const std::size_t column = problem.add(complementarity);
    problem.links.push_back({column, speed, 1.});
    problem.links.push_back({speed, column, -1.});
    for (std::size_t t = 0; t < 2; ++t) {
      problem.shares.push_back({element.row + 1 + t, column, c[k][t]});
      problem.rates.push_back({column, element.row + 1 + t, c[k][t]});
    }
  }
}

SlipDirection SpatialFrictionElement::heading(const ContactElement& element, const Vector& lambda) const {
  const SlipDirection force = tangential(lambda, element.row);
  return element.isSliding() ? element.direction : unit({-force[0], -force[1]});
}

bool SpatialFrictionElement::revise(const ContactElement& element, const Vector& lambda, const Vector& a,
                                    ContactMode& mode, SlipDirection& heading) const {
  const ContactMode before = mode;
  const SlipDirection force = tangential(lambda, element.row);
  if (mode == ContactMode::open) {
    if (a(element.row) < 0.) mode = element.admissible(ContactMode::held);
  } else if (lambda(element.row) < 0.) {
    mode = ContactMode::open;
  } else if (mode == ContactMode::held && norm(force) > element.mu * lambda(element.row)) {
    mode = ContactMode::creeping;
    heading = unit({-force[0], -force[1]});
  } else if (mode == ContactMode::creeping && dot(tangential(a, element.row), heading) < 0.) {
    mode = ContactMode::held;
  }
  return mode != before;
}

void SpatialFrictionElement::hold(const ElementLaw& law, ContactMode mode, const SlipDirection& heading,
                                  std::size_t row, ModeRows& rows) const {
  if (mode == ContactMode::open) return;
  UnilateralElement::hold(law, mode, heading, row, rows);
  HeldRow& normal = rows.held.back();
  normal.tangents = 2;
  normal.mu = law.mu;
  normal.slips = mode != ContactMode::held;
  normal.turning = mode == ContactMode::creeping ? HeldRow::Turning::withForce : HeldRow::Turning::withVelocity;
  normal.heading = normal.direction = heading;
  if (normal.slips) return;
  for (std::size_t t = 1; t <= 2; ++t) {
    HeldRow tangent;
    tangent.row = row + t;
    tangent.position = false;
    rows.held.push_back(tangent);
  }
}

void SpatialFrictionElement::computeGuards(const ElementState& state, double* g, double* gDot) const {
  UnilateralElement::computeGuards(state, g, gDot);
  const PlacedElement& placed = state.placed();
  if (!placed.isClosed()) return;
  if (placed.mode == ContactMode::held) {
    g[1] = placed.mu * state.force(0) - std::hypot(state.force(1), state.force(2));
    return;
  }
  const SlipDirection u = velocityOf(state);
  const SlipDirection a = accelerationOf(state);
  // The rate of |u|; where u is zero, that of its beginning.
  const double gain = norm(u) > 0. ? dot(a, unit(u)) : norm(a);
  if (placed.mode == ContactMode::creeping) {
    g[1] = state.tolerances().creep - norm(u);
    gDot[1] = state.guardRate(-gain);
    g[2] = dot(a, againstForce(state));
  } else {
    g[1] = dot(u, placed.heading);
    gDot[1] = state.guardRate(dot(a, placed.heading));
    g[2] = g[1] - turn * norm(u);
    gDot[2] = state.guardRate(dot(a, placed.heading) - turn * gain);
  }
}

bool SpatialFrictionElement::isForceGuard(ContactMode mode, std::size_t slot) const {
  return UnilateralElement::isForceGuard(mode, slot) || (mode == ContactMode::held && slot == 1) ||
         (mode == ContactMode::creeping && slot == 2);
}

double SpatialFrictionElement::guardRounding(const ElementState& state, std::size_t slot) const {
  const ContactMode mode = state.placed().mode;
  if (slot == 0 || mode == ContactMode::open || mode == ContactMode::held) {
    return UnilateralElement::guardRounding(state, slot);
  }
  if (mode == ContactMode::creeping && slot == 2) {
    return std::max(state.accelerationRounding(1), state.accelerationRounding(2));
  }
  return std::max(state.rateRounding(1), state.rateRounding(2));
}

SlipDirection SpatialFrictionElement::slip(const ElementState& state) const {
  // A state that is given anew may be faster than what rests.
  const SlipDirection u = velocityOf(state);
  if (isZero(state) || (state.placed().rests && norm(u) <= state.tolerances().creep)) return {0., 0.};
  return unit(u);
}

bool SpatialFrictionElement::comesToRest(const ElementState& state, bool isTied) const {
  const bool isSlow = isZero(state) || (isTied && norm(velocityOf(state)) <= state.tolerances().creep);
  return state.placed().mode == ContactMode::forward && isSlow &&
         dot(accelerationOf(state), state.placed().heading) < 0.;
}

void SpatialFrictionElement::propose(const ElementState& state, std::size_t slot, PlacedElement& placed) const {
  if (opens(state, slot)) return UnilateralElement::propose(state, slot, placed);
  const bool isSlow = norm(velocityOf(state)) <= state.tolerances().creep;
  if (placed.mode == ContactMode::held) {
    placed.proposed = ContactMode::creeping;
    placed.heading = againstForce(state);
  } else if (placed.mode == ContactMode::creeping) {
    placed.proposed = slot == 1 ? ContactMode::forward : ContactMode::held;
    placed.rests = slot != 1;
  } else {
    // A slip that has turned goes on.
    placed.proposed = isSlow ? ContactMode::held : ContactMode::forward;
    placed.rests = isSlow;
  }
}

ContactMode SpatialFrictionElement::impactMode(const ElementState& state, double border, SlipDirection& heading) const {
  const double normal = state.force(0);
  if (!(normal > 0.)) return ContactMode::open;
  heading = againstForce(state);
  const double limit = (1. - border) * state.placed().mu * normal;
  return std::hypot(state.force(1), state.force(2)) > limit ? ContactMode::creeping : ContactMode::held;
}

// To creep and to slip is one thing for a user.
void SpatialFrictionElement::log(const ElementChange& change, std::vector<EventKind>& kinds) const {
  const bool goesOn = change.before == ContactMode::creeping && change.after == ContactMode::forward;
  ElementChange seen = change;
  if (goesOn) seen.before = seen.after;
  UnilateralElement::log(seen, kinds);
}

}  // namespace delassus
