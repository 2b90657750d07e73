// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/ProductOfSets.hpp>

namespace delassus::numerics {

/// Options of AcceleratedGradientSolver.
struct AcceleratedGradientOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 20000, range::positive, "projected gradient steps"))
};

/// Accelerated projected gradient method for all sets: with the metric D of the sets and De Saxcé's shift s,
///
///     x := P_C( y − (L D)⁻¹ (W y + q + s) ),    y := x + β (x − x_before),
///
/// β by Nesterov's rule. L rises until ΔᵀW Δ ≤ L ΔᵀD Δ in the step Δ, and falls slowly again; the momentum β begins
/// anew where a step turns against it. For symmetric positive semidefinite W and sets without shift, min ½ xᵀW x + qᵀx
/// falls as 1/k², and faster near a solution that is not degenerate. With friction, s is held until steps have become
/// some part of the change of s that is due; that part falls where nothing is gained, so that more and more of each
/// convex problem is solved. This mostly converges, without proof.
///
/// It needs products with W only, so that W need not be built; a step costs about one. Conditions above 10⁶ are slow; W
/// that is far from symmetric may not converge. Does not allocate in repeated solves. Warm starts from x. (Nesterov,
/// Soviet Math. Dokl. 27, 1983; Beck and Teboulle, SIAM J. Imaging Sci. 2, 2009; O'Donoghue and Candès, Found. Comput.
/// Math. 15, 2015; Mazhar, Heyn, Negrut and Tasora, ACM Trans. Graph. 34, 2015.)
class AcceleratedGradientSolver final : public WithOptions<Solver<ProblemOverSets>, AcceleratedGradientOptions> {
 public:
  /// Throws Error on options out of range.
  explicit AcceleratedGradientSolver(AcceleratedGradientOptions options = {});

  std::string_view name() const override { return "AcceleratedGradientSolver"; }

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& x) override;
  void start(const ProblemOverSets& problem, Vector& x);
  double stepFromY(const ProblemOverSets& problem);
  bool isSteep(const ProblemOverSets& problem) const;
  double followShift(const ProblemOverSets& problem, double change);
  void moveOn(const ProblemOverSets& problem, Vector& x);
  void adapt(std::size_t iteration, double residual);

  ProductOfSets sets_;
  double lipschitz_ = 1.;                 // L
  double momentum_ = 1.;                  // from which β follows
  double due_ = 1.;                       // s changes where the change of x is at most this part of the change of s
  double least_ = 0., leastBefore_ = 0.;  // residuals since due_ was looked at, and before
  Vector y_, next_, shift_;
  Vector ofX_, ofY_, ofNext_;  // W times x, y, next
  Vector velocity_, newShift_;
};

}  // namespace delassus::numerics
