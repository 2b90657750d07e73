// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactModeLcp.hpp>
#include <delassus/kernel/hybrid/MotionElements.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>

namespace delassus {

const JointElement& JointElement::instance() {
  static const JointElement element;
  return element;
}

void JointElement::countViolations(const ContactElement& element, const Vector&, const Vector& a,
                                   Violations& violations) const {
  violations.count(element.row, a(element.row));
}

bool JointElement::fits(const ContactElement& element, ContactMode, const Vector&, const Vector& a,
                        const RowTolerance& tolerance) const {
  return tolerance.isZero(element.row, a(element.row));
}

void JointElement::formulate(const ContactElement& element, ContactLcpRows& problem, Vector&) const {
  const std::size_t column = problem.add(numerics::MixedLinearComplementarityProblem::Row::equality);
  problem.shares.push_back({element.row, column, 1.});
  problem.rates.push_back({column, element.row, 1.});
}

void JointElement::hold(const ElementLaw&, ContactMode, const SlipDirection&, std::size_t row, ModeRows& rows) const {
  HeldRow held;
  held.row = row;
  rows.held.push_back(held);
}

void JointElement::requireConsistent(const ElementState& state, const std::string& label, double t,
                                     bool initial) const {
  if (!(std::abs(state.y()) <= state.tolerances().gap)) {
    throw Error(label, "its output must be zero in the state at t = " + toText(t) + ", but y = " + toText(state.y()) +
                           " (tolerance " + toText(state.tolerances().gap) + ").");
  }
  if (!initial || state.isZero(0)) return;
  throw Error(label, "the rate of its output must be zero in the initial state at t = " + toText(t) +
                         ", but dy/dt = " + toText(state.rate(0)) + ".");
}

// It always holds: what it logs is a velocity that did not fit it.
void JointElement::log(const ElementChange& change, std::vector<EventKind>& kinds) const {
  if (change.wasHit) kinds.push_back(EventKind::impact);
}

}  // namespace delassus
