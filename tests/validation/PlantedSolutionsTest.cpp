// SPDX-License-Identifier: Apache-2.0
//
// Ten thousand random problems a class, each with a planted solution, regular, degenerate, of deficient rank and badly
// scaled. What solvers say of them is checked in extended precision. DELASSUS_PLANTED_PROBLEMS sets another number.
#include <gtest/gtest.h>

#include <cstdlib>
#include <delassus/numerics/SolverCatalogue.hpp>
#include <functional>
#include <string>
#include <support/ExtendedResiduals.hpp>
#include <support/PlantedProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

std::uint64_t problemCount() {
  const char* const set = std::getenv("DELASSUS_PLANTED_PROBLEMS");
  return set != nullptr ? std::stoull(set) : 10000;
}

constexpr std::array<double, 3> tolerances = {1e-8, 1e-4, 1e-10};

template <class Problem>
class Checks {
 public:
  using Plant = std::function<Planted<Problem>(std::uint64_t)>;

  explicit Checks(Plant plant) : plant_(std::move(plant)) {}

  /// Solves problem `seed` and checks what is said of it; true if it is solved.
  bool solves(const SolverEntry<Problem>& entry, std::uint64_t seed, const SolverSettings& settings) const {
    const Planted<Problem> planted = plant_(seed);
    Vector unknown, dual;
    const SolveReport report = entry.make(settings)->solve(planted.problem, unknown, dual);
    EXPECT_NE(report.status, SolveStatus::infeasible) << entry.name << ", seed " << seed << ": " << report.summary();
    if (!report.converged()) return false;
    // The slack is the rounding of the certificate's own last operations.
    EXPECT_LE(extendedResidual(planted.problem, unknown), settings.tolerance * (1. + 1e-6))
        << entry.name << ", seed " << seed << ": " << report.summary();
    return true;
  }

  /// The number of problems that `automatic` leaves unsolved at 1e-8.
  std::size_t leftByAutomatic() const {
    std::size_t left = 0;
    for (std::uint64_t seed = 0; seed < problemCount(); ++seed) {
      if (!solves(solversFor<Problem>().front(), seed, {})) ++left;
    }
    return left;
  }

  /// Problems and tolerances by turns to each of the other solvers, with iteration limits that keep them short.
  void shareAmongOthers() const {
    const auto entries = solversFor<Problem>();
    for (std::uint64_t seed = 0; seed < problemCount(); ++seed) {
      const auto& entry = entries[1 + seed / plantedFamilies % (entries.size() - 1)];
      solves(entry, seed, {tolerances[seed % tolerances.size()], limitOf(entry.name)});
    }
  }

 private:
  // Sweeps with iterative solvers of one contact, and those on several threads, cost most where they get nowhere.
  static std::size_t limitOf(std::string_view name) {
    return name == "nsgs_projection" || name == "nsgs_coloured" || name == "desaxce_fixed_point" ? 30 : 500;
  }

  Plant plant_;
};

// The unsolved are bounded by what was measured, none of 10,000, and some that another rounding may add.
constexpr std::size_t fewest = 2;

template <class Problem>
void check(typename Checks<Problem>::Plant plant) {
  const Checks<Problem> checks(std::move(plant));
  EXPECT_LE(checks.leftByAutomatic(), fewest * (1 + problemCount() / 10000));
  checks.shareAmongOthers();
}

TEST(PlantedSolutions, OfFrictionInThePlane) {
  check<FrictionContactProblem>([](std::uint64_t seed) { return plantedFriction(2, seed); });
}

TEST(PlantedSolutions, OfFrictionInSpace) {
  check<FrictionContactProblem>([](std::uint64_t seed) { return plantedFriction(3, seed); });
}

TEST(PlantedSolutions, OfGlobalFriction) {
  check<GlobalFrictionContactProblem>(plantedGlobalFriction);
}

TEST(PlantedSolutions, OfMechanisms) {
  check<GenericMechanicalProblem>(plantedMechanical);
}

TEST(PlantedSolutions, OfComplementarityWithAnyMatrix) {
  const Checks<LinearComplementarityProblem> checks(plantedGeneralLcp);
  EXPECT_LE(checks.leftByAutomatic(), fewest * (1 + problemCount() / 10000));
}

}  // namespace
