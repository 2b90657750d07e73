// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>

#include <algorithm>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/RestartingSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <delassus/numerics/methods/IslandSolver.hpp>
#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t denseRows = 1500;
constexpr std::size_t manyParts = 400;  // from which sweeps are cheaper than a factorisation
constexpr std::size_t quickRows =
    60;  // size up to which some steps of Newton's or the proximal method cost less than the sweeps
constexpr std::size_t quickSteps = 6;
constexpr std::size_t proximalRows = 300;  // its hundred steps are solves of their own
constexpr std::size_t fewRows = 300;       // of which nothing costs much

// From where sweeps or a random start have led.
std::unique_ptr<NewtonSolver> newtonFromStart(double tolerance, std::size_t limit = NewtonOptions().maxIterations) {
  return std::make_unique<NewtonSolver>(
      NewtonOptions{.tolerance = tolerance, .maxIterations = limit, .remember = false});
}

std::unique_ptr<SolverOverSets> mechanicalSweeps(double tolerance, std::size_t limit, std::size_t outlook,
                                                 bool momentum) {
  MechanicalGaussSeidelOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.outlook = outlook;
  options.momentum = momentum;
  return std::make_unique<MechanicalGaussSeidelSolver>(options);
}

}  // namespace

EqualityFreeMechanicalSolver::EqualityFreeMechanicalSolver(double tolerance)
    : TableSolver("EqualityFreeMechanicalSolver", tolerance) {
}

EqualityFreeMechanicalSolver::Table EqualityFreeMechanicalSolver::tableFor(const ProblemOverSets& problem) {
  if (!problem.requireMatrix()) return {};
  const bool isSparse = 4 * problem.matrix().storedEntries() < problem.size() * problem.size();
  mayFactor_ = problem.size() <= denseRows || isSparse;
  isLarge_ = problem.partCount() >= manyParts;
  isOfContacts_ = FrictionContactProblem::takes(problem);
  leaveOut(problem.size() > fewRows ? Thrift::full : Thrift::none);
  return tables().front();
}

EqualityFreeMechanicalSolver::Tables EqualityFreeMechanicalSolver::tables() {
  constexpr Start best = Start::best;
  constexpr Start given = Start::given;
  constexpr Cost high = Cost::high;
  constexpr auto makeNewton = [](const Self& s) -> Member { return newtonFromStart(s.tolerance()); };
  constexpr auto makeDirections = [](const Self& s) -> Member {
    return std::make_unique<AdmmSolver>(AdmmOptions{.tolerance = s.tolerance()});
  };
  constexpr auto makeProximalPoints = [](const Self& s) -> Member {
    return std::make_unique<ProximalSolver>(newtonFromStart(0.1 * s.tolerance()),
                                            ProximalOptions{.tolerance = s.tolerance()});
  };
  static constexpr Line lines[] = {
      {"quick Newton steps",
       [](const Self& s) -> Member {
         return std::make_unique<NewtonSolver>(NewtonOptions{.tolerance = s.tolerance(), .maxIterations = quickSteps});
       },
       [](const Self&, const Problem& p) { return p.partCount() > 1 && p.size() <= quickRows; }, given},
      {"few sweeps", [](const Self& s) { return mechanicalSweeps(s.tolerance(), 5, 0, false); },
       [](const Self& s, const Problem&) { return !s.isLarge_; }, given},
      {"Newton", makeNewton, [](const Self& s, const Problem&) { return !s.isLarge_ && s.mayFactor_; }, best},
      {"intervals",
       [](const Self& s) -> Member {
         return std::make_unique<AutomaticBoxSolver>(
             AutomaticBoxOptions{.tolerance = s.tolerance(), .enumerateSize = 16});
       },
       [](const Self& s, const Problem& p) { return s.intervals_.take(p); }, best},
      {"contacts", [](const Self& s) -> Member { return std::make_unique<AutomaticFrictionSolver>(s.tolerance()); },
       [](const Self& s, const Problem&) { return s.isOfContacts_; }, best},
      {"Newton from starts nearby",
       [](const Self& s) -> Member {
         return std::make_unique<RestartingSolver<ProblemOverSets>>(newtonFromStart(s.tolerance(), ManyStarts::steps),
                                                                    drawNear, ManyStarts::near);
       },
       [](const Self& s, const Problem& p) {
         return !s.isOfContacts_ && !s.intervals_.take(p) && p.size() <= ManyStarts::mostRows;
       },
       best},
      {"proximal points", makeProximalPoints,
       [](const Self& s, const Problem& p) { return !s.isOfContacts_ && p.size() <= quickRows; }, best},
      {"patient sweeps", [](const Self& s) { return mechanicalSweeps(s.tolerance(), 3000, 300, true); }, nullptr, best,
       high},
      {"directions", makeDirections, [](const Self& s, const Problem&) { return s.isLarge_ && s.mayFactor_; }, best,
       high},
      {"Newton again", makeNewton, [](const Self& s, const Problem&) { return s.mayFactor_; }, best, high},
      {"directions", makeDirections, [](const Self& s, const Problem&) { return !s.isLarge_ && s.mayFactor_; }, best,
       high},
      {"proximal points", makeProximalPoints,
       [](const Self& s, const Problem& p) {
         return !s.isOfContacts_ && p.size() > quickRows && p.size() <= proximalRows;
       },
       best, high},
      {"Newton from many starts",
       [](const Self& s) -> Member {
         return std::make_unique<RestartingSolver<ProblemOverSets>>(newtonFromStart(s.tolerance(), ManyStarts::steps),
                                                                    drawNearAndFar, ManyStarts::starts);
       },
       [](const Self& s, const Problem& p) { return !s.isOfContacts_ && p.size() <= ManyStarts::mostRows; }, best,
       high},
      {"many sweeps", [](const Self& s) { return mechanicalSweeps(s.tolerance(), 20000, 1000, false); }, nullptr, best,
       Cost::extreme},
  };
  static constexpr Table all[] = {lines};
  return all;
}

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

std::unique_ptr<SolverOverSets> automaticWithoutEqualities(double tolerance) {
  return std::make_unique<EqualityFreeMechanicalSolver>(tolerance);
}

std::unique_ptr<SolverOverSets> automaticForSets(double tolerance) {
  return std::make_unique<AutomaticMechanicalSolver>(AutomaticMechanicalOptions{.tolerance = tolerance});
}

}  // namespace delassus::numerics
