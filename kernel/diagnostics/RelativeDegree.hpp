// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <optional>
#include <string>
#include <vector>

namespace delassus {

class OneStepIntegrator;

/// The relative degrees of a linear time-invariant model,
///
///     ẋ = A x + B λ,     y = C x + D λ     (x, y and λ over all systems and interactions; constant terms left out),
///
/// by its Markov parameters P₀ = D, P_k = C A^{k−1} B: the k-th derivative of y is the first that λ enters if P_k is
/// the first that is not zero.
///
/// - Row j has degree k if P_k(j, j) is the first entry (j, j) that is not zero, and none if all of P₀ … P_n vanish
///   (n states): the multiplier of the row never enters its own output.
/// - The model has the uniform degree r if P_r is regular and all before it vanish.
///
/// Degree 0: λ follows from y algebraically (a diode beside a resistor). Degree 1: y is steered by a bounded λ (a relay
/// before an integrator, a sliding mode). Degree 2: λ acts on ÿ (a contact); where y reaches its bound, ẏ must jump,
/// and λ contains an impulse. ([Siconos 2017], 1.1.3 and 8.1; Acary, Brogliato, 2008, chapters 2 and 4.)
///
/// A number counts as zero if it is below the error that data of relative accuracy 10⁻¹² cause, carried through the
/// products. That does not depend on units: neither on those of states, outputs and multipliers nor on that of time.
/// Only entries of D, which are given, must be zero exactly.
struct RelativeDegreeReport {
  /// A scalar row of y and λ.
  struct Row {
    std::string interaction;            ///< its name
    std::size_t row = 0;                ///< in the interaction
    std::optional<std::size_t> degree;  ///< none if the multiplier does not enter the output
    bool equality = false;              ///< its multiplier has no bounds
  };

  std::size_t states = 0;              ///< n; 2 for each coordinate of a mechanical system
  std::vector<Row> rows;               ///< in the order of the model's interactions
  std::optional<std::size_t> uniform;  ///< none if there is no uniform degree
  std::vector<Matrix> parameters;      ///< P₀, P₁, P₂; what counts as zero is zero

  /// All degrees, a line a row.
  std::string summary() const;

  /// One sentence for each row whose constraint the integrator cannot see with consistent multipliers: of larger degree
  /// than OneStepIntegrator::maxRelativeDegree(), or none. A row is examined together with the equalities of the model,
  /// which are always active (so Kirchhoff's laws, whose multipliers enter other rows, are no reason for a warning).
  /// Empty if there is nothing to say.
  std::vector<std::string> warnings(const OneStepIntegrator& integrator) const;

 private:
  bool isSeen(const std::vector<std::size_t>& subset, std::size_t degree) const;
};

/// The report for a model of linear time-invariant systems and relations: FirstOrderLinearDS with constant A and
/// FirstOrderLinearR with constant coefficients (both …TI classes), LagrangianLinearTIDS and LagrangianLinearTIR. For a
/// mechanical system x = (q, v), B = (0, M⁻¹Hᵀ), C = (H, 0). Throws Error naming a system or relation that is not
/// linear and time-invariant.
///
///     const RelativeDegreeReport report = relativeDegree(model);
///     std::cout << report.summary();
///     for (const std::string& warning : report.warnings(EulerMoreauOSI(0.5))) std::cerr << warning << '\n';
///
/// Dense: (states)² numbers a system and states x rows in all; an interactive diagnostic, for up to about a thousand.
RelativeDegreeReport relativeDegree(const NonSmoothDynamicalSystem& model);

}  // namespace delassus
