// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <memory>

namespace delassus::test {

/// A homogeneous rod of mass m and half length l in a vertical plane, q = (x, y, ψ) with ψ its angle from the
/// horizontal, above the ground y = 0 that its tip (x − l cos ψ, y − l sin ψ) can touch with friction.
struct SlidingRod {
  static constexpr double m = 1.;
  static constexpr double l = 1.;
  static constexpr double inertia = m * l * l / 3.;
  static constexpr double gravity = 10.;
  /// So much is the tip in the ground at first: rounding could leave it above, and the first step without contact.
  static constexpr double hair = 1e-12;

  /// The tip is on the ground at x = 0, moves with (uN, uT) there, and the rod turns at psiDot.
  SlidingRod(double psi, double psiDot, double uN, double uT, double en, double et, double mu, double end)
      : model(0., end) {
    const double c = std::cos(psi);
    const double s = std::sin(psi);
    rod = std::make_shared<LagrangianDS>(makeVector({l * c, l * s - hair, psi}),
                                         makeVector({uT - l * s * psiDot, uN + l * c * psiDot, psiDot}),
                                         diagonalMatrix({m, m, inertia}));
    rod->setExternalForces(makeVector({0., -m * gravity, 0.}));
    rod->setName("rod");
    tip = std::make_shared<Interaction>(NewtonImpactFrictionNSL(en, et, mu, 2),
                                        LagrangianContactR(2, automatic([](const auto& q, auto& h) {
                                                             using std::sin;
                                                             h(0) = q(1) - l * sin(q(2));
                                                           }),
                                                           [](double, const Vector& q, Matrix& rows) {
                                                             rows(0, 0) = 1.;
                                                             rows(0, 2) = l * std::sin(q(2));
                                                           }));
    tip->setName("tip");
    model.insert(rod);
    model.link(tip, rod);
  }

  /// (W_NN, W_NT, W_TT) of the tip.
  static std::array<double, 3> delassus(double psi) {
    const double c = std::cos(psi);
    const double s = std::sin(psi);
    return {1. / m + l * l * c * c / inertia, -l * l * s * c / inertia, 1. / m + l * l * s * s / inertia};
  }

  double kineticEnergy() const {
    const Vector& v = rod->velocity();
    return 0.5 * (m * (v(0) * v(0) + v(1) * v(1)) + inertia * v(2) * v(2));
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> rod;
  std::shared_ptr<Interaction> tip;
};

}  // namespace delassus::test
