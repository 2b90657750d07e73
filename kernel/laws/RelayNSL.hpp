// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/NonSmoothLaw.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus {

/// Relay, the normal cone to a box:
///
///     −y ∈ N_[l,u](λ),   that is, λ = l where y > 0, λ = u where y < 0, λ anywhere in [l, u] where y = 0.
///
/// With l = −1, u = 1 this is λ ∈ −sgn(y): multiplied by a positive gain B it drives y to zero. Bounds may be infinite:
/// l = 0, u = ∞ is a complementarity row and both infinite an equality, so that one interaction can hold rows of all
/// kinds. setBounds() changes them between two steps: a switch that opens, a motor whose torque is cut. ([Siconos
/// 2017], chapter 9, has this law −y ∈ N_[l,u](λ); other texts give λ the other sign.)
class RelayNSL final : public NonSmoothLaw {
 public:
  /// Throws Error if the size is 0, a bound is NaN or infinite, or l > u.
  explicit RelayNSL(std::size_t size = 1, double lower = -1., double upper = 1.);
  RelayNSL(double lower, double upper) = delete;  // the size comes first
  /// One bound a row; may be −∞ and ∞. Throws Error if sizes differ or are 0, a bound is NaN, or not l ≤ u, l < ∞,
  /// u > −∞.
  RelayNSL(const Vector& lower, const Vector& upper);

  /// Bounds l and u of λ, one a row.
  ///@{
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  /// The next step has the new bounds; event-driven, the motion from the present output or action on. Throws Error as
  /// the constructor does, and if their number or kind differs from before: a bound stays finite, or infinite, since
  /// one-step problems are chosen by that.
  void setBounds(const Vector& lower, const Vector& upper);
  ///@}

  std::string_view className() const override { return "RelayNSL"; }
  Settings settings() const override;
  std::size_t size() const override { return lower_.size(); }
  bool relatesRates() const override { return true; }
  void bounds(double* lower, double* upper) const override;

 private:
  void requireBounds() const;

  Vector lower_;
  Vector upper_;
};

}  // namespace delassus
