// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <delassus/numerics/methods/NewtonSystem.hpp>
#include <vector>

namespace delassus::numerics {

/// The functions F(λ) of a problem over sets whose zeros Newton's methods look for, part by part: all sets have the
/// natural map (ConvexSet::naturalMap, as in NaturalMapError.hpp), and contacts those of Alart and Curnier too
/// (ConvexSet::alartCurnier).
enum class NewtonFunction { naturalMap, alartCurnier };

/// F at a point, with an element of its generalised Jacobian: the blocks of the parts A_p = ∂F_p/∂w_p and B_p =
/// ∂F_p/∂λ_p, so that ∂F = A W + B.
class NewtonMap {
 public:
  /// Keeps the problem by address.
  void begin(const ProblemOverSets& problem, NewtonFunction function = NewtonFunction::naturalMap);

  /// F, A and B at λ, for a W that is a matrix or a product; gives ‖F‖ as the error measure has it, which it is where F
  /// is the natural map.
  double evaluate(const Vector& lambda);

  /// Scales of the problem, as computed by begin().
  const MechanicalScales& scales() const { return scales_; }
  /// w = W λ + q of the last evaluate().
  const Vector& velocity() const { return w_; }
  /// F of the last evaluate(), in which rows of contacts are scaled as c_i w_i is.
  const Vector& value() const { return value_; }
  /// Makes `system` that of A (W + ε D) + B, D the scales d/c², for the W of a problem of these parts; or of the
  /// problem itself, as a matrix or by its factors.
  ///@{
  void fill(const BlockSparseMatrix& W, double epsilon, NewtonSystem& system) const;
  void fill(double epsilon, NewtonSystem& system) const;
  ///@}
  /// A_p and B_p of a part, column-major; diagonal for parts whose rows no law couples.
  ///@{
  const double* byVelocity(std::size_t part) const { return byVelocity_.data() + starts_[part]; }
  const double* byReaction(std::size_t part) const { return byReaction_.data() + starts_[part]; }
  ///@}

 private:
  void fillBlocks(double epsilon, NewtonSystem& system) const;

  const ProblemOverSets* problem_ = nullptr;
  NewtonFunction function_ = NewtonFunction::naturalMap;
  MechanicalScales scales_;
  std::vector<std::size_t> starts_;
  std::vector<double> byVelocity_, byReaction_;
  Vector w_, value_;
  double norm_ = 1.;
};

}  // namespace delassus::numerics
