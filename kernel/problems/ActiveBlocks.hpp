// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/integrators/StepEquations.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <memory>
#include <string>
#include <vector>

namespace delassus {

/// The rows of a one-step problem: which blocks of the laws are active, their places, and the part of the problem that
/// follows from the laws alone. Auxiliary unknowns of a law follow its multipliers.
class ActiveBlocks {
 public:
  /// Reads the present structure of the model.
  void bind(const NonSmoothDynamicalSystem& model);

  /// Scalar rows of the active blocks.
  std::size_t size() const { return size_; }

  /// Free output + impact term and constants of the law, row by row.
  void assembleVector(const StepEquations& equations, Vector& q) const;
  /// Bounds of all unknowns, as given by the laws.
  void assembleBounds(Vector& lower, Vector& upper) const;
  /// The same times StepEquations::multiplierScale, if they or the laws have changed since the last call.
  void updateBounds(const StepEquations& equations, Vector& lower, Vector& upper);
  /// Coefficients of friction of all blocks.
  void assembleFriction(Vector& mu) const;

  /// Copies the active rows of the integrator's multipliers into z, and back (zero where not active). Auxiliary
  /// unknowns keep their values in z; they are set to zero if the size of z differs. Multipliers of an interaction
  /// without active blocks are left as they are.
  ///@{
  void gatherMultipliers(const StepEquations& equations, Vector& z) const;
  void scatterMultipliers(StepEquations& equations, const Vector& z) const;
  ///@}

  /// The rows and columns of `matrix` (of the size of the problem) that belong to multipliers, not to auxiliary
  /// unknowns.
  Matrix multiplierPart(const Matrix& matrix) const;

  /// Rows of the problem, by interaction and row in it, for messages.
  std::string rowNames(const std::vector<std::size_t>& rows) const;
  /// Names of the interactions with active blocks, for messages (the first few).
  std::string activeNames() const;

  /// One block of a law, and its place in the problem.
  struct ActiveBlock {
    std::size_t interaction;  ///< its number, as of bind
    std::size_t row;          ///< first row in the interaction
    std::size_t outputs;      ///< rows with a multiplier
    std::size_t size;         ///< with those of auxiliary unknowns
    std::size_t start;        ///< first row in the problem
  };
  /// The active blocks in the order of their rows, as of the last update.
  const std::vector<ActiveBlock>& blocks() const { return active_; }
  /// The law of the block's interaction.
  const NonSmoothLaw& law(const ActiveBlock& block) const { return *laws_[block.interaction]; }

 protected:
  /// Updates the active blocks if the index set has changed; true if it has.
  bool update(const StepEquations& equations);
  /// Makes the next update find them again.
  void forgetIndexSet();
  /// First active block of an interaction; that of the next one ends it.
  std::size_t firstActive(std::size_t interaction) const { return firstActive_[interaction]; }

 private:
  // As of bind; the model may have changed since.
  std::vector<std::shared_ptr<Interaction>> interactions_;
  std::vector<const NonSmoothLaw*> laws_;  // of the interactions, which lie apart
  std::vector<ActiveBlock> active_;
  std::vector<std::size_t> firstActive_;
  std::size_t size_ = 0;
  MadeFrom<std::uint64_t> blocksFrom_;                 // StepEquations::indexSetVersion
  MadeFrom<std::uint64_t, std::uint64_t> boundsFrom_;  // the same, NonSmoothLaw::boundChanges …
  std::vector<double> scales_;                         // … and these, of the active blocks
};

}  // namespace delassus
