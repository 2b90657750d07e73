// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/DelassusAssembly.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>

namespace delassus {

void DelassusAssembly::bind(const NonSmoothDynamicalSystem& model, const OneStepIntegrator& integrator) {
  interactions_ = model.topology().interactions();
  nodeOfCoupling_.clear();
  interactionOfCoupling_.clear();
  couplingsOfNode_.clear();
  couplingStarts_.assign(interactions_.size() + 1, 0);
  for (const CouplingBlocks& coupling : integrator.couplings()) {
    if (coupling.node >= couplingsOfNode_.size()) couplingsOfNode_.resize(coupling.node + 1);
    couplingsOfNode_[coupling.node].push_back(nodeOfCoupling_.size());
    nodeOfCoupling_.push_back(coupling.node);
    interactionOfCoupling_.push_back(coupling.interaction);
    ++couplingStarts_[coupling.interaction + 1];
  }
  std::partial_sum(couplingStarts_.begin(), couplingStarts_.end(), couplingStarts_.begin());
  active_.clear();
  firstActive_.assign(1, 0);
  size_ = 0;
  indexSetVersion_ = blocksVersion_ = static_cast<std::uint64_t>(-1);
}

bool DelassusAssembly::assembleMatrix(const OneStepIntegrator& integrator, BlockSparseMatrix& W) {
  const bool newIndexSet = indexSetVersion_ != integrator.indexSetVersion();
  if (newIndexSet) {
    findActiveBlocks(integrator);
    findTerms();
    makePattern(W);
    indexSetVersion_ = integrator.indexSetVersion();
  }
  if (newIndexSet || blocksVersion_ != integrator.blocksVersion()) {
    fill(integrator, W);
    blocksVersion_ = integrator.blocksVersion();
  }
  return newIndexSet;
}

void DelassusAssembly::findActiveBlocks(const OneStepIntegrator& integrator) {
  active_.clear();
  firstActive_.assign(1, 0);
  size_ = 0;
  for (std::size_t k = 0; k < interactions_.size(); ++k) {
    const NonSmoothLaw& law = interactions_[k]->law();
    for (std::size_t block = 0; block < interactions_[k]->blocks(); ++block) {
      if (!integrator.isActive(k, block)) continue;
      active_.push_back({k, block * law.size(), law.size(), law.unknowns(), size_});
      size_ += law.unknowns();
    }
    firstActive_.push_back(active_.size());
  }
}

void DelassusAssembly::findTerms() {
  terms_.clear();
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const std::size_t interaction = active_[a].interaction;
    const std::size_t first = terms_.size();
    for (std::size_t c = couplingStarts_[interaction]; c < couplingStarts_[interaction + 1]; ++c) {
      for (const std::size_t other : couplingsOfNode_[nodeOfCoupling_[c]]) {
        const std::size_t linked = interactionOfCoupling_[other];
        for (std::size_t b = firstActive_[linked]; b < firstActive_[linked + 1]; ++b) {
          terms_.push_back({a, b, c, other, 0});
        }
      }
    }
    std::sort(terms_.begin() + static_cast<std::ptrdiff_t>(first), terms_.end(), [](const Term& x, const Term& y) {
      return x.columnBlock != y.columnBlock ? x.columnBlock < y.columnBlock : x.leftCoupling < y.leftCoupling;
    });
  }
}

void DelassusAssembly::makePattern(BlockSparseMatrix& W) {
  W.clear();
  std::size_t term = 0;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    W.beginRow(active_[a].size);
    std::size_t block = 0;
    for (bool first = true; term < terms_.size() && terms_[term].rowBlock == a; ++term, first = false) {
      if (first || terms_[term - 1].columnBlock != terms_[term].columnBlock) {
        block = W.addBlock(terms_[term].columnBlock);
      }
      terms_[term].block = block;
    }
  }
  W.finish();
}

void DelassusAssembly::fill(const OneStepIntegrator& integrator, BlockSparseMatrix& W) const {
  W.setZero();
  for (const Term& term : terms_) {
    const ActiveBlock& row = active_[term.rowBlock];
    const ActiveBlock& column = active_[term.columnBlock];
    const Matrix& left = integrator.couplings()[term.leftCoupling].left;
    const Matrix& right = integrator.couplings()[term.rightCoupling].right;
    double* const target = W.block(term.block);
    for (std::size_t j = 0; j < column.outputs; ++j) {
      for (std::size_t i = 0; i < row.outputs; ++i) {
        double sum = 0.;
        for (std::size_t k = 0; k < left.size2(); ++k) sum += left(row.row + i, k) * right(k, column.row + j);
        target[i + j * row.size] += sum;
      }
    }
  }
  addOwnBlocks(integrator, W);
  W.touch();
}

// What relation and law add to the blocks of their interaction alone.
void DelassusAssembly::addOwnBlocks(const OneStepIntegrator& integrator, BlockSparseMatrix& W) const {
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const ActiveBlock& row = active_[a];
    const Matrix* const feedthrough = integrator.feedthroughBlock(row.interaction);
    for (std::size_t block = W.rowBegin(a); block < W.rowEnd(a); ++block) {
      const ActiveBlock& column = active_[W.column(block)];
      if (column.interaction != row.interaction) continue;
      if (W.column(block) == a) interactions_[row.interaction]->law().addBlock(W.block(block));
      if (feedthrough == nullptr) continue;
      for (std::size_t j = 0; j < column.outputs; ++j) {
        for (std::size_t i = 0; i < row.outputs; ++i) {
          W.block(block)[i + j * row.size] += (*feedthrough)(row.row + i, column.row + j);
        }
      }
    }
  }
}

void DelassusAssembly::assembleVector(const OneStepIntegrator& integrator, Vector& q) const {
  if (q.size() != size_) q.resize(size_, false);
  for (const ActiveBlock& block : active_) {
    const Vector& freeOutput = integrator.freeOutput(block.interaction);
    double* const rows = data(q) + block.start;
    for (std::size_t i = 0; i < block.outputs; ++i) rows[i] = freeOutput(block.row + i);
    std::fill(rows + block.outputs, rows + block.size, 0.);
    const NonSmoothLaw& law = interactions_[block.interaction]->law();
    law.addImpactTerm(data(integrator.outputBefore(block.interaction)) + block.row, rows);
    law.addConstant(rows);
  }
}

void DelassusAssembly::assembleBounds(double scale, Vector& lower, Vector& upper) const {
  if (lower.size() != size_) lower.resize(size_, false);
  if (upper.size() != size_) upper.resize(size_, false);
  for (const ActiveBlock& block : active_) {
    interactions_[block.interaction]->law().bounds(data(lower) + block.start, data(upper) + block.start);
  }
  for (double& bound : lower.data()) bound *= scale;
  for (double& bound : upper.data()) bound *= scale;
}

void DelassusAssembly::assembleFriction(Vector& mu) const {
  if (mu.size() != active_.size()) mu.resize(active_.size(), false);
  for (std::size_t a = 0; a < active_.size(); ++a) {
    mu(a) = interactions_[active_[a].interaction]->law().cone().friction;
  }
}

void DelassusAssembly::gatherMultipliers(OneStepIntegrator& integrator, Vector& z) const {
  if (z.size() != size_) assignZero(z, size_);
  for (const ActiveBlock& block : active_) {
    const Vector& multiplier = integrator.multiplier(block.interaction);
    for (std::size_t i = 0; i < block.outputs; ++i) z(block.start + i) = multiplier(block.row + i);
  }
}

void DelassusAssembly::scatterMultipliers(OneStepIntegrator& integrator, const Vector& z) const {
  for (std::size_t k = 0; k + 1 < firstActive_.size(); ++k) {
    if (firstActive_[k] == firstActive_[k + 1]) continue;
    Vector& multiplier = integrator.multiplier(k);
    setZero(multiplier);
    for (std::size_t a = firstActive_[k]; a < firstActive_[k + 1]; ++a) {
      const ActiveBlock& block = active_[a];
      for (std::size_t i = 0; i < block.outputs; ++i) multiplier(block.row + i) = z(block.start + i);
    }
  }
}

Matrix DelassusAssembly::multiplierPart(const Matrix& matrix) const {
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

std::string DelassusAssembly::rowNames(const std::vector<std::size_t>& rows) const {
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

std::string DelassusAssembly::activeNames() const {
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
