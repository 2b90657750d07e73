// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <memory>
#include <vector>

// Small models that tests and benchmarks share.
namespace delassus::test {

/// A ball under gravity above the floor y = 0: q = height, or q = (height, sideways, rotation) with M = diag(m, m, I).
struct BouncingBall {
  BouncingBall(double height, double velocity, double restitution, double end, std::size_t dof = 1);

  static constexpr double gravity = 9.81;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> ball;
  std::shared_ptr<Interaction> floor;
};

/// N beads of mass 1 and radius 0.1 above each other, bead 0 at height `first` and the others `distance` apart,
/// M = diag(1, 1, 0.006): contact 0 with the ground, contact i between beads i − 1 and i.
struct ColumnOfBeads {
  ColumnOfBeads(std::size_t count, double first, double distance, double restitution, double end);

  static constexpr double gravity = 9.81;
  static constexpr double radius = 0.1;
  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> beads;
  std::vector<std::shared_ptr<Interaction>> contacts;
};

}  // namespace delassus::test
