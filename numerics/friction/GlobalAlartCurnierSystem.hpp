// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <delassus/numerics/friction/GlobalContactScales.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// The system of [Siconos 2017], 16.2, in the global unknowns x = (v, P),
///
///     Ψ₁ = −M v + H P + f,    Ψ_c = Φ(U_c, P_c),  U = Hᵀ v + b,  Φ the Alart–Curnier functions of each contact,
///
/// and its Newton steps, with
///
///         ⎛ −M         H     ⎞
///     J = ⎝ ∂_UΦ Hᵀ    ∂_PΦ  ⎠ ,
///
/// the pattern of which is that of all branches of Φ together, so that one symbolic analysis serves all iterations. ρ_N
/// and ρ_T of a contact are the inverses of its normal and tangential scale (GlobalContactScale), and Ψ_c is divided by
/// them, which makes it a velocity.
class GlobalAlartCurnierSystem {
 public:
  /// Sets the problem, kept by address.
  void begin(const GlobalFrictionContactProblem& problem);

  /// Computes Ψ, and gives its norm: dynamics relative to the forces and Φ relative to the velocities that were there
  /// at rescale().
  double evaluate(const Vector& x);
  /// Sets the reference magnitudes of evaluate() to those at x.
  void rescale(const Vector& x);
  /// Ψ = (Ψ₁, Ψ_c) of the last evaluate(); rescale() overwrites it.
  const Vector& value() const { return value_; }

  /// An element of the generalised Jacobian at x, with ε of the scale of each contact added to W (0 for none).
  const SparseMatrix& jacobian(const Vector& x, double proximal);
  /// step := −J⁻¹ Ψ at the point of the last evaluate(); false if J is singular.
  bool newtonStep(const Vector& x, double proximal, Vector& step);

 private:
  // One degree of freedom and one contact: the d entries of H that join them, and where ∂_UΦ Hᵀ goes in J.
  struct Arm {
    std::size_t contact;
    std::size_t firstEntry;
    double values[3];
  };
  void buildPattern(const GlobalFrictionContactProblem& problem);

  const GlobalFrictionContactProblem* problem_ = nullptr;
  MadeFrom<std::uint64_t> madeFrom_;  // scales and pattern
  std::vector<GlobalContactScale> scales_;
  std::vector<Arm> arms_;
  std::vector<std::size_t> localEntries_;  // of each column of ∂_PΦ in J
  std::vector<double> byU_;                // ∂_UΦ, contact by contact
  SparseMatrix J_;
  SparseLUFactorization factor_;
  Vector value_, velocity_;
  double forceSize_ = 1.;
  double velocitySize_ = 1.;
};

}  // namespace delassus::numerics
