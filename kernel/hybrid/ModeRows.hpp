// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/ContactElement.hpp>
#include <delassus/kernel/hybrid/MultiplierBalance.hpp>
#include <functional>
#include <limits>
#include <vector>

namespace delassus {

/// A row that a mode holds, a = 0 (and ẏ = 0, y = 0), by its multiplier x, which brings friction along where a contact
/// slips: λ = x in the row itself, and λ = −μ d_t x in the `tangents` rows after it. A contact that sticks holds these
/// rows too, as rows of their own.
struct HeldRow {
  /// Where the direction of a slip comes from.
  enum class Turning : char {
    none,          ///< it is constant
    withVelocity,  ///< it is that of u_T
    withForce      ///< it is that of a_T, which depends on it: see alignCreeping
  };

  std::size_t interaction = 0;                              ///< its number in the blocks, where there are several
  std::size_t row = 0;                                      ///< in the interaction
  bool position = true;                                     ///< y = 0 is held too, and not only ẏ = 0
  double lower = -std::numeric_limits<double>::infinity();  ///< of x
  double upper = std::numeric_limits<double>::infinity();   ///< of x
  std::size_t tangents = 0;                                 ///< rows after it with friction
  double mu = 0.;                                           ///< of this friction
  bool slips = false;                                       ///< or else it sticks: |λ_T| ≤ μ λ_N
  Turning turning = Turning::none;                          ///< of a slip
  SlipDirection heading = {0., 0.};                         ///< the direction with which the mode has begun
  SlipDirection direction = {0., 0.};                       ///< the present one

  /// Rows of friction that x brings along.
  std::size_t shares() const { return slips ? tangents : 0; }
  /// λ of tangential row t for x = 1.
  double share(std::size_t t) const { return -direction[t] * mu; }
};

/// A multiplier that is known: dry friction at its bound.
struct KnownForce {
  std::size_t interaction = 0;  ///< its number in the blocks, where there are several
  std::size_t row = 0;          ///< in the interaction
  double value = 0.;            ///< λ
};

/// What elements in their modes give to the equations of motion.
struct ModeRows {
  std::vector<HeldRow> held;       ///< with multipliers to be found
  std::vector<KnownForce> forces;  ///< known multipliers

  /// Forgets both.
  void clear() {
    held.clear();
    forces.clear();
  }
};

/// What the multipliers `x` of the rows may be, in their `scales` (x = scale · unknown), for MultiplierBalance; each is
/// measured in the scale of its last unknown. A cone in 3D is replaced by eight planes that touch it, one of them where
/// x is nearest to it.
std::vector<MultiplierBalance::Margin> marginsOf(const std::vector<HeldRow>& rows, const std::vector<double>& scales,
                                                 const double* x);

}  // namespace delassus
