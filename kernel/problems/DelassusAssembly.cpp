// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/DelassusAssembly.hpp>

#include <algorithm>
#include <numeric>

namespace delassus {

void DelassusAssembly::bind(const NonSmoothDynamicalSystem& model, const OneStepIntegrator& integrator) {
  ActiveBlocks::bind(model, integrator);
  nodeOfCoupling_.clear();
  interactionOfCoupling_.clear();
  nodeStarts_.assign(1, 0);
  for (const CouplingBlocks& coupling : integrator.couplings()) {
    if (coupling.node + 1 >= nodeStarts_.size()) nodeStarts_.resize(coupling.node + 2, 0);
    ++nodeStarts_[coupling.node + 1];
    nodeOfCoupling_.push_back(coupling.node);
    interactionOfCoupling_.push_back(coupling.interaction);
  }
  std::partial_sum(nodeStarts_.begin(), nodeStarts_.end(), nodeStarts_.begin());
  couplingsOfNode_.resize(nodeOfCoupling_.size());
  std::vector<std::size_t> next(nodeStarts_.begin(), nodeStarts_.end() - 1);
  for (std::size_t c = 0; c < nodeOfCoupling_.size(); ++c) couplingsOfNode_[next[nodeOfCoupling_[c]]++] = c;
  blocksVersion_ = static_cast<std::uint64_t>(-1);
}

bool DelassusAssembly::assembleMatrix(const OneStepIntegrator& integrator, BlockSparseMatrix& W) {
  const bool newIndexSet = update(integrator);
  if (newIndexSet) {
    findTerms();
    makePattern(W);
  }
  if (newIndexSet || blocksVersion_ != integrator.blocksVersion()) {
    fill(integrator, W);
    blocksVersion_ = integrator.blocksVersion();
  }
  return newIndexSet;
}

void DelassusAssembly::findTerms() {
  terms_.clear();
  for (std::size_t a = 0; a < blocks().size(); ++a) {
    const std::size_t interaction = blocks()[a].interaction;
    const std::size_t first = terms_.size();
    for (std::size_t c = couplingStart(interaction); c < couplingStart(interaction + 1); ++c) {
      const std::size_t node = nodeOfCoupling_[c];
      for (std::size_t k = nodeStarts_[node]; k < nodeStarts_[node + 1]; ++k) {
        const std::size_t other = couplingsOfNode_[k];
        const std::size_t linked = interactionOfCoupling_[other];
        for (std::size_t b = firstActive(linked); b < firstActive(linked + 1); ++b) {
          terms_.push_back({a, b, c, other, 0});
        }
      }
    }
    const auto isBefore = [](const Term& x, const Term& y) {
      return x.columnBlock != y.columnBlock ? x.columnBlock < y.columnBlock : x.leftCoupling < y.leftCoupling;
    };
    std::sort(terms_.begin() + static_cast<std::ptrdiff_t>(first), terms_.end(), isBefore);
  }
}

void DelassusAssembly::makePattern(BlockSparseMatrix& W) {
  W.clear();
  std::size_t term = 0;
  for (std::size_t a = 0; a < blocks().size(); ++a) {
    W.beginRow(blocks()[a].size);
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
    const ActiveBlock& row = blocks()[term.rowBlock];
    const ActiveBlock& column = blocks()[term.columnBlock];
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
  for (std::size_t a = 0; a < blocks().size(); ++a) {
    const ActiveBlock& row = blocks()[a];
    const Matrix* const feedthrough = integrator.feedthroughBlock(row.interaction);
    for (std::size_t block = W.rowBegin(a); block < W.rowEnd(a); ++block) {
      const ActiveBlock& column = blocks()[W.column(block)];
      if (column.interaction != row.interaction) continue;
      if (W.column(block) == a) law(row).addBlock(W.block(block));
      if (feedthrough == nullptr) continue;
      for (std::size_t j = 0; j < column.outputs; ++j) {
        for (std::size_t i = 0; i < row.outputs; ++i) {
          W.block(block)[i + j * row.size] += (*feedthrough)(row.row + i, column.row + j);
        }
      }
    }
  }
}

}  // namespace delassus
