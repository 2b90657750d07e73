// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>

#include <algorithm>
#include <delassus/numerics/choice/RestartingSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/ContactSweep.hpp>
#include <delassus/numerics/methods/Friction2DLemkeSolver.hpp>
#include <delassus/numerics/methods/FrictionInteriorPointSolver.hpp>
#include <delassus/numerics/methods/FrictionlessSolver.hpp>
#include <delassus/numerics/methods/IslandSolver.hpp>
#include <delassus/numerics/methods/MechanicalScales.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t boldSweeps = 3000;  // fewer do not come near, more go round
constexpr std::size_t calmSweeps = 600;
constexpr std::size_t gradientSteps = 300;
constexpr std::size_t errorInterval = 60;  // often enough for so many

std::unique_ptr<NonsmoothGaussSeidelSolver> sweepsOfRound(double tolerance, std::size_t limit, bool momentum,
                                                          const std::shared_ptr<ContactSweep>& contacts) {
  NonsmoothGaussSeidelOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.momentum = momentum;
  if (momentum) options.errorInterval = errorInterval;
  return std::make_unique<NonsmoothGaussSeidelSolver>(contacts, options);
}

}  // namespace

SweepRound::Tables SweepRound::tables() {
  static constexpr Line lines[] = {
      {"sweeps with momentum",
       [](const Self& s) -> Member { return sweepsOfRound(s.tolerance(), boldSweeps, true, s.contacts_); }, nullptr,
       Start::best},
      {"sweeps", [](const Self& s) -> Member { return sweepsOfRound(s.tolerance(), calmSweeps, false, s.contacts_); },
       nullptr, Start::best},
      {"gradients",
       [](const Self& s) -> Member {
         return std::make_unique<AcceleratedGradientSolver>(
             AcceleratedGradientOptions{.tolerance = s.tolerance(), .maxIterations = gradientSteps});
       },
       nullptr, Start::best},
  };
  static constexpr Table all[] = {lines};
  return all;
}

namespace {

constexpr std::size_t manyContacts = 400;
constexpr std::size_t manyForLoose = 100;  // the same for loose tolerances
constexpr double looseTolerance = 1e-5;
constexpr std::size_t mostFactored = 20000;  // contacts; the factor of W would have gigabytes
constexpr std::size_t quickAdmmContacts = 4000;
constexpr std::size_t bodyIterations = 300;
constexpr std::size_t sweepsBeforeIslands = 100;  // what does not need more is not divided
constexpr double largestIsland = 0.5;             // part of the contacts
constexpr std::size_t longSolve = 3000;           // sweeps, from which on a check every 60 is often enough
constexpr std::size_t quickContacts = 15;         // up to which some Newton steps cost less than a run of ADMM
constexpr std::size_t quickContactSteps = 6;
constexpr std::size_t interiorPointContacts = 1000;  // up to which its factorisations cost less than other methods
constexpr std::size_t interiorPointSteps = 50;       // what converges does so in 20 to 45, mostly
constexpr std::size_t shortDirections = 250;         // two of three runs that converge do so in these
constexpr std::size_t denseContacts = 150;           // from which directions cost more than a round of sweeps
constexpr std::size_t fewContacts = 100;             // of which only what is extreme costs much
constexpr std::size_t veryFew = 8;                   // of which nothing does
constexpr std::size_t mostProximalRows = 300;        // its hundred steps are solves of their own
constexpr std::size_t rounds = 20;  // more pay rarely: of 67 hard problems of piles one was left, by 80 too

// At most `limit` sweeps with momentum, given up where the rate does not promise the tolerance within `outlook`.
std::unique_ptr<SolverOverSets> contactSweeps(double tolerance, const std::shared_ptr<ContactSweep>& contacts,
                                              std::size_t limit, std::size_t outlook) {
  NonsmoothGaussSeidelOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.momentum = true;
  options.outlook = outlook;
  if (limit >= longSolve) options.errorInterval = 60;
  return std::make_unique<NonsmoothGaussSeidelSolver>(contacts, options);
}

std::unique_ptr<SolverOverSets> contactNewton(double tolerance, NewtonFunction function = NewtonFunction::naturalMap,
                                              std::size_t limit = NewtonOptions::ofContacts().maxIterations) {
  NewtonOptions options = NewtonOptions::ofContacts(function);
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.startSweeps = 0;
  return std::make_unique<NewtonSolver>(options);
}

std::unique_ptr<SolverOverSets> contactDirections(AdmmNewtonOptions options) {
  return std::make_unique<AdmmNewtonSolver>(options);
}

void drawReactions(const FrictionContactProblem& problem, std::size_t number, RandomGenerator& generator,
                   const Vector& given, Vector& r) {
  drawNearAndFar(problem, number, generator, given, r);
}

void scaleReactions(const FrictionContactProblem& problem, std::size_t, RandomGenerator& generator, const Vector&,
                    Vector& r) {
  scaleImpulses(problem, generator, r);
}

using ContactRestarts = RestartingSolver<FrictionContactProblem>;

template <std::size_t most>
bool areAtMost(const AutomaticFrictionSolver&, const FrictionContactProblem& problem) {
  return problem.contacts() <= most;
}

}  // namespace

AutomaticFrictionSolver::AutomaticFrictionSolver(double tolerance)
    : TableSolver("AutomaticFrictionSolver", tolerance), contacts_(std::make_shared<ContactSweep>(nullptr)) {
}

bool AutomaticFrictionSolver::fallsApart(const FrictionContactProblem& problem) {
  islands_.find(problem);
  return islands_.largestShare() <= largestIsland;
}

AutomaticFrictionSolver::Table AutomaticFrictionSolver::tableFor(const FrictionContactProblem& problem) {
  isLoose_ = tolerance() >= looseTolerance;
  areMany_ = problem.contacts() >= (isLoose_ ? manyForLoose : manyContacts);
  mayFactor_ = problem.contacts() <= mostFactored;
  leaveOut(problem.contacts() > fewContacts ? Thrift::full
           : problem.contacts() > veryFew   ? Thrift::extremes
                                            : Thrift::none);
  areOnFaces_ =
      problem.contacts() >= manyForLoose && 2 * problem.W().rankBound() <= problem.size() && problem.W().hasPenalised();
  areIslandsEarly_ = areMany_ && mayFactor_ && !isLoose_ && problem.isMatrixProduct() && fallsApart(problem);
  isNewtonEarly_ = areOnFaces_ && !isLoose_ && problem.contacts() <= quickAdmmContacts;
  return tables().front();
}

// Of more contacts than mostFactored only sweeps are tried, and directions in the unknowns of bodies.
AutomaticFrictionSolver::Tables AutomaticFrictionSolver::tables() {
  constexpr Start best = Start::best;
  constexpr Start given = Start::given;  // of last resorts, which look elsewhere
  constexpr Cost high = Cost::high;
  constexpr Cost extreme = Cost::extreme;
  constexpr auto makeIslands = [](const Self& s) -> Member {
    const auto make = [](double tolerance) { return std::make_unique<AutomaticFrictionSolver>(tolerance); };
    return std::make_unique<IslandSolver>(make, IslandOptions{s.tolerance(), largestIsland});
  };
  constexpr auto makeDirections = [](const Self& s) { return contactDirections({.tolerance = s.tolerance()}); };
  constexpr auto makeRound = [](const Self& s) -> Member {
    return std::make_unique<SweepRound>(s.tolerance(), s.contacts_);
  };
  constexpr auto makeRounds = [](const Self& s) -> Member {
    return std::make_unique<ContactRestarts>(std::make_unique<SweepRound>(s.tolerance(), s.contacts_), scaleReactions,
                                             rounds);
  };
  constexpr auto makeShortDirections = [](const Self& s) {
    return contactDirections({.tolerance = s.tolerance(), .maxIterations = shortDirections});
  };
  constexpr auto makeInteriorPoint = [](const Self& s) -> Member {
    return std::make_unique<FrictionInteriorPointSolver>(
        FrictionInteriorPointOptions{.tolerance = s.tolerance(), .maxIterations = interiorPointSteps});
  };
  constexpr auto makeLastSweeps = [](const Self& s) { return contactSweeps(s.tolerance(), s.contacts_, 50000, 0); };
  static constexpr Line lines[] = {
      {"directions in the unknowns of bodies",
       [](const Self& s) -> Member {
         return std::make_unique<AdmmSolver>(AdmmOptions{.tolerance = s.tolerance(), .maxIterations = bodyIterations});
       },
       [](const Self& s, const Problem&) { return s.areOnFaces_; }, best},
      {"directions with Newton steps", makeDirections, [](const Self& s, const Problem&) { return s.isNewtonEarly_; },
       best},
      {"few sweeps", [](const Self& s) { return contactSweeps(s.tolerance(), s.contacts_, sweepsBeforeIslands, 0); },
       [](const Self& s, const Problem&) { return s.areIslandsEarly_; }, best},
      {"islands", makeIslands, [](const Self& s, const Problem&) { return s.areIslandsEarly_; }, best},
      {"quick sweeps", [](const Self& s) { return contactSweeps(s.tolerance(), s.contacts_, 300, 60); },
       [](const Self& s, const Problem&) { return !s.areMany_; }, best},
      {"a round of sweeps", makeRound, [](const Self& s, const Problem&) { return s.areMany_; }, best},
      {"islands", makeIslands, [](const Self& s, const Problem&) { return s.mayFactor_ && !s.areIslandsEarly_; }, best},
      {"rounds of sweeps", makeRounds, [](const Self& s, const Problem&) { return s.areMany_ && s.isLoose_; }, best},
      {"patient sweeps", [](const Self& s) { return contactSweeps(s.tolerance(), s.contacts_, 20000, 3000); },
       [](const Self& s, const Problem&) { return s.areMany_; }, best, high},
      {"quick directions with Newton steps",
       [](const Self& s) { return contactDirections({.tolerance = s.tolerance(), .maxIterations = 1000}); },
       [](const Self& s, const Problem& p) { return s.areMany_ && s.isLoose_ && p.contacts() <= quickAdmmContacts; },
       best, extreme},
      {"last sweeps", makeLastSweeps,
       [](const Self& s, const Problem&) { return (s.areMany_ && s.isLoose_) || !s.mayFactor_; }, best, extreme},
      {"quick Newton steps",
       [](const Self& s) { return contactNewton(s.tolerance(), NewtonFunction::naturalMap, quickContactSteps); },
       areAtMost<quickContacts>, best},
      {"short directions with Newton steps", makeShortDirections,
       [](const Self& s, const Problem& p) { return !s.isNewtonEarly_ && p.contacts() <= denseContacts; }, best},
      {"a round of sweeps", makeRound,
       [](const Self& s, const Problem& p) { return !s.areMany_ && p.contacts() > fewContacts && s.leniency() > 1.; },
       best, high},
      {"short directions with Newton steps", makeShortDirections,
       [](const Self& s, const Problem& p) {
         return !s.isNewtonEarly_ && p.contacts() > denseContacts && p.contacts() <= interiorPointContacts;
       },
       best, high},
      {"interior point", makeInteriorPoint, areAtMost<interiorPointContacts>, best, high},
      {"rounds of sweeps", makeRounds,
       [](const Self& s, const Problem& p) {
         return !(s.areMany_ && s.isLoose_) && p.contacts() > fewContacts && s.leniency() > 1.;
       },
       best, extreme},
      {"directions with Newton steps", makeDirections,
       [](const Self& s, const Problem&) { return s.mayFactor_ && !s.isNewtonEarly_; }, best, extreme},
      {"no friction",
       [](const Self& s) -> Member {
         return std::make_unique<FrictionlessSolver>(LcpActiveSetOptions{.tolerance = s.tolerance()});
       },
       areAtMost<1000>, best, high},
      {"Lemke in the plane",
       [](const Self& s) -> Member {
         return std::make_unique<Friction2DLemkeSolver>(LemkeOptions{.tolerance = s.tolerance()});
       },
       [](const Self&, const Problem& p) { return p.dimension() == 2 && p.contacts() <= 300; }, best},
      {"Newton", [](const Self& s) { return contactNewton(s.tolerance()); }, areAtMost<1000>, best, extreme},
      {"interior point", makeInteriorPoint,
       [](const Self&, const Problem& p) { return p.contacts() > interiorPointContacts && p.contacts() <= 5000; }, best,
       extreme},
      {"Newton from many starts",
       [](const Self& s) -> Member {
         return std::make_unique<ContactRestarts>(
             contactNewton(s.tolerance(), NewtonFunction::alartCurnier, ManyStarts::steps), drawReactions,
             ManyStarts::starts);
       },
       [](const Self&, const Problem& p) { return p.size() <= ManyStarts::mostRows; }, best, extreme},
      {"stiff directions",
       [](const Self& s) {
         return contactDirections({.tolerance = s.tolerance(), .maxIterations = 10000, .penalty = 3.});
       },
       areAtMost<mostFactored>, given, extreme},
      {"soft directions",
       [](const Self& s) {
         return contactDirections({.tolerance = s.tolerance(), .maxIterations = 10000, .penalty = 0.01});
       },
       areAtMost<mostFactored>, given, extreme},
      {"last sweeps", makeLastSweeps,
       [](const Self& s, const Problem&) { return s.mayFactor_ && !(s.areMany_ && s.isLoose_); }, best, extreme},
      {"proximal points",
       [](const Self& s) -> Member {
         const double inner = 0.1 * s.tolerance();
         return std::make_unique<ProximalSolver>(
             std::make_unique<NewtonSolver>(NewtonOptions{.tolerance = inner, .remember = false}),
             ProximalOptions{.tolerance = s.tolerance()});
       },
       [](const Self&, const Problem& p) { return p.size() <= mostProximalRows; }, best, extreme},
  };
  static constexpr Table all[] = {lines};
  return all;
}

}  // namespace delassus::numerics
