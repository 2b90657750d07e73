// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// Anderson acceleration of a fixed point iteration x := g(x). From the last m differences of x and of f = g(x) − x it
/// takes
///
///     x_next = g_k − (ΔX + ΔF) γ,    γ = argmin ‖ f_k − ΔF γ ‖₂,
///
/// and forgets them where ‖f‖ has more than doubled in one step. It can slow down an iteration that is far from its
/// fixed point: the caller decides when it pays. (Anderson, J. ACM 12, 1965; Walker and Ni, SIAM J. Numer. Anal. 49,
/// 2011; safeguard after Zhang, O'Donoghue and Boyd, 2020.)
class AndersonAcceleration {
 public:
  /// `memory`: number of stored differences, m; 0 disables acceleration.
  explicit AndersonAcceleration(std::size_t memory) : memory_(memory) {}

  /// Forgets all points, for an iteration on vectors of `size`.
  void begin(std::size_t size);
  /// `x`: the previous point; `g`: the new point, replaced by the accelerated one. Returns false, leaving g, while
  /// there are no differences yet.
  bool accelerate(const Vector& x, Vector& g);

 private:
  void remember(const Vector& x);
  bool combine(Vector& g);

  std::size_t memory_;
  std::size_t count_ = 0;  // differences that are valid
  std::size_t next_ = 0;   // where the next one goes
  bool hasPrevious_ = false;
  double previousNorm_ = 0.;  // ‖f‖ at the last point
  Vector f_, previousX_, previousF_;
  std::vector<Vector> changesX_, changesF_;
  std::vector<double> gram_, gamma_;
};

}  // namespace delassus
