// SPDX-License-Identifier: Apache-2.0
//
// The part of CircuitState that tells in words what a circuit is made of.
#include <delassus/kernel/circuits/CircuitState.hpp>
#include <delassus/kernel/diagnostics/RelativeDegree.hpp>

namespace delassus {
namespace {

const char* meaningOf(const RelativeDegreeReport::Row& row) {
  if (!row.degree)
    return "no degree of its own: it acts on its output by way of other elements that switch, or not at all";
  switch (*row.degree) {
    case 0:
      return "degree 0: a resistance, or the element's own blocking, limits it at once";
    case 1:
      return "degree 1: it acts through one capacitor or inductor; where it closes onto another voltage, charge jumps";
    default:
      return "degree 2 or more: it acts through several capacitors and inductors, and cannot hold its own output";
  }
}

}  // namespace

// The degrees of copies of the systems and relations as they are, since the model may hold other things.
std::string CircuitState::report() const {
  NonSmoothDynamicalSystem copy(0., 1.);
  std::vector<std::string> names;
  std::string text = label_ + ":\n";
  for (std::size_t k = 0; k < parts_->systems().size(); ++k) {
    const FirstOrderLinearTIDS& system = *parts_->systems()[k];
    SquareMatrix A;
    system.A(t0_, A);
    copy.insert(system.name(), std::make_shared<FirstOrderLinearTIDS>(system.x0(), A));
    text += "  states:";
    for (const std::size_t s : parts_->statesOf(k)) {
      text += s == CircuitBranch::none ? " none" : " " + equations_->stateName(s);
    }
    text += "\n";
  }
  parts_->linkCopies(copy);
  const RelativeDegreeReport degrees = relativeDegree(copy);
  std::size_t next = 0;
  for (std::size_t k = 0; k < parts_->interactions().size(); ++k) {
    for (const std::size_t row : parts_->rowsOf(k)) {
      text += "  " + equations_->rows()[row].name + ": " + meaningOf(degrees.rows[next++]) + "\n";
    }
  }
  return text;
}

}  // namespace delassus
