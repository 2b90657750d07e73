// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

numerics::SolveReport OneStepNSProblem::certify(StepEquations&) {
  numerics::SolveReport report;
  report.status = numerics::SolveStatus::unsupported;
  report.error = std::numeric_limits<double>::infinity();
  return report;
}

void OneStepNSProblem::addSolver(std::string_view solverName) {
  throw Error(std::string(name()), "it has no catalogue that '" + std::string(solverName) + "' could be taken from.");
}

void OneStepNSProblem::setTolerance(double tolerance) {
  throw Error(std::string(name()), "its solvers were given, not made by default: the tolerance " + toText(tolerance) +
                                       " is to be set in the options of each.");
}

void OneStepNSProblem::saveProblem(const std::filesystem::path& path) const {
  throw Error(std::string(name()),
              "there is no file format for its problem, which was to be saved as " + path.string() + '.');
}

void OneStepNSProblem::serializeCounts(StateArchive& archive) {
  archive.section("counts of the problem");
  archive.value("relaxed", relaxed_);
  archive.value("solves", solves_);
  archive.value("solverIterations", solverIterations_);
  archive.value("worstError", worstError_);
  archive.value("fallbacks", fallbacks_);
  archive.value("relaxations", relaxations_);
}

numerics::SolveReport OneStepNSProblem::askJudge(const numerics::SolveReport& report) {
  if (!judge_) return report;
  const double tolerance = judge_(report);
  if (report.converged() || !(report.error <= tolerance)) return report;
  numerics::SolveReport relaxed = report;
  relaxed.status = numerics::SolveStatus::converged;
  relaxed.tolerance = tolerance;
  relaxed.reason = "at a relaxed tolerance";
  relaxed_ = true;
  ++relaxations_;
  worstError_ = std::max(worstError_, report.error);
  return relaxed;
}

}  // namespace delassus
