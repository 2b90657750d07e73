// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/integrators/InterfaceCompliance.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <memory>
#include <optional>
#include <vector>

namespace delassus {

/// The iteration matrix W of a node, which is a system or several that forces or a relation tie together, with its
/// factors. Where W depends on the step alone, those of the last few steps are kept beside the present ones: a step
/// that is cut by a clock again and again at the same places is factored once for each piece.
class IterationNode {
 public:
  /// What W depends on where the matrices of the systems are constant.
  struct Step {
    double h = 0.;      ///< its size
    double other = 0.;  ///< a second number of the scheme, such as the size of the step before
    bool operator==(const Step&) const = default;  ///< both numbers
  };

  SquareMatrix W;                                  ///< of the last pass
  SquareFactorization factor;                      ///< of W (event-driven simulations: of M)
  std::uint64_t factorVersion = 0;                 ///< changes with the factors
  std::unique_ptr<InterfaceCompliance> interface;  ///< of a sparse node that interactions see in parts
  /// D, where the input of multipliers acts by that alone: in the step that finds a start of algebraic equations.
  const SparseMatrix* inputFilter = nullptr;

  /// x := W⁻¹ x, or W⁻¹ D x with a filter, for `count` inputs one after the other.
  void respond(double* x, std::size_t count = 1) const {
    if (inputFilter != nullptr) filter(x, count);
    factor.solve(x, count);
  }
  /// Whether the factors are those of W, of any step.
  bool hasFactors() const { return step_.has_value(); }
  /// Whether they are those of this step.
  bool isFactored(const Step& step) const { return step_ == step; }
  /// Makes the factors of a step the present ones if they were kept, and sets the present ones aside; false if there
  /// are none, and W is to be filled: it keeps its size.
  bool recall(const Step& step);
  /// Factors W, which is that of `step`; false, leaving no factors, if it is singular.
  bool tryFactor(const Step& step);
  /// Forgets the factors of all steps: the matrices have changed.
  void forgetFactors();

  /// Saves or restores W, and whether it is factored; the factors are computed again from it.
  void serializeState(StateArchive& archive);

 private:
  void filter(double* x, std::size_t count) const;

  struct Kept {
    std::optional<Step> step;
    SquareMatrix W;
    SquareFactorization factor;
  };

  std::optional<Step> step_;  // of the present factors
  std::vector<Kept> kept_;    // the one set aside last comes first
};

}  // namespace delassus
