// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/DelassusAssembly.hpp>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <delassus/kernel/integrators/InterfaceCompliance.hpp>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/algebra/Products.hpp>

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
  nodeSizes_.assign(equations.coupledNodes(), 0);
  hasInterfaces_ = false;
  for (const StepEquations::Coupling& coupling : equations.couplings()) {
    nodeSizes_[coupling.node] = coupling.unknowns;
    hasInterfaces_ = hasInterfaces_ || coupling.interface != nullptr;
  }
  filledFrom_.forget();
  patternFrom_.forget();
  columnsFrom_.forget();
  stampFrom_.forget();
  stamp_ = 0;
}

void DelassusAssembly::state(const StepEquations& equations, numerics::GenericMechanicalProblem& problem) {
  if (assembleMatrix(equations, problem.W())) {
    problem.parts().clear();
    for (const ActiveBlock& block : blocks()) problem.parts().push_back({law(block).set(), block.size});
  }
  updateBounds(equations, problem.lower(), problem.upper());
  assembleVector(equations, problem.q());
}

bool DelassusAssembly::assembleMatrix(const StepEquations& equations, BlockSparseMatrix& W) {
  const bool newIndexSet = update(equations);
  fill(equations, W);
  return newIndexSet;
}

template <class Form>
void DelassusAssembly::fillForm(const StepEquations& equations, Form& W) {
  const std::uint64_t indexSet = equations.indexSetVersion(), blocks = equations.blocksVersion();
  filledFrom_.renew(&W, indexSet, blocks, [&] {
    write(equations, W);
    if (stampFrom_.isCurrent(indexSet, blocks)) W.adoptStamp(stamp_);
    stampFrom_.take(indexSet, blocks);
    stamp_ = W.stamp();
  });
}

void DelassusAssembly::fill(const StepEquations& equations, BlockSparseMatrix& W) {
  fillForm(equations, W);
}

void DelassusAssembly::fill(const StepEquations& equations, numerics::FactoredDelassus& W) {
  fillForm(equations, W);
}

void DelassusAssembly::serializeState(StateArchive& archive) {
  stampFrom_.serializeState(archive, "stampFrom");
  archive.stamp("stamp", stamp_);
  if (!archive.restores()) return;
  forgetIndexSet();
  filledFrom_.forget();
  patternFrom_.forget();
  columnsFrom_.forget();
}

// Row after row of W reads the columns at its nodes: in this list, and in the right blocks, those of a node lie
// together.
void DelassusAssembly::listColumns(const StepEquations& equations) {
  columns_.clear();
  columnStarts_.assign(1, 0);
  for (std::size_t node = 0; node < equations.coupledNodes(); ++node) {
    const std::span<const std::uint32_t> couplings = equations.couplingsAt(node);
    for (std::size_t begin = 0, end = 0; begin < couplings.size(); begin = end) {
      const std::size_t interaction = equations.couplings()[couplings[begin]].interaction;
      while (end < couplings.size() && equations.couplings()[couplings[end]].interaction == interaction) ++end;
      for (std::size_t b = firstActive(interaction); b < firstActive(interaction + 1); ++b) {
        for (const std::uint32_t c : couplings.subspan(begin, end - begin)) listColumn(equations.couplings()[c], b);
      }
    }
    columnStarts_.push_back(columns_.size());
  }
}

void DelassusAssembly::listColumn(const StepEquations::Coupling& coupling, std::size_t b) {
  const ActiveBlock& block = blocks()[b];
  const double* const right = coupling.right == nullptr ? nullptr : coupling.right + block.row * coupling.unknowns;
  columns_.push_back({&coupling, right, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(block.outputs)});
}

// Blocks of one interaction are always stored, since its relation and its law add to them. The pattern is symmetric.
bool DelassusAssembly::areCoupled(const StepEquations::Coupling& row, const StepEquations::Coupling& column) {
  return column.interface == nullptr || row.interaction == column.interaction || column.reaches(row) ||
         row.reaches(column);
}

void DelassusAssembly::makePattern(const StepEquations& equations, BlockSparseMatrix& W) {
  W.clear();
  for (std::size_t a = 0; a < blocks().size(); ++a) {
    const std::size_t interaction = blocks()[a].interaction;
    // The blocks of one interaction have the same neighbours.
    if (a == firstActive(interaction)) findRowColumns(equations, interaction);
    W.beginRow(blocks()[a].size);
    for (const std::uint32_t b : rowColumns_) W.addBlock(b);
  }
  W.finish();
}

// The blocks at the nodes of an interaction, each once, in their order.
void DelassusAssembly::findRowColumns(const StepEquations& equations, std::size_t interaction) {
  rowColumns_.clear();
  for (std::size_t c = equations.couplingBegin(interaction); c < equations.couplingEnd(interaction); ++c) {
    const StepEquations::Coupling& row = equations.couplings()[c];
    merged_.clear();
    auto before = rowColumns_.begin();
    const auto take = [this](std::uint32_t b) {
      if (merged_.empty() || merged_.back() != b) merged_.push_back(b);
    };
    for (const Column& column : columnsAt(row.node)) {
      if (hasInterfaces_ && !areCoupled(row, *column.coupling)) continue;
      while (before != rowColumns_.end() && *before <= column.block) take(*before++);
      take(column.block);
    }
    while (before != rowColumns_.end()) take(*before++);
    rowColumns_.swap(merged_);
  }
}

void DelassusAssembly::write(const StepEquations& equations, BlockSparseMatrix& W) {
  constexpr std::size_t rangeSize = 64;  // rows that a thread writes at once
  if (hasInterfaces_) solveForInterfaces(equations);
  columnsFrom_.renew(equations.indexSetVersion(), [&] { listColumns(equations); });
  const std::uint64_t indexSet = equations.indexSetVersion(),
                      blocksOfPattern = hasInterfaces_ ? equations.blocksVersion() : 0;
  if (patternFrom_.isCurrent(&W, indexSet, blocksOfPattern)) W.setZero();
  patternFrom_.renew(&W, indexSet, blocksOfPattern, [&] { makePattern(equations, W); });  // of zeros
  forRanges(blocks().size(), rangeSize, [&](std::size_t first, std::size_t last) {
    for (std::size_t a = first; a < last; ++a) {
      writeRow(equations, a, W);
      addOwnBlocks(equations, a, W);
    }
  });
  W.touch();
}

void DelassusAssembly::writeRow(const StepEquations& equations, std::size_t a, BlockSparseMatrix& W) const {
  const ActiveBlock& row = blocks()[a];
  for (std::size_t c = equations.couplingBegin(row.interaction); c < equations.couplingEnd(row.interaction); ++c) {
    const StepEquations::Coupling& left = equations.couplings()[c];
    std::size_t place = W.rowBegin(a);
    for (const Column& column : columnsAt(left.node)) {
      if (hasInterfaces_ && !areCoupled(left, *column.coupling)) continue;
      if (W.column(place) > column.block) place = W.rowBegin(a);  // two couplings of an interaction with one node
      while (W.column(place) < column.block) ++place;
      if (column.right != nullptr) addBlock(left, row, column, W.block(place));
      if (hasInterfaces_ && column.coupling->interface != nullptr) addCompliance(left, row, column, W.block(place));
    }
  }
}

// target += left of the row's block times right of the column's.
void DelassusAssembly::addBlock(const StepEquations::Coupling& left, const ActiveBlock& row, const Column& column,
                                double* target) {
  const double* x = column.right + left.first;
  for (std::size_t j = 0; j < column.outputs; ++j, x += left.unknowns, target += row.size) {
    addProduct(left.left + row.row, left.rows, row.outputs, left.columns, x, target);
  }
}

// The same at a node with an interface.
void DelassusAssembly::addCompliance(const StepEquations::Coupling& left, const ActiveBlock& row, const Column& column,
                                     double* target) const {
  boost::container::small_vector<double, 12> x(left.columns);
  for (std::size_t j = 0; j < column.outputs; ++j, target += row.size) {
    std::fill(x.begin(), x.end(), 0.);
    column.coupling->addResponse(left, blocks()[column.block].row + j, x.data());
    addProduct(left.left + row.row, left.rows, row.outputs, left.columns, x.data(), target);
  }
}

// Columns of the interfaces of nodes that active blocks need, all at once.
void DelassusAssembly::solveForInterfaces(const StepEquations& equations) const {
  const auto forEachInterface = [&](const auto& visit) {
    for (const StepEquations::Coupling& coupling : equations.couplings()) {
      if (coupling.interface == nullptr) continue;
      if (firstActive(coupling.interaction) < firstActive(coupling.interaction + 1)) visit(coupling);
    }
  };
  forEachInterface([](const StepEquations::Coupling& coupling) {
    for (std::size_t j = 0; j < coupling.columns; ++j) {
      const double* const column = coupling.input + j * coupling.rows;
      const bool isZero = std::all_of(column, column + coupling.rows, [](double entry) { return entry == 0.; });
      if (!isZero) coupling.interface->demand(coupling.place + j);
    }
  });
  forEachInterface([](const auto& coupling) { coupling.interface->solve(); });
}

void DelassusAssembly::write(const StepEquations& equations, numerics::FactoredDelassus& W) const {
  std::size_t arms = 0, entries = 0;
  for (const ActiveBlock& block : blocks()) {
    const std::size_t begin = equations.couplingBegin(block.interaction),
                      end = equations.couplingEnd(block.interaction);
    arms += end - begin;
    for (std::size_t c = begin; c < end; ++c) entries += block.outputs * equations.couplings()[c].columns;
  }
  W.clear(nodeSizes_);
  W.reserve(blocks().size(), arms, entries);
  for (const ActiveBlock& block : blocks()) {
    W.addContact();
    for (std::size_t c = equations.couplingBegin(block.interaction); c < equations.couplingEnd(block.interaction);
         ++c) {
      const StepEquations::Coupling& coupling = equations.couplings()[c];
      W.addArm(coupling.node, coupling.left + block.row, coupling.rows, coupling.right + block.row * coupling.unknowns);
    }
  }
  const auto& nodes = equations.nodes();
  if (!hasDenseNodes(equations)) return W.finish();
  for (std::size_t i = 0; i < nodeSizes_.size() && i < nodes.size(); ++i) W.addMass(data(nodes[i].matrix->dense()));
  W.finish();
}

// Whether a scheme gives its iteration matrices, and all are dense.
bool DelassusAssembly::hasDenseNodes(const StepEquations& equations) {
  const auto& nodes = equations.nodes();
  return !nodes.empty() &&
         std::none_of(nodes.begin(), nodes.end(), [](const auto& node) { return node.matrix->isSparse(); });
}

bool DelassusAssembly::factorsPay(const StepEquations& equations) {
  // Below, W stays in the cache, and a sweep over it is faster by a tenth.
  constexpr std::size_t fewest = 4000;
  constexpr std::size_t fewestOfRank = 100;  // blocks, where W has half of its rank at most
  if (blocks().size() < fewestOfRank) return false;
  std::size_t ofMatrix = 0, ofFactors = 0, rank = 0, size = 0;
  for (const ActiveBlock& row : blocks()) size += row.size;
  for (std::size_t node = 0; node < nodeSizes_.size(); ++node) {
    std::size_t rows = 0;
    for (const std::uint32_t c : equations.couplingsAt(node)) {
      const std::size_t interaction = equations.couplings()[c].interaction;
      for (std::size_t b = firstActive(interaction); b < firstActive(interaction + 1); ++b) rows += blocks()[b].size;
    }
    ofMatrix += rows * rows;
    if (rows == 0) continue;
    ofFactors += 2 * rows * nodeSizes_[node];
    rank += nodeSizes_[node];
  }
  const bool isOfLowRank = 2 * rank <= size && hasDenseNodes(equations);
  const bool factorsAreLess = isOfLowRank || (blocks().size() >= fewest && ofFactors < ofMatrix);
  return factorsAreLess && std::all_of(blocks().begin(), blocks().end(),
                                       [&](const ActiveBlock& row) { return isProduct(equations, row); });
}

// True if nothing is added to the block's own part of W, and each node has one coupling with it, of all its unknowns.
bool DelassusAssembly::isProduct(const StepEquations& equations, const ActiveBlock& row) const {
  if (equations.feedthrough(row.interaction) != nullptr || row.size != row.outputs) return false;
  const std::size_t begin = equations.couplingBegin(row.interaction), end = equations.couplingEnd(row.interaction);
  for (std::size_t c = begin; c < end; ++c) {
    if (equations.couplings()[c].columns != equations.couplings()[c].unknowns) return false;
    for (std::size_t other = begin; other < c; ++other) {
      if (equations.couplings()[c].node == equations.couplings()[other].node) return false;
    }
  }
  boost::container::small_vector<double, 9> block(row.size * row.size, 0.);
  law(row).addBlock(block.data());
  return std::all_of(block.begin(), block.end(), [](double entry) { return entry == 0.; });
}

// Adds the contributions of relation and law to the blocks of their own interaction.
void DelassusAssembly::addOwnBlocks(const StepEquations& equations, std::size_t a, BlockSparseMatrix& W) const {
  const ActiveBlock& row = blocks()[a];
  const Matrix* const feedthrough = equations.feedthrough(row.interaction);
  for (std::size_t place = W.rowBegin(a); place < W.rowEnd(a); ++place) {
    if (W.column(place) < firstActive(row.interaction)) continue;
    if (W.column(place) >= firstActive(row.interaction + 1)) break;
    const ActiveBlock& column = blocks()[W.column(place)];
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
