// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/diagnostics/ConditionReport.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/problems/DelassusAssembly.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <limits>
#include <numeric>
#include <sstream>

namespace delassus {
namespace {

constexpr double rankTolerance = 1e-10;
constexpr double projectorTolerance = 1e-6;
constexpr std::size_t shown = 40;

double conditionOf(const Matrix& A) {
  LUFactorization factor;
  const bool regular = A.size1() > 0 && factor.tryFactor(A);
  const double reciprocal = regular ? factor.reciprocalCondition() : 0.;
  return reciprocal > 0. ? 1. / reciprocal : std::numeric_limits<double>::infinity();
}

void addMasses(const TimeStepping& simulation, ConditionReport& report) {
  for (const auto& system : simulation.model().topology().systems()) {
    SecondOrderDS* const body = system->secondOrder();
    if (body == nullptr) continue;
    Matrix mass;
    body->mass(simulation.time(), body->q(), mass);
    report.masses.push_back({system->name(), mass.size1(), conditionOf(mass)});
  }
}

void addIterationMatrices(const TimeStepping& simulation, ConditionReport& report) {
  for (const auto& [systems, W] : simulation.scheme().iterationMatrices()) {
    if (W.size1() == 0) continue;
    std::string names;
    for (const DynamicalSystem* const system : systems) names += (names.empty() ? "" : ", ") + system->name();
    report.iterations.push_back({names, W.size1(), conditionOf(W)});
  }
}

// D^{-1/2} W D^{-1/2} with the magnitudes of the diagonal.
void equilibrate(Matrix& W) {
  std::vector<double> scale(W.size1(), 1.);
  for (std::size_t i = 0; i < W.size1(); ++i) {
    if (W(i, i) != 0.) scale[i] = 1. / std::sqrt(std::abs(W(i, i)));
  }
  for (std::size_t j = 0; j < W.size2(); ++j) {
    for (std::size_t i = 0; i < W.size1(); ++i) W(i, j) *= scale[i] * scale[j];
  }
}

std::vector<ConditionReport::Row> rowsOf(const Topology& topology, const DelassusAssembly& assembly) {
  std::vector<ConditionReport::Row> rows;
  for (const ActiveBlocks::ActiveBlock& block : assembly.blocks()) {
    const Interaction& interaction = *topology.interactions()[block.interaction];
    for (std::size_t i = 0; i < block.size; ++i) {
      const std::size_t row = i < block.outputs ? block.row + i : interaction.size() + i - block.outputs;
      rows.push_back({interaction.name(), row});
    }
  }
  return rows;
}

// The first member of the group of a row.
std::size_t leaderOf(std::vector<std::size_t>& leaders, std::size_t row) {
  while (leaders[row] != row) row = leaders[row] = leaders[leaders[row]];
  return row;
}

// Groups of rows between which the projector on the null space has entries.
void addDependences(const Matrix& nullSpace, const std::vector<ConditionReport::Row>& rows, ConditionReport& report) {
  const std::size_t n = nullSpace.size1();
  const auto projector = [&](std::size_t i, std::size_t j) {
    double sum = 0.;
    for (std::size_t k = 0; k < nullSpace.size2(); ++k) sum += nullSpace(i, k) * nullSpace(j, k);
    return sum;
  };
  std::vector<std::size_t> leaders(n);
  std::iota(leaders.begin(), leaders.end(), 0);
  std::vector<double> share(n);
  for (std::size_t i = 0; i < n; ++i) share[i] = projector(i, i);
  for (std::size_t i = 0; i < n; ++i) {
    if (share[i] <= projectorTolerance) continue;
    for (std::size_t j = i + 1; j < n; ++j) {
      if (share[j] > projectorTolerance && std::abs(projector(i, j)) > projectorTolerance) {
        leaders[leaderOf(leaders, j)] = leaderOf(leaders, i);
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (share[i] <= projectorTolerance || leaderOf(leaders, i) != i) continue;
    ConditionReport::Dependence dependence;
    double trace = 0.;
    for (std::size_t j = 0; j < n; ++j) {
      if (share[j] <= projectorTolerance || leaderOf(leaders, j) != i) continue;
      dependence.rows.push_back(rows[j]);
      trace += share[j];
    }
    dependence.count = static_cast<std::size_t>(std::lround(trace));
    report.dependences.push_back(std::move(dependence));
  }
}

void addConditions(const char* title, const std::vector<ConditionReport::MatrixCondition>& matrices,
                   std::ostringstream& text) {
  if (matrices.empty()) return;
  const auto worst = std::max_element(matrices.begin(), matrices.end(),
                                      [](const auto& a, const auto& b) { return a.condition < b.condition; });
  text << title << ": worst condition " << worst->condition << " ('" << worst->name << "')\n";
  for (std::size_t k = 0; k < std::min(matrices.size(), shown); ++k) {
    text << "  '" << matrices[k].name << "' " << matrices[k].size << " x " << matrices[k].size << ", condition "
         << matrices[k].condition << '\n';
  }
  if (matrices.size() > shown) text << "  and " << matrices.size() - shown << " more\n";
}

}  // namespace

ConditionReport conditionReport(const TimeStepping& simulation) {
  if (simulation.stepIndex() == 0) {
    throw Error("conditionReport", "no step has been made yet whose matrices could be examined; make one first.");
  }
  ConditionReport report;
  addMasses(simulation, report);
  addIterationMatrices(simulation, report);
  DelassusAssembly assembly;
  assembly.bind(simulation.model(), simulation.scheme().equations());
  BlockSparseMatrix blocks;
  assembly.assembleMatrix(simulation.scheme().equations(), blocks);
  report.rows = assembly.size();
  if (report.rows == 0) return report;
  Matrix W;
  blocks.toDense(W);
  equilibrate(W);
  const SingularValues values = singularValues(W, rankTolerance);
  report.rank = values.rank;
  report.condition = values.condition();
  report.conditionOnRange = values.conditionOnRange();
  addDependences(values.nullSpace, rowsOf(simulation.model().topology(), assembly), report);
  return report;
}

std::string ConditionReport::text() const {
  std::ostringstream text;
  text.precision(4);
  addConditions("mass matrices", masses, text);
  addConditions("iteration matrices", iterations, text);
  text << "Delassus matrix: " << rows << " active rows, rank " << rank << ", condition ";
  if (rank < rows) {
    text << "infinite, " << conditionOnRange << " on its range\n";
  } else {
    text << condition << '\n';
  }
  for (const Dependence& dependence : dependences) {
    text << "  " << dependence.count << " of these rows follow from the others:";
    for (std::size_t k = 0; k < std::min(dependence.rows.size(), shown); ++k) {
      text << (k == 0 ? " " : ", ") << '\'' << dependence.rows[k].interaction << "' row " << dependence.rows[k].row;
    }
    if (dependence.rows.size() > shown) text << ", and " << dependence.rows.size() - shown << " more";
    text << '\n';
  }
  return text.str();
}

}  // namespace delassus
