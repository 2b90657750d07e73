// SPDX-License-Identifier: Apache-2.0
//
// The part of SecondOrderWorkspace that evaluates functions of systems and relations.
#include <algorithm>
#include <delassus/kernel/functions/NamedErrors.hpp>
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>

namespace delassus {

namespace {

// These run in every step: a message is composed only if there is an error.
std::string describe(const SecondOrderWorkspace::InteractionWork& work, const char* what, double t) {
  return "Interaction '" + work.interaction->name() + "': " + what + " of " + std::string(work.relation->className()) +
         " at t = " + toText(t);
}

void require(const SecondOrderWorkspace::InteractionWork& work, const Vector& v, const char* what, double t) {
  const std::size_t m = work.interaction->size();
  if (v.size() == m && allFinite(v)) return;
  const std::string name = describe(work, what, t);
  requireSize(v, m, name);
  requireFinite(v, name);
}

void require(const SecondOrderWorkspace::InteractionWork& work, const Matrix& a, std::size_t columns, const char* what,
             double t) {
  const std::size_t m = work.interaction->size();
  if (a.size1() == m && a.size2() == columns && allFinite(a)) return;
  const std::string name = describe(work, what, t);
  requireSize(a, m, columns, name);
  requireFinite(a, name);
}

// A relation does not know its interaction, so errors are completed here.
template <class Function>
void naming(const SecondOrderWorkspace::InteractionWork& work, const char* what, double t, Function function) {
  evaluateNamed([&] { return describe(work, what, t); }, function);
}

const Matrix& feedthroughOf(const SecondOrderWorkspace::InteractionWork& work, double t) {
  const Matrix* D = nullptr;
  naming(work, "Jacobian D", t, [&] { D = &work.flow->feedthrough(t); });
  require(work, *D, work.interaction->size(), "Jacobian D", t);
  return *D;
}

Matrix& jacobianOfThread() {
  static thread_local Matrix jacobian;
  return jacobian;
}

}  // namespace

// A user's function that assigns an expression gives the matrix other storage; the blocks of a step stay in theirs.
const Matrix& SecondOrderWorkspace::jacobianAt(const InteractionWork& work, double t,
                                               const Vector SystemWork::*q) const {
  Matrix& jacobian = jacobianOfThread();
  assignZero(jacobian, work.interaction->size(), work.velocities);
  const char* const what = work.flow ? "Jacobian C" : "Jacobian G";
  naming(work, what, t, [&] { work.relation->computeJacobian(t, configurations(work, q), work.force, jacobian); });
  require(work, jacobian, work.velocities, what, t);
  return jacobian;
}

const Matrix& SecondOrderWorkspace::computeOutputAndJacobian(const InteractionWork& work, double t,
                                                             const Vector SystemWork::*q, Vector& y) const {
  Matrix& jacobian = jacobianOfThread();
  const char* const what = "output and Jacobian G";
  assignZero(y, work.interaction->size());
  assignZero(jacobian, work.interaction->size(), work.velocities);
  bool areKnown = false;
  naming(work, what, t, [&] {
    areKnown = work.relation->computeOutputAndJacobian(t, configurations(work, q), work.force, y, jacobian);
  });
  if (!areKnown) {
    computeOutput(work, t, q, y);
    return jacobianAt(work, t, q);
  }
  require(work, y, what, t);
  require(work, jacobian, work.velocities, what, t);
  return jacobian;
}

void SecondOrderWorkspace::addRateAt(const InteractionWork& work, double t, const Vector SystemWork::*q,
                                     const Vector SystemWork::*v, Vector& y) const {
  const Matrix& G = jacobianAt(work, t, q);
  multiply(1., G, velocities(work, v), 1., y);
}

namespace {

SecondOrderWorkspace::EvaluatedFunctions& evaluatedOf(SecondOrderWorkspace::SystemWork& work) {
  if (!work.evaluated) work.evaluated = std::make_unique<SecondOrderWorkspace::EvaluatedFunctions>();
  return *work.evaluated;
}

}  // namespace

void SecondOrderWorkspace::computeForces(SystemWork& work, double t, const Vector& q, const Vector& v) {
  if (work.linear) return work.system->forces(t, q, v, work.forces);
  Evaluated& last = evaluatedOf(work).forces;
  if (last.isAt(t, q, v, work.system->parameterChanges())) return;
  last.forget();
  work.system->forces(t, q, v, work.forces);
  last.take(t, q, v, work.system->parameterChanges());
}

void SecondOrderWorkspace::computeMass(SystemWork& work, double t, const Vector& q) {
  if (work.linear) return work.system->mass(t, q, work.mass);
  Evaluated& last = evaluatedOf(work).mass;
  const Vector none;
  if (last.isAt(0., q, none, work.system->parameterChanges())) return;
  last.forget();
  work.system->mass(t, q, work.mass);
  last.take(0., q, none, work.system->parameterChanges());
}

void SecondOrderWorkspace::computeOutput(const InteractionWork& work, double t, const Vector SystemWork::*q,
                                         Vector& y) const {
  assignZero(y, work.interaction->size());
  naming(work, "output", t, [&] { work.relation->computeOutput(t, configurations(work, q), work.force, y); });
  require(work, y, "output", t);
}

void SecondOrderWorkspace::computeDrift(const InteractionWork& work, double t, const Vector SystemWork::*q,
                                        Vector& drift) const {
  assignZero(drift, work.interaction->size());
  if (!work.timeDependent) return;
  const char* const what = "derivative with respect to time";
  naming(work, what, t, [&] { work.relation->computeDrift(t, configurations(work, q), drift); });
  require(work, drift, what, t);
}

void SecondOrderWorkspace::computeJacobian(const InteractionWork& work, double t, const Vector SystemWork::*q,
                                           Matrix& G) const {
  take(jacobianAt(work, t, q), G);
}

void SecondOrderWorkspace::take(const Matrix& jacobian, Matrix& G) {
  if (G.size1() != jacobian.size1() || G.size2() != jacobian.size2()) {
    assignZero(G, jacobian.size1(), jacobian.size2());
  }
  std::copy(jacobian.data().begin(), jacobian.data().end(), data(G));
}

void SecondOrderWorkspace::computeCompliance(InteractionWork& work, double t, const Vector SystemWork::*q) const {
  const std::size_t m = work.interaction->size();
  assignZero(work.compliance, m, m);
  naming(work, "compliance", t,
         [&] { work.relation->computeCompliance(t, configurations(work, q), work.force, work.compliance); });
  require(work, work.compliance, m, "compliance", t);
}

void SecondOrderWorkspace::computeFlow(InteractionWork& work, double t, double h) {
  const Matrix* input = nullptr;
  naming(work, "Jacobian B", t, [&] { input = &work.flow->input(t); });
  require(work, *input, work.velocities, "Jacobian B", t);
  std::copy(input->data().begin(), input->data().end(), data(work.input));
  const Matrix& D = feedthroughOf(work, t);
  assignZero(work.compliance, D.size1(), D.size2());
  for (std::size_t k = 0; k < D.data().size(); ++k) work.compliance.data()[k] = D.data()[k] / h;
}

void SecondOrderWorkspace::addFeedthrough(const InteractionWork& work, double t, Vector& y) {
  multiply(1., feedthroughOf(work, t), work.force, 1., y);
}

}  // namespace delassus
