// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/ActiveBlocks.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace delassus {

void ActiveBlocks::bind(const NonSmoothDynamicalSystem& model) {
  interactions_ = model.topology().interactions();
  laws_.clear();
  for (const auto& interaction : interactions_) laws_.push_back(&interaction->law());
  active_.clear();
  firstActive_.assign(1, 0);
  size_ = 0;
  forgetIndexSet();
}

void ActiveBlocks::forgetIndexSet() {
  blocksFrom_.forget();
  boundsFrom_.forget();
}

bool ActiveBlocks::update(const StepEquations& equations) {
  if (blocksFrom_.isCurrent(equations.indexSetVersion())) return false;
  blocksFrom_.forget();
  active_.clear();
  firstActive_.assign(1, 0);
  size_ = 0;
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    const NonSmoothLaw& law = *laws_[k];
    for (std::size_t block = 0; block < equations.blocks(k); ++block) {
      if (!equations.isActive(k, block)) continue;
      active_.push_back({k, block * law.size(), law.size(), law.unknowns(), size_});
      size_ += law.unknowns();
    }
    firstActive_.push_back(active_.size());
  }
  blocksFrom_.take(equations.indexSetVersion());
  return true;
}

void ActiveBlocks::assembleVector(const StepEquations& equations, Vector& q) const {
  if (q.size() != size_) q.resize(size_, false);
  for (const ActiveBlock& block : active_) {
    const double* const freeOutput = equations.freeOutput(block.interaction) + block.row;
    double* const rows = data(q) + block.start;
    for (std::size_t i = 0; i < block.outputs; ++i) rows[i] = freeOutput[i];
    std::fill(rows + block.outputs, rows + block.size, 0.);
    const NonSmoothLaw& law = *laws_[block.interaction];
    law.addImpactTerm(equations.outputBefore(block.interaction) + block.row, rows);
    law.addConstant(rows);
  }
}

void ActiveBlocks::assembleBounds(Vector& lower, Vector& upper) const {
  if (lower.size() != size_) lower.resize(size_, false);
  if (upper.size() != size_) upper.resize(size_, false);
  for (const ActiveBlock& block : active_) {
    laws_[block.interaction]->bounds(data(lower) + block.start, data(upper) + block.start);
  }
}

void ActiveBlocks::updateBounds(const StepEquations& equations, Vector& lower, Vector& upper) {
  const std::uint64_t indexSet = blocksFrom_.source(), changesOfLaws = NonSmoothLaw::boundChanges();
  bool changed = !boundsFrom_.isCurrent(indexSet, changesOfLaws);
  boundsFrom_.forget();
  scales_.resize(active_.size());
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const double scale = equations.multiplierScale(active_[a].interaction);
    changed = changed || scales_[a] != scale;
    scales_[a] = scale;
  }
  if (!changed) return boundsFrom_.take(indexSet, changesOfLaws);
  assembleBounds(lower, upper);
  for (std::size_t a = 0; a < active_.size(); ++a) {
    for (std::size_t i = active_[a].start; i < active_[a].start + active_[a].size; ++i) {
      lower(i) *= scales_[a];
      upper(i) *= scales_[a];
    }
  }
  boundsFrom_.take(indexSet, changesOfLaws);
}

void ActiveBlocks::assembleFriction(Vector& mu) const {
  if (mu.size() != active_.size()) mu.resize(active_.size(), false);
  for (std::size_t a = 0; a < active_.size(); ++a) {
    mu(a) = laws_[active_[a].interaction]->set()->coulombFriction().value();
  }
}

void ActiveBlocks::gatherMultipliers(const StepEquations& equations, Vector& z) const {
  if (z.size() != size_) assignZero(z, size_);
  for (const ActiveBlock& block : active_) {
    const double* const multiplier = equations.multiplier(block.interaction) + block.row;
    for (std::size_t i = 0; i < block.outputs; ++i) z(block.start + i) = multiplier[i];
  }
}

void ActiveBlocks::scatterMultipliers(StepEquations& equations, const Vector& z) const {
  for (std::size_t k = 0; k + 1 < firstActive_.size(); ++k) {
    if (firstActive_[k] == firstActive_[k + 1]) continue;
    double* const multiplier = equations.multiplier(k);
    for (std::size_t i = 0; i < equations.size(k); ++i) multiplier[i] = 0.;
    for (std::size_t a = firstActive_[k]; a < firstActive_[k + 1]; ++a) {
      const ActiveBlock& block = active_[a];
      for (std::size_t i = 0; i < block.outputs; ++i) multiplier[block.row + i] = z(block.start + i);
    }
  }
}

Matrix ActiveBlocks::multiplierPart(const Matrix& matrix) const {
  std::vector<std::size_t> rows;
  for (const ActiveBlock& block : active_) {
    for (std::size_t i = 0; i < block.outputs; ++i) rows.push_back(block.start + i);
  }
  if (rows.size() == size_) return matrix;
  Matrix part(rows.size(), rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) part(i, j) = matrix(rows[i], rows[j]);
  }
  return part;
}

std::string ActiveBlocks::rowNames(const std::vector<std::size_t>& rows) const {
  std::map<std::size_t, std::string> byInteraction;
  for (const std::size_t row : rows) {
    const auto after =
        std::upper_bound(active_.begin(), active_.end(), row,
                         [](std::size_t wanted, const ActiveBlock& block) { return wanted < block.start; });
    const ActiveBlock& block = *std::prev(after);
    const std::size_t i = row - block.start;
    std::string& names = byInteraction[block.interaction];
    if (!names.empty()) names += ", ";
    names += i < block.outputs ? "row " + std::to_string(block.row + i) : "an auxiliary row";
  }
  std::string all;
  for (const auto& [interaction, names] : byInteraction) {
    all += (all.empty() ? "" : "; ") + names + " of '" + interactions_[interaction]->name() + "'";
  }
  return all;
}

std::string ActiveBlocks::activeNames() const {
  constexpr std::size_t shown = 5;
  std::string names;
  std::size_t count = 0;
  for (std::size_t k = 0; k + 1 < firstActive_.size(); ++k) {
    if (firstActive_[k] == firstActive_[k + 1]) continue;
    if (count++ < shown) names += (names.empty() ? "'" : ", '") + interactions_[k]->name() + "'";
  }
  if (count > shown) names += " and " + std::to_string(count - shown) + " more";
  return names;
}

}  // namespace delassus
