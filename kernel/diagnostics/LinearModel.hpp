// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <string>
#include <vector>

namespace delassus {

class FirstOrderDS;
class FirstOrderR;
class SecondOrderDS;
class SecondOrderR;

/// A linear time-invariant model in the form ẋ = A x + B λ, y = C x + D λ over all systems and interactions, without
/// its constant terms: A is block diagonal, a block a system; a mechanical one has the states (q, v). It includes the
/// magnitudes that measure rounding, |M⁻¹| |A| and |M⁻¹| |B| of the given matrices.
struct LinearModel {
  /// A system's block of A.
  struct System {
    std::size_t offset = 0;  ///< of its states in x
    Matrix A;                ///< states x states
    Matrix magnitudeA;       ///< what rounding of A is measured by, of the same shape
  };
  /// A scalar row of y and λ.
  struct Row {
    std::string interaction;  ///< its name
    std::size_t row = 0;      ///< in the interaction
    bool equality = false;    ///< its multiplier has no bounds
  };

  /// Throws Error naming a system or relation that is not linear and time-invariant.
  explicit LinearModel(const NonSmoothDynamicalSystem& model);

  std::size_t states = 0;       ///< length of x
  std::vector<System> systems;  ///< in the order of the model
  std::vector<Row> rows;        ///< of y and λ, in the order of the model's interactions
  Matrix B;                     ///< states x rows
  Matrix magnitudeB;            ///< what rounding of B is measured by, of the same shape
  Matrix C;                     ///< rows x states
  Matrix D;                     ///< rows x rows; for mechanical systems the compliances

 private:
  /// The inverse of a system's mass, and where inputs act.
  struct Source {
    Matrix inverseMass;
    std::size_t offset = 0;  // of its states in x, the first of which relations see
    std::size_t input = 0;   // of the states that inputs act on, from there
  };

  void add(FirstOrderDS& system, double t);
  void add(SecondOrderDS& system, double t);
  void addRows(const Interaction& interaction);
  void add(FirstOrderR& relation, std::size_t row, const std::vector<std::size_t>& linked, const Topology& topology);
  void add(SecondOrderR& relation, std::size_t row, const std::vector<std::size_t>& linked, const Topology& topology);
  void place(const Matrix& outputs, const Matrix& inputs, const Matrix& feedthrough, std::size_t row,
             const std::vector<std::size_t>& linked);

  std::vector<Source> sources_;
};

}  // namespace delassus
