// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/ContactCone.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>

namespace delassus::numerics {

/// The cone of a contact with friction, with or without rolling resistance, and De Saxcé's shift:
///
///     K* ∋ (w_N + μ‖w_T‖ + μ_R‖w_R‖, w_T, w_R) ⟂ λ ∈ K = { ‖λ_T‖ ≤ μ λ_N, ‖λ_R‖ ≤ μ_R λ_N },
///
/// rows (N, T) or (N, T1, T2), followed by (R) or (R1, R2) with rolling. d is the mean of W_NN and the W_TT; c is 1, on
/// rolling rows the length (d / mean of the W_RR)^½, so that they enter as c w_R, λ_R / c and μ_R / c. Scales that
/// would not be positive are 1.
class ContactSet : public ConvexSet {
 public:
  std::array<double, 2> coefficients() const final { return {friction_, rolling_}; }
  void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const final;
  std::optional<std::array<double, 2>> usedResistance(const double* lambda, std::size_t rows) const final;
  void scales(const double* block, std::size_t rows, double* d, double* c) const final;
  void addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const final;
  void addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const final;
  double roundingSquared(const ResidualRows<double>& rows, const double* bounds) const final;
  bool implies(const double* y, std::size_t rows, const double* lower, const double* upper) const final;
  bool addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper, double rounding,
                  ProofSum& sum) const final;
  void naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                  double* B) const final;
  /// Those of the rows, with the normal one in units in which μ is at most 1: alternating directions crawl in cones
  /// that are nearly half-spaces.
  void scalesOfProjection(const double* block, std::size_t rows, double* d, double* c) const final;
  void project(const Rows& rows, double* x) const override;
  void addShift(std::size_t rows, const double* w, double* target) const final;
  bool shiftGradient(std::size_t rows, const double* w, double* gradient) const final;
  void draw(const Rows& rows, double energy, RandomGenerator& generator, double* lambda) const final;

 protected:
  /// `rolls`: whether rows of rolling follow those of friction.
  ContactSet(double friction, double rolling, bool rolls)
      : ConvexSet({.couplesRows = true, .isContact = true}), friction_(friction), rolling_(rolling), rolls_(rolls) {}

  /// The shape of a contact with this many rows.
  ContactShape shape(std::size_t rows) const { return {rows, rolls_ ? (rows - 1) / 2 : rows - 1, friction_, rolling_}; }
  /// That of rows λ_i / c_i.
  ContactShape shape(const Rows& rows) const {
    return shape(rows.count).inUnits(rows.c[0], rows.c[1], rows.c[rows.count - 1]);
  }
  /// Removes the contribution of the part's own λ from w: w −= W λ; no W where `block` is null.
  static void subtractOwn(std::size_t rows, const double* block, const double* lambda, double* w);

 private:
  double friction_, rolling_;
  bool rolls_;
};

}  // namespace delassus::numerics
