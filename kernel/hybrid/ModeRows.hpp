// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/ContactElement.hpp>
#include <delassus/kernel/hybrid/MultiplierBalance.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
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
    withForce      ///< it is that of a_T, which depends on it: see CreepingDirections
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

/// Balances the multipliers of rows that depend on each other, x = scale · ξ, by what they may be; each margin is
/// measured in the scale of its last unknown. `nullSpace` is an orthonormal basis of the changes of ξ that leave the
/// rows held. `shortest`: see MultiplierBalance.
void balanceRows(MultiplierBalance& balance, const std::vector<Vector>& nullSpace, const std::vector<HeldRow>& rows,
                 const std::vector<double>& scales, bool shortest, Vector& xi);

/// Finds the directions of the rows that turn with the force: those for which each acceleration a_T, which depends on
/// all of them, is a_T = α d. Newton's method in their angles, from the headings, so that the result depends on nothing
/// else. With α ≥ 0 this is Coulomb's law at a contact that begins to slip: friction is against the slip that follows.
class CreepingDirections {
 public:
  /// With the directions of `rows`, a solver writes a_T of all rows that turn with the force, in their order, and
  /// returns the largest magnitude of the terms that these are sums of.
  using Solver = std::function<double(std::vector<SlipDirection>& a)>;

  /// Sets the directions of `rows`, with which the solver was called last. Returns the row the direction of which was
  /// not found, or null. Does not allocate after the first time.
  const HeldRow* align(std::vector<HeldRow>& rows, const Solver& solve);

 private:
  void collect(std::vector<HeldRow>& rows);
  void evaluate(const Solver& solve, std::vector<double>& residuals);
  void differentiate(const Solver& solve);
  bool descend(const Solver& solve, double largest);

  std::vector<HeldRow*> creeping_;
  std::vector<double> angles_, residuals_, shifted_, jacobian_, newton_, start_;
  std::vector<SlipDirection> a_;
  double size_ = 0.;  // of the terms of a
  RankRevealingLU factor_;
};

}  // namespace delassus
