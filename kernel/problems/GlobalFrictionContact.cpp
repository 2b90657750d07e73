// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/friction/GlobalFrictionError.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/problem/Certificate.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>

namespace delassus {

using numerics::SolveReport;

namespace {

void addGlobalDefaults(SolverList<numerics::GlobalFrictionContactProblem>& solvers, double tolerance) {
  solvers.add(numerics::AutomaticGlobalFrictionSolver(tolerance));
}

}  // namespace

GlobalFrictionContact::GlobalFrictionContact(std::size_t dimension, Chain solvers)
    : dimension_(dimension), solvers_(std::move(solvers)) {
  if (dimension == 2 || dimension == 3) return;
  throw Error("GlobalFrictionContact", "the dimension must be 2 or 3, got " + std::to_string(dimension) + ".");
}

GlobalFrictionContact::GlobalFrictionContact(std::size_t dimension)
    : GlobalFrictionContact(dimension, Chain(addGlobalDefaults)) {
}

void GlobalFrictionContact::setTolerance(double tolerance) {
  if (!solvers_.setTolerance(tolerance)) OneStepNSProblem::setTolerance(tolerance);
}

void GlobalFrictionContact::bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) {
  for (const auto& interaction : model.topology().interactions()) {
    const NonSmoothLaw& law = interaction->law();
    if (law.set()->coulombFriction() && law.size() == dimension_) continue;
    throw Error("Interaction '" + interaction->name() + "'",
                "GlobalFrictionContact takes laws of Coulomb friction of size " + std::to_string(dimension_) +
                    ", but " + std::string(law.className()) + " (of size " + std::to_string(law.size()) + ") has " +
                    law.multipliersInWords() + ".");
  }
  starts_.assign(1, 0);
  for (const StepEquations::Node& node : equations.nodes()) {
    starts_.push_back(starts_.back() + node.freeState->size());
  }
  if (starts_.back() == 0) {
    throw Error("GlobalFrictionContact",
                std::string(equations.scheme()) + " gives no iteration matrices; use FrictionContact.");
  }
  blocks_.bind(model);
  matricesFrom_.forget();
}

SparseMatrix GlobalFrictionContact::iterationMatrices(const StepEquations& equations) const {
  std::vector<Triplet> entries;
  for (std::size_t node = 0; node + 1 < starts_.size(); ++node) {
    forEachEntry(*equations.nodes()[node].matrix, [&](std::size_t i, std::size_t j, double entry) {
      if (entry != 0.) entries.push_back({starts_[node] + i, starts_[node] + j, entry});
    });
  }
  SparseMatrix all = sparseFromTriplets(starts_.back(), starts_.back(), std::move(entries));
  if (!isSymmetric(all)) {
    throw Error("GlobalFrictionContact",
                "the iteration matrix of a system is not symmetric (gyroscopic forces, say); use "
                "MoreauJeanOSI::semiExplicit, or the problem FrictionContact.");
  }
  return all;
}

SparseMatrix GlobalFrictionContact::transposedJacobian(const StepEquations& equations) const {
  std::vector<Triplet> entries;
  for (const ActiveBlocks::ActiveBlock& block : blocks_.blocks()) {
    for (std::size_t c = equations.couplingBegin(block.interaction); c < equations.couplingEnd(block.interaction);
         ++c) {
      const StepEquations::Coupling& coupling = equations.couplings()[c];
      for (std::size_t i = 0; i < block.outputs; ++i) {
        for (std::size_t j = 0; j < coupling.columns; ++j) {
          const double value = coupling.left[block.row + i + j * coupling.rows];
          if (value != 0.) entries.push_back({starts_[coupling.node] + coupling.first + j, block.start + i, value});
        }
      }
    }
  }
  return sparseFromTriplets(starts_.back(), blocks_.size(), std::move(entries));
}

void GlobalFrictionContact::assemble(const StepEquations& equations) {
  if (blocks_.update(equations)) matricesFrom_.forget();
  matricesFrom_.renew(equations.blocksVersion(), [&] {
    Vector mu;
    blocks_.assembleFriction(mu);
    problem_ =
        numerics::GlobalFrictionContactProblem(dimension_, iterationMatrices(equations), transposedJacobian(equations),
                                               Vector(starts_.back()), Vector(blocks_.size()), mu);
  });
  // The unknown v − v_free is due to the impulses alone: where a body sticks, v itself is only rounding.
  blocks_.assembleVector(equations, problem_.b());
}

// W⁻¹ Gᵀ p for the impulses of the start: with other velocities even the right impulses are not an answer.
void GlobalFrictionContact::startVelocities(const StepEquations& equations) {
  std::fill_n(start_.begin(), starts_.back(), 0.);
  const double* const impulses = data(start_) + starts_.back();
  for (const ActiveBlocks::ActiveBlock& block : blocks_.blocks()) {
    for (std::size_t c = equations.couplingBegin(block.interaction); c < equations.couplingEnd(block.interaction);
         ++c) {
      const StepEquations::Coupling& coupling = equations.couplings()[c];
      double* const input = data(start_) + starts_[coupling.node] + coupling.first;
      for (std::size_t j = 0; j < coupling.columns; ++j) {
        const double* const column = coupling.left + block.row + j * coupling.rows;
        for (std::size_t i = 0; i < block.outputs; ++i) input[j] += column[i] * impulses[block.start + i];
      }
    }
  }
  for (std::size_t node = 0; node < equations.coupledNodes(); ++node) {
    if (!equations.couplingsAt(node).empty()) equations.nodes()[node].factors->solve(data(start_) + starts_[node]);
  }
}

void GlobalFrictionContact::gatherStart(StepEquations& equations) {
  blocks_.gatherMultipliers(equations, u_);
  const std::size_t n = starts_.back();
  start_.resize(n + blocks_.size(), false);
  std::copy(u_.begin(), u_.end(), start_.begin() + static_cast<std::ptrdiff_t>(n));
  startVelocities(equations);
}

SolveReport GlobalFrictionContact::certify(StepEquations& equations) {
  enter(Phase::assembly);
  assemble(equations);
  enter(Phase::solve);
  if (blocks_.size() == 0) return solvers_.reportOn(0.);
  gatherStart(equations);
  return solvers_.reportOn(errorOf(problem_, solvers_.first().measure(), start_, u_));
}

OneStepNSProblem::Attempt GlobalFrictionContact::attempt(StepEquations& equations) {
  enter(Phase::assembly);
  assemble(equations);
  enter(Phase::solve);
  if (blocks_.size() == 0) return {solvers_.reportOn(0.), 0};
  gatherStart(equations);
  const Attempt attempt = solvers_.solve(problem_, 0, start_, x_, timeLimit());
  u_.resize(blocks_.size(), false);
  std::copy(x_.begin() + static_cast<std::ptrdiff_t>(starts_.back()), x_.end(), u_.begin());
  blocks_.scatterMultipliers(equations, u_);
  return attempt;
}

void GlobalFrictionContact::saveProblem(const std::filesystem::path& path) const {
  numerics::writeProblem(path, problem_, numerics::formatFor(path));
}

Settings GlobalFrictionContact::settings() const {
  Settings settings;
  settings.add("dimension", dimension_);
  solvers_.addSettings(settings);
  return settings;
}

// The matrices are computed again.
void GlobalFrictionContact::serializeState(StateArchive& archive) {
  archive.section("problem GlobalFrictionContact");
  solvers_.serializeState(archive);
  if (!archive.restores()) return;
  blocks_.forgetIndexSet();
  matricesFrom_.forget();
}

std::string GlobalFrictionContact::whyNotUnique() {
  throw Error("GlobalFrictionContact",
              "it cannot be decided whether the solution of a problem with friction is unique.");
}

}  // namespace delassus
