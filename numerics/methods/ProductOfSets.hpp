// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/problem/PartRanges.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>
#include <vector>

namespace delassus::numerics {

/// The product C of the sets of a problem with its metric D = diag(d_i / c_i²), which has the units of W: what methods
/// need that project on C, and step as long in one part as in the other.
class ProductOfSets {
 public:
  /// Without a problem, for begin(); or with it.
  ///@{
  ProductOfSets() = default;
  explicit ProductOfSets(const ProblemOverSets& problem) { begin(problem); }
  ///@}
  /// Takes the sets and bounds of a problem, kept by address, and the scales that they give its W. Allocates only where
  /// the problem is larger than any before.
  void begin(const ProblemOverSets& problem);
  /// Takes the sets and bounds alone, with the metric 1: for a start, where W is not known yet.
  void beginWithoutMatrix(const ProblemOverSets& problem);

  /// x := P_C(x), the nearest point in the metric D.
  void project(double* x) const;
  /// target := target + s(w) with De Saxcé's shift s; `target` may be w.
  void addShift(const double* w, double* target) const;

  /// y := P_C( x − τ D⁻¹ w ): a projected step; y may be x.
  void step(const Vector& x, const Vector& w, double tau, Vector& y) const;

  /// A part, or all rows where one set takes them one by one, for its set.
  ConvexSet::Rows rows(std::size_t first, std::size_t count) const;
  /// D_i by rows.
  const std::vector<double>& metric() const { return metric_; }
  /// c_i² e_i by rows, e = 1/d or 1 as the problem's norm() says: how the certificate counts squares of velocities,
  /// in the scales of the rows, which may be others than those in which methods project.
  const std::vector<double>& weights() const { return weights_; }
  /// ( Σ w_i² c_i² e_i )^½ relative to that of q (to 1 where that is zero).
  double residualNorm(const double* w) const;
  double normOfData() const { return normOfData_; }  ///< that of q, or 1

 private:
  void take(const ProblemOverSets& problem);
  void takeScales(const double* block, std::size_t part, std::size_t first);
  template <class Visit>
  void forParts(const Visit& visit) const;

  const ProblemOverSets* problem_ = nullptr;
  bool isOneSet_ = false;  // which takes all rows one by one, in one call
  double normOfData_ = 1.;
  std::vector<double> d_, c_, metric_, weights_, block_;
  PartRanges ranges_;
};

}  // namespace delassus::numerics
