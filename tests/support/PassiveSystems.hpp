// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <memory>
#include <support/PiecewiseLinear.hpp>

// Random passive complementarity systems and their exact motion.
namespace delassus::test {

/// ẋ = A x + B λ, 0 ≤ C x + D λ ⟂ λ ≥ 0 with two rows: A negative definite, B = Cᵀ, D semidefinite, so that the
/// complementarity problems are monotone and the solution is continuous. The first two of the five states are a source,
/// x₀ = sin 4t, x₁ = cos 4t.
struct PassiveSystem {
  /// `rank` of D, of size `feedthrough`: 2 is relative degree 0, 0 is 1, and with 1 they are mixed. Below 2 the outputs
  /// do not see the source, since one that pushes y below zero would need a jump.
  PassiveSystem(unsigned seed, double feedthrough, std::size_t rank);

  Matrix A, B, C, D;
  Vector x0;
  std::size_t rank;

  /// Mode by mode with matrix exponentials.
  PiecewiseLinear exact() const;
};

/// The driven states of a passive system as a model, with the source in b(t) and e(t).
struct PassiveModel {
  PassiveModel(const PassiveSystem& passive, double end);

  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> system;
  std::shared_ptr<Interaction> interaction;

  /// Largest difference of a driven state.
  double errorAgainst(const PiecewiseLinear& exact) const;
};

}  // namespace delassus::test
