// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <vector>

namespace delassus::numerics {

/// The side of each pair of a box problem (at its lower bound, free with w = 0, or at its upper bound) and the
/// resulting point:
///
///     M_RC z_C = −q_R − M_RB z_B,   R, C the equality rows and free columns and those of the free pairs, B the rest,
///
/// by an LU factor of M_RC that serves any q and any bounds. A solution is such a point that lies in the box and has w
/// of the right sign at the bounds: signs are judged to 10⁻¹³ of the terms, two to three digits above rounding. Up to
/// size 16 the solve is a product with M_RC⁻¹, whose error, κ ε, refine() removes. Nothing allocates within the
/// capacity of earlier calls or reserve().
class BoxBasis {
 public:
  /// The side of a pair.
  enum class Side : char {
    lower,  ///< z at the lower bound
    free,   ///< w = 0
    upper   ///< z at the upper bound
  };
  /// Where to put a pair that is at a bound and has w = 0, both to rounding.
  enum class Ties : char {
    held,  ///< to the bound
    free   ///< to the free pairs
  };

  /// Room for bases of `size` unknowns.
  void reserve(std::size_t size);

  /// Determines the sides at a solution z with w = M z + q.
  void guess(const BoxView& view, const Vector& z, const Vector& w, Ties ties);
  /// By pairs, as guessed or restored.
  const std::vector<Side>& sides() const { return sides_; }
  /// Saves or restores the sides alone: call factor() again after restoring.
  void serializeState(StateArchive& archive);

  /// False if M_RC is not square or singular.
  bool factor(const BoxView& view);
  /// Sets z, of the size of the problem; false if the bound on a pair's side is infinite.
  bool apply(const BoxView& view, Vector& z);
  /// One step of iterative refinement, w being M z + q.
  void refine(const Vector& w, Vector& z);

  /// Puts the free pairs into the box; false if they left it by more than rounding.
  bool enterBox(const BoxView& view, Vector& z) const;
  /// Whether w has the right sign, to rounding, at all bounds.
  bool signsHold(const BoxView& view, const Vector& z, const Vector& w) const;

 private:
  struct Held {
    std::size_t pair;
    Side side;
  };

  Side sideOf(const BoxView& view, std::size_t pair, const Vector& z, const Vector& w, Ties ties) const;
  void collect(const BoxView& view);
  void invert();

  std::vector<Side> sides_;
  std::vector<std::size_t> rows_, columns_;  // R and C
  std::vector<std::size_t> freePairs_;
  std::vector<Held> held_;
  Matrix submatrix_;
  LUFactorization factor_;
  std::vector<double> inverse_;  // of a small M_RC, column-major: a product is faster than two triangular solves
  std::vector<double> rhs_, solution_;
};

}  // namespace delassus::numerics
