// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/methods/FallbackChain.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <memory>

namespace delassus::numerics {

class ContactSweep;

/// The default for friction contact problems in local form: solvers in turn, each from the best answer so far, until
/// one is certified.
///
///  0. AdmmSolver, 300 iterations, from 100 contacts on where W has at most half of its rank and masses of its bodies
///     (boxes on boxes): one factorisation in the unknowns of the bodies (PenalisedFactors); for tight
///     tolerances and up to 4000 contacts AdmmNewtonSolver then, before sweeps;
///  1. NonsmoothGaussSeidelSolver with momentum, 300 sweeps as long as its rate promises convergence; from 400 contacts
///     on (100 for tolerances of 10⁻⁵ and above) SweepRound instead;
///  2. IslandSolver, where contacts fall into islands of at most half of them, up to 20 000 contacts; ends the search,
///     too, if an island is proved to have no solution;
///  3. from 400 (100) contacts on, SweepRound for such tolerances from 20 more starts with reactions scaled at random,
///     then 20 000 sweeps; and for such tolerances 1000 iterations of AdmmNewtonSolver, up to 4000 contacts, and 50 000
///     sweeps;
///  4. NewtonSolver, six steps, up to 15 contacts; then AdmmNewtonSolver;
///  5. FrictionlessSolver, up to 1000 contacts: ends the search if it proves that there is no solution (`infeasible`);
///  6. Friction2DLemkeSolver, in dimension 2 up to 300 contacts;
///  7. NewtonSolver, up to 1000 contacts;
///  8. FrictionInteriorPointSolver, up to 5000 contacts;
///  9. NewtonSolver on the functions of Alart and Curnier from up to 300 random starts, up to 20 contacts;
///  10. AdmmNewtonSolver from the first start with a high and with a low penalty;
///  11. NonsmoothGaussSeidelSolver with momentum: 50 000 sweeps, if not before.
///
/// Above 20 000 contacts, whose factors would fill the memory, 50 000 sweeps follow step 3 and end it. The first
/// sweeps take W as factors (FactoredDelassus); then it is packed for them (ContactSweep), once for all solvers that
/// sweep. Methods that factor W make it a matrix.
class AutomaticFrictionSolver final : public FallbackChain<FrictionContactProblem> {
 public:
  /// Throws Error unless the tolerance is positive and finite.
  explicit AutomaticFrictionSolver(double tolerance = 1e-8);

 private:
  enum Number : std::size_t {
    quickSweeps,
    sweepRound,
    sweepRounds,
    patientSweeps,
    quickAdmm,
    quickNewton,
    admmNewton,
    frictionless,
    lemke,
    naturalMapNewton,
    interiorPoint,
    restarts,
    stiffAdmm,
    softAdmm,
    lastSweeps,
    islands,
    admmOfBodies
  };

  void plan(const FrictionContactProblem& problem, std::vector<std::size_t>& order) override;
  Member make(std::size_t number) override;
  bool proves(std::size_t number, const FrictionContactProblem& problem, const SolveReport& report) override;
  const Vector& startFor(std::size_t number, const Vector& original, const Vector& best) const override;

  std::shared_ptr<ContactSweep> contacts_;
};

}  // namespace delassus::numerics
