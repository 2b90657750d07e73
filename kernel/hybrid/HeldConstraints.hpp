// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/hybrid/MotionBlocks.hpp>
#include <delassus/kernel/hybrid/MultiplierBalance.hpp>
#include <delassus/numerics/algebra/RankRevealingLU.hpp>
#include <delassus/numerics/algebra/SemidefiniteCholesky.hpp>
#include <limits>
#include <vector>

namespace delassus {

/// The rows of interactions that a mode of motion holds: closed contacts, sticking tangents, joints. With their
/// K = G M⁻¹ Gᵀ, of any rank, it finds the multipliers that hold them,
///
///     G v̇ + bias = 0,     M v̇ = F + Ĝᵀ λ,
///
/// where the friction of a slipping contact is included: the column of its normal force λ in Ĝᵀ is that of the normal
/// row plus `slipFactor` (−μ times the sign of the slip) times that of the tangential one.
class HeldConstraints {
 public:
  /// No row.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// A row that is held. `lower`, `upper` and `mu` bound λ, for `balance`.
  struct Row {
    std::size_t interaction = 0;  ///< its number in the blocks
    std::size_t row = 0;          ///< in the interaction
    bool position = true;         ///< y = 0 is held too, and not only ẏ = 0
    std::size_t slipRow = none;   ///< tangential row of a contact that slips; none for other rows
    double slipFactor = 0.;       ///< λ of that row, for λ = 1 of this one
    double lower = -std::numeric_limits<double>::infinity();  ///< of λ
    double upper = std::numeric_limits<double>::infinity();   ///< of λ
    double mu = 0.;  ///< tangent of a contact that sticks, whose normal row is the one before: |λ| ≤ μ λ_N
  };

  /// A multiplier that is known: dry friction at its bound.
  struct Force {
    std::size_t interaction = 0;  ///< its number in the blocks
    std::size_t row = 0;          ///< in the interaction
    double value = 0.;            ///< λ
  };

  /// Sets the rows and forces, in the order of their interactions.
  void set(const MotionBlocks& blocks, std::vector<Row> rows, std::vector<Force> forces);
  /// Uses the outputs and blocks of `blocks` unchanged; for `hold` at a state that needs no projection.
  void begin(const MotionBlocks& blocks);

  /// As given to set().
  const std::vector<Row>& rows() const { return rows_; }
  /// True without rows and forces: nothing acts.
  bool isEmpty() const { return rows_.empty() && forces_.empty(); }

  /// Takes the state of `blocks` to y = 0 and ẏ = 0 by the shortest way in the norm of the mass. Computes their
  /// outputs. Throws Error naming interactions that cannot be held.
  void project(MotionBlocks& blocks, double t);

  /// Moves the configurations of `blocks`, whose outputs and matrix are up to date, towards y = 0 by one step of
  /// Newton's method; returns the largest |y| before it.
  double close(MotionBlocks& blocks);
  /// Takes the velocities of `blocks`, whose outputs and matrix are up to date, to ẏ = 0.
  void stop(MotionBlocks& blocks);

  /// From the free accelerations of `blocks`, adds those of the multipliers, which go to `blocks` (slip included).
  void hold(MotionBlocks& blocks, double t);

  /// Where rows depend on each other, replaces the multipliers of the last `hold` by those whose smallest distance to
  /// their bounds is greatest (see MultiplierBalance); accelerations stay as they are.
  void balance(MotionBlocks& blocks);
  /// Remembers the solutions that `balance` has found.
  MultiplierBalance& balanceMemory() { return balance_; }

 private:
  void assemble(const MotionBlocks& blocks);
  void projectRows(MotionBlocks& blocks, double t);
  void scatter(MotionBlocks& blocks, bool slip) const;
  void addForces(MotionBlocks& blocks) const;
  bool isRedundant() const;

  std::vector<Row> rows_;
  std::vector<Force> forces_;
  std::vector<std::size_t> interactions_;  // of the rows, each once
  bool anySlip_ = false;
  bool fixed_ = false;      // K is constant while the mode lasts
  bool assembled_ = false;  // K holds
  std::vector<double> K_, Kslip_, x_;
  SemidefiniteCholesky factor_;
  RankRevealingLU slipFactor_;
  bool balanced_ = false;  // x_
  MultiplierBalance balance_;
};

}  // namespace delassus
