// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/DelassusAssembly.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/SmallProducts.hpp>
#include <numeric>

namespace delassus {
namespace {

// y += A x for a few rows of a matrix with `stride` rows; most laws have one to three.
void addProduct(const double* A, std::size_t stride, std::size_t rows, std::size_t columns, const double* x,
                double* y) {
  switch (rows) {
    case 1:
      return detail::multiplyPanel<1>(1., A, stride, columns, x, true, y);
    case 2:
      return detail::multiplyPanel<2>(1., A, stride, columns, x, true, y);
    case 3:
      return detail::multiplyPanel<3>(1., A, stride, columns, x, true, y);
    default:
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t i = 0; i < rows; ++i) y[i] += A[i + j * stride] * x[j];
      }
  }
}

}  // namespace

void DelassusAssembly::bind(const NonSmoothDynamicalSystem& model, const OneStepBlocks& step) {
  ActiveBlocks::bind(model, step);
  nodeOfCoupling_.clear();
  interactionOfCoupling_.clear();
  nodeStarts_.assign(1, 0);
  for (const CouplingBlocks& coupling : step.couplings()) {
    if (coupling.node + 1 >= nodeStarts_.size()) nodeStarts_.resize(coupling.node + 2, 0);
    ++nodeStarts_[coupling.node + 1];
    nodeOfCoupling_.push_back(coupling.node);
    interactionOfCoupling_.push_back(coupling.interaction);
  }
  std::partial_sum(nodeStarts_.begin(), nodeStarts_.end(), nodeStarts_.begin());
  couplingsOfNode_.resize(nodeOfCoupling_.size());
  next_.assign(nodeStarts_.begin(), nodeStarts_.end());
  for (std::size_t c = 0; c < nodeOfCoupling_.size(); ++c) couplingsOfNode_[next_[nodeOfCoupling_[c]]++] = c;
  blocksVersion_ = static_cast<std::uint64_t>(-1);
  known_ = {};
}

bool DelassusAssembly::assembleMatrix(const OneStepBlocks& step, BlockSparseMatrix& W) {
  const bool newIndexSet = update(step);
  if (newIndexSet) {
    findTerms();
    makePattern(W);
  }
  if (newIndexSet || blocksVersion_ != step.blocksVersion()) {
    fill(step, W);
    const bool isKnown =
        known_.indexSetVersion == step.indexSetVersion() && known_.blocksVersion == step.blocksVersion();
    if (isKnown) W.adoptStamp(known_.stamp);
    blocksVersion_ = step.blocksVersion();
    known_ = {step.indexSetVersion(), blocksVersion_, W.stamp()};
  }
  return newIndexSet;
}

void DelassusAssembly::serializeState(StateArchive& archive) {
  archive.value("indexSetVersion", known_.indexSetVersion);
  archive.value("blocksVersion", known_.blocksVersion);
  archive.stamp("stamp", known_.stamp);
  if (!archive.restores()) return;
  forgetIndexSet();
  blocksVersion_ = static_cast<std::uint64_t>(-1);
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
  sortTermsByNode();
}

// Consecutive terms then read neighbouring data.
void DelassusAssembly::sortTermsByNode() {
  next_.assign(nodeStarts_.size(), 0);
  for (const Term& part : terms_) ++next_[nodeOfCoupling_[part.leftCoupling] + 1];
  std::partial_sum(next_.begin(), next_.end(), next_.begin());
  sorted_.resize(terms_.size());
  for (const Term& part : terms_) sorted_[next_[nodeOfCoupling_[part.leftCoupling]]++] = part;
  terms_.swap(sorted_);
}

void DelassusAssembly::fill(const OneStepBlocks& step, BlockSparseMatrix& W) const {
  W.setZero();
  for (const Term& term : terms_) {
    const ActiveBlock& row = blocks()[term.rowBlock];
    const ActiveBlock& column = blocks()[term.columnBlock];
    const Matrix& left = step.couplings()[term.leftCoupling].left;
    const Matrix& right = step.couplings()[term.rightCoupling].right;
    for (std::size_t j = 0; j < column.outputs; ++j) {
      const double* const x = data(right) + (column.row + j) * right.size1();
      addProduct(data(left) + row.row, left.size1(), row.outputs, left.size2(), x, W.block(term.block) + j * row.size);
    }
  }
  addOwnBlocks(step, W);
  W.touch();
}

// Adds the contributions of relation and law to the blocks of their own interaction.
void DelassusAssembly::addOwnBlocks(const OneStepBlocks& step, BlockSparseMatrix& W) const {
  for (std::size_t a = 0; a < blocks().size(); ++a) {
    const ActiveBlock& row = blocks()[a];
    const Matrix* const feedthrough = step.feedthroughBlock(row.interaction);
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
