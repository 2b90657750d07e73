// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <memory>
#include <vector>

namespace delassus::test {

/// A bar of length 1 m, mass 1 kg and wave speed 1 m/s, of n linear elements with lumped mass, that flies against a
/// wall with 1 m/s. By d'Alembert's solution it touches the wall for 2 s, presses with 1 N, and leaves with 1 m/s all
/// over, without deformation.
struct ElasticBar {
  SparseMatrix M, K;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> bar;
  std::shared_ptr<Interaction> wall;

  ElasticBar(std::size_t n, bool isSparse, double gap, double end) : model(0., end) {
    const double length = 1. / static_cast<double>(n), half = 0.5 * length, stiffness = 1. / length;
    std::vector<Triplet> masses, stiffnesses;
    for (std::size_t e = 0; e < n; ++e) {
      masses.insert(masses.end(), {{e, e, half}, {e + 1, e + 1, half}});
      stiffnesses.insert(
          stiffnesses.end(),
          {{e, e, stiffness}, {e, e + 1, -stiffness}, {e + 1, e, -stiffness}, {e + 1, e + 1, stiffness}});
    }
    M = sparseFromTriplets(n + 1, n + 1, masses);
    K = sparseFromTriplets(n + 1, n + 1, stiffnesses);
    const Vector q(n + 1, gap), v(n + 1, -1.);
    const auto matrices = isSparse ? LagrangianLinearTIDS::Matrices{.M = M, .K = K}
                                   : LagrangianLinearTIDS::Matrices{.M = toDense(M), .K = toDense(K)};
    bar = model.insert("bar", std::make_shared<LagrangianLinearTIDS>(q, v, matrices));
    Matrix H(1, n + 1);
    H(0, 0) = 1.;
    wall = model.link("wall", NewtonImpactNSL(0.), LagrangianLinearTIR(H), bar);
  }

  double momentum() const {
    double sum = 0.;
    for (std::size_t i = 0; i < bar->dimension(); ++i) sum += bar->M().diagonal(i) * bar->velocity()(i);
    return sum;
  }
  double energy() const { return bar->kineticEnergy() + 0.5 * quadraticForm(bar->K(), bar->q()); }
};

}  // namespace delassus::test
