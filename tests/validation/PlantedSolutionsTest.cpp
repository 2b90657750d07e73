// SPDX-License-Identifier: Apache-2.0
//
// Ten thousand random problems a class, each with a planted solution, regular, degenerate, of deficient rank and badly
// scaled. What solvers say of them is checked in extended precision. DELASSUS_PLANTED_PROBLEMS sets another number.
#include <gtest/gtest.h>

#include <cstdlib>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <functional>
#include <memory>
#include <string>
#include <support/ExtendedResiduals.hpp>
#include <support/PlantedProblems.hpp>
#include <utility>
#include <vector>

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
  bool solves(const SolverEntry<RootOf<Problem>>& entry, std::uint64_t seed, const SolverSettings& settings) const {
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
  // Sweeps with iterative solvers of one contact cost most where they get nowhere.
  static std::size_t limitOf(std::string_view name) { return name == "nsgs_projection" ? 30 : 500; }

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

TEST(PlantedSolutions, OfConvexPrograms) {
  Checks<GenericMechanicalProblem>(plantedConvex).shareAmongOthers();
}

TEST(PlantedSolutions, OfComplementarityWithAnyMatrix) {
  const Checks<LinearComplementarityProblem> checks(plantedGeneralLcp);
  EXPECT_LE(checks.leftByAutomatic(), fewest * (1 + problemCount() / 10000));
}

// Problems to methods of other classes, which solve what can be stated in theirs, and refuse the rest.
template <class Problem, class... Classes>
void checkOthers(const typename Checks<Problem>::Plant& plant) {
  std::vector<std::string> names;
  std::vector<std::unique_ptr<AnySolver<Problem>>> solvers;
  const auto collect = [&]<class Class>(const Class*) {
    for (const auto& entry : solversFor<Class>()) {
      if (entry.name.starts_with("enumeration")) continue;
      names.emplace_back(entry.name);
      solvers.push_back(entry.make({1e-8, 100}));
      // What is solved takes microseconds; chains of other classes go on to hundreds of random starts.
      solvers.back()->setTimeLimit(0.01);
    }
  };
  (collect(static_cast<const Classes*>(nullptr)), ...);
  std::size_t solved = 0;
  for (std::uint64_t seed = 0; seed < problemCount(); ++seed) {
    const Planted<Problem> planted = plant(seed);
    const std::size_t index = seed / plantedFamilies % solvers.size();
    Vector unknown, dual;
    const SolveReport report = solvers[index]->solve(planted.problem, unknown, dual);
    EXPECT_NE(report.status, SolveStatus::infeasible) << names[index] << ", seed " << seed << ": " << report.summary();
    if (!report.converged()) continue;
    ++solved;
    EXPECT_LE(extendedResidual(planted.problem, unknown), 1e-8 * (1. + 1e-6))
        << names[index] << ", seed " << seed << ": " << report.summary();
  }
  EXPECT_GT(solved, problemCount() / 4);
}

TEST(PlantedSolutions, OfContactsGivenToMethodsOfOtherClasses) {
  checkOthers<FrictionContactProblem, GenericMechanicalProblem>(
      [](std::uint64_t seed) { return plantedFriction(seed % 2 == 0 ? 2 : 3, seed); });
}

TEST(PlantedSolutions, OfComplementarityGivenToMethodsOfOtherClasses) {
  checkOthers<LinearComplementarityProblem, RelayProblem, GenericMechanicalProblem>(plantedGeneralLcp);
}

TEST(PlantedSolutions, OfContactsInMechanismsGivenToMethodsForContacts) {
  checkOthers<GenericMechanicalProblem, FrictionContactProblem>([](std::uint64_t seed) {
    const Planted<FrictionContactProblem> contacts = plantedFriction(3, seed);
    std::vector<Part> parts;
    for (const double mu : contacts.problem.mu()) parts.push_back(Part::coulomb(3, mu));
    return Planted<GenericMechanicalProblem>{{*contacts.problem.W().matrix(), contacts.problem.q(), parts},
                                             contacts.solution};
  });
}

}  // namespace
