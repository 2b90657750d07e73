// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/AutomaticFrictionSolver.hpp>

#include <delassus/numerics/RestartingSolver.hpp>
#include <delassus/numerics/friction/AdmmNewtonSolver.hpp>
#include <delassus/numerics/friction/AssemblySolver.hpp>
#include <delassus/numerics/friction/ContactNewtonSolver.hpp>
#include <delassus/numerics/friction/Friction2DLemkeSolver.hpp>
#include <delassus/numerics/friction/FrictionInteriorPointSolver.hpp>
#include <delassus/numerics/friction/FrictionlessSolver.hpp>
#include <delassus/numerics/friction/NonsmoothGaussSeidelSolver.hpp>
#include <delassus/numerics/mechanical/RandomImpulses.hpp>

namespace delassus::numerics {
namespace {

enum Member : std::size_t {
  quickSweeps,
  patientSweeps,
  quickNewton,
  admmNewton,
  frictionless,
  lemke,
  naturalMapNewton,
  interiorPoint,
  restarts,
  stiffAdmm,
  softAdmm,
  manySweeps,
  assembly
};

constexpr std::size_t manyContacts = 400;
constexpr std::size_t quickContacts = 15;  // up to which some Newton steps cost less than a run of ADMM
constexpr std::size_t quickSteps = 6;
constexpr std::size_t restartContacts = 20;
constexpr std::size_t starts = 300;
constexpr std::size_t stepsOfAStart = 30;  // what converges does so in fewer, mostly

NonsmoothGaussSeidelOptions sweeps(double tolerance, std::size_t limit, std::size_t outlook) {
  NonsmoothGaussSeidelOptions options;
  options.tolerance = tolerance;
  options.maxIterations = limit;
  options.accelerationMemory = 5;
  options.outlook = outlook;
  return options;
}

}  // namespace

AutomaticFrictionSolver::AutomaticFrictionSolver(double tolerance)
    : FallbackChain<FrictionContactProblem>("AutomaticFrictionSolver", tolerance) {
  AdmmNewtonOptions admm;
  admm.tolerance = tolerance;
  ContactNewtonOptions newton;
  newton.tolerance = tolerance;
  newton.startSweeps = 0;
  FrictionInteriorPointOptions interior;
  interior.tolerance = tolerance;
  add(std::make_unique<NonsmoothGaussSeidelSolver>(sweeps(tolerance, 80, 10)));
  add(std::make_unique<NonsmoothGaussSeidelSolver>(sweeps(tolerance, 3000, 300)));
  newton.maxIterations = quickSteps;
  add(std::make_unique<NaturalMapNewtonSolver>(newton));
  newton.maxIterations = ContactNewtonOptions().maxIterations;
  add(std::make_unique<AdmmNewtonSolver>(admm));
  LemkeOptions exact;
  exact.tolerance = tolerance;
  LcpActiveSetOptions normal;
  normal.tolerance = tolerance;
  add(std::make_unique<FrictionlessSolver>(normal));
  add(std::make_unique<Friction2DLemkeSolver>(exact));
  add(std::make_unique<NaturalMapNewtonSolver>(newton));
  add(std::make_unique<FrictionInteriorPointSolver>(interior));
  newton.maxIterations = stepsOfAStart;
  const auto draw = [](const FrictionContactProblem& problem, std::mt19937_64& generator, Vector& r) {
    drawImpulses(problem, generator, r);
  };
  add(std::make_unique<RestartingSolver<FrictionContactProblem>>(std::make_unique<AlartCurnierNewtonSolver>(newton),
                                                                 draw, starts));
  admm.maxIterations = 10000;
  admm.penalty = 3.;
  add(std::make_unique<AdmmNewtonSolver>(admm));
  admm.penalty = 0.01;
  add(std::make_unique<AdmmNewtonSolver>(admm));
  add(std::make_unique<NonsmoothGaussSeidelSolver>(sweeps(tolerance, 10000, 0)));
  add(std::make_unique<AssemblySolver>(tolerance));
}

void AutomaticFrictionSolver::plan(const FrictionContactProblem& problem, std::vector<std::size_t>& order) {
  if (problem.W().matrix() == nullptr) {
    order.push_back(patientSweeps);
    if (problem.contacts() <= 5000) order.push_back(assembly);
    order.push_back(manySweeps);
    return;
  }
  // A sweep costs time linear in the contacts, a factorisation more.
  order.push_back(problem.contacts() < manyContacts ? quickSweeps : patientSweeps);
  if (problem.contacts() <= quickContacts) order.push_back(quickNewton);
  order.push_back(admmNewton);
  if (problem.contacts() <= 1000) order.push_back(frictionless);
  if (problem.dimension() == 2 && problem.contacts() <= 300) order.push_back(lemke);
  if (problem.contacts() <= 1000) order.push_back(naturalMapNewton);
  if (problem.contacts() <= 5000) order.push_back(interiorPoint);
  if (problem.contacts() <= restartContacts) order.push_back(restarts);
  order.push_back(stiffAdmm);
  order.push_back(softAdmm);
  order.push_back(manySweeps);
}

bool AutomaticFrictionSolver::proves(std::size_t index, const FrictionContactProblem&, const SolveReport&) {
  return index == frictionless || index == assembly;
}

const Vector& AutomaticFrictionSolver::startFor(std::size_t index, const Vector& original, const Vector& best) const {
  // The last resorts look elsewhere.
  return index == stiffAdmm || index == softAdmm ? original : best;
}

}  // namespace delassus::numerics
