// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/problem/BoxView.hpp>
#include <vector>

namespace delassus::numerics {

/// A mixed complementarity problem, w = M x + q with w_i = 0 in some rows and 0 ≤ w_i ⟂ x_i ≥ 0 in the others. It owns
/// nothing.
struct MixedView {
  const Matrix& M;                          ///< n x n
  const Vector& q;                          ///< w at x = 0
  const std::vector<std::size_t>& free;     ///< rows with w = 0
  const std::vector<std::size_t>& bounded;  ///< the others
};

/// A problem over intervals as a mixed complementarity problem. With z = l + x (z = u − x where only u is finite) and
/// D = diag(M),
///
///     a = M x + D b + (q + M l),   s = D (u − l) − D x,   0 ≤ a ⟂ x ≥ 0,   0 ≤ s ⟂ b ≥ 0,
///
/// so that w = a − D b; a component with one infinite bound has no b, one with both infinite is an equality, and one
/// with l = u is a constant. It is monotone where M is. Bounds of 10¹⁵⁰ and more count as infinite. Up to 2n unknowns,
/// dense. A problem that is of this form already stays as it is. (Cottle, Pang, Stone, 1992, section 1.5; [Siconos
/// 2017], chapter 9.)
class HalfLineForm {
 public:
  /// Sorts the rows by their bounds; false if each is what it was at the last time, and takeMatrix() need not be called
  /// for the same M.
  bool sort(const BoxView& view);
  /// Takes M, after sort().
  void takeMatrix(const BoxView& view);
  /// Takes q and the bounds, after these.
  void takeVectors(const BoxView& view);

  /// The problem in x, b. The view refers to this object and to what it was made from.
  MixedView mixed(const BoxView& view) const {
    return isPlain_ ? MixedView{view.M, view.q, free_, bounded_} : MixedView{M_, q_, free_, bounded_};
  }
  /// x of the z that is given, b = 0.
  void start(const BoxView& view, const Vector& z, Vector& x) const;
  /// z of an answer, within the bounds.
  void expand(const BoxView& view, const Vector& x, Vector& z) const;

  /// Saves or restores how the rows were sorted.
  void serializeState(StateArchive& archive) {
    archive.value("kinds", kinds_);
    archive.value("isPlain", isPlain_);
  }

 private:
  enum Kind : char { fixed, equality, fromLower, fromUpper, box };

  bool goesDown(std::size_t i) const { return kinds_[i] == fromUpper; }

  std::vector<char> kinds_;                  // of the rows of the problem
  bool isPlain_ = false;                     // it is of the form already
  std::vector<std::size_t> moving_;          // rows that are not constant: equalities first
  std::vector<std::size_t> boxed_;           // places in moving_ of those with two finite bounds
  std::vector<std::size_t> free_, bounded_;  // rows of the mixed problem
  Matrix M_;
  Vector q_, scale_, base_, shifted_;
};

}  // namespace delassus::numerics
