// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/ConvexSet.hpp>
#include <vector>

namespace delassus::numerics {

/// A set of coupled rows that is known by its projection, without shift: the law is −w in the normal cone of C at λ.
/// d is the mean of the W_ii (1 where that is not positive), c is 1. What is left to a set is the projection on d C in
/// two forms, and what its law implies for proofs.
///
/// The natural map is F = w + e(x), x = d λ − w, with the excess e(x) = x − P_dC(x): where x lies inside, F is w to the
/// last digit, however large λ is.
class ProjectedSet : public ConvexSet {
 public:
  void scales(const double* block, std::size_t rows, double* d, double* c) const final;
  void addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const final;
  void addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const final;
  double roundingSquared(const ResidualRows<double>& rows, const double* bounds) const final;
  void naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                  double* B) const final;
  void project(const Rows& rows, double* x) const final;
  /// By semismooth Newton steps on the natural map of the part while they reduce it, then by projected gradient steps.
  void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                  double* lambda) const override;
  /// The projection of a random vector.
  void draw(const Rows& rows, double energy, RandomGenerator& generator, double* lambda) const final;

 protected:
  /// `isContact`: of contacts between bodies, see Traits.
  explicit ProjectedSet(bool isContact = false) : ConvexSet({.couplesRows = true, .isContact = isContact}) {}

 private:
  /// For methods: e := x − P_dC(x), and an element of the generalised Jacobian of P_dC at x into G, rows x rows, unless
  /// that is null.
  virtual void excess(std::size_t rows, double d, const double* x, double* e, double* G) const = 0;
  /// For certificates: e by formulas of its own, which also serve in extended precision.
  ///@{
  virtual void certifiedExcess(std::size_t rows, double d, const double* x, double* e) const = 0;
  virtual void certifiedExcess(std::size_t rows, double d, const long double* x, long double* e) const = 0;
  ///@}

  template <class Real>
  void add(const ResidualRows<Real>& rows, ResidualSums<Real>& sums) const;
  bool newtonSteps(const Rows& rows, const double* block, const double* q, double* lambda) const;
  void gradientSteps(const Rows& rows, const double* block, const double* q, double* lambda) const;
};

}  // namespace delassus::numerics
