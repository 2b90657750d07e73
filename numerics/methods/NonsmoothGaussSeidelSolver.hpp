// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/methods/GaussSeidelSolver.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

class ContactSweep;
class OneContactSolver;

/// Options of NonsmoothGaussSeidelSolver.
struct NonsmoothGaussSeidelOptions : GaussSeidelOptions {
  /// A tolerance of 1e-4: sweeps are slow beyond.
  NonsmoothGaussSeidelOptions() { tolerance = 1e-4; }
};

/// Nonsmooth Gauss–Seidel (NSGS): it solves contact after contact with all other reactions held and moves r_c by ω
/// times the change. Robust and cheap to 10⁻³ or 10⁻⁴ whenever W_cc is regular, also for hyperstatic problems; slow
/// beyond. Sweeps work on the matrix W, or on its factors for the first three: beyond, packing it as a matrix pays,
/// mostly. Warm starts from r.
///
/// Where contacts fall into groups that W does not couple, as in a granular flow, a group whose changes are small is
/// left out of further sweeps until the certificate asks for more, and each group has its own momentum.
///
/// `local` solves one contact; HybridOneContactSolver by default.
/// (Jourdan, Alart and Jean, Comput. Methods Appl. Mech. Engrg. 155, 1998.)
class NonsmoothGaussSeidelSolver final : public GaussSeidelSolver<FrictionContactProblem> {
 public:
  /// Throws Error on options out of range.
  explicit NonsmoothGaussSeidelSolver(NonsmoothGaussSeidelOptions options = {},
                                      std::shared_ptr<const OneContactSolver> local = nullptr);
  /// Keeps W for sweeps in one place with other solvers of a chain, of which one works at a time. Not null.
  NonsmoothGaussSeidelSolver(std::shared_ptr<ContactSweep> contacts, NonsmoothGaussSeidelOptions options);
  /// A copy would work in the same place as the original.
  ///@{
  NonsmoothGaussSeidelSolver(NonsmoothGaussSeidelSolver&&) = default;
  NonsmoothGaussSeidelSolver& operator=(NonsmoothGaussSeidelSolver&&) = default;
  ///@}

  std::string_view name() const override { return "NonsmoothGaussSeidelSolver"; }

 private:
  Start begin(const FrictionContactProblem& problem, Vector& r) override;
  Sweep sweep(const FrictionContactProblem& problem, Vector& r) override;
  void extrapolate(double change, Vector& r) override;
  void read(Vector& r) const override;
  void start(const FrictionContactProblem& problem, const Vector& r);
  void moveAll();
  void chooseMoving();
  std::size_t groupAt(std::uint32_t place) const;
  Sweep endSweep();

  std::shared_ptr<ContactSweep> contacts_;
  const FrictionContactProblem* begun_ = nullptr;  // in this solve
  std::size_t sweeps_ = 0;
  std::vector<double> squares_;  // of changes, by places
  double squaresOfData_ = 1.;

  // Contacts that W couples with each other, directly or by others.
  struct Group {
    double squares = 0.;  // of the changes in the last sweep that visited it
    bool isMoving = true;
    Momentum momentum;
    double factor = 0.;  // of momentum, for the next sweep
  };
  MadeFrom<std::uint64_t> groupsFrom_;
  std::vector<std::size_t> groupOf_;  // contact
  std::vector<Group> groups_;
  std::vector<std::size_t> movingGroups_;  // that the next sweep visits …
  std::vector<std::uint32_t> moving_;      // … at these places of contacts
  // Places in moving_ that follow each other, of one group.
  struct Run {
    std::size_t group = 0, begin = 0, end = 0;
  };
  std::vector<Run> runs_;
  double squaresAtRest_ = 0.;  // of the other groups
  double restChange_ = 0.;     // of a sweep, from which on groups are left out
};

}  // namespace delassus::numerics
