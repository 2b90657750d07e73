// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>

#include <delassus/numerics/choice/EqualityFreeMechanicalSolver.hpp>
#include <delassus/numerics/methods/IslandSolver.hpp>
#include <delassus/numerics/methods/MechanicalEliminationSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/SparseEliminationSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t rowsToDivide = 30;  // of fewer, one factorisation costs less than a look at what they make
constexpr double largestMechanism = 0.7;  // share of the parts: from there dividing saves half of the time

}  // namespace

AutomaticMechanicalSolver::AutomaticMechanicalSolver(AutomaticMechanicalOptions options)
    : WithOptions("AutomaticMechanicalSolver", options, "AutomaticMechanicalSolver", options.tolerance) {
}

AutomaticMechanicalSolver::Table AutomaticMechanicalSolver::tableFor(const ProblemOverSets& problem) {
  hasEqualities_ = problem.hasFree();
  isSmall_ = problem.size() <= options_.eliminateSize;
  fallsApart_ = false;
  if (hasEqualities_ && problem.size() >= rowsToDivide && problem.requireMatrix()) {
    islands_.find(problem);
    fallsApart_ = islands_.largestShare() <= largestMechanism;
  }
  return tables().front();
}

AutomaticMechanicalSolver::Tables AutomaticMechanicalSolver::tables() {
  constexpr auto makeElimination = [](const Self& s) -> Member {
    return std::make_unique<MechanicalEliminationSolver>(MechanicalEliminationOptions{.tolerance = s.tolerance()});
  };
  constexpr auto isLarge = [](const Self& s, const Problem&) { return s.hasEqualities_ && !s.isSmall_; };
  static constexpr Line lines[] = {
      {"islands",
       [](const Self& s) -> Member {
         const auto make = [options = s.options_](double tolerance) {
           AutomaticMechanicalOptions own = options;
           own.tolerance = tolerance;
           return std::make_unique<AutomaticMechanicalSolver>(own);
         };
         return std::make_unique<IslandSolver>(make, IslandOptions{s.tolerance(), largestMechanism});
       },
       [](const Self& s, const Problem&) { return s.fallsApart_; }},
      {"elimination", makeElimination, [](const Self& s, const Problem&) { return s.hasEqualities_ && s.isSmall_; }},
      {"Newton",
       [](const Self& s) -> Member {
         return std::make_unique<NewtonSolver>(NewtonOptions{.tolerance = s.tolerance()});
       },
       [](const Self& s, const Problem&) { return s.hasEqualities_; }},
      {"sparse elimination",
       [](const Self& s) -> Member {
         return std::make_unique<SparseEliminationSolver>(SparseEliminationOptions{.tolerance = s.tolerance()});
       },
       isLarge},
      {"elimination", makeElimination, isLarge},
      {"others", [](const Self& s) -> Member { return std::make_unique<EqualityFreeMechanicalSolver>(s.tolerance()); },
       nullptr, Start::best},
  };
  static constexpr Table all[] = {lines};
  return all;
}

}  // namespace delassus::numerics
