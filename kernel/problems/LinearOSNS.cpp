// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/LinearOSNS.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/SolverCatalogue.hpp>
#include <delassus/numerics/friction/FrictionError.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/lcp/LcpError.hpp>
#include <delassus/numerics/lcp/PMatrix.hpp>
#include <delassus/numerics/mechanical/MechanicalError.hpp>
#include <delassus/numerics/mlcp/MlcpError.hpp>
#include <delassus/numerics/relay/RelayError.hpp>
#include <delassus/numerics/relay/UniqueSolution.hpp>

namespace delassus {
namespace {

// The test for definite matrices is dense.
constexpr std::size_t largestUniquenessTest = 4000;

Matrix toDense(const Matrix& M) {
  return M;
}

Matrix toDense(const BlockSparseMatrix& M) {
  Matrix dense;
  M.toDense(dense);
  return dense;
}

}  // namespace

template <class Problem>
void LinearOSNS<Problem>::bind(const NonSmoothDynamicalSystem& model, const OneStepBlocks& step) {
  for (const auto& interaction : model.topology().interactions()) {
    const NonSmoothLaw& law = interaction->law();
    if (takes(law)) continue;
    throw Error("Interaction '" + interaction->name() + "'",
                std::string(name()) + " takes laws of " + std::string(takenLaws()) + ", but " +
                    std::string(law.className()) + " (of size " + std::to_string(law.size()) + ") is one of " +
                    std::string(toString(law.multiplierSet())) +
                    (law.multiplierSet() == MultiplierSet::coulombCone
                         ? "; FrictionContact(" + std::to_string(law.size()) + ") takes it."
                         : "."));
  }
  assembly_.bind(model, step);
}

template <class Problem>
OneStepNSProblem::Attempt LinearOSNS<Problem>::attempt(OneStepBlocks& step) {
  enter(Phase::assembly);
  state(assembly_, step, problem_);
  enter(Phase::solve);
  if (assembly_.size() == 0) {
    const NumericsSolver& solver = *members_.front().solver;
    return {withoutIterations(solver.name(), 0., solver.tolerance()), 0};
  }
  assembly_.gatherMultipliers(step, start_);

  SolveReport best;
  bool first = true;
  std::size_t failed = 0;
  for (std::size_t k = firstMember(problem_); k < members_.size(); ++k) {
    Member& member = members_[k];
    // The last one is always tried, so that its report explains what is wrong.
    if (member.refused == problem_.stamp() && &member != &members_.back()) continue;
    assign(start_, z_);
    const SolveReport report = member.solver->solve(problem_, z_, w_);
    if (report.status == SolveStatus::unsupported) member.refused = problem_.stamp();
    if (first || report.converged() || report.error < best.error) {
      best = report;
      best_.swap(z_);
    }
    first = false;
    if (report.converged()) break;
    if (report.status != SolveStatus::unsupported) ++failed;
  }
  assembly_.scatterMultipliers(step, best_);
  // Auxiliary unknowns start from their last values.
  start_.swap(best_);
  return {best, failed};
}

template <class Problem>
SolveReport LinearOSNS<Problem>::certify(OneStepBlocks& step) {
  enter(Phase::assembly);
  state(assembly_, step, problem_);
  enter(Phase::solve);
  const NumericsSolver& solver = *members_.front().solver;
  double error = 0.;
  if (assembly_.size() > 0) {
    assembly_.gatherMultipliers(step, start_);
    error = errorOf(problem_, solver.measure(), start_, w_);
  }
  return withoutIterations(solver.name(), error, solver.tolerance());
}

template <class Problem>
void LinearOSNS<Problem>::addSolver(std::string_view solverName) {
  numerics::SolverSettings settings;
  if (!members_.empty()) settings.tolerance = members_.front().solver->tolerance();
  add(numerics::solverNamed<Problem>(solverName, settings));
}

template <class Problem>
void LinearOSNS<Problem>::saveProblem(const std::filesystem::path& path) const {
  numerics::writeProblem(path, problem_, numerics::formatFor(path));
}

template <class Problem>
std::string LinearOSNS<Problem>::whyNotUnique() {
  if (assembly_.size() == 0) return {};
  if (testedStamp_ != problem_.stamp()) {
    whyNotUnique_ = findWhyNotUnique();
    testedStamp_ = problem_.stamp();
  }
  return whyNotUnique_;
}

template <class Problem>
std::string LinearOSNS<Problem>::findWhyNotUnique() const {
  if constexpr (!requires { problem_.M(); }) {
    // Friction makes solutions depend on more than W.
    throw Error(std::string(name()), "it cannot be decided whether the solution of a problem with friction is unique.");
  } else {
    return whyNotUniqueByMatrix(problem_.M());
  }
}

template <class Problem>
template <class Storage>
std::string LinearOSNS<Problem>::whyNotUniqueByMatrix(const Storage& storage) const {
  if (assembly_.size() > largestUniquenessTest) {
    throw Error(std::string(name()), "it cannot be decided whether the solution is unique: the problem has " +
                                         std::to_string(assembly_.size()) + " rows, more than the " +
                                         std::to_string(largestUniquenessTest) + " of a dense test.");
  }
  const Matrix M = toDense(storage);
  if (numerics::hasDefiniteSymmetricPart(assembly_.multiplierPart(M))) return {};
  Vector lower, upper;
  assembly_.assembleBounds(lower, upper);
  const numerics::UniqueSolution unique = numerics::hasUniqueSolution(M, lower, upper);
  if (unique.holds) return {};
  return "its solution is not unique for every free output: " + std::string(unique.reason) + " (" +
         assembly_.rowNames(unique.rows) + ")";
}

template <class Problem>
Settings LinearOSNS<Problem>::settings() const {
  Settings settings;
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const std::string number = members_.size() == 1 ? "solver" : "solver " + std::to_string(k + 1);
    settings.add(number, members_[k].solver->name());
    settings.add(number, numerics::settingsOf(*members_[k].solver));
  }
  return settings;
}

template <class Problem>
void LinearOSNS<Problem>::serializeState(StateArchive& archive) {
  archive.section("problem " + std::string(name()));
  assembly_.serializeState(archive);
  archive.value("start", start_);
  for (Member& member : members_) {
    archive.section("solver " + std::string(member.solver->name()));
    archive.stamp("refused", member.refused);
    member.solver->serializeState(archive);
  }
}

template class LinearOSNS<numerics::FrictionContactProblem>;
template class LinearOSNS<numerics::GenericMechanicalProblem>;
template class LinearOSNS<numerics::LinearComplementarityProblem>;
template class LinearOSNS<numerics::MixedLinearComplementarityProblem>;
template class LinearOSNS<numerics::RelayProblem>;

}  // namespace delassus
