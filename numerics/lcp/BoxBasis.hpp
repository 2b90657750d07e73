// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/lcp/BasisSystem.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <vector>

namespace delassus::numerics {

/// The side of each pair of a box problem (at its lower bound, free with w = 0, or at its upper bound) and the
/// resulting point:
///
///     M_RC z_C = −q_R − M_RB z_B,   R, C the equality rows and free columns and those of the free pairs, B the rest.
///
/// A solution is such a point that lies in the box and has w of the right sign at the bounds: signs are judged to 10⁻¹³
/// of the terms, two to three digits above rounding. Where the bounds are [0, ∞) it is a complementary basis. Nothing
/// allocates within the capacity of earlier calls or reserve().
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
  /// Determines them at any z: a pair is held where z − w, in one unit, reaches the bound. False if that changes
  /// nothing.
  bool guess(const BoxView& view, const Vector& z);
  /// All combinations of sides at finite bounds, one after another: first() sets the first one, next() the one that
  /// follows, false after the last. The first pairs change fastest, each from its lower bound to free to its upper one.
  ///@{
  void first(const BoxView& view);
  bool next(const BoxView& view);
  ///@}

  /// By pairs, as guessed, counted or restored.
  const std::vector<Side>& sides() const { return sides_; }
  /// R, once the basis has been factored or solved.
  const std::vector<std::size_t>& rows() const { return rows_; }
  /// Saves or restores the sides alone: call factor() again after restoring.
  void serializeState(StateArchive& archive);

  /// For any q and bounds: false if M_RC is not square or singular.
  bool factor(const BoxView& view);
  /// Sets z, of the size of the problem, by the factor; false if the bound on a pair's side is infinite.
  bool apply(const BoxView& view, Vector& z);
  /// One step of iterative refinement.
  void refine(const BoxView& view, Vector& z) { system_.refine(view.M, view.q, z); }

  /// Sets z, which may have any size before, for this q alone and with one step of refinement; false, leaving z, if
  /// M_RC is not square or singular. The bounds on the sides must be finite.
  bool solve(const BoxView& view, Vector& z);
  /// The same by least squares and of least norm, whatever M_RC is. Allocates.
  void solveLeastNorm(const BoxView& view, Vector& z);

  /// Puts the free pairs into the box; false if they left it by more than rounding.
  bool enterBox(const BoxView& view, Vector& z) const;
  /// Whether w has the right sign, to rounding, at all bounds.
  bool signsHold(const BoxView& view, const Vector& z, const Vector& w) const;

 private:
  struct Held {
    std::size_t pair;
    Side side;
  };

  void collect(const BoxView& view);
  bool hold(const BoxView& view, Vector& z) const;

  std::vector<Side> sides_;
  std::vector<std::size_t> rows_, columns_;  // R and C
  std::vector<std::size_t> freePairs_;
  std::vector<Held> held_;
  std::vector<std::size_t> heldColumns_;
  BasisSystem system_;
  Vector w_;
};

}  // namespace delassus::numerics
