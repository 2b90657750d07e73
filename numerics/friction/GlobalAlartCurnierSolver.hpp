// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/friction/GlobalAdmmIteration.hpp>
#include <delassus/numerics/friction/GlobalAlartCurnierSystem.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactSolver.hpp>

namespace delassus::numerics {

/// Options of GlobalAlartCurnierSolver.
struct GlobalAlartCurnierOptions {
  double tolerance = 1e-8;           ///< for the certificate
  std::size_t maxIterations = 3000;  ///< Newton steps and alternating directions together
  std::size_t firstPhase = 10;       ///< alternating directions before Newton's method; then 2, 4, 8 … times as many

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "Newton steps and alternating directions together"},
            {"firstPhase", &firstPhase, range::positive, "alternating directions before Newton's method is tried"}};
  }
};

/// Semismooth Newton's method on the Alart–Curnier functions in the global unknowns (GlobalAlartCurnierSystem), a
/// sparse LU factorisation a step, with a line search on ‖Ψ‖. Alternating directions (GlobalAdmmIteration) provide the
/// start, and a new one when Newton's method fails.
///
/// Where reactions are not unique (more contact forces than degrees of freedom) the Jacobian is singular: a proximal
/// term, ε times the scale of each contact added to Hᵀ M⁻¹ H in the Jacobian alone, makes it regular without moving the
/// solution. ε falls while steps succeed and rises when a line search fails; phases start from different ε. Quadratic
/// near a solution. M must be positive definite. Warm starts from x = (v, P), through the alternating directions.
/// Factorisations and certificates allocate. ([Siconos 2017], 16.2; Alart and Curnier, 1991; Qi and Sun, Math. Program.
/// 58, 1993.)
class GlobalAlartCurnierSolver final
    : public WithOptions<Solver<GlobalFrictionContactProblem>, GlobalAlartCurnierOptions> {
 public:
  /// Throws Error on options out of range.
  explicit GlobalAlartCurnierSolver(GlobalAlartCurnierOptions options = {});

  std::string_view name() const override { return "GlobalAlartCurnierSolver"; }

 private:
  Outcome compute(const GlobalFrictionContactProblem& problem, Vector& x) override;
  // Makes Newton steps from x until the certificate holds (true) or they fail; x is then the best point.
  bool newtonPhase(const GlobalFrictionContactProblem& problem, double proximal, Vector& x);
  double lineSearch(Vector& x, double before);

  GlobalAdmmIteration admm_;
  GlobalAlartCurnierSystem system_;
  Vector step_, trial_, point_;
  std::size_t iterations_ = 0;
};

}  // namespace delassus::numerics
