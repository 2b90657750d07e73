// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/methods/ContactSweep.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/IndependentGroups.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace delassus::numerics {

/// Three methods for many contacts, each from the best answer of those before: NonsmoothGaussSeidelSolver with momentum
/// (3000 sweeps) and without (600), and AcceleratedGradientSolver (300 iterations). Momentum is the fastest, but may go
/// round about an answer, into which one of the others then settles. Of 67 problems of settling piles that 3000 sweeps
/// with momentum did not certify to 10⁻⁴ quickly, 66 were certified by up to 20 rounds from different starts: about 55
/// of them by gradients (docs/piles.md).
class SweepRound final : public TableSolver<FrictionContactProblem, SweepRound> {
 public:
  /// Throws Error unless the tolerance is positive and finite. Sweeps keep W in `contacts` (not null), which other
  /// solvers of a chain may share.
  explicit SweepRound(double tolerance,
                      std::shared_ptr<ContactSweep> contacts = std::make_shared<ContactSweep>(nullptr))
      : TableSolver("SweepRound", tolerance), contacts_(std::move(contacts)) {}

  /// See TableSolver.
  static Tables tables();

 private:
  std::shared_ptr<ContactSweep> contacts_;
};

class ContactSweep;

/// The default for friction contact problems in local form: solvers in turn, each from the best answer so far, until
/// one is certified.
///
///  0. AdmmSolver, 300 iterations, from 100 contacts on where W has at most half of its rank and masses of its bodies
///     (boxes on boxes): one factorisation in the unknowns of the bodies (PenalisedFactors); for tight
///     tolerances and up to 4000 contacts AdmmNewtonSolver then, before sweeps;
///  1. NonsmoothGaussSeidelSolver with momentum, 300 sweeps as long as its rate promises convergence; from 400 contacts
///     on (100 for tolerances of 10⁻⁵ and above) SweepRound instead;
///  2. IslandSolver, where contacts fall into islands of at most half of them, up to 20 000 contacts; ends the
///     search, too, if an island is proved to have no solution. From 400 contacts on it comes before the sweeps, but
///     for 100 of them, where the tolerance is below 10⁻⁵ and W is a matrix;
///  3. from 400 (100) contacts on, SweepRound for such tolerances from 20 more starts with reactions scaled at random,
///     then 20 000 sweeps; and for such tolerances 1000 iterations of AdmmNewtonSolver, up to 4000 contacts, and 50 000
///     sweeps;
///  4. NewtonSolver, six steps, up to 15 contacts;
///  5. up to 1000 contacts AdmmNewtonSolver, 250 iterations; where the caller is content with less than the tolerance,
///     SweepRound too, before that from 150 contacts on and after it below;
///  6. up to 1000 contacts FrictionInteriorPointSolver, 50 iterations; SweepRound from up to 20 starts, where the
///     caller is content with less; then AdmmNewtonSolver, 3000 iterations;
///  7. FrictionlessSolver, up to 1000 contacts: ends the search if it proves that there is no solution (`infeasible`);
///  8. Friction2DLemkeSolver, in dimension 2 up to 300 contacts;
///  9. NewtonSolver, up to 1000 contacts; FrictionInteriorPointSolver, 50 iterations, from there up to 5000;
///  10. NewtonSolver on the functions of Alart and Curnier from 100 starts, near and random ones in turn, up to 60
///  rows;
///  11. AdmmNewtonSolver from the first start with a high and with a low penalty;
///  12. NonsmoothGaussSeidelSolver with momentum: 50 000 sweeps, if not before;
///  13. ProximalSolver, up to 300 rows.
///
/// Where there are more than 100 contacts and the caller is content with a larger error (setLeniency), as TimeStepping
/// is by default, the 20 000 sweeps of step 3, SweepRound of step 5 and what follows there, interior point of step 6
/// and step 7 are left out once an error is a hundredth of that, and the rest, but for step 8, once it is no more than
/// that: what is left of the tolerance may take a hundred times as long in piles, where reactions are not unique
/// (docs/piles.md). Of more than 8 contacts steps 9 to 13, and the 3000 iterations of step 6, are left out once an
/// error is a hundredth of that.
///
/// Solvers that have failed pause, as FallbackChain says.
///
/// Above 20 000 contacts, whose factors would fill the memory, 50 000 sweeps follow step 3 and end it. The first
/// sweeps take W as factors (FactoredDelassus); then it is packed for them (ContactSweep), once for all solvers that
/// sweep. Methods that factor W make it a matrix.
class AutomaticFrictionSolver final : public TableSolver<FrictionContactProblem, AutomaticFrictionSolver> {
 public:
  /// Throws Error unless the tolerance is positive and finite.
  explicit AutomaticFrictionSolver(double tolerance = 1e-8);

  /// See TableSolver.
  static Tables tables();

 private:
  Table tableFor(const FrictionContactProblem& problem) override;
  bool fallsApart(const FrictionContactProblem& problem);

  std::shared_ptr<ContactSweep> contacts_;
  IndependentGroups islands_;
  // What tableFor() has found out about the problem that is being solved.
  bool isLoose_ = false;          // the tolerance is one that sweeps reach in the end, mostly
  bool areMany_ = false;          // a sweep costs time linear in the contacts, a factorisation more
  bool mayFactor_ = false;        // the factor of W has a size that the memory takes
  bool areOnFaces_ = false;       // few unknowns of bodies bear many contacts: sweeps carry a load slowly
  bool areIslandsEarly_ = false;  // before sweeps, which take long to tight tolerances
  bool isNewtonEarly_ = false;    // directions with Newton steps come before sweeps, for contacts on faces
};

}  // namespace delassus::numerics
