// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/DelassusAssembly.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/SmallProducts.hpp>
#include <numeric>
#include <utility>

namespace delassus {
namespace {

// y += A x for a few rows of a matrix with `stride` rows; most laws have one to three, and rigid bodies six velocities.
void addProduct(const double* A, std::size_t stride, std::size_t rows, std::size_t columns, const double* x,
                double* y) {
  switch (rows) {
    case 1:
      return detail::multiplyPanel<1>(1., A, stride, columns, x, true, y);
    case 2:
      return detail::multiplyPanel<2>(1., A, stride, columns, x, true, y);
    case 3:
      return columns == 6 ? detail::multiplyPanel<3>(1., A, stride, 6, x, true, y)
                          : detail::multiplyPanel<3>(1., A, stride, columns, x, true, y);
    default:
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t i = 0; i < rows; ++i) y[i] += A[i + j * stride] * x[j];
      }
  }
}

}  // namespace

void DelassusAssembly::bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) {
  ActiveBlocks::bind(model);
  const std::vector<StepEquations::Coupling>& couplings = equations.couplings();
  nodeStarts_.assign(2, 0);
  for (const StepEquations::Coupling& coupling : couplings) {
    if (coupling.node + 3 > nodeStarts_.size()) nodeStarts_.resize(coupling.node + 3, 0);
    ++nodeStarts_[coupling.node + 2];
  }
  std::partial_sum(nodeStarts_.begin(), nodeStarts_.end(), nodeStarts_.begin());
  couplingsOfNode_.resize(couplings.size());
  // The starts, one place ahead, become the ends, which are the starts of the next ones.
  for (std::size_t c = 0; c < couplings.size(); ++c) couplingsOfNode_[nodeStarts_[couplings[c].node + 1]++] = c;
  blocksVersion_ = static_cast<std::uint64_t>(-1);
  known_ = {};
}

bool DelassusAssembly::assembleMatrix(const StepEquations& equations, BlockSparseMatrix& W) {
  const bool newIndexSet = update(equations);
  if (newIndexSet) makePattern(equations, W);
  if (newIndexSet || blocksVersion_ != equations.blocksVersion()) {
    fill(equations, W);
    const bool isKnown =
        known_.indexSetVersion == equations.indexSetVersion() && known_.blocksVersion == equations.blocksVersion();
    if (isKnown) W.adoptStamp(known_.stamp);
    blocksVersion_ = equations.blocksVersion();
    known_ = {equations.indexSetVersion(), blocksVersion_, W.stamp()};
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

// Calls visit(coupling, active block) for the blocks at a node, which come in ascending order.
template <class Visit>
void DelassusAssembly::forEachBlockAt(std::size_t node, const StepEquations& equations, Visit visit) const {
  for (std::size_t k = nodeStarts_[node]; k < nodeStarts_[node + 1]; ++k) {
    const StepEquations::Coupling& coupling = equations.couplings()[couplingsOfNode_[k]];
    for (std::size_t b = firstActive(coupling.interaction); b < firstActive(coupling.interaction + 1); ++b) {
      visit(coupling, b);
    }
  }
}

void DelassusAssembly::makePattern(const StepEquations& equations, BlockSparseMatrix& W) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  W.clear();
  seenBy_.assign(blocks().size(), none);
  for (std::size_t a = 0; a < blocks().size(); ++a) {
    const std::size_t interaction = blocks()[a].interaction;
    // The blocks of one interaction have the same neighbours.
    if (a == firstActive(interaction)) {
      columns_.clear();
      for (std::size_t c = equations.couplingBegin(interaction); c < equations.couplingEnd(interaction); ++c) {
        forEachBlockAt(equations.couplings()[c].node, equations, [&](const auto&, std::size_t b) {
          if (std::exchange(seenBy_[b], interaction) != interaction) columns_.push_back(b);
        });
      }
      std::sort(columns_.begin(), columns_.end());
    }
    W.beginRow(blocks()[a].size);
    for (const std::size_t b : columns_) W.addBlock(b);
  }
  W.finish();
}

// Node by node: the blocks of each coupling are read once.
void DelassusAssembly::fill(const StepEquations& equations, BlockSparseMatrix& W) const {
  W.setZero();
  for (std::size_t node = 0; node + 1 < nodeStarts_.size(); ++node) {
    forEachBlockAt(node, equations, [&](const StepEquations::Coupling& left, std::size_t a) {
      const ActiveBlock& row = blocks()[a];
      std::size_t place = W.rowBegin(a);
      forEachBlockAt(node, equations, [&](const StepEquations::Coupling& right, std::size_t b) {
        while (W.column(place) < b) ++place;
        const ActiveBlock& column = blocks()[b];
        const double* x = right.right + column.row * right.columns;
        double* target = W.block(place);
        for (std::size_t j = 0; j < column.outputs; ++j, x += right.columns, target += row.size) {
          addProduct(left.left + row.row, left.rows, row.outputs, left.columns, x, target);
        }
      });
    });
  }
  for (std::size_t a = 0; a < blocks().size(); ++a) addOwnBlocks(equations, a, W);
  W.touch();
}

// Adds the contributions of relation and law to the blocks of their own interaction.
void DelassusAssembly::addOwnBlocks(const StepEquations& equations, std::size_t a, BlockSparseMatrix& W) const {
  const ActiveBlock& row = blocks()[a];
  const Matrix* const feedthrough = equations.feedthrough(row.interaction);
  for (std::size_t place = W.rowBegin(a); place < W.rowEnd(a); ++place) {
    const ActiveBlock& column = blocks()[W.column(place)];
    if (column.interaction != row.interaction) continue;
    double* const block = W.block(place);
    if (W.column(place) == a) law(row).addBlock(block);
    if (feedthrough == nullptr) continue;
    for (std::size_t j = 0; j < column.outputs; ++j) {
      for (std::size_t i = 0; i < row.outputs; ++i) {
        block[i + j * row.size] += (*feedthrough)(row.row + i, column.row + j);
      }
    }
  }
}

}  // namespace delassus
