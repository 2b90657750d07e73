// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/AndersonAcceleration.hpp>
#include <delassus/numerics/mechanical/LocalSolves.hpp>
#include <delassus/numerics/mechanical/MechanicalSolver.hpp>

namespace delassus::numerics {

/// Options of MechanicalGaussSeidelSolver.
struct MechanicalGaussSeidelOptions {
  double tolerance = 1e-8;            ///< for the certificate
  std::size_t maxIterations = 10000;  ///< sweeps over all parts
  std::size_t errorInterval =
      20;  ///< sweeps between two checks of the certificate, unless the change of a sweep triggers one
  std::size_t accelerationMemory = 0;  ///< Anderson acceleration with this many differences from the tenth sweep on; 0:
                                       ///< none, 5 is usual
  /// After each block of this many sweeps it gives up if, at their rate, maxIterations will not suffice; 0: never. For
  /// chains of solvers, where another one follows.
  std::size_t outlook = 0;

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "sweeps over all parts"},
            {"errorInterval", &errorInterval, range::positive, "sweeps between two checks of the certificate"},
            {"accelerationMemory", &accelerationMemory, range::notNegative,
             "differences of Anderson acceleration; 0: none"},
            {"outlook", &outlook, range::notNegative, "sweeps between two decisions whether to give up; 0: never"}};
  }
};

/// Nonsmooth block Gauss–Seidel: part after part, its law is solved with all other reactions held
/// (ConvexSet::solveLocal). One sweep is linear in the blocks of W, and only small factors are stored, so that it
/// handles any size. It converges for equalities and boxes with symmetric positive definite W (semidefinite with
/// consistent q too), and in practice with contacts; slowly where joints make long chains or closed loops, whose
/// condition is that of W_EE: eliminate them instead (MechanicalEliminationSolver). Starts from λ. Does not allocate in
/// repeated solves. (Jourdan, Alart and Jean, Comput. Methods Appl. Mech. Engrg. 155, 1998.)
class MechanicalGaussSeidelSolver final : public WithOptions<MechanicalSolver, MechanicalGaussSeidelOptions> {
 public:
  /// Throws Error on options out of range.
  explicit MechanicalGaussSeidelSolver(MechanicalGaussSeidelOptions options = {});

  std::string_view name() const override { return "MechanicalGaussSeidelSolver"; }

 private:
  Outcome compute(const GenericMechanicalProblem& problem, Vector& lambda) override;
  double sweep(const GenericMechanicalProblem& problem, Vector& lambda);
  bool isHopeless(std::size_t iteration, double change);

  LocalSolves local_;
  AndersonAcceleration acceleration_;
  std::vector<double> w_, change_;  // of one part
  Vector before_;
  double changeAtOutlook_ = 0.;
};

}  // namespace delassus::numerics
