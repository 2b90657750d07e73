// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/FrictionContact.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>

namespace delassus {
namespace {

void addFrictionDefaults(SolverList<numerics::FrictionContactProblem>& solvers, double tolerance) {
  solvers.add(AutomaticFrictionSolver(tolerance));
  solvers.add(numerics::AutomaticMechanicalSolver({.tolerance = tolerance}));
}

void requireDimension(std::size_t dimension) {
  if (dimension == 2 || dimension == 3) return;
  throw Error("FrictionContact", "the dimension must be 2 or 3, got " + std::to_string(dimension) + ".");
}

SolverList<numerics::FrictionContactProblem> chainOf(std::size_t dimension,
                                                     std::vector<std::unique_ptr<numerics::SolverOverSets>> solvers) {
  requireDimension(dimension);
  if (solvers.empty()) throw Error("FrictionContact", "the vector of solvers is empty; give one solver or more.");
  SolverList<numerics::FrictionContactProblem> chain;
  for (std::size_t i = 0; i < solvers.size(); ++i) {
    if (!solvers[i]) throw Error("FrictionContact", "solver " + std::to_string(i) + " of the vector is null.");
    chain.add(std::move(solvers[i]));
  }
  return chain;
}

}  // namespace

FrictionContact::FrictionContact(std::size_t dimension, Chain solvers)
    : LinearOSNS(std::move(solvers)), dimension_(dimension) {
  requireDimension(dimension);
}

FrictionContact::FrictionContact(std::size_t dimension) : FrictionContact(dimension, Chain(addFrictionDefaults)) {
}

FrictionContact::FrictionContact(std::size_t dimension, std::vector<std::unique_ptr<NumericsSolver>> solvers)
    : FrictionContact(dimension, chainOf(dimension, std::move(solvers))) {
}

Settings FrictionContact::settings() const {
  Settings settings;
  settings.add("dimension", dimension_);
  const Settings solvers = LinearOSNS::settings();
  for (const Setting& setting : solvers.list()) settings.add(setting.name, setting.value);
  return settings;
}

bool FrictionContact::takes(const NonSmoothLaw& law) const {
  return law.set()->coulombFriction().has_value() && law.size() == dimension_;
}

std::string_view FrictionContact::takenLaws() const {
  return dimension_ == 2 ? "Coulomb friction of size 2" : "Coulomb friction of size 3";
}

void FrictionContact::state(DelassusAssembly& assembly, const StepEquations& equations,
                            numerics::FrictionContactProblem& problem) {
  if (!matrix_) {
    matrix_ = std::make_shared<numerics::AssembledDelassus>(dimension_, BlockSparseMatrix());
    factors_ = std::make_shared<numerics::FactoredDelassus>(dimension_);
    problem = numerics::FrictionContactProblem(dimension_, matrix_, Vector(), Vector());
  }
  if (assembly.update(equations)) {
    assembly.assembleFriction(friction_);
    problem.setFriction(friction_);
    takesFactors_ = assembly.factorsPay(equations);
    // Of a large problem there is one form only.
    if (takesFactors_ && matrix_->size() > 0) matrix_->blocks() = BlockSparseMatrix();
  }
  if (takesFactors_) {
    assembly.fill(equations, *factors_);
    problem.setOperator(factors_);
  } else {
    assembly.fill(equations, matrix_->blocks());
    problem.setOperator(matrix_);
  }
  assembly.assembleVector(equations, problem.q());
}

}  // namespace delassus
