// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/hybrid/HeldRowSystem.hpp>
#include <delassus/kernel/hybrid/ModeRows.hpp>
#include <delassus/kernel/hybrid/MotionBlocks.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
#include <vector>

namespace delassus {

/// The rows of interactions that a mode of motion holds: closed contacts, sticking tangents, joints. With their
/// K = G M⁻¹ Gᵀ, of any rank, it finds the multipliers that hold them,
///
///     G v̇ + bias = 0,     M v̇ = F + Ĝᵀ λ,
///
/// where the friction of a slipping contact is included: the column of its normal force λ in Ĝᵀ is that of the normal
/// row and −μ d times those of the tangential ones (HeldRow).
class HeldConstraints {
 public:
  /// Sets the rows and forces, in the order of their interactions.
  void set(const MotionBlocks& blocks, ModeRows rows);
  /// Uses the outputs and blocks of `blocks` unchanged; for `hold` at a state that needs no projection.
  void begin(const MotionBlocks& blocks);

  /// As given to set().
  const std::vector<HeldRow>& rows() const { return rows_.held; }
  /// True without rows and forces: nothing acts.
  bool isEmpty() const { return rows_.held.empty() && rows_.forces.empty(); }
  /// True if rows depended on each other in the last `hold`.
  bool isRedundant() const {
    return !rows_.held.empty() && (anySlip_ ? system_.isRedundant() : factor_.rank() < x_.size());
  }

  /// Takes the state of `blocks` to y = 0 and ẏ = 0 by the shortest way in the norm of the mass. Computes their
  /// outputs. Throws Error naming interactions that cannot be held.
  void project(MotionBlocks& blocks, double t);

  /// A held output, as the last `project` has found it.
  struct Violation {
    std::size_t interaction;  ///< its number
    double y;                 ///< in the unit of the output
  };
  /// The violations of the rows that are held at y = 0.
  const std::vector<Violation>& violations() const { return violations_; }

  /// Moves the configurations of `blocks`, whose outputs and matrix are up to date, towards y = 0 by one step of
  /// Newton's method; returns the largest |y| before it.
  double close(MotionBlocks& blocks);
  /// Takes the velocities of `blocks`, whose outputs and matrix are up to date, to ẏ = 0.
  void stop(MotionBlocks& blocks);

  /// From the free accelerations of `blocks`, adds those of the multipliers, which go to `blocks` (slip included).
  /// Where several would do and the motion depends on them, they are those of HeldRowSystem.
  void hold(MotionBlocks& blocks, double t);
  /// Throws Error naming a contact for which the last `hold` has found no direction in which it creeps. A trial step
  /// beyond an event may end so; a state of the motion must not.
  void requireDirections(const MotionBlocks& blocks, double t) const;

  /// Where rows depend on each other, replaces the multipliers of the last `hold` by those whose smallest distance to
  /// their bounds is greatest (see MultiplierBalance); accelerations stay as they are.
  void balance(MotionBlocks& blocks);

 private:
  void assemble(const MotionBlocks& blocks);
  void projectRows(MotionBlocks& blocks, double t);
  void findViolations(const MotionBlocks& blocks);
  void scatter(MotionBlocks& blocks, bool slip) const;
  void addForces(MotionBlocks& blocks) const;
  void assembleSlip() { system_.assemble(full_.data(), all_.size(), rows_.held, own_); }
  void solveRows();
  double solveCreeping(std::vector<SlipDirection>& a);
  void turn(const MotionBlocks& blocks);
  double slipEntry(std::size_t i, std::size_t b) const;

  // A row of an interaction.
  struct Place {
    std::size_t interaction, row;
  };

  ModeRows rows_;
  std::vector<std::size_t> interactions_;  // of the rows, each once
  bool anySlip_ = false;
  bool turns_ = false;            // a slip has no constant direction …
  bool creeps_ = false;           // … but one that turns with the force
  bool fixed_ = false;            // K is constant while the mode lasts
  bool assembled_ = false;        // K holds
  std::vector<Place> all_;        // the held rows, each followed by those in which its friction acts
  std::vector<std::size_t> own_;  // numbers of the held rows among them
  std::vector<double> full_;      // G M⁻¹ Gᵀ of all
  std::vector<double> free_;      // their accelerations without x
  std::vector<double> K_, x_;     // of the held rows
  std::vector<Violation> violations_;
  SemidefiniteCholesky factor_;  // of K
  HeldRowSystem system_;         // with the friction of slips, and to balance
  CreepingDirections creeping_;
  const HeldRow* lost_ = nullptr;  // among rows_, has no direction
  bool balanced_ = false;          // x_
};

}  // namespace delassus
