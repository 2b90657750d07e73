// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/LinearOSNS.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <delassus/numerics/problem/UniqueSolution.hpp>

namespace delassus {
namespace {

// The test for definite matrices is dense.
constexpr std::size_t largestUniquenessTest = 4000;

Matrix toDense(const BlockSparseMatrix& M) {
  Matrix dense;
  M.toDense(dense);
  return dense;
}

// As files hold it.
template <class Problem>
const Problem& inFile(const Problem& problem) {
  return problem;
}

// In local form.
numerics::GenericMechanicalProblem inFile(const numerics::GlobalMechanicalProblem& problem) {
  numerics::GenericMechanicalProblem local;
  if (!local.state(problem)) {
    throw Error("GlobalMechanical", "the problem has " + std::to_string(problem.size()) +
                                        " rows, and is not written: files hold its local form, of at most " +
                                        std::to_string(numerics::SparseFactors::largestMatrix) + " rows.");
  }
  return local;
}

const numerics::GlobalFrictionContactProblem& inFile(const numerics::GlobalFrictionContactProblem& problem) {
  return problem;
}

void stateLocal(DelassusAssembly& assembly, const StepEquations& equations,
                numerics::LinearComplementarityProblem& problem) {
  assembly.assembleMatrix(equations, problem.M());
  assembly.assembleVector(equations, problem.q());
}

void stateLocal(DelassusAssembly& assembly, const StepEquations& equations, numerics::RelayProblem& problem) {
  assembly.assembleMatrix(equations, problem.M());
  assembly.updateBounds(equations, problem.lower(), problem.upper());
  assembly.assembleVector(equations, problem.q());
}

void stateLocal(DelassusAssembly& assembly, const StepEquations& equations,
                numerics::GenericMechanicalProblem& problem) {
  assembly.state(equations, problem);
}

}  // namespace

template <class Problem>
LinearOSNS<Problem>::LinearOSNS(Settings options) : isAutomatic_(true), options_(std::move(options)) {
  makeAutomatic(numerics::defaultTolerance);
}

template <class Problem>
LinearOSNS<Problem>::LinearOSNS(Given solvers, const char* owner) {
  if (solvers.empty()) throw Error(owner, "the vector of solvers is empty; give one solver or more.");
  for (std::size_t k = 0; k < solvers.size(); ++k) {
    if (!solvers[k]) throw Error(owner, "solver " + std::to_string(k) + " of the vector is null.");
  }
  if (solvers.size() == 1) {
    solver_ = std::move(solvers.front());
    ownTimeLimit_ = solver_->timeLimit();
    ownLeniency_ = solver_->leniency();
  } else {
    inTurn_ = std::make_unique<numerics::SolversInTurn>(std::move(solvers));
  }
}

template <class Problem>
void LinearOSNS<Problem>::bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) {
  for (const auto& interaction : model.topology().interactions()) {
    const NonSmoothLaw& law = interaction->law();
    if (takes(law)) continue;
    const std::string hint = law.set()->coulombFriction()
                                 ? "; FrictionContact(" + std::to_string(law.size()) + ") takes it."
                             : law.unknowns() == law.size() ? "; GenericMechanical takes it."
                                                            : ".";
    throw Error("Interaction '" + interaction->name() + "'",
                std::string(name()) + " takes laws of " + std::string(takenLaws()) + ", but " +
                    std::string(law.className()) + " (of size " + std::to_string(law.size()) + ") has " +
                    law.multipliersInWords() + hint);
  }
  checkScheme(equations);
  assembly_.bind(model, equations);
}

template <class Problem>
void LinearOSNS<Problem>::state(DelassusAssembly& assembly, const StepEquations& equations, Problem& problem) {
  if constexpr (requires { stateLocal(assembly, equations, problem); }) {
    stateLocal(assembly, equations, problem);
  } else {
    throw Error(std::string(name()), "it has to say how its problem is stated; override state().");
  }
}

template <class Problem>
SolveReport LinearOSNS<Problem>::attempt(StepEquations& equations) {
  enter(Phase::assembly);
  state(assembly_, equations, problem_);
  enter(Phase::solve);
  if (assembly_.size() == 0) return reportOn(0.);
  assembly_.gatherMultipliers(equations, start_);
  assign(start_, z_);
  solver().setTimeLimit(std::min(ownTimeLimit_, timeLimit()));
  solver().setLeniency(std::max(ownLeniency_, leniency(solver().tolerance())));
  const SolveReport report = solver().solve(problem_, z_, w_);
  if (!(report.error < std::numeric_limits<double>::infinity())) assign(start_, z_);
  assembly_.scatterMultipliers(equations, z_);
  // Auxiliary unknowns start from their last values.
  start_.swap(z_);
  return report;
}

template <class Problem>
SolveReport LinearOSNS<Problem>::certify(StepEquations& equations) {
  enter(Phase::assembly);
  state(assembly_, equations, problem_);
  enter(Phase::solve);
  if (assembly_.size() == 0) return reportOn(0.);
  assembly_.gatherMultipliers(equations, start_);
  return reportOn(errorOf(problem_, solver().measure(), start_, w_));
}

// On multipliers of this error, for which no solver was called.
template <class Problem>
SolveReport LinearOSNS<Problem>::reportOn(double error) const {
  SolveReport report;
  report.solver = solver().name();
  report.error = error;
  report.tolerance = solver().tolerance();
  report.status = error <= report.tolerance ? SolveStatus::converged : SolveStatus::inaccurate;
  return report;
}

template <class Problem>
void LinearOSNS<Problem>::makeAutomatic(double tolerance) {
  solver_ = numerics::solverNamed<Problem>("automatic", {.tolerance = tolerance, .options = options_});
}

template <class Problem>
void LinearOSNS<Problem>::append(std::string_view solverName) {
  auto next = numerics::solverNamed<Problem>(solverName, {.tolerance = solver().tolerance()});
  if (!inTurn_) {
    solver_->setTimeLimit(ownTimeLimit_);
    solver_->setLeniency(ownLeniency_);
    Given first;
    first.push_back(std::move(solver_));
    inTurn_ = std::make_unique<numerics::SolversInTurn>(std::move(first));
    ownTimeLimit_ = std::numeric_limits<double>::infinity();
    ownLeniency_ = 1.;
  }
  inTurn_->add(std::move(next));
}

template <class Problem>
void LinearOSNS<Problem>::addSolver(std::string_view solverName) {
  append(solverName);
  added_.emplace_back(solverName);
}

template <class Problem>
void LinearOSNS<Problem>::setTolerance(double tolerance) {
  if (!isAutomatic_) OneStepNSProblem::setTolerance(tolerance);
  makeAutomatic(tolerance);
  inTurn_.reset();
  for (const std::string& each : added_) append(each);
}

template <class Problem>
void LinearOSNS<Problem>::saveProblem(const std::filesystem::path& path) const {
  numerics::writeProblem(path, inFile(problem_), numerics::formatFor(path));
}

template <class Problem>
std::string LinearOSNS<Problem>::whyNotUnique() {
  if (assembly_.size() == 0) return {};
  whyNotUniqueFrom_.renew(problem_.stamp(), [this] { whyNotUnique_ = findWhyNotUnique(); });
  return whyNotUnique_;
}

template <class Problem>
std::string LinearOSNS<Problem>::findWhyNotUnique() const {
  if constexpr (!requires { whyNotUniqueByMatrix(problem_.M()); }) {
    // Friction makes solutions depend on more than W, which a global form does not have.
    throw Error(std::string(name()),
                "it cannot be decided whether the solution of a problem with friction, or in global form, is unique.");
  } else {
    return whyNotUniqueByMatrix(problem_.M());
  }
}

template <class Problem>
std::string LinearOSNS<Problem>::whyNotUniqueByMatrix(const BlockSparseMatrix& storage) const {
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
  if (inTurn_) return inTurn_->settings();
  Settings settings;
  settings.add("solver", solver_->name());
  settings.add("solver", numerics::settingsOf(*solver_));
  return settings;
}

template <class Problem>
void LinearOSNS<Problem>::serializeState(StateArchive& archive) {
  archive.section("problem " + std::string(name()));
  assembly_.serializeState(archive);
  archive.value("start", start_);
  solver().serializeState(archive);
}

template class LinearOSNS<numerics::FrictionContactProblem>;
template class LinearOSNS<numerics::GenericMechanicalProblem>;
template class LinearOSNS<numerics::GlobalFrictionContactProblem>;
template class LinearOSNS<numerics::GlobalMechanicalProblem>;
template class LinearOSNS<numerics::LinearComplementarityProblem>;
template class LinearOSNS<numerics::MixedLinearComplementarityProblem>;
template class LinearOSNS<numerics::RelayProblem>;

}  // namespace delassus
