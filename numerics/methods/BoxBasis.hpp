// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/methods/BasisSystem.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <vector>

namespace delassus::numerics {

/// Part of the scale of a number below which its sign is not known: two to three digits above rounding.
inline constexpr double signTolerance = 1e-13;

/// The side of each row of a box problem (z at its lower bound, free with w = 0, or at its upper bound) and the
/// resulting point:
///
///     M_FF z_F = −q_F − M_FB z_B,   F the free rows, those without bounds among them, B the others.
///
/// A solution is such a point that lies in the box and has w of the right sign at the bounds: signs are judged to 10⁻¹³
/// of the terms, two to three digits above rounding. Where the bounds are [0, ∞) it is a complementary basis. Nothing
/// allocates within the capacity of earlier calls or reserve().
class BoxBasis {
 public:
  /// The side of a row.
  enum class Side : char {
    lower,  ///< z at the lower bound
    free,   ///< w = 0
    upper   ///< z at the upper bound
  };
  /// Where to put a row that is at a bound and has w = 0, both to rounding.
  enum class Ties : char {
    held,  ///< to the bound
    free   ///< to the free rows
  };

  /// Room for bases of `size` unknowns.
  void reserve(std::size_t size);

  /// Determines the sides at a solution z with w = M z + q.
  void guess(const BoxView& view, const Vector& z, const Vector& w, Ties ties);
  /// Determines them at any z: a row is held where z − w, in one unit, reaches the bound. False if that changes
  /// nothing.
  bool guess(const BoxView& view, const Vector& z);
  /// Takes sides; those of rows with an infinite bound there must not be at it.
  void take(const std::vector<Side>& sides) { sides_ = sides; }
  /// Holds all rows at a finite bound but the equalities, which are free. False if that changes nothing.
  bool holdAll(const BoxView& view);
  /// All combinations of sides at finite bounds, one after another: first() sets the first one, next() the one that
  /// follows, false after the last. The first rows change fastest, each from its lower bound to free to its upper one.
  ///@{
  void first(const BoxView& view);
  bool next(const BoxView& view);
  ///@}

  /// By rows, as guessed, counted or restored.
  const std::vector<Side>& sides() const { return sides_; }
  /// F, once the basis has been factored or solved.
  const std::vector<std::size_t>& freeRows() const { return free_; }
  /// Saves or restores the sides alone: call factor() again after restoring.
  void serializeState(StateArchive& archive);

  /// For any q and bounds: false if M_FF is singular.
  bool factor(const BoxView& view);
  /// The sign of det M_FF, once the basis has been factored.
  int determinantSign() const { return system_.determinantSign(); }
  /// Sets z, of the size of the problem, by the factor; false if the bound on a row's side is infinite. The view may
  /// have another q and other bounds than that of factor().
  bool apply(const BoxView& view, Vector& z);
  /// One step of iterative refinement.
  void refine(const BoxView& view, Vector& z) { system_.refine(view.M, view.q, z); }

  /// Sets z, which may have any size before, for this q alone and with one step of refinement; false, leaving z, if
  /// M_FF is singular. The bounds on the sides must be finite.
  bool solve(const BoxView& view, Vector& z);
  /// The same by least squares and of least norm, whatever M_FF is. Allocates.
  void solveLeastNorm(const BoxView& view, Vector& z);

  /// Puts the free rows into the box; false if they left it by more than rounding.
  bool enterBox(const BoxView& view, Vector& z) const;
  /// Whether w has the right sign, to rounding, at all bounds.
  bool signsHold(const BoxView& view, const Vector& z, const Vector& w) const;

 private:
  void collect();
  bool hold(const BoxView& view, Vector& z) const;

  std::vector<Side> sides_;
  std::vector<std::size_t> free_;  // F
  std::vector<std::size_t> held_;  // B
  BasisSystem system_;
  Vector w_;
};

/// Finishes exactly a method that converges to a solution only in the limit: once two iterates agree on which z are
/// at which bounds, the basis of that guess is a candidate; each guess is made once.
class BasisFinish {
 public:
  /// At the start of a solve.
  void reset();

  /// True if z gives a new candidate.
  bool propose(const BoxView& view, const Vector& z);

  /// The point of a propose() that gave true; z outside of their bounds are moved to them.
  const Vector& candidate() const { return candidate_; }

 private:
  BoxBasis basis_;
  std::vector<BoxBasis::Side> tried_;
  Vector candidate_;
};

}  // namespace delassus::numerics
