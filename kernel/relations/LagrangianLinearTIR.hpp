// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/SecondOrderR.hpp>

namespace delassus {

/// y = H q + D λ + F z + b with constant matrices, G = H, between Lagrangian systems; q stacks their coordinates. D ≠ 0
/// makes the relation compliant (see LagrangianCompliantR; λ is a force there); z are parameters that the user may
/// change between steps. ([Siconos 2017], 10.7.)
///
/// With a law of friction rows come as the law has them, contact after contact: the gap first, then one or two
/// tangential ones, whose outputs mean nothing. H = ((1, 0), (0, 1)) of (x, y) is a wall at x = 0, and
/// H = ((0, 1), (1, 0)) a floor at y = 0: nothing can tell which is meant.
class LagrangianLinearTIR final : public SecondOrderR {
 public:
  /// y = H q. H: outputs x coordinates. Throws Error if H is empty or a number not finite.
  explicit LagrangianLinearTIR(const Matrix& H);
  /// y = H q + b. Throws Error also if the size of b is not the number of rows of H.
  LagrangianLinearTIR(const Matrix& H, const Vector& b);
  /// y = H q + D λ + b, with D as in setD.
  LagrangianLinearTIR(const Matrix& H, const Vector& b, const Matrix& D) : LagrangianLinearTIR(H, b) { setD(D); }

  /// Sets D (outputs x outputs, symmetric positive semidefinite, m/N). Throws Error if it is not.
  LagrangianLinearTIR& setD(const Matrix& D);
  /// Sets F (outputs x size of z) and z. Throws Error if sizes do not fit or a number is not finite.
  LagrangianLinearTIR& setFz(const Matrix& F, const Vector& z);
  /// Changes z, keeping F. Throws Error if the size does not fit F or a number is not finite.
  void setZ(const Vector& z);

  Settings settings() const override;
  void serializeState(StateArchive& archive) override;

  /// The matrices and b as given; b is zero if it was not given.
  ///@{
  const Matrix& H() const { return H_; }
  const Vector& b() const { return b_; }
  ///@}

  std::string_view className() const override { return "LagrangianLinearTIR"; }
  std::size_t size() const override { return H_.size1(); }
  bool isLinear() const override { return true; }
  bool isCompliant() const override { return compliant_; }
  void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) override;
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) override;
  void computeCompliance(double t, const Vector& q, const Vector& lambda, Matrix& D) override;
  void checkDimensions(std::size_t configurations, std::size_t velocities) const override;

 private:
  Matrix H_;
  Matrix D_;
  bool compliant_ = false;  // D ≠ 0
  Matrix F_;
  Vector b_;
  Vector offset_;  // F z + b
};

}  // namespace delassus
