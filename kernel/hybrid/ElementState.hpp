// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/ContactElement.hpp>
#include <delassus/kernel/hybrid/MotionBlocks.hpp>

namespace delassus {

/// Tolerances of HybridMotion that elements use.
struct ElementTolerances {
  double gap = 0.;       ///< up to this, a gap of a given state is closed, and a joint fits, m
  double velocity = 0.;  ///< rates below this count as zero, m/s
  double creep = 0.;     ///< slips that begin in 3D take their direction from the forces up to this speed, m/s
};

/// One application of a law in the motion of a model, and its mode.
struct PlacedElement : ElementLaw {
  std::size_t interaction = 0;               ///< its number in the blocks
  std::size_t row = 0;                       ///< the first of its rows in the interaction
  ContactMode mode = ContactMode::open;      ///< the present one
  ContactMode proposed = ContactMode::held;  ///< the next one, as events propose it
  SlipDirection heading = {0., 0.};          ///< of a slip in 3D, where its mode has begun
  bool rests = false;                        ///< what is left of its slip counts as zero
  bool touches = false;                      ///< of an element with a gap: it is closed, or closes at this instant

  /// True unless it is open.
  bool isClosed() const { return mode != ContactMode::open; }
};

/// An element at an instant: what it reads of the state, by its own rows.
class ElementState {
 public:
  /// Refers to its arguments.
  ElementState(MotionBlocks& blocks, const PlacedElement& placed, const ElementTolerances& tolerances, double t)
      : blocks_(blocks), placed_(placed), tolerances_(tolerances), t_(t) {}

  const PlacedElement& placed() const { return placed_; }              ///< the element
  const ElementTolerances& tolerances() const { return tolerances_; }  ///< as given
  /// y of its first row.
  double y() const { return step().y(placed_.row); }
  /// ẏ of its row i.
  double rate(std::size_t i) const { return step().yDot(placed_.row + i); }
  /// λ of its row i.
  double force(std::size_t i) const { return blocks_.multiplier(placed_.interaction)[placed_.row + i]; }
  /// ÿ of its row i, with the last bias that was computed.
  double acceleration(std::size_t i) const { return blocks_.acceleration(placed_.interaction, placed_.row + i); }
  /// Computes the bias, for elements that are not held.
  void computeBias() const { blocks_.computeBias(placed_.interaction, t_); }

  /// True if the rate of its row i is zero.
  bool isZero(std::size_t i) const;
  /// A rate that stays zero up to rounding, such as that of the gap of a sliding block, does not mark a minimum:
  /// then 1.
  double guardRate(double rate) const;

  /// Bounds of the rounding of its gap, of the rate and acceleration of its row i, and of forces.
  ///@{
  double gapRounding() const;
  double rateRounding(std::size_t i) const;
  double accelerationRounding(std::size_t i) const;
  double forceRounding() const;
  ///@}

 private:
  const MotionBlocks::InteractionWork& step() const { return blocks_.interactions()[placed_.interaction]; }

  MotionBlocks& blocks_;
  const PlacedElement& placed_;
  const ElementTolerances& tolerances_;
  double t_;
};

}  // namespace delassus
