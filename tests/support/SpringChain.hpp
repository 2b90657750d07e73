// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/SpringDamperLaw.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <memory>
#include <string>
#include <vector>

namespace delassus::test {

/// Masses of 1, 1.1, 1.2, 1, … kg on a line (of 1 kg each where `isUniform`), each tied to the next one by a spring k
/// and a damper c: as bodies with force elements, or as one Lagrangian system with the same matrices. It flies at the
/// speed −1, all masses alike; a wall may be added below the first one.
struct SpringChain {
  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> masses;  ///< one, or one each
  std::vector<std::shared_ptr<ForceElement>> springs;         ///< where each mass is a body

  static double massOf(std::size_t i, bool isUniform = false) {
    return isUniform ? 1. : 1. + 0.1 * static_cast<double>(i % 3);
  }

  SpringChain(std::size_t n, double k, double c, bool areTied, double end, double gap = 1., bool isUniform = false)
      : model(0., end) {
    if (areTied) {
      for (std::size_t i = 0; i < n; ++i) {
        masses.push_back(model.insert("mass " + std::to_string(i),
                                      std::make_shared<LagrangianLinearTIDS>(Vector(1, gap), Vector(1, -1.),
                                                                             Matrix(1, 1, massOf(i, isUniform)))));
      }
      Matrix difference(1, 2);
      difference(0, 0) = -1.;
      difference(0, 1) = 1.;
      for (std::size_t i = 0; i + 1 < n; ++i) {
        springs.push_back(model.link("spring " + std::to_string(i), SpringDamperLaw(k, c),
                                     LagrangianLinearTIR(difference), masses[i], masses[i + 1]));
      }
      return;
    }
    Matrix M(n, n), K(n, n), C(n, n);
    for (std::size_t i = 0; i < n; ++i) M(i, i) = massOf(i, isUniform);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      for (auto [matrix, value] : {std::pair(&K, k), std::pair(&C, c)}) {
        (*matrix)(i, i) += value;
        (*matrix)(i + 1, i + 1) += value;
        (*matrix)(i, i + 1) -= value;
        (*matrix)(i + 1, i) -= value;
      }
    }
    masses.push_back(model.insert(
        "chain", std::make_shared<LagrangianLinearTIDS>(Vector(n, gap), Vector(n, -1.),
                                                        LagrangianLinearTIDS::Matrices{.M = M, .C = C, .K = K})));
  }

  /// Links a law to the positions of two masses, of the coefficients a and b, and an offset.
  template <class Law>
  std::shared_ptr<Interaction> link(const std::string& name, Law law, std::size_t i, double a, std::size_t j, double b,
                                    double offset = 0.) {
    if (masses.size() > 1) {
      Matrix H(1, 2);
      H(0, 0) = a;
      H(0, 1) = b;
      return model.link(name, law, LagrangianLinearTIR(H, Vector(1, offset)), masses[i], masses[j]);
    }
    Matrix H(1, masses.front()->dimension());
    H(0, i) = a;
    H(0, j) = b;
    return model.link(name, law, LagrangianLinearTIR(H, Vector(1, offset)), masses.front());
  }
  /// The same of one mass.
  template <class Law>
  std::shared_ptr<Interaction> link(const std::string& name, Law law, std::size_t i, double a) {
    Matrix H(1, masses.size() > 1 ? 1 : masses.front()->dimension());
    H(0, masses.size() > 1 ? 0 : i) = a;
    return model.link(name, law, LagrangianLinearTIR(H), masses[masses.size() > 1 ? i : 0]);
  }

  /// Positions and velocities of all masses.
  Vector state() const {
    Vector all;
    for (const auto& mass : masses) append(mass->q(), all);
    for (const auto& mass : masses) append(mass->velocity(), all);
    return all;
  }
};

}  // namespace delassus::test
