// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/mechanical/MechanicalScales.hpp>
#include <vector>

namespace delassus::numerics {

/// The natural map F(λ) of a mechanical problem, part by part as in NaturalMapError.hpp, with an element of its
/// generalised Jacobian: the blocks of the parts A_p = ∂F_p/∂w_p and B_p = ∂F_p/∂λ_p, so that ∂F = A W + B.
class MechanicalNaturalMap {
 public:
  /// Keeps the problem by address.
  void begin(const ProblemOverSets& problem);

  /// F, A and B at λ; gives the error measure (scaled) of λ.
  double evaluate(const Vector& lambda);

  /// Scales of the problem, as computed by begin().
  const MechanicalScales& scales() const { return scales_; }
  /// F of the last evaluate(), in which rows of contacts are scaled as c_i w_i is.
  const Vector& value() const { return value_; }
  /// Blocks A_p and B_p of a part, column-major; diagonal for parts without cone.
  ///@{
  const double* byVelocity(std::size_t part) const { return byVelocity_.data() + starts_[part]; }
  const double* byReaction(std::size_t part) const { return byReaction_.data() + starts_[part]; }
  ///@}

 private:
  const ProblemOverSets* problem_ = nullptr;
  MechanicalScales scales_;
  std::vector<std::size_t> starts_;
  std::vector<double> byVelocity_, byReaction_;
  Vector w_, value_;
  double norm_ = 1.;
};

}  // namespace delassus::numerics
