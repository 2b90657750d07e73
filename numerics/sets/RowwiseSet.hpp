// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/ConvexSet.hpp>
#include <limits>

namespace delassus::numerics {

/// A set whose rows obey their law one by one: d_i = W_ii, c_i = 1.
class RowwiseSet : public ConvexSet {
 public:
  void scales(const double* block, std::size_t rows, double* d, double* c) const final;
  double roundingSquared(const ResidualRows<double>& rows, const double* bounds) const final;

 protected:
  /// With what methods may know of it without a call.
  explicit RowwiseSet(const Traits& traits) : ConvexSet(traits) {}
};

/// ℝᵐ: w = 0, λ free; joints and other equalities. Its local solve has a rank-revealing factor, so that a joint may
/// have redundant rows.
class FreeSpace final : public RowwiseSet {
 public:
  FreeSpace() : RowwiseSet({.isFree = true}) {}
  std::string_view name() const override { return "equality"; }
  void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const override;
  void addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const override;
  void addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const override;
  bool implies(const double* y, std::size_t rows, const double* lower, const double* upper) const override;
  bool addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper, double rounding,
                  ProofSum& sum) const override;
  void naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                  double* B) const override;
  void project(const Rows&, double*) const override {}
  bool intervals(std::size_t rows, const double* lower, const double* upper, double* least,
                 double* most) const override;
  void prepareLocal(const double* block, std::size_t rows, RankRevealingLU& factor) const override;
  void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                  double* lambda) const override;
  void draw(const Rows& rows, double energy, RandomGenerator& generator, double* lambda) const override;
};

/// The bounds of rows that the problem gives.
struct GivenEnds {
  const double* lowers;  ///< by rows
  const double* uppers;  ///< by rows
  /// Of row i.
  ///@{
  double lower(std::size_t i) const { return lowers[i]; }
  double upper(std::size_t i) const { return uppers[i]; }
  ///@}
};

/// The bounds 0 and ∞ of every row; those of the problem do not count.
struct HalfLineEnds {
  /// Of no bounds.
  HalfLineEnds(const double*, const double*) {}
  /// Of any row.
  ///@{
  static double lower(std::size_t) { return 0.; }
  static double upper(std::size_t) { return std::numeric_limits<double>::infinity(); }
  ///@}
};

/// The λ with l_i ≤ λ_i ≤ u_i, row by row, with the ends that `Ends` says. Its local solve is the closed form; a row
/// without stiffness goes to the bound in the direction of its velocity, if there is one.
template <class Ends>
class IntervalSet : public RowwiseSet {
 public:
  /// F_i = d_i λ_i − P(d_i λ_i − w_i).
  void addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const final;
  /// The same sums in extended precision.
  void addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const final;
  /// y_i ≤ 0 but where u_i is infinite, ≥ 0 but where l_i is.
  bool implies(const double* y, std::size_t rows, const double* lower, const double* upper) const final;
  /// Σ g_i u_i or g_i l_i, by the sign of g_i.
  bool addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper, double rounding,
                  ProofSum& sum) const final;
  /// F as above.
  void naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                  double* B) const final;
  /// Row by row, in any scales.
  void project(const Rows& rows, double* x) const final;
  /// The ends of the rows.
  bool intervals(std::size_t rows, const double* lower, const double* upper, double* least, double* most) const final;
  /// A sweep over the rows, exact for one.
  void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                  double* lambda) const final;
  /// Within the ends.
  void draw(const Rows& rows, double energy, RandomGenerator& generator, double* lambda) const final;

 protected:
  /// With what methods may know of it without a call.
  explicit IntervalSet(const Traits& traits) : RowwiseSet(traits) {}

 private:
  template <class Real>
  void add(const ResidualRows<Real>& rows, ResidualSums<Real>& sums) const;
};

/// The λ ≥ 0 of complementarity, 0 ≤ w ⟂ λ ≥ 0, row by row.
class Orthant final : public IntervalSet<HalfLineEnds> {
 public:
  Orthant() : IntervalSet({.isOrthant = true}) {}
  std::string_view name() const override { return "orthant"; }
  void validate(std::size_t, std::size_t, const double*, const double*) const override {}
};

/// The λ with l_i ≤ λ_i ≤ u_i, row by row, ends being those of the problem, which may be infinite: unilateral
/// constraints, limits, dry friction in an axis.
class Box final : public IntervalSet<GivenEnds> {
 public:
  Box() : IntervalSet({.isBox = true}) {}
  std::string_view name() const override { return "box"; }
  void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const override;
};

}  // namespace delassus::numerics
