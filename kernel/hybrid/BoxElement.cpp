// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactModeLcp.hpp>
#include <delassus/kernel/hybrid/MotionElements.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>

namespace delassus {
namespace {

// λ of a box that slips this way.
double boundAgainst(const ElementLaw& law, double direction) {
  return direction > 0. ? law.lower : law.upper;
}

}  // namespace

const BoxElement& BoxElement::instance() {
  static const BoxElement element;
  return element;
}

ContactMode BoxElement::admissible(const ContactElement& element, ContactMode mode) const {
  if (element.isSliding()) return slipMode(element.direction[0]);
  if (mode == ContactMode::forward && std::isfinite(element.lower)) return mode;
  if (mode == ContactMode::backward && std::isfinite(element.upper)) return mode;
  return ContactMode::held;
}

void BoxElement::require(const ContactElement& element, const std::string& where) const {
  if (!(element.lower <= element.upper)) {
    throw Error(where,
                "the bounds must be ordered, got " + toText(element.lower) + " and " + toText(element.upper) + ".");
  }
  if (element.isSliding() && !std::isfinite(boundAgainst(element, element.direction[0])))
    throw Error(where, "it slips although the multiplier against that has no bound.");
}

double BoxElement::size(const ContactElement& element, const double* scales) const {
  double size = 0.;
  for (const double bound : {element.lower, element.upper}) {
    if (std::isfinite(bound)) size = std::max(size, std::abs(bound) / scales[0]);
  }
  return size;
}

void BoxElement::scale(ContactElement& element, const double* scales, double size) const {
  element.lower /= size * scales[0];
  element.upper /= size * scales[0];
}

void BoxElement::countViolations(const ContactElement& element, const Vector& lambda, const Vector& a,
                                 Violations& violations) const {
  const std::size_t i = element.row;
  const double nearest = element.isSliding() ? boundAgainst(element, element.direction[0])
                                             : std::min(std::max(lambda(i) - a(i), element.lower), element.upper);
  violations.count(i, lambda(i) - nearest);
}

bool BoxElement::fits(const ContactElement& element, ContactMode mode, const Vector& lambda, const Vector& a,
                      const RowTolerance& tolerance) const {
  const std::size_t i = element.row;
  if (mode == ContactMode::held) return tolerance.isZero(i, a(i));
  const int s = directionOf(mode);
  return tolerance.isZero(i, lambda(i) - boundAgainst(element, s)) &&
         (element.isSliding() || tolerance.isPositive(i, s * a(i)));
}

// At rest, λ = l + ζ: 0 ≤ a + a⁻ ⟂ ζ ≥ 0, 0 ≤ u − l − ζ ⟂ a⁻ ≥ 0 (the second for a finite u; from u down where l = −∞).
void BoxElement::formulate(const ContactElement& element, ContactLcpRows& problem, Vector& lambda) const {
  using Row = numerics::MixedLinearComplementarityProblem::Row;
  const std::size_t i = element.row;
  const bool below = std::isfinite(element.lower);
  const bool above = std::isfinite(element.upper);
  if (element.isSliding() || element.lower == element.upper) {
    lambda(i) = element.direction[0] < 0. ? element.upper : element.lower;
    return;
  }
  const std::size_t column = problem.add(below || above ? Row::complementarity : Row::equality);
  const double sign = below || !above ? 1. : -1.;
  problem.shares.push_back({i, column, sign});
  problem.rates.push_back({column, i, sign});
  if (below || above) lambda(i) = below ? element.lower : element.upper;
  if (!below || !above) return;
  const std::size_t width = problem.add(Row::complementarity);
  problem.links.push_back({column, width, 1.});
  problem.constants[width] = element.upper - element.lower;
  problem.links.push_back({width, column, -1.});
}

void BoxElement::hold(const ElementLaw& law, ContactMode mode, const SlipDirection&, std::size_t row,
                      ModeRows& rows) const {
  if (mode != ContactMode::held) {
    rows.forces.push_back({0, row, boundAgainst(law, directionOf(mode))});
    return;
  }
  HeldRow held;
  held.row = row;
  held.position = false;
  held.lower = law.lower;
  held.upper = law.upper;
  rows.held.push_back(held);
}

void BoxElement::computeGuards(const ElementState& state, double* g, double* gDot) const {
  const PlacedElement& placed = state.placed();
  const int direction = directionOf(placed.mode);
  if (direction != 0) {
    state.computeBias();
    g[0] = direction * state.rate(0);
    gDot[0] = state.guardRate(direction * state.acceleration(0));
  } else {
    g[0] = placed.upper - state.force(0);
    g[1] = state.force(0) - placed.lower;
  }
}

bool BoxElement::isForceGuard(ContactMode mode, std::size_t) const {
  return mode == ContactMode::held;
}

double BoxElement::guardRounding(const ElementState& state, std::size_t slot) const {
  const bool isSlip = state.placed().mode != ContactMode::held && slot == 0;
  return isSlip ? state.rateRounding(0) : state.forceRounding();
}

SlipDirection BoxElement::slip(const ElementState& state) const {
  return {state.isZero(0) ? 0. : state.rate(0) > 0. ? 1. : -1., 0.};
}

bool BoxElement::comesToRest(const ElementState& state, bool) const {
  const int direction = directionOf(state.placed().mode);
  if (direction == 0 || !state.isZero(0)) return false;
  state.computeBias();
  return direction * state.acceleration(0) < 0.;
}

// λ at its upper bound acts against a backward slip, which therefore follows.
void BoxElement::propose(const ElementState& state, std::size_t slot, PlacedElement& placed) const {
  const bool slips = state.placed().mode != ContactMode::held;
  placed.proposed = slips ? ContactMode::held : slot == 0 ? ContactMode::backward : ContactMode::forward;
}

}  // namespace delassus
