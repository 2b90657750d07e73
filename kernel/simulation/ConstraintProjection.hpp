// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>
#include <delassus/kernel/simulation/ProjectionOptions.hpp>
#include <delassus/numerics/SolveReport.hpp>
#include <delassus/numerics/methods/BlockPivotingSolver.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <vector>

namespace delassus {

/// Projection of the configurations q of mechanical systems on their constraints: equalities h(t, q) = 0 (all rows of
/// laws with free multipliers) and gaps g(t, q) ≥ 0 (the first row of each block of a law of contacts). From the trial
/// configuration of a step, repeat until no constraint is violated by more than the tolerance:
///
///     0 = h + H δ,     0 ≤ g + G δ ⟂ Λ_g ≥ 0,     δ = D (Hᵀ Λ_h + Gᵀ Λ_g),     q := q ⊕ δ,
///
/// which is, with C = (H, G), the mixed complementarity problem of [Siconos 2017], K ∋ (h, g) + C D Cᵀ Λ ⟂ Λ ∈ K*. Each
/// pass is the shortest displacement onto the linearised constraints, so the iteration converges quadratically to a
/// point of the constraints near the trial one (the nearest to first order, no more).
///
/// ProjectionForm::velocity: H and G are along velocities (C T of [Siconos 2017]) and D = (TᵀT)⁻¹, diag(1, 1, 1, 4, 4,
/// 4) of a rigid body: a rotation by φ counts as |φ|/2 metres, the way that its quaternion goes. D = 1 where q̇ = v.
///
/// ProjectionForm::configuration: C is ∂h/∂q of h continued to quaternions of any length by h(x, p/|p|), which is
/// G (TᵀT)⁻¹ Tᵀ; D = 1; and each body adds the row |p| − 1 = 0. As C p = 0, both forms have the same Λ to first
/// order; they differ in that q + δq leaves the sphere |p| = 1 and the next row brings it back. Take `velocity` unless
/// you want to compare.
///
/// 1e-10 of its diagonal is added to C D Cᵀ. So redundant constraints (closed loops) have one answer, which moves the
/// bodies as if the superfluous ones were absent, and Newton's iteration removes the effect of the 1e-10. Velocities
/// and multipliers are not touched. Compliant relations and boxes (dry friction in an axis) are not constraints on
/// positions.
///
/// Contacts are those of ProjectionOptions::kind; without a kind they are those of Projection::direct.
///
/// After the first projection of a given size it allocates nothing. ([Siconos 2017], chapter 13; Acary, CMAME 256,
/// 2013.)
class ConstraintProjection {
 public:
  /// How a projection ended. Violations are the largest |h| or −gap of the constraints that are projected.
  struct Result {
    std::size_t iterations = 0;   ///< passes, those that met new contacts included
    double violationBefore = 0.;  ///< at the beginning, for the trial configurations
    double violation = 0.;        ///< at the end, for the final configurations
    bool converged = false;       ///< violation is at most the tolerance
    numerics::SolveReport solve;  ///< of the last iteration
  };

  /// Throws Error unless the tolerance is positive and finite and there is an iteration.
  explicit ConstraintProjection(const ProjectionOptions& options);

  /// As given to the constructor.
  const ProjectionOptions& options() const { return options_; }

  /// Reads the structure of a model as bound by a scheme.
  void bind(const SecondOrderWorkspace& work);

  /// Moves the trial configurations at t. If that does not converge, the result is the last configurations if they
  /// violate the constraints less than the first ones, and the first ones otherwise. Throws Error if a relation does.
  Result project(SecondOrderWorkspace& work, double t);

  /// True if the last projection pushed the contact of that block open.
  bool pushed(std::size_t interaction, std::size_t block) const { return parts_[interaction].pushed[block] != 0; }

  /// Projection::combined: demands the contacts that the last projection pushed open and that were not active; returns
  /// their number, 0 with another projection.
  std::size_t demandPushed(SecondOrderWorkspace& work) const;

 private:
  using SystemWork = SecondOrderWorkspace::SystemWork;
  using InteractionWork = SecondOrderWorkspace::InteractionWork;

  // A system, as it is moved.
  struct Mover {
    bool moves = false;                  // has constraints that are projected now
    std::vector<std::size_t> couplings;  // with parts
    std::vector<double> scale;           // √D along velocities
    Vector q, start;                     // before normalisation; before projection
    Vector displacement, moved, gradient;
    Matrix rates;
  };
  // Block rows of the problem: the rows of an interaction, or a constraint that q of a system has by itself.
  struct Part {
    std::size_t begin = 0;  // its couplings: begin .. end − 1
    std::size_t end = 0;
    bool equality = false;
    std::vector<char> pushed;       // block by block
    std::vector<std::size_t> rows;  // outputs that are rows now
    std::size_t position = 0;       // block row
    std::size_t start = 0;          // scalar row
    std::size_t own = 0;            // number of that constraint in its system
    double defect = 0.;             // of it
  };
  // A part and a system of it.
  struct Coupling {
    std::size_t part;
    std::size_t system;
    std::size_t first;  // velocity of the system that is the first of the columns of G
    std::size_t count;  // of these columns
    Matrix C;           // all outputs x unknowns of the system, with √D; rows that are not projected are stale
  };

  bool takesAll() const { return options_.kind == Projection::combined; }
  bool inCoordinates() const { return options_.form == ProjectionForm::configuration; }
  bool isProjected(const InteractionWork& step) const;
  void addCoupling(Coupling coupling);
  void begin(const SecondOrderWorkspace& work);
  double measure(SecondOrderWorkspace& work, double t) const;
  bool chooseRows(const SecondOrderWorkspace& work, double reach);
  void chooseMovers();
  void linearise(SecondOrderWorkspace& work, double t);
  void lineariseCoordinates(const SecondOrderWorkspace& work);
  void lineariseCoupling(const Matrix& G, std::size_t column, const Part& part, Coupling& coupling) const;
  numerics::SolveReport solve(const SecondOrderWorkspace& work);
  void placeParts();
  void makePattern();
  void fill();
  void regularise();
  void fillVectors(const SecondOrderWorkspace& work);
  void move(SecondOrderWorkspace& work);
  void computeDisplacement(Mover& mover) const;
  void markPushed(const SecondOrderWorkspace& work);
  void restore(SecondOrderWorkspace& work) const;

  ProjectionOptions options_;
  std::size_t interactions_ = 0;  // the parts of systems follow those of interactions
  std::vector<Mover> movers_;
  std::vector<Part> parts_;
  std::vector<Coupling> couplings_;
  std::vector<std::size_t> present_;     // parts that have rows now
  std::vector<std::size_t> neighbours_;  // block columns of a block row
  numerics::RelayProblem problem_;
  numerics::BlockPivotingSolver solver_;
  Vector Lambda_, w_, diagonal_;
};

}  // namespace delassus
