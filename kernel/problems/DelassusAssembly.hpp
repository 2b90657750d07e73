// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/problems/ActiveBlocks.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <vector>

namespace delassus {

/// Assembles the matrix of a one-step problem in local form over the active blocks of the laws,
///
///     W_αβ = Σ_i left(α, i) right(β, i) (+ feedthrough of the relation + block of the law, where α = β),
///
/// from the blocks that the integrator gives for each coupling, and the law. The pattern is rebuilt only when the index
/// set changes, the values only when a block does, so that solvers may keep factors. ([Siconos 2017], 1.37–1.40.)
class DelassusAssembly : public ActiveBlocks {
 public:
  /// Reads the present structure of the model.
  void bind(const NonSmoothDynamicalSystem& model, const OneStepBlocks& step);

  /// Saves or restores the identity of W: it is assembled again at the next call, and gets its old stamp if blocks and
  /// index set are still the same.
  void serializeState(StateArchive& archive);

  /// Updates W; returns true if the set of active blocks has changed since the last call.
  bool assembleMatrix(const OneStepBlocks& step, BlockSparseMatrix& W);

 private:
  // One term left(leftCoupling) · right(rightCoupling) of a block of W.
  struct Term {
    std::size_t rowBlock;
    std::size_t columnBlock;
    std::size_t leftCoupling;
    std::size_t rightCoupling;
    std::size_t block;  // in W
  };

  void findTerms();
  void makePattern(BlockSparseMatrix& W);
  void sortTermsByNode();
  void fill(const OneStepBlocks& step, BlockSparseMatrix& W) const;
  void addOwnBlocks(const OneStepBlocks& step, BlockSparseMatrix& W) const;

  std::vector<std::size_t> nodeOfCoupling_, interactionOfCoupling_;
  std::vector<std::size_t> couplingsOfNode_, nodeStarts_;  // in ascending order, node after node
  std::vector<Term> terms_, sorted_;
  std::vector<std::size_t> next_;
  std::uint64_t blocksVersion_ = static_cast<std::uint64_t>(-1);
  // The W of the last call, or of a checkpoint.
  struct Known {
    std::uint64_t indexSetVersion = static_cast<std::uint64_t>(-1);
    std::uint64_t blocksVersion = static_cast<std::uint64_t>(-1);
    std::uint64_t stamp = 0;
  };
  Known known_;
};

}  // namespace delassus
