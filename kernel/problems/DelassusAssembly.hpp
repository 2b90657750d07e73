// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/problems/ActiveBlocks.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/contact/FactoredDelassus.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <span>
#include <vector>

namespace delassus {

/// Assembles the matrix of a one-step problem in local form over the active blocks of the laws,
///
///     W_αβ = Σ_i left(α, i) right(β, i) (+ feedthrough of the relation + block of the law, where α = β),
///
/// node by node from the equations of the step. The pattern is rebuilt only when the index set changes, the values only
/// when a block does, so that solvers may keep factors. ([Siconos 2017], 1.37–1.40.)
class DelassusAssembly : public ActiveBlocks {
 public:
  /// Reads the present structure of the model.
  void bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations);

  /// Saves or restores the identity of W: it is assembled again at the next call, and gets its old stamp if blocks and
  /// index set are still the same.
  void serializeState(StateArchive& archive);

  /// Updates W; returns true if the set of active blocks has changed since the last call.
  bool assembleMatrix(const StepEquations& equations, BlockSparseMatrix& W);

  /// States the whole problem: W, the set of each active block with its bounds, and q.
  void state(const StepEquations& equations, numerics::GenericMechanicalProblem& problem);

  /// The same in two steps, where a problem may take W as its factors: first the active blocks, then one of both forms.
  ///@{
  using ActiveBlocks::update;
  void fill(const StepEquations& equations, BlockSparseMatrix& W);
  void fill(const StepEquations& equations, numerics::FactoredDelassus& W);
  ///@}
  /// True if no block of W has a part that is not a product, and the factors cost less than W: products with them, of
  /// many bodies with several contacts each; or systems with them, where contacts have twice as many rows as bodies
  /// have coordinates, as those of boxes on boxes (PenalisedFactors).
  bool factorsPay(const StepEquations& equations);

 private:
  static bool hasDenseNodes(const StepEquations& equations);
  // An active block at a node: a column of W for each row there.
  struct Column {
    const StepEquations::Coupling* coupling = nullptr;
    const double* right = nullptr;  // of its outputs, if it has one
    std::uint32_t block = 0;
    std::uint32_t outputs = 0;
  };

  static bool areCoupled(const StepEquations::Coupling& row, const StepEquations::Coupling& column);
  void listColumns(const StepEquations& equations);
  void listColumn(const StepEquations::Coupling& coupling, std::size_t block);
  std::span<const Column> columnsAt(std::size_t node) const {
    return {columns_.data() + columnStarts_[node], columns_.data() + columnStarts_[node + 1]};
  }
  template <class Form>
  void fillForm(const StepEquations& equations, Form& W);
  void makePattern(const StepEquations& equations, BlockSparseMatrix& W);
  void findRowColumns(const StepEquations& equations, std::size_t interaction);
  void write(const StepEquations& equations, BlockSparseMatrix& W);
  void write(const StepEquations& equations, numerics::FactoredDelassus& W) const;
  void writeRow(const StepEquations& equations, std::size_t row, BlockSparseMatrix& W) const;
  static void addBlock(const StepEquations::Coupling& left, const ActiveBlock& row, const Column& column,
                       double* target);
  void addCompliance(const StepEquations::Coupling& left, const ActiveBlock& row, const Column& column,
                     double* target) const;
  void solveForInterfaces(const StepEquations& equations) const;
  bool isProduct(const StepEquations& equations, const ActiveBlock& row) const;
  void addOwnBlocks(const StepEquations& equations, std::size_t row, BlockSparseMatrix& W) const;

  std::vector<std::size_t> nodeSizes_;  // unknowns of each
  bool hasInterfaces_ = false;          // of any node
  std::vector<Column> columns_;  // node after node, each with its blocks ascending, twice where two couplings have one
  std::vector<std::size_t> columnStarts_;
  std::vector<std::uint32_t> rowColumns_, merged_;  // blocks that a row of W has
  // StepEquations::indexSetVersion and blocksVersion, in this order.
  MadeFrom<const void*, std::uint64_t, std::uint64_t> filledFrom_;  // for this form of W
  MadeFrom<std::uint64_t> columnsFrom_;                             // the first of them
  // Of this matrix, by the index set alone, or by the blocks, too, where responses of interfaces end.
  MadeFrom<const void*, std::uint64_t, std::uint64_t> patternFrom_;
  MadeFrom<std::uint64_t, std::uint64_t> stampFrom_;
  std::uint64_t stamp_ = 0;  // of the W of the last call, or of a checkpoint
};

}  // namespace delassus
