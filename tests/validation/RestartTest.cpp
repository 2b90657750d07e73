// SPDX-License-Identifier: Apache-2.0
//
// Restarted runs against uninterrupted ones, to the last bit, for every scheme, problem and solver.
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <random>
#include <support/Circuits.hpp>
#include <support/FirstOrderModels.hpp>
#include <support/Linkages.hpp>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

template <class Integrator, class Problem>
std::shared_ptr<Simulation> stepping(NonSmoothDynamicalSystem& model, double h, Integrator integrator, Problem problem,
                                     TimeSteppingOptions options = {}) {
  return std::make_shared<TimeStepping>(model, TimeDiscretisation(model.t0(), h), std::move(integrator),
                                        std::move(problem), options);
}

// Makes runs, each with a new model, scheme and problem.
template <class MakeModel, class MakeIntegrator, class MakeProblem>
void expectSame(const std::string& name, MakeModel makeModel, double h, MakeIntegrator integrator,
                MakeProblem problem) {
  expectSameAfterRestart(name, [=] {
    auto model = makeModel();
    auto simulation = stepping(model->model, h, integrator(), problem());
    return restartRun(std::move(model), std::move(simulation));
  });
}

// ------------------------------------------------------------------------------------------- contacts, no friction

TEST(Restart, OfABouncingBallIsTheSameForAllSchemes) {
  const auto ball = [] { return std::make_shared<BouncingBall>(0.2, -0.5, 0.8, 0.8, 3); };
  const auto lcp = [] { return LCP(); };
  expectSame(
      "Moreau-Jean", ball, 0.01, [] { return MoreauJeanOSI(); }, lcp);
  expectSame(
      "Moreau-Jean, implicit", ball, 0.01, [] { return MoreauJeanOSI(1., 0.); }, lcp);
  expectSame(
      "semi-explicit", ball, 0.01, [] { return MoreauJeanOSI::semiExplicit(); }, lcp);
  expectSame(
      "Schatzman-Paoli", ball, 0.01, [] { return SchatzmanPaoliOSI(0.5); }, lcp);
  expectSame(
      "Schatzman-Paoli, explicit", ball, 0.01, [] { return SchatzmanPaoliOSI(0.); }, lcp);
}

TEST(Restart, OfAColumnOfBeadsIsTheSameForAllSolvers) {
  const auto column = [] { return std::make_shared<ColumnOfBeads>(6, 0.12, 0.21, 0.6, 0.5); };
  const auto moreau = [] { return MoreauJeanOSI(); };
  const double h = 0.01;
  expectSame("LCP", column, h, moreau, [] { return LCP(); });
  expectSame("Lemke", column, h, moreau, [] { return LCP(LemkeSolver{}); });
  expectSame("pivoting", column, h, moreau, [] { return LCP(BlockPivotingSolver{}); });
  expectSame("enumeration", column, h, moreau, [] { return LCP(EnumerationSolver{}); });
  expectSame("Gauss-Seidel, then Lemke", column, h, moreau,
             [] { return LCP(ProjectedGaussSeidelSolver{}, LemkeSolver{}); });
  expectSame("remembered sets", column, h, moreau, [] { return LCP(numerics::DirectSolver{}); });
  expectSame("automatic", column, h, moreau, [] { return LCP(numerics::AutomaticBoxSolver{}); });
  expectSame("MLCP", column, h, moreau, [] { return MLCP(); });
  expectSame("MLCP, automatic", column, h, moreau, [] { return MLCP(AutomaticBoxSolver{}); });
  expectSame("Relay", column, h, moreau, [] { return Relay(); });
  expectSame("Relay, automatic", column, h, moreau, [] { return Relay(AutomaticBoxSolver{}); });
  expectSame("Relay, Lemke", column, h, moreau,
             [] { return Relay(LcpFormSolver({}, std::make_unique<LemkeSolver>())); });
  expectSame("Relay, Gauss-Seidel", column, h, moreau,
             [] { return Relay(ProjectedGaussSeidelSolver{}, BlockPivotingSolver{}); });
  expectSame("GenericMechanical", column, h, moreau, [] { return GenericMechanical(); });
  expectSame(
      "Schatzman-Paoli", column, h, [] { return SchatzmanPaoliOSI(0.5); }, [] { return Relay(); });
}

// A pendulum with a nonlinear stop, in one angle.
struct StoppedPendulum {
  explicit StoppedPendulum(double end = 1.5) : model(0., end) {
    pendulum = std::make_shared<LagrangianDS>(makeVector({1.2}), makeVector({0.}));
    pendulum->setMass([](const Vector&, Matrix& M) { M(0, 0) = 1.; });
    pendulum->setInternalForces(automatic([](auto, const auto& q, const auto& v, auto& F) {
      using std::sin;
      F(0) = 9.81 * sin(q(0)) + 0.1 * v(0);
    }));
    stop = std::make_shared<Interaction>(NewtonImpactNSL(0.7),
                                         LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                                   using std::sin;
                                                                   y(0) = sin(q(0)) + 0.3;
                                                                 })));
    model.insert(pendulum);
    model.link(stop, pendulum);
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianDS> pendulum;
  std::shared_ptr<Interaction> stop;
};

TEST(Restart, OfANonlinearPendulumIsTheSame) {
  const auto pendulum = [] { return std::make_shared<StoppedPendulum>(); };
  expectSame(
      "Moreau-Jean", pendulum, 0.02, [] { return MoreauJeanOSI(); }, [] { return LCP(); });
  expectSame(
      "Schatzman-Paoli", pendulum, 0.02, [] { return SchatzmanPaoliOSI(0.5); }, [] { return LCP(); });
  expectSame(
      "semi-explicit", pendulum, 0.01, [] { return MoreauJeanOSI::semiExplicit(); },
      [] { return GenericMechanical(); });
}

// Masses on a compliant bed, soft and hard.
struct Cushions {
  Cushions() : model(0., 0.6) {
    for (const double stiffness : {40., 1e6}) {
      const auto mass =
          std::make_shared<LagrangianLinearTIDS>(makeVector({0.2}), makeVector({-1.}), makeMatrix({{1.}}));
      mass->setExternalForces(makeVector({-9.81}));
      model.insert(mass);
      model.link(std::make_shared<Interaction>(
                     NewtonImpactNSL(0.), LagrangianCompliantR(1, automatic([=](const auto& q, const auto& l, auto& y) {
                                                                 y(0) = q(0) + l(0) / stiffness;
                                                               }))),
                 mass);
    }
  }
  NonSmoothDynamicalSystem model;
};

TEST(Restart, OfCompliantContactsIsTheSame) {
  expectSame(
      "compliant", [] { return std::make_shared<Cushions>(); }, 0.01, [] { return MoreauJeanOSI(); },
      [] { return LCP(); });
}

// ---------------------------------------------------------------------------------------------------- rigid bodies

// Balls that fall on a plane, roll and push each other.
struct Balls {
  explicit Balls(std::size_t law, double end = 0.5) : model(0., end) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> entry(-1., 1.);
    const double radius = 0.1, mass = 2.;
    for (int k = 0; k < 4; ++k) {
      Vector v(6);
      for (double& x : v.data()) x = entry(random);
      const auto ball = std::make_shared<NewtonEulerDS>(
          NewtonEulerDS::at({0.19 * k, 0.01 * entry(random), 0.12 + 0.02 * entry(random)}), v, mass,
          NewtonEulerDS::ballInertia(mass, radius));
      ball->setExternalForces(makeVector({0., 0., -9.81 * mass}));
      model.insert(ball);
      const Plane ground = Plane::through({0., 0., 0.}, {0.1, 0., 1.});
      model.link(contact(law, SpherePlane(radius, ground)), ball);
      if (!balls.empty()) model.link(contact(law, SphereSphere(radius, radius)), balls.back(), ball);
      balls.push_back(ball);
    }
  }
  template <class Geometry>
  static std::shared_ptr<Interaction> contact(std::size_t law, const Geometry& geometry) {
    if (law == 1) return std::make_shared<Interaction>(NewtonImpactNSL(0.5), NewtonEuler1DR(geometry));
    if (law == 3) return std::make_shared<Interaction>(NewtonImpactFrictionNSL(0.3, 0., 0.4), NewtonEuler3DR(geometry));
    return std::make_shared<Interaction>(NewtonImpactRollingFrictionNSL(0.2, 0., 0.4, 0.01), NewtonEuler5DR(geometry));
  }
  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<NewtonEulerDS>> balls;
};

TEST(Restart, OfRollingAndSlidingBallsIsTheSame) {
  const auto moreau = [] { return MoreauJeanOSI(); };
  expectSame(
      "no friction", [] { return std::make_shared<Balls>(1); }, 0.01, moreau, [] { return LCP(); });
  expectSame(
      "friction", [] { return std::make_shared<Balls>(3); }, 0.01, moreau, [] { return FrictionContact(3); });
  expectSame(
      "friction, generic", [] { return std::make_shared<Balls>(3); }, 0.01, moreau, [] { return GenericMechanical(); });
  expectSame(
      "friction, global", [] { return std::make_shared<Balls>(3); }, 0.01, [] { return MoreauJeanOSI::semiExplicit(); },
      [] { return GlobalFrictionContact(3); });
  expectSame(
      "rolling", [] { return std::make_shared<Balls>(5); }, 0.01, moreau, [] { return GenericMechanical(); });
}

TEST(Restart, OfFrictionIsTheSameForAllSolversOfTheCatalogue) {
  for (const auto& entry : numerics::solversFor<numerics::FrictionContactProblem>()) {
    // Of problems without friction, or in the plane.
    if (entry.name == "frictionless" || entry.name.ends_with("_2d")) continue;
    expectSameAfterRestart(std::string(entry.name), [&entry] {
      auto balls = std::make_shared<Balls>(3, 0.3);
      numerics::SolverSettings settings;
      settings.tolerance = 1e-6;
      std::vector<std::unique_ptr<numerics::SolverOverSets>> solvers;
      solvers.push_back(entry.make(settings));
      auto simulation = std::make_shared<TimeStepping>(balls->model, TimeDiscretisation(0., 0.02), MoreauJeanOSI(),
                                                       FrictionContact(3, std::move(solvers)));
      simulation->setFailurePolicy(FailureAction::accept);
      return restartRun(std::move(balls), std::move(simulation));
    });
  }
}

// ----------------------------------------------------------------------------------------------------------- joints

// A chain of two bars with limits, a drive and a motor that turns for more than a turn.
struct Mechanism {
  explicit Mechanism(double end = 1.5) : model(0., end) {
    first = makeRod({0., 0., 0.}, {0.5, 0., 0.}, 1.);
    second = makeRod({0.5, 0., 0.}, {1., 0., 0.}, 1.);
    model.insert(first);
    model.insert(second);
    const PivotJointR hinge = PivotJointR::at({0., 0., 0.}, {0., 1., 0.}, first->q());
    const PivotJointR knee = PivotJointR::at({0.5, 0., 0.}, {0., 1., 0.}, second->q(), first->q());
    model.link(std::make_shared<Interaction>(EqualityConditionNSL(5), hinge), first);
    model.link(std::make_shared<Interaction>(EqualityConditionNSL(5), knee), second, first);
    model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.5), knee.angle().below(0.4)), second, first);
    model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.), knee.angle().above(-0.4)), second, first);
    model.link(std::make_shared<Interaction>(
                   EqualityConditionNSL(),
                   hinge.angle().following(Motion([](double t) { return 8. * t; }, [](double) { return 8.; }))),
               first);
    first->setState(first->q(), makeVector({0., 0., -0.25 * 8., 0., 8., 0.}));
    second->setState(second->q(), makeVector({0., 0., -0.75 * 8., 0., 8., 0.}));
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> first, second;
};

TEST(Restart, OfJointsIsTheSame) {
  const auto mechanism = [] { return std::make_shared<Mechanism>(); };
  const auto moreau = [] { return MoreauJeanOSI(); };
  expectSame("MLCP", mechanism, 0.02, moreau, [] { return MLCP(); });
  expectSame("Relay", mechanism, 0.02, moreau, [] { return Relay(); });
  expectSame("GenericMechanical", mechanism, 0.02, moreau, [] { return GenericMechanical(); });
  expectSame("Newton", mechanism, 0.02, moreau, [] { return GenericMechanical(numerics::NewtonSolver{}); });
  expectSame(
      "closed loop", [] { return std::make_shared<SpatialSliderCrank>(0.3, 9., 1.); }, 0.02, moreau,
      [] { return GenericMechanical(); });
  expectSame(
      "closed loop, MLCP", [] { return std::make_shared<SpatialFourBar>(0.3, 3., 9.81, 0.5); }, 0.02, moreau,
      [] { return MLCP(); });
}

TEST(Restart, OfProjectionsIsTheSame) {
  for (const ProjectionForm form : {ProjectionForm::velocity, ProjectionForm::configuration}) {
    const auto with = [form](Projection kind) {
      return TimeSteppingOptions{.projection = {.kind = kind, .tolerance = 1e-10, .form = form}};
    };
    expectSameAfterRestart("direct", [&] {
      auto model = std::make_shared<SpatialSliderCrank>(0.3, 9., 0.5);
      auto simulation = std::make_shared<TimeStepping>(model->model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(),
                                                       GenericMechanical(), with(Projection::direct));
      return restartRun(std::move(model), std::move(simulation));
    });
    expectSameAfterRestart("combined", [&] {
      auto model = std::make_shared<Mechanism>(0.5);
      auto simulation = std::make_shared<TimeStepping>(model->model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(),
                                                       GenericMechanical(), with(Projection::combined));
      return restartRun(std::move(model), std::move(simulation));
    });
    expectSameAfterRestart("combined, contacts", [&] {
      auto model = std::make_shared<Balls>(3);
      auto simulation = std::make_shared<TimeStepping>(model->model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(),
                                                       FrictionContact(3), with(Projection::combined));
      return restartRun(std::move(model), std::move(simulation));
    });
  }
}

// ------------------------------------------------------------------------------------------------------ first order

TEST(Restart, OfCircuitsAndRelaysIsTheSame) {
  const auto bridge = [] { return std::make_shared<DiodeBridge>(2e-3); };
  const auto ladder = [] { return std::make_shared<DiodeLadder>(30, 3.); };
  const auto relay = [] { return std::make_shared<RelayOscillator>(3.); };
  expectSame(
      "bridge", bridge, 1e-5, [] { return EulerMoreauOSI(); }, [] { return LCP(); });
  expectSame(
      "bridge, theta-gamma", bridge, 2e-5, [] { return EulerMoreauOSI(0.5, 0.5); }, [] { return MLCP(); });
  expectSame(
      "bridge, full theta-gamma", bridge, 2e-5, [] { return EulerMoreauOSI::fullThetaGamma(0.5, 0.5); },
      [] { return Relay(); });
  expectSame(
      "ladder", ladder, 0.05, [] { return EulerMoreauOSI(0.5, 0.5); }, [] { return LCP(); });
  expectSame(
      "ladder, remembered sets", ladder, 0.05, [] { return EulerMoreauOSI(1.); },
      [] { return LCP(numerics::DirectSolver{}); });
  expectSame(
      "ladder, relay", ladder, 0.05, [] { return EulerMoreauOSI(1.); }, [] { return Relay(); });
  expectSame(
      "ladder, MLCP", ladder, 0.05, [] { return EulerMoreauOSI(1.); }, [] { return MLCP(); });
  expectSame(
      "sliding mode", relay, 0.01, [] { return EulerMoreauOSI(0.5); }, [] { return Relay(); });
  expectSame(
      "sliding mode, Lemke", relay, 0.01, [] { return EulerMoreauOSI(1.); },
      [] { return Relay(LcpFormSolver({}, std::make_unique<LemkeSolver>())); });
}

TEST(Restart, OfRandomNonlinearFirstOrderModelsIsTheSame) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const auto model = [=] { return std::make_shared<MixedFirstOrderModel>(seed, 0.5); };
    const std::string name = "seed " + std::to_string(seed);
    expectSame(
        name, model, 0.02, [] { return EulerMoreauOSI(0.5); }, [] { return Relay(); });
    expectSame(
        name + ", theta-gamma", model, 0.02, [] { return EulerMoreauOSI(0.5, 0.7); }, [] { return Relay(); });
    expectSame(
        name + ", full", model, 0.02, [] { return EulerMoreauOSI::fullThetaGamma(0.7, 0.7); },
        [] { return Relay(AutomaticBoxSolver{}); });
  }
}

// ------------------------------------------------------------------------------------------------- all in one model

TEST(Restart, OfMixedSchemesIsTheSame) {
  struct Mixed {
    Mixed() : model(0., 0.6) {
      for (const double height : {0.1, 0.2}) {
        auto ball = std::make_shared<LagrangianLinearTIDS>(makeVector({height}), makeVector({0.}), makeMatrix({{1.}}));
        ball->setExternalForces(makeVector({-9.81}));
        model.insert(ball);
        model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.6), LagrangianLinearTIR(makeMatrix({{1.}}))), ball);
        balls.push_back(ball);
      }
      tank = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{0.}}));
      model.insert(tank);
      model.link(std::make_shared<Interaction>(RelayNSL(), FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}}))),
                 tank);
    }
    NonSmoothDynamicalSystem model;
    std::vector<std::shared_ptr<DynamicalSystem>> balls;
    std::shared_ptr<FirstOrderLinearTIDS> tank;
  };
  expectSameAfterRestart("mixed", [] {
    auto mixed = std::make_shared<Mixed>();
    MixedOSI scheme;
    scheme.add(MoreauJeanOSI(), {mixed->balls[0]});
    scheme.add(SchatzmanPaoliOSI(0.5), {mixed->balls[1]});
    scheme.add(EulerMoreauOSI(1.), {mixed->tank});
    auto simulation = stepping(mixed->model, 0.01, std::move(scheme), Relay());
    return restartRun(std::move(mixed), std::move(simulation));
  });
}

TEST(Restart, OnGivenInstantsIsTheSame) {
  for (const bool schatzmanPaoli : {false, true}) {
    expectSameAfterRestart("given instants", [=] {
      auto column = std::make_shared<ColumnOfBeads>(3, 0.12, 0.21, 0.6, 1.);
      std::vector<double> instants{0.};
      for (int k = 0; k < 60; ++k) instants.push_back(instants.back() + (k % 7 < 3 ? 0.01 : 0.004));
      std::unique_ptr<OneStepIntegrator> integrator = std::make_unique<MoreauJeanOSI>();
      if (schatzmanPaoli) integrator = std::make_unique<SchatzmanPaoliOSI>(0.5);
      auto simulation = std::make_shared<TimeStepping>(column->model, TimeDiscretisation(instants),
                                                       std::move(integrator), std::make_unique<LCP>());
      return restartRun(std::move(column), std::move(simulation));
    });
  }
}

// A user's noise, controller and resets between the steps.
TEST(Restart, WithStatesOfTheUserIsTheSame) {
  struct Controlled {
    Controlled() : model(0., 1.) {
      arm = std::make_shared<LagrangianLinearTIDS>(makeVector({0.2}), makeVector({0.}), makeMatrix({{1.}}));
      arm->setZ(makeVector({0.}));
      arm->setHistoryDepth(3);
      arm->setExternalForces([](double, const Vector& z, Vector& F) { F(0) = z(0); });
      model.insert(arm);
      model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{1.}}))), arm);
    }
    void afterStep(const Simulation& simulation) {
      integral += arm->q()(0);
      arm->setZ(makeVector({-5. * arm->q()(0) - 0.1 * integral + noise(random) - 3.}));
      if (simulation.stepIndex() % 13 == 0) arm->setState(makeVector({0.3}), arm->velocity());
    }
    NonSmoothDynamicalSystem model;
    std::shared_ptr<LagrangianLinearTIDS> arm;
    double integral = 0.;
    std::mt19937 random{7};
    std::normal_distribution<double> noise;
  };
  for (const bool schatzmanPaoli : {false, true}) {
    expectSameAfterRestart("controlled", [=] {
      auto controlled = std::make_shared<Controlled>();
      std::unique_ptr<OneStepIntegrator> integrator = std::make_unique<MoreauJeanOSI>();
      if (schatzmanPaoli) integrator = std::make_unique<SchatzmanPaoliOSI>(0.);
      auto simulation = std::make_shared<TimeStepping>(controlled->model, TimeDiscretisation(0., 0.01),
                                                       std::move(integrator), std::make_unique<LCP>());
      simulation->addState("controller", [model = controlled.get()](StateArchive& archive) {
        archive.value("integral", model->integral);
        archive.stream("random", model->random);
        archive.stream("noise", model->noise);
      });
      auto* const raw = controlled.get();
      const Simulation& run = *simulation;
      return restartRun(std::move(controlled), std::move(simulation), [raw, &run] { raw->afterStep(run); });
    });
  }
}

// Random chains of masses with springs, dampers, limits and friction in an axis.
TEST(Restart, OfRandomChainsIsTheSame) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    expectSameAfterRestart("seed " + std::to_string(seed), [=] {
      struct Chain {
        NonSmoothDynamicalSystem model{0., 1.};
      };
      auto chain = std::make_shared<Chain>();
      std::mt19937 random(seed);
      std::uniform_real_distribution<double> entry(-1., 1.);
      std::vector<std::shared_ptr<LagrangianLinearTIDS>> masses;
      const std::size_t n = 2 + seed % 4;
      for (std::size_t k = 0; k < n; ++k) {
        Matrix M = makeMatrix({{1. + 0.5 * entry(random), 0.1}, {0.1, 2.}});
        Matrix K = makeMatrix({{30. + 20. * entry(random), -5.}, {-5., 20.}});
        Matrix C = makeMatrix({{0.5, 0.}, {0., 0.1}});
        auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({entry(random), entry(random)}),
                                                           makeVector({entry(random), 3. * entry(random)}), M, K, C);
        const double phase = entry(random);
        mass->setExternalForces([=](double t, Vector& F) { F(0) = 20. * std::sin(9. * t + phase); });
        chain->model.insert(mass);
        if (k > 0) {
          chain->model.link(
              std::make_shared<Interaction>(NewtonImpactNSL(0.5 + 0.4 * entry(random)),
                                            LagrangianLinearTIR(makeMatrix({{-1., 0., 1., 0.}}), makeVector({2.1}))),
              masses.back(), mass);
        }
        if (seed % 2 == 0) {
          chain->model.link(
              std::make_shared<Interaction>(RelayNSL(1, -1., 1.), LagrangianLinearTIR(makeMatrix({{0., 1.}}))), mass);
        }
        masses.push_back(mass);
      }
      auto simulation = stepping(chain->model, 0.02, MoreauJeanOSI(seed % 3 == 0 ? 0.5 : 0.7), GenericMechanical());
      return restartRun(std::move(chain), std::move(simulation));
    });
  }
}

}  // namespace
