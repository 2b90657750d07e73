// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/LinearOSNS.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/PMatrix.hpp>
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

}  // namespace

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
OneStepNSProblem::Attempt LinearOSNS<Problem>::attempt(StepEquations& equations) {
  enter(Phase::assembly);
  state(assembly_, equations, problem_);
  enter(Phase::solve);
  if (assembly_.size() == 0) return {solvers_.reportOn(0.), 0};
  assembly_.gatherMultipliers(equations, start_);
  const std::size_t first = solvers_.hasDefaults() ? firstMember(problem_) : 0;
  const Attempt attempt = solvers_.solve(problem_, first, start_, z_, timeLimit());
  assembly_.scatterMultipliers(equations, z_);
  // Auxiliary unknowns start from their last values.
  start_.swap(z_);
  return attempt;
}

template <class Problem>
SolveReport LinearOSNS<Problem>::certify(StepEquations& equations) {
  enter(Phase::assembly);
  state(assembly_, equations, problem_);
  enter(Phase::solve);
  if (assembly_.size() == 0) return solvers_.reportOn(0.);
  assembly_.gatherMultipliers(equations, start_);
  return solvers_.reportOn(errorOf(problem_, solvers_.first().measure(), start_, w_));
}

template <class Problem>
void LinearOSNS<Problem>::setTolerance(double tolerance) {
  if (!solvers_.setTolerance(tolerance)) OneStepNSProblem::setTolerance(tolerance);
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
  Settings settings;
  solvers_.addSettings(settings);
  return settings;
}

template <class Problem>
void LinearOSNS<Problem>::serializeState(StateArchive& archive) {
  archive.section("problem " + std::string(name()));
  assembly_.serializeState(archive);
  archive.value("start", start_);
  solvers_.serializeState(archive);
}

template class LinearOSNS<numerics::FrictionContactProblem>;
template class LinearOSNS<numerics::GenericMechanicalProblem>;
template class LinearOSNS<numerics::GlobalFrictionContactProblem>;
template class LinearOSNS<numerics::GlobalMechanicalProblem>;
template class LinearOSNS<numerics::LinearComplementarityProblem>;
template class LinearOSNS<numerics::MixedLinearComplementarityProblem>;
template class LinearOSNS<numerics::RelayProblem>;

}  // namespace delassus
