// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>

#include <delassus/numerics/methods/AdmmNewtonSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/ContactSweep.hpp>
#include <delassus/numerics/methods/Friction2DLemkeSolver.hpp>
#include <delassus/numerics/methods/FrictionInteriorPointSolver.hpp>
#include <delassus/numerics/methods/FrictionlessSolver.hpp>
#include <delassus/numerics/methods/IslandSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/RandomImpulses.hpp>
#include <delassus/numerics/methods/RestartingSolver.hpp>
#include <delassus/numerics/methods/SweepRound.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t manyContacts = 400;
constexpr std::size_t manyForLoose = 100;    // the same for loose tolerances
constexpr double looseTolerance = 1e-5;      // that sweeps reach in the end, mostly
constexpr std::size_t mostFactored = 20000;  // contacts; the factor of W would have gigabytes
constexpr std::size_t quickAdmmContacts = 4000;
constexpr std::size_t bodyIterations = 300;
constexpr std::size_t longSolve = 3000;    // sweeps, from which on a check every 60 is often enough
constexpr std::size_t quickContacts = 15;  // up to which some Newton steps cost less than a run of ADMM
constexpr std::size_t quickContactSteps = 6;
constexpr std::size_t restartContacts = 20;
constexpr std::size_t contactStarts = 300;
constexpr std::size_t rounds = 20;  // more pay rarely: of 67 hard problems of piles one was left, by 80 too
constexpr std::size_t stepsOfAContactStart = 30;  // what converges does so in fewer, mostly

std::unique_ptr<NonsmoothGaussSeidelSolver> contactSweeps(double tolerance, std::size_t limit, std::size_t outlook,
                                                          const std::shared_ptr<ContactSweep>& contacts) {
  NonsmoothGaussSeidelOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.momentum = true;
  options.outlook = outlook;
  if (limit >= longSolve) options.errorInterval = 60;
  return std::make_unique<NonsmoothGaussSeidelSolver>(contacts, options);
}

std::unique_ptr<NewtonSolver> contactNewton(double tolerance, NewtonFunction function = NewtonFunction::naturalMap,
                                            std::size_t limit = NewtonOptions::ofContacts().maxIterations) {
  NewtonOptions options = NewtonOptions::ofContacts(function);
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.startSweeps = 0;
  return std::make_unique<NewtonSolver>(options);
}

// From the first start: with a high or a low penalty.
std::unique_ptr<AdmmNewtonSolver> lastAdmm(double tolerance, double penalty) {
  AdmmNewtonOptions options;
  options.tolerance = tolerance;
  options.maxIterations = 10000;
  options.penalty = penalty;
  return std::make_unique<AdmmNewtonSolver>(options);
}

void drawReactions(const FrictionContactProblem& problem, std::size_t, RandomGenerator& generator, Vector& r) {
  drawImpulses(problem, generator, r);
}

// Each reaction of the last answer by a factor.
void scaleReactions(const FrictionContactProblem& problem, std::size_t, RandomGenerator& generator, Vector& r) {
  std::uniform_real_distribution<double> factors(0., 1.5);
  const std::size_t d = problem.dimension();
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const double factor = factors(generator);
    for (std::size_t i = 0; i < d; ++i) r(d * contact + i) *= factor;
  }
}

}  // namespace

AutomaticFrictionSolver::AutomaticFrictionSolver(double tolerance)
    : FallbackChain<FrictionContactProblem>("AutomaticFrictionSolver", tolerance),
      contacts_(std::make_shared<ContactSweep>(nullptr)) {
}

AutomaticFrictionSolver::Member AutomaticFrictionSolver::make(std::size_t number) {
  const double tolerance = this->tolerance();
  switch (number) {
    case quickSweeps:
      return contactSweeps(tolerance, 300, 60, contacts_);
    case sweepRound:
      return std::make_unique<SweepRound>(tolerance, contacts_);
    case islands:
      return std::make_unique<IslandSolver>(IslandOptions{.tolerance = tolerance, .largestIsland = 0.5});
    case sweepRounds:
      return std::make_unique<RestartingSolver<FrictionContactProblem>>(
          std::make_unique<SweepRound>(tolerance, contacts_), scaleReactions, rounds);
    case patientSweeps:
      return contactSweeps(tolerance, 20000, 3000, contacts_);
    case quickAdmm:
      return std::make_unique<AdmmNewtonSolver>(AdmmNewtonOptions{.tolerance = tolerance, .maxIterations = 1000});
    case quickNewton:
      return contactNewton(tolerance, NewtonFunction::naturalMap, quickContactSteps);
    case admmNewton:
      return std::make_unique<AdmmNewtonSolver>(AdmmNewtonOptions{.tolerance = tolerance});
    case frictionless:
      return std::make_unique<FrictionlessSolver>(LcpActiveSetOptions{.tolerance = tolerance});
    case lemke:
      return std::make_unique<Friction2DLemkeSolver>(LemkeOptions{.tolerance = tolerance});
    case naturalMapNewton:
      return contactNewton(tolerance);
    case interiorPoint:
      return std::make_unique<FrictionInteriorPointSolver>(FrictionInteriorPointOptions{.tolerance = tolerance});
    case restarts:
      return std::make_unique<RestartingSolver<FrictionContactProblem>>(
          contactNewton(tolerance, NewtonFunction::alartCurnier, stepsOfAContactStart), drawReactions, contactStarts);
    case stiffAdmm:
      return lastAdmm(tolerance, 3.);
    case softAdmm:
      return lastAdmm(tolerance, 0.01);
    case lastSweeps:
      return contactSweeps(tolerance, 50000, 0, contacts_);
    case admmOfBodies:
      return std::make_unique<AdmmSolver>(AdmmOptions{.tolerance = tolerance, .maxIterations = bodyIterations});
    default:
      return nullptr;
  }
}

void AutomaticFrictionSolver::plan(const FrictionContactProblem& problem, std::vector<std::size_t>& order) {
  // A sweep costs time linear in the contacts, a factorisation more.
  const bool isLoose = tolerance() >= looseTolerance;
  const bool areMany = problem.contacts() >= (isLoose ? manyForLoose : manyContacts);
  const bool mayFactor = problem.contacts() <= mostFactored;
  // On faces few unknowns of bodies bear many contacts, and sweeps carry a load from one to the next slowly.
  const bool areOnFaces =
      problem.contacts() >= manyForLoose && 2 * problem.W().rankBound() <= problem.size() && problem.W().hasPenalised();
  const bool isNewtonEarly = areOnFaces && !isLoose && problem.contacts() <= quickAdmmContacts;
  if (areOnFaces) order.push_back(admmOfBodies);
  if (isNewtonEarly) order.push_back(admmNewton);
  order.push_back(areMany ? sweepRound : quickSweeps);
  if (mayFactor) order.push_back(islands);
  if (areMany && isLoose) order.push_back(sweepRounds);
  if (areMany) order.push_back(patientSweeps);
  const bool sweepsSuffice = areMany && isLoose;
  if (sweepsSuffice && problem.contacts() <= quickAdmmContacts) order.push_back(quickAdmm);
  if (sweepsSuffice || !mayFactor) order.push_back(lastSweeps);
  if (!mayFactor) return;
  if (problem.contacts() <= quickContacts) order.push_back(quickNewton);
  if (!isNewtonEarly) order.push_back(admmNewton);
  if (problem.contacts() <= 1000) order.push_back(frictionless);
  if (problem.dimension() == 2 && problem.contacts() <= 300) order.push_back(lemke);
  if (problem.contacts() <= 1000) order.push_back(naturalMapNewton);
  if (problem.contacts() <= 5000) order.push_back(interiorPoint);
  if (problem.contacts() <= restartContacts) order.push_back(restarts);
  order.push_back(stiffAdmm);
  order.push_back(softAdmm);
  if (!sweepsSuffice) order.push_back(lastSweeps);
}

bool AutomaticFrictionSolver::proves(std::size_t number, const FrictionContactProblem&, const SolveReport&) {
  return number == frictionless || number == islands;
}

const Vector& AutomaticFrictionSolver::startFor(std::size_t number, const Vector& original, const Vector& best) const {
  // The last resorts look elsewhere.
  return number == stiffAdmm || number == softAdmm ? original : best;
}

}  // namespace delassus::numerics
