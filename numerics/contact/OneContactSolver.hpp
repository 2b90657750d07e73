// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <string_view>

namespace delassus::numerics {

/// A method for one contact with Coulomb friction: given W (d x d, column-major, symmetric positive semidefinite), q
/// and μ ≥ 0, find r with
///
///     u = W r + q,    K* ∋ û ⟂ r ∈ K,    û = (u_N + μ‖u_T‖, u_T),
///
/// dimension d = 2 or 3, normal component first. Gauss–Seidel calls it once for each contact. A solution exists if W is
/// positive definite; for large μ there may be several, and any of them is an answer.
class OneContactSolver {
 public:
  virtual ~OneContactSolver() = default;

  /// Name of the class.
  virtual std::string_view name() const = 0;

  /// `r` is the start and the answer. True if the residual of oneContactResidual() reached rounding (or the solver's
  /// own tolerance); otherwise r is the best point found. Does not allocate; several threads may call it.
  virtual bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const = 0;

 protected:
  OneContactSolver() = default;
  OneContactSolver(const OneContactSolver&) = default;
  OneContactSolver& operator=(const OneContactSolver&) = default;
};

/// Solves one contact in closed form by its three cases: take-off (r = 0 where q_N ≥ 0), stick (r = −W⁻¹q where that is
/// in the cone) and slide, in dimension 3 by the roots of a quartic (SlidingEquation; [Siconos 2017], chapter 15), in
/// dimension 2 by two quotients. Every candidate is judged by its residual and the best one taken, after up to three
/// Newton steps if rounding in the quartic has cost digits. The start has no influence.
///
/// The roots are isolated between those of the derivatives, which finds all of them and never fails to converge. About
/// 2 µs if the contact slides, independent of the conditioning. (Bonnefon and Daviet, INRIA RT-0400, 2011; [Siconos
/// 2017], chapter 15, with the eccentricity restored.)
class QuarticOneContactSolver final : public OneContactSolver {
 public:
  /// Reactions that solve a contact: take-off, stick and up to eight slides; d components each.
  using Solutions = std::array<double, 30>;

  std::string_view name() const override { return "QuarticOneContactSolver"; }
  bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const override;

  /// All solutions that differ by more than `distance` times their size; gives their number. For singular W there may
  /// be infinitely many, of which it returns some.
  std::size_t allSolutions(std::size_t dimension, const double* W, const double* q, double mu, double distance,
                           Solutions& reactions) const;
};

/// Options of ProjectionOneContactSolver.
struct ProjectionOneContactOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-14, range::positive,
                    "on the residual; tolerances below rounding are raised to it"),
                   (std::size_t, maxIterations, 100, range::positive,
                    "steps; 1: the classical projection of Gauss-Seidel"))
};

/// Extragradient on the variational inequality, r̄ = P_K(r − ρ û(r)), r ← P_K(r − ρ û(r̄)), with ρ adapted so that
/// ρ‖û(r) − û(r̄)‖ ≤ 0.9‖r − r̄‖. Uses W only in products, and moves towards a solution from everywhere when μ is
/// moderate; linear convergence, slow where W is ill-conditioned. With one iteration, the projected step alone. (De
/// Saxcé and Feng, 1998; Khobotov, USSR Comput. Math. Math. Phys. 27, 1987.)
class ProjectionOneContactSolver final : public OneContactSolver {
 public:
  /// Throws Error on options out of range.
  explicit ProjectionOneContactSolver(ProjectionOneContactOptions options = {});

  std::string_view name() const override { return "ProjectionOneContactSolver"; }
  bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const override;

 private:
  ProjectionOneContactOptions options_;
};

/// Options of NewtonOneContactSolver.
struct NewtonOneContactOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-14, range::positive,
                    "on the residual; tolerances below rounding are raised to it"),
                   (std::size_t, maxIterations, 60, range::positive, "Newton steps from one start"),
                   (std::size_t, slidingStarts, 16, range::notNegative,
                    "directions of sliding that are tried after the others"))
};

/// Semismooth Newton method on the Alart–Curnier functions of one contact, with ρ_N = 1/W_NN and ρ_T = 1/max W_TT.
///
/// A step is halved up to eight times until the natural map falls; if it does not fall, projected steps (extragradient)
/// lead to another point. If the first start fails, others follow: the projections on the cone of the sticking reaction
/// and of zero, and sliding in a few directions. Two to six iterations are usual; quadratic near a regular solution.
/// (Alart and Curnier, 1991; [Siconos 2017], chapter 16.)
class NewtonOneContactSolver final : public OneContactSolver {
 public:
  /// Throws Error on options out of range.
  explicit NewtonOneContactSolver(NewtonOneContactOptions options = {});

  std::string_view name() const override { return "NewtonOneContactSolver"; }
  bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const override;

 private:
  NewtonOneContactOptions options_;
  ProjectionOneContactSolver rescue_;
};

/// One contact, solved to rounding where W is regular: the methods in order of increasing cost, each answer
/// judged by its residual.
///
///  1. take-off, r = 0 where q_N ≥ 0;
///  2. stick, r = −W⁻¹q where that is in the cone;
///  3. slide: Newton's method for the one angle of SlidingEquation, from the direction of the start (two quotients in
///     dimension 2);
///  4. all roots of the quartic (QuarticOneContactSolver);
///  5. the Alart–Curnier Newton method from the start, from sticking and from zero (NewtonOneContactSolver), then a few
///     projections, for singular W, where there may be no solution.
///
/// A start that slides is tried as 3 before 2. Steps 1 to 3 take 30 to 100 ns.
class HybridOneContactSolver final : public OneContactSolver {
 public:
  HybridOneContactSolver();

  std::string_view name() const override { return "HybridOneContactSolver"; }
  bool solve(std::size_t dimension, const double* W, const double* q, double mu, double* r) const override;

 private:
  bool solveHard(std::size_t dimension, const double* W, const double* q, double mu, double* r) const;

  QuarticOneContactSolver quartic_;
  NewtonOneContactSolver newton_;
  ProjectionOneContactSolver projection_;
};

}  // namespace delassus::numerics
