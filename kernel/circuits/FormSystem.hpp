// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/LinearForm.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <vector>

namespace delassus {

/// Linear equations S z = k for forms z, with forms k of other symbols on the right side. What is zero but for rounding
/// becomes zero, as in LinearForm.
///
/// Up to some hundred equations S is inverted, with a step of iterative refinement, and an entry of S⁻¹ counts as zero
/// below 10⁻¹⁴ of its part of |S⁻¹| |S| |S⁻¹|, which bounds the error after that, or below what the step leaves of
/// errors. A larger S stays sparse: its factors are as many numbers as the circuit's graph asks for, and z is solved
/// for symbol by symbol of k, of which a resistive network has few beside its resistors. An entry counts as zero there
/// below 10⁻¹⁴ of the root mean square of S⁻¹ e over vectors e of random signs times |S| |z|, which measures the same
/// error.
class FormSystem {
 public:
  /// Up to this many equations S is inverted.
  static constexpr std::size_t mostInverted = 200;

  /// Of `size` equations, S zero.
  explicit FormSystem(std::size_t size) : size_(size) {}
  /// Sets an entry of S, once.
  void set(std::size_t row, std::size_t column, double value) { entries_.push_back({row, column, value}); }
  /// Replaces the right sides by z; false, with the right sides as they were, if S is singular to working precision.
  bool solve(std::vector<LinearForm>& forms);

 private:
  bool solveByInverse(std::vector<LinearForm>& forms) const;
  bool solveBySymbols(std::vector<LinearForm>& forms);
  bool scaleRows(Vector& scale);

  std::size_t size_;
  std::vector<Triplet> entries_;
};

}  // namespace delassus
