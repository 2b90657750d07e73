// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string_view>
#include <vector>

namespace delassus {

class DynamicalSystem;

/// The blocks of one coupling between an interaction α (m outputs) and a node i, the n unknowns of one iteration matrix
/// W: those of a system, or of several systems that a relation ties together. The block (α, β) of the one-step problem
/// is Σ_i left(α, i) · right(β, i).
struct CouplingBlocks {
  std::size_t interaction = 0;  ///< α, its number in the topology
  std::size_t node = 0;         ///< i, its number in the scheme
  Matrix left;                  ///< m x n: how the output follows the state, G or C
  Matrix right;                 ///< n x m: how the state follows the multiplier, W⁻¹ Gᵀ or h W⁻¹ B
};

/// A matrix that a scheme inverts, with its systems.
struct IterationMatrix {
  std::vector<const DynamicalSystem*> systems;  ///< in the order of the rows of W
  const Matrix* W;                              ///< valid until the next step or bind
};

/// The data that a one-step problem reads and the place for its answer: the step of a scheme, or the impact at an
/// instant. Interactions are given by their numbers in the topology.
class OneStepBlocks {
 public:
  virtual ~OneStepBlocks() = default;

  /// For messages.
  virtual std::string_view name() const = 0;

  /// All couplings, interaction after interaction; as many as there are until the next bind.
  const std::vector<CouplingBlocks>& couplings() const { return blocks_; }
  /// Outputs at the level of the law without multipliers: the constant term of the problem without the part of the law.
  /// Only for interactions with an active block.
  virtual const Vector& freeOutput(std::size_t interaction) const = 0;
  /// Block that the relation itself adds to the problem's diagonal, ∂y/∂λ (compliance, or D), or null.
  virtual const Matrix* feedthroughBlock(std::size_t interaction) const = 0;
  /// True if that block of the law (one contact of several) is part of the problem.
  virtual bool isActive(std::size_t interaction, std::size_t block) const = 0;
  /// Ratio of the problem's multipliers to those of a law with bounds: h if the scheme works with impulses and the law
  /// with forces.
  virtual double multiplierScale(std::size_t) const { return 1.; }
  /// Outputs at the level of the law, at the beginning of the step.
  virtual const Vector& outputBefore(std::size_t interaction) const = 0;
  /// For problems in global form: the iteration matrix W of a node and its state x_free without multipliers, so that W
  /// (x − x_free) = Σ leftᵀ λ. Null if the blocks of a scheme are not right = W⁻¹ leftᵀ.
  ///@{
  virtual const Matrix* iterationMatrix(std::size_t) const { return nullptr; }
  virtual const Vector* freeState(std::size_t) const { return nullptr; }
  ///@}
  /// Number of nodes that have these; 0 if a scheme does not provide them.
  virtual std::size_t nodes() const { return 0; }
  /// Where the problem reads its start and writes its answer.
  virtual Vector& multiplier(std::size_t interaction) = 0;

  /// Changes when a block changes.
  std::uint64_t blocksVersion() const { return blocksVersion_; }
  /// Changes when a contact becomes active or inactive, or the model changes.
  std::uint64_t indexSetVersion() const { return indexSetVersion_; }

 protected:
  OneStepBlocks() = default;
  OneStepBlocks(const OneStepBlocks&) = default;
  OneStepBlocks(OneStepBlocks&&) = default;
  OneStepBlocks& operator=(const OneStepBlocks&) = default;
  OneStepBlocks& operator=(OneStepBlocks&&) = default;

  /// Saves or restores blocks and versions for the same couplings.
  void serializeBlocks(StateArchive& archive) {
    archive.value("blocksVersion", blocksVersion_);
    archive.value("indexSetVersion", indexSetVersion_);
    for (CouplingBlocks& blocks : blocks_) {
      archive.value("left", blocks.left);
      archive.value("right", blocks.right);
    }
  }

  std::vector<CouplingBlocks> blocks_;  ///< couplings(), made by bind
  std::uint64_t blocksVersion_ = 0;     ///< derived classes raise it with each change
  std::uint64_t indexSetVersion_ = 0;   ///< derived classes raise it with each change
};

}  // namespace delassus
