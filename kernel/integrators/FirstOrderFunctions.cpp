// SPDX-License-Identifier: Apache-2.0
//
// The part of FirstOrderWorkspace that evaluates the functions of relations.
#include <delassus/kernel/functions/NamedErrors.hpp>
#include <delassus/kernel/integrators/FirstOrderWorkspace.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {
namespace {

// These run in every step: a message is composed only if there is an error.
std::string describe(const FirstOrderWorkspace::InteractionWork& work, const char* what, double t) {
  return "Interaction '" + work.interaction->name() + "': " + what + " of " + std::string(work.relation->className()) +
         " at t = " + toText(t);
}

// What is passed, in its order: x and λ are vectors both, and a function that has them the other way round compiles.
std::string argumentsOf(const FirstOrderWorkspace::InteractionWork& work, bool isInput) {
  const FirstOrderR& relation = *work.relation;
  const std::string x = "x (" + std::to_string(work.states) + " states)";
  const std::string lambda = "lambda (" + std::to_string(work.multiplier.size()) + " multipliers)";
  if (isInput)
    return relation.inputDependsOnState() ? "g(t, x, lambda) of " + x + " and " + lambda
                                          : "g(t, lambda) of " + lambda + ", and not of x";
  return relation.hasFeedthrough() ? "h(t, x, lambda) of " + x + " and " + lambda
                                   : "h(t, x) of " + x + ", and not of lambda";
}

// A relation does not know its interaction, so errors are completed here.
template <class Function>
void naming(const FirstOrderWorkspace::InteractionWork& work, const char* what, double t, Function function) {
  evaluateNamed([&] { return describe(work, what, t); }, function);
}

void require(const FirstOrderWorkspace::InteractionWork& work, const Vector& v, std::size_t size, const char* what,
             double t) {
  if (v.size() == size && allFinite(v)) return;
  const std::string name = describe(work, what, t);
  requireSize(v, size, name);
  requireFinite(v, name);
}

void require(const FirstOrderWorkspace::InteractionWork& work, const Matrix& a, std::size_t rows, std::size_t columns,
             const char* what, double t) {
  if (a.size1() == rows && a.size2() == columns && allFinite(a)) return;
  const std::string name = describe(work, what, t);
  requireSize(a, rows, columns, name);
  requireFinite(a, name);
}

}  // namespace

void FirstOrderWorkspace::computeOutput(InteractionWork& work, double t, const Vector& x, const Vector& lambda,
                                        Vector& y) {
  assignZero(y, work.multiplier.size());
  const auto output = [&] { work.relation->computeOutput(t, x, lambda, y); };
  evaluateNamed([&] { return describe(work, "output h", t) + ", " + argumentsOf(work, false); }, output);
  require(work, y, work.multiplier.size(), "output h", t);
}

bool FirstOrderWorkspace::computeOutputRate(InteractionWork& work, double t, const Vector& x, const Vector& lambda,
                                            Vector& yDot) {
  bool known = false;
  assignZero(yDot, work.multiplier.size());
  naming(work, "rate of h", t, [&] { known = work.relation->computeOutputRate(t, x, lambda, yDot); });
  if (known) require(work, yDot, work.multiplier.size(), "rate of h", t);
  return known;
}

void FirstOrderWorkspace::computeInput(InteractionWork& work, double t, const Vector& x, const Vector& lambda) {
  assignZero(work.input, work.states);
  const auto input = [&] { work.relation->computeInput(t, x, lambda, work.input); };
  evaluateNamed([&] { return describe(work, "input g", t) + ", " + argumentsOf(work, true); }, input);
  require(work, work.input, work.states, "input g", t);
}

void FirstOrderWorkspace::computeJacobians(InteractionWork& work, double t, const Vector& x, const Vector& lambda) {
  const std::size_t m = work.multiplier.size();
  assignZero(work.C, m, work.states);
  naming(work, "Jacobian C", t, [&] { work.relation->computeC(t, x, lambda, work.C); });
  require(work, work.C, m, work.states, "Jacobian C", t);
  assignZero(work.B, work.states, m);
  naming(work, "Jacobian B", t, [&] { work.relation->computeB(t, x, lambda, work.B); });
  require(work, work.B, work.states, m, "Jacobian B", t);
  if (work.relation->hasFeedthrough()) {
    assignZero(work.D, m, m);
    naming(work, "Jacobian D", t, [&] { work.relation->computeD(t, x, lambda, work.D); });
    require(work, work.D, m, m, "Jacobian D", t);
  }
  if (work.relation->inputDependsOnState()) {
    assignZero(work.K, work.states, work.states);
    naming(work, "Jacobian K", t, [&] { work.relation->computeK(t, x, lambda, work.K); });
    require(work, work.K, work.states, work.states, "Jacobian K", t);
  }
}

}  // namespace delassus
