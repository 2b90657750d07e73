// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/contact/OneContact.hpp>

namespace delassus::numerics {

/// The equation of the sliding direction θ of one contact in dimension 3. With t = (cos θ, sin θ), r_T = μ r_N t and
/// u_N = 0, the normal row gives r_N = −q_N / (W_NN + μ W_NT·t), and u_T ∥ t becomes
///
///     A cos²θ + B sin²θ + C sin θ cos θ + D sin θ + E cos θ = 0.
///
/// This is equation 15.15 of [Siconos 2017] (with the eccentricity that is missing there) times W_NN, in the given
/// tangents instead of the eigenvectors of W_TT: μ = 0 and W_NT = 0 need no special case, and the conic of that chapter
/// is r_N(θ).
class SlidingEquation {
 public:
  /// A unit vector t of the tangent plane.
  struct Direction {
    double cosine;  ///< cos θ, along the first tangent
    double sine;    ///< sin θ, along the second
  };

  /// Computes the coefficients; no reference to the contact is kept.
  explicit SlidingEquation(const OneContact<3>& contact);

  /// Left-hand side of the equation at θ, and its derivative by θ.
  ///@{
  double value(Direction t) const {
    return t.cosine * (A_ * t.cosine + C_ * t.sine + E_) + t.sine * (B_ * t.sine + D_);
  }
  double derivative(Direction t) const {
    return 2. * (B_ - A_) * t.cosine * t.sine + C_ * (t.cosine * t.cosine - t.sine * t.sine) + D_ * t.cosine -
           E_ * t.sine;
  }
  ///@}

  /// Newton's method in θ from t, at most `maxIterations` steps of at most half a radian.
  Direction refined(Direction t, int maxIterations) const;

  /// Up to four roots θ, and up to three places where the function touches zero or nearly so; gives their number.
  std::size_t roots(std::array<Direction, 8>& directions) const;

  /// The reaction that slides along −t with u_N = 0; false if there is none with r_N ≥ 0.
  bool reaction(Direction t, OneContact<3>::Reaction& r) const;

 private:
  double A_, B_, C_, D_, E_;
  double mu_, normal_, freeNormal_;  // W_NN, q_N
  double coupling1_, coupling2_;     // W_NT
};

}  // namespace delassus::numerics
