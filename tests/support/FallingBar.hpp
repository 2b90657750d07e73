// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <memory>
#include <support/Matchers.hpp>

namespace delassus::test {

/// A bar that falls flat from 1 m on both of its ends, which hit the floor at once: q is its height and its angle.
struct FallingBar {
  explicit FallingBar(double end) : model(0., end) {
    const auto bar =
        std::make_shared<LagrangianLinearTIDS>(makeVector({1., 0.}), Vector(2), diagonalMatrix({1., 0.05}));
    bar->setExternalForces(makeVector({-9.81, 0.}));
    model.insert(bar);
    for (const double place : {-0.5, 0.5}) {
      model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{1., place}}))),
                 bar);
    }
  }

  NonSmoothDynamicalSystem model;
};

}  // namespace delassus::test
