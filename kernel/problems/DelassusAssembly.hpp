// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <vector>

namespace delassus {

/// Assembles the matrix and the vector of a one-step problem over the active blocks of the laws,
///
///     W_αβ = Σ_i left(α, i) right(β, i) (+ feedthrough of the relation + block of the law, where α = β),
///     q_α = free output + impact term and constants of the law,
///
/// from nothing but what the integrator gives for each coupling, and the law. Auxiliary unknowns of a law stand behind
/// its multipliers. The pattern is made again only when the index set
/// changes, the values only when a block does, so that solvers may keep factors. (Notes, 1.37–1.40.)
class DelassusAssembly {
 public:
  /// Takes the structure of the model as it is.
  void bind(const NonSmoothDynamicalSystem& model, const OneStepIntegrator& integrator);

  /// Brings W up to date; gives true if the set of active blocks is another than at the last call.
  bool assembleMatrix(const OneStepIntegrator& integrator, BlockSparseMatrix& W);
  void assembleVector(const OneStepIntegrator& integrator, Vector& q) const;

  /// Scalar rows of the active blocks.
  std::size_t size() const { return size_; }

  /// Bounds of all unknowns, as the laws have them, times `scale` (OneStepIntegrator::multiplierScale).
  void assembleBounds(double scale, Vector& lower, Vector& upper) const;
  /// Coefficients of friction of all blocks.
  void assembleFriction(Vector& mu) const;

  /// Copies the active rows of the integrator's multipliers into z, and back (zero where not active). Auxiliary
  /// unknowns keep what z has of them; they are set to zero where it has another size.
  void gatherMultipliers(OneStepIntegrator& integrator, Vector& z) const;
  void scatterMultipliers(OneStepIntegrator& integrator, const Vector& z) const;

  /// The rows and columns of `matrix` (of the size of the problem) that are not of auxiliary unknowns.
  Matrix multiplierPart(const Matrix& matrix) const;

  /// Rows of the problem by their interactions and rows there, for messages.
  std::string rowNames(const std::vector<std::size_t>& rows) const;
  /// Names of the interactions with active blocks, for messages (the first few).
  std::string activeNames() const;

 private:
  struct ActiveBlock {
    std::size_t interaction;
    std::size_t row;      // first row in the interaction
    std::size_t outputs;  // rows with a multiplier
    std::size_t size;     // with those of auxiliary unknowns
    std::size_t start;    // first row in the problem
  };
  // One term left(leftCoupling) · right(rightCoupling) of a block of W.
  struct Term {
    std::size_t rowBlock;
    std::size_t columnBlock;
    std::size_t leftCoupling;
    std::size_t rightCoupling;
    std::size_t block;  // in W
  };

  void findActiveBlocks(const OneStepIntegrator& integrator);
  void findTerms();
  void makePattern(BlockSparseMatrix& W);
  void fill(const OneStepIntegrator& integrator, BlockSparseMatrix& W) const;
  void addOwnBlocks(const OneStepIntegrator& integrator, BlockSparseMatrix& W) const;

  // As of bind: the model may have changed since.
  std::vector<std::shared_ptr<Interaction>> interactions_;
  std::vector<std::size_t> nodeOfCoupling_, interactionOfCoupling_;
  std::vector<std::size_t> couplingStarts_;
  std::vector<ActiveBlock> active_;
  std::vector<std::vector<std::size_t>> couplingsOfNode_;
  std::vector<std::size_t> firstActive_;  // first active block of an interaction; the next entry ends it
  std::vector<Term> terms_;
  std::size_t size_ = 0;
  std::uint64_t indexSetVersion_ = static_cast<std::uint64_t>(-1);
  std::uint64_t blocksVersion_ = static_cast<std::uint64_t>(-1);
};

}  // namespace delassus
