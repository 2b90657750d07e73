// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <filesystem>
#include <sstream>
#include <utility>

#include "Run.hpp"

namespace delassus::tools {
namespace {

std::string formatted(const char* format, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string residualOf(const Run& run) {
  return std::isfinite(run.residual) ? formatted("%.1e", run.residual) : "-";
}

using Row = std::vector<std::string>;

std::string padded(const std::string& text, std::size_t width, bool toTheRight) {
  const std::string space(width - text.size(), ' ');
  return toTheRight ? space + text : text + space;
}

std::string aligned(const std::vector<Row>& rows, const std::vector<bool>& toTheRight) {
  std::vector<std::size_t> widths(toTheRight.size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += (i == 0 ? "" : "  ") + padded(row[i], widths[i], toTheRight[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

// visit(name of the class, its solvers)
template <class Visit>
void forEachClass(const Visit& visit) {
  visit("lcp", numerics::solversFor<numerics::LinearComplementarityProblem>());
  visit("mlcp", numerics::solversFor<numerics::MixedLinearComplementarityProblem>());
  visit("relay", numerics::solversFor<numerics::RelayProblem>());
  visit("friction", numerics::solversFor<numerics::FrictionContactProblem>());
  visit("global_friction", numerics::solversFor<numerics::GlobalFrictionContactProblem>());
  visit("mechanical", numerics::solversFor<numerics::GenericMechanicalProblem>());
  visit("global_mechanical", numerics::solversFor<numerics::GlobalMechanicalProblem>());
}

// Values of a member in the order in which they come first.
template <class Get>
auto distinct(const std::vector<Run>& runs, Get get) {
  std::vector<decltype(get(runs.front()))> values;
  for (const Run& run : runs) {
    if (std::find(values.begin(), values.end(), get(run)) == values.end()) values.push_back(get(run));
  }
  return values;
}

std::string cellOf(const Run& run) {
  if (run.converged()) return std::to_string(run.iterations) + ", " + formatted("%.2e", run.seconds) + " s";
  return "*" + std::string(run.status) + "*" + (std::isfinite(run.residual) ? " (" + residualOf(run) + ")" : "");
}

std::string inMarkdown(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string markdownOfClass(const std::vector<Run>& runs, const std::string& problemClass,
                            const std::vector<double>& tolerances) {
  std::string text = "## " + problemClass + "\n\n| file | size | solver |";
  std::string rule = "|---|---:|---|";
  for (const double tolerance : tolerances) {
    text += " " + formatted("%g", tolerance) + " |";
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  std::string before;
  for (const Run& run : runs) {
    if (run.problemClass != problemClass) continue;
    const std::string key = run.file + "\n" + run.solver;
    if (key == before) continue;
    before = key;
    text += "| " + inMarkdown(std::filesystem::path(run.file).filename().string()) + " | " + std::to_string(run.size) +
            " | " + inMarkdown(run.solver) + " |";
    for (const double tolerance : tolerances) {
      const auto found = std::find_if(runs.begin(), runs.end(), [&](const Run& other) {
        return other.file == run.file && other.solver == run.solver && other.tolerance == tolerance;
      });
      text += " " + (found == runs.end() ? std::string("-") : cellOf(*found)) + " |";
    }
    text += "\n";
  }
  return text + "\n";
}

}  // namespace

std::string tableReport(const std::vector<Run>& runs) {
  std::vector<Row> rows{
      {"file", "class", "size", "contacts", "solver", "tolerance", "status", "iterations", "residual", "seconds", ""}};
  for (const Run& run : runs) {
    rows.push_back({std::filesystem::path(run.file).filename().string(), run.problemClass, std::to_string(run.size),
                    std::to_string(run.contacts), run.solver, formatted("%g", run.tolerance), std::string(run.status),
                    std::to_string(run.iterations), residualOf(run), formatted("%.3g", run.seconds), run.error});
  }
  return aligned(rows, {false, false, true, true, false, true, false, true, true, true, false});
}

std::string markdownReport(const std::vector<Run>& runs) {
  const std::vector<double> tolerances = distinct(runs, [](const Run& run) { return run.tolerance; });
  std::string text;
  for (const std::string& problemClass : distinct(runs, [](const Run& run) { return run.problemClass; })) {
    text += markdownOfClass(runs, problemClass, tolerances);
  }
  return text;
}

std::string solverList() {
  std::vector<Row> rows{{"class", "solver", ""}};
  forEachClass([&](const std::string& name, const auto& entries) {
    for (const auto& entry : entries) {
      const bool isFirst = &entry == &entries.front();
      rows.push_back({isFirst ? name : "", std::string(entry.name), std::string(entry.summary)});
    }
  });
  return aligned(rows, {false, false, false});
}

std::string optionList(const std::string& solver) {
  std::string text;
  forEachClass([&](const std::string& name, const auto& entries) {
    for (const auto& entry : entries) {
      if (entry.name != solver && solver != "all") continue;
      text += name + " " + std::string(entry.name) + ": " + std::string(entry.summary) + "\n";
      std::istringstream lines(entry.options != nullptr ? entry.options() : "no options");
      for (std::string line; std::getline(lines, line);) text += "  " + line + "\n";
    }
  });
  if (text.empty()) throw Error("--list", "no class has a solver '" + solver + "'.");
  return text;
}

std::string_view statusName(numerics::SolveStatus status) {
  switch (status) {
    case numerics::SolveStatus::converged:
      return "converged";
    case numerics::SolveStatus::iterationLimit:
      return "iteration_limit";
    case numerics::SolveStatus::timeLimit:
      return "time_limit";
    case numerics::SolveStatus::infeasible:
      return "infeasible";
    case numerics::SolveStatus::inaccurate:
    case numerics::SolveStatus::numericalFailure:
    case numerics::SolveStatus::unsupported:
      break;
  }
  return "failed";
}

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace delassus::tools
