// SPDX-License-Identifier: Apache-2.0
#include "Options.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProgressBar.hpp>
#include <exception>
#include <functional>
#include <limits>
#include <span>
#include <utility>

namespace delassus::tools {
namespace {

using namespace numerics;

constexpr double infinity = std::numeric_limits<double>::infinity();

using Unknowns = std::vector<std::pair<std::string, Vector>>;

// z and w of the complementarity classes.
template <class Problem>
Unknowns namedUnknowns(const Problem&, const Vector& unknown, const Vector& dual) {
  return {{"z", unknown}, {"w", dual}};
}

Unknowns namedUnknowns(const FrictionContactProblem&, const Vector& unknown, const Vector& dual) {
  return {{"reaction", unknown}, {"velocity", dual}};
}

Unknowns namedUnknowns(const GlobalFrictionContactProblem& problem, const Vector& unknown, const Vector& dual) {
  return {{"reaction", unknown}, {"velocity", dual}, {"global_velocity", problem.velocities(unknown)}};
}

Unknowns namedUnknowns(const GlobalMechanicalProblem& problem, const Vector& unknown, const Vector& dual) {
  return {{"z", unknown}, {"w", dual}, {"global_velocity", problem.velocities(unknown)}};
}

class SolveLoop {
 public:
  explicit SolveLoop(const Options& options) : options_(options), progress_("solving", progressSteps) {}

  std::vector<Run> solveFiles() {
    for (const std::string& file : options_.files) {
      solveFile(file);
      ++filesDone_;
      showProgress(0.);
    }
    return std::move(runs_);
  }

 private:
  static constexpr std::size_t progressSteps = 1000;

  void showProgress(double partOfFile) {
    const double part = (static_cast<double>(filesDone_) + partOfFile) / static_cast<double>(options_.files.size());
    stepsDone_ = static_cast<std::size_t>(part * static_cast<double>(progressSteps));
    progress_.update(stepsDone_);
  }

  void tell(const std::string& error) {
    progress_.clear();
    std::fprintf(stderr, "delassus-solve: %s\n", error.c_str());
  }

  void tellReason(Run& run, const SolveReport& report) {
    run.error = report.reason.empty() ? toString(report.status) : report.reason;
    tell(run.file + ", solver " + run.solver + ", tolerance " + delassus::toText(run.tolerance) + ": " + run.error);
  }

  void addFailure(Run run, const std::string& error) {
    run.error = error;
    run.residual = infinity;
    runs_.push_back(std::move(run));
  }

  // Reported once, but with a run for each tolerance, so that reports are complete.
  void failAtAllTolerances(Run run, const std::string& error) {
    tell(error);
    for (const double tolerance : options_.tolerances) {
      run.tolerance = tolerance;
      addFailure(run, error);
    }
  }

  void solveFile(const std::string& file) {
    Run run;
    run.file = file;
    run.solver = options_.solver;
    try {
      const AnyProblem read = readInput(file, options_);
      run.problemClass = classNameOf(read);
      run.size = sizeOf(read);
      run.contacts = contactsOf(read);
      std::visit([&](const auto& problem) { solveProblem(problem, run); }, read);
    } catch (const std::exception& error) {
      failAtAllTolerances(run, error.what());
    }
  }

  template <class Problem>
  std::vector<SolverEntry<RootOf<Problem>>> chosenSolvers(const Run& run) const {
    const std::span<const SolverEntry<RootOf<Problem>>> all = solversFor<Problem>();
    if (options_.solver == "all") return {all.begin(), all.end()};
    // The automatic choice comes first.
    if (options_.solver == "automatic" && !all.empty()) return {all.front()};
    std::string names;
    for (const SolverEntry<RootOf<Problem>>& entry : all) {
      if (entry.name == options_.solver) return {entry};
      names += (names.empty() ? "" : ", ") + std::string(entry.name);
    }
    throw Error(run.file, "class " + run.problemClass + " has no solver '" + options_.solver + "'" +
                              (names.empty() ? "" : ", but " + names) + ".");
  }

  template <class Problem>
  void solveProblem(const Problem& problem, const Run& start) {
    const std::vector<SolverEntry<RootOf<Problem>>> entries = chosenSolvers<Problem>(start);
    const std::size_t before = runs_.size();
    const auto total = static_cast<double>(entries.size() * options_.tolerances.size());
    double done = 0.;
    for (const SolverEntry<RootOf<Problem>>& entry : entries) {
      for (const double tolerance : options_.tolerances) {
        Run run = start;
        run.solver = entry.name;
        run.tolerance = tolerance;
        solveOnce(problem, entry, std::move(run));
        showProgress(++done / total);
      }
    }
    if (runs_.size() == before) {
      failAtAllTolerances(start, start.file + ": no solver of class " + start.problemClass + " applies.");
    }
  }

  template <class Problem>
  void solveOnce(const Problem& problem, const SolverEntry<RootOf<Problem>>& entry, Run run) {
    try {
      SolveReport report;
      Vector unknown, dual;
      run.seconds = timeSolves(problem, entry, run.tolerance, report, unknown, dual);
      if (report.status == SolveStatus::unsupported && options_.solver == "all") return;
      run.status = statusName(report.status);
      run.iterations = report.iterations;
      run.residual = report.error;
      if (run.status == "failed") tellReason(run, report);
      if (!options_.solutionFile.empty()) run.unknowns = namedUnknowns(problem, unknown, dual);
      runs_.push_back(std::move(run));
    } catch (const std::exception& error) {
      const std::string message = run.file + ", solver " + run.solver + ": " + error.what();
      tell(message);
      addFailure(std::move(run), message);
    }
  }

  // Median seconds; the other results are those of the last solve.
  template <class Problem>
  double timeSolves(const Problem& problem, const SolverEntry<RootOf<Problem>>& entry, double tolerance,
                    SolveReport& report, Vector& unknown, Vector& dual) {
    std::vector<double> seconds;
    for (std::size_t k = 0; k < options_.repeat; ++k) {
      const auto solver = entry.make({tolerance, options_.maxIterations, options_.solverOptions});
      solver->setMeasure(options_.measure);
      if (options_.timeLimit > 0.) solver->setTimeLimit(options_.timeLimit);
      // Updates the bar within a long solve.
      if (progress_.onTerminal()) solver->setObserver([this](std::size_t, double) { progress_.update(stepsDone_); });
      unknown = Vector();
      dual = Vector();
      const auto start = std::chrono::steady_clock::now();
      report = solver->solve(problem, unknown, dual);
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return medianOf(std::move(seconds));
  }

  const Options& options_;
  std::vector<Run> runs_;
  std::size_t filesDone_ = 0;
  std::size_t stepsDone_ = 0;
  ProgressBar progress_;
};

}  // namespace

std::vector<Run> solveAll(const Options& options) {
  return SolveLoop(options).solveFiles();
}

}  // namespace delassus::tools
