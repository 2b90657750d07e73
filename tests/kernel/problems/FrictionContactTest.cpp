// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactRollingFrictionNSL.hpp>
#include <delassus/kernel/laws/NormalConeNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/LagrangianCompliantR.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <random>
#include <support/Matchers.hpp>
#include <validation/Convergence.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A free mass with `size` coordinates, which are the outputs of one interaction with the law.
template <class Law, class Problem>
void bindWith(Law law, Problem problem, std::size_t size) {
  const auto mass = std::make_shared<LagrangianLinearTIDS>(Vector(size), Vector(size), identityMatrix(size));
  const auto contact = std::make_shared<Interaction>(std::move(law), LagrangianLinearTIR(identityMatrix(size)));
  contact->setName("edge");
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  model.link(contact, mass);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(), std::move(problem));
  simulation.initialise();
}

TEST(FrictionContact, TakesFrictionOfItsDimensionOnly) {
  EXPECT_NO_THROW(bindWith(NewtonImpactFrictionNSL(0., 0., 0.5), FrictionContact(3), 3));
  EXPECT_NO_THROW(bindWith(NewtonImpactFrictionNSL(0., 0., 0.5, 2), FrictionContact(2), 2));
  expectError([] { bindWith(NewtonImpactFrictionNSL(0., 0., 0.5), FrictionContact(2), 3); },
              {"'edge'", "FrictionContact", "of size 2", "NewtonImpactFrictionNSL (of size 3)"});
  expectError([] { bindWith(NewtonImpactFrictionNSL(0., 0., 0.5, 2), FrictionContact(3), 2); },
              {"'edge'", "of size 3", "NewtonImpactFrictionNSL (of size 2)"});
  for (const std::size_t dimension : {std::size_t{0}, std::size_t{1}, std::size_t{5}}) {
    expectError([&] { FrictionContact problem(dimension); }, {"FrictionContact", "2 or 3", std::to_string(dimension)});
  }
}

// Particles of 1 kg on a cubic grid, each pair of neighbours in contact: n in each direction.
void fillWithParticles(NonSmoothDynamicalSystem& model, std::size_t n) {
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> particles;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> speed(-1., 1.);
  for (std::size_t k = 0; k < n * n * n; ++k) {
    const Vector v = makeVector({speed(random), speed(random), speed(random)});
    particles.push_back(std::make_shared<LagrangianLinearTIDS>(Vector(3), v, identityMatrix(3)));
    model.insert(particles.back());
  }
  const std::array<std::size_t, 3> strides{1, n, n * n};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Matrix frame(3, 6);  // normal first
    for (std::size_t i = 0; i < 3; ++i) {
      frame(i, (axis + i) % 3) = -1.;
      frame(i, 3 + (axis + i) % 3) = 1.;
    }
    const auto relation = std::make_shared<LagrangianLinearTIR>(frame);
    const auto law = std::make_shared<NewtonImpactFrictionNSL>(0., 0., 0.3);
    for (std::size_t k = 0; k < particles.size(); ++k) {
      if (k / strides[axis] % n + 1 == n) continue;
      model.link(std::make_shared<Interaction>(law, relation), particles[k], particles[k + strides[axis]]);
    }
  }
}

// Of 144 contacts and of 9,450 half are active: the former have a matrix, the latter factors; both satisfy the law with
// the matrix that is made from them.
TEST(FrictionContact, TakesThousandsOfContactsAsFactors) {
  constexpr double tolerance = 1e-6;
  NonsmoothGaussSeidelOptions options;
  options.tolerance = tolerance;
  for (const std::size_t n : {4U, 15U}) {
    NonSmoothDynamicalSystem model(0., 1.);
    fillWithParticles(model, n);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI::pure(),
                            FrictionContact(3, NonsmoothGaussSeidelSolver(options)));
    simulation.step();
    const auto& last = dynamic_cast<const FrictionContact&>(simulation.problem()).problem();
    EXPECT_EQ(last.W().isMatrixProduct(), n == 4);
    BlockSparseMatrix W;
    last.W().assemble(W);
    const numerics::FrictionContactProblem matrix(3, W, last.q(), last.mu());
    Vector r(matrix.size()), u, rates(matrix.size());
    std::size_t row = 0;
    for (const auto& interaction : model.topology().indexSet(1)) {
      for (std::size_t i = 0; i < 3; ++i, ++row) {
        r(row) = interaction->lambda(1)(i);
        rates(row) = interaction->y(1)(i);
      }
    }
    EXPECT_LE(errorOf(matrix, numerics::ErrorMeasure::scaled, r, u), 1.001 * tolerance);
    expectNear(u, rates, 1e-12);  // of speeds of 1 m/s
    Matrix own(3, 3);
    last.W().diagonalBlock(0, data(own));
    expectNear(own, Matrix(2. * identityMatrix(3)), 1e-15);
  }
}

TEST(FrictionContact, RefusesOtherLawsByName) {
  expectError([] { bindWith(NewtonImpactNSL(0.5), FrictionContact(2), 1); }, {"'edge'", "NewtonImpactNSL"});
  expectError([] { bindWith(EqualityConditionNSL(1), FrictionContact(3), 1); }, {"'edge'", "EqualityConditionNSL"});
  expectError([] { bindWith(RelayNSL(2), FrictionContact(2), 2); }, {"'edge'", "RelayNSL", "box"});
  expectError([] { bindWith(NewtonImpactRollingFrictionNSL(0., 0., 0.5, 0.1), FrictionContact(3), 5); },
              {"'edge'", "NewtonImpactRollingFrictionNSL"});
}

TEST(OtherProblems, RefuseFrictionByName) {
  expectError([] { bindWith(NewtonImpactFrictionNSL(0., 0., 0.5), LCP(), 3); }, {"'edge'", "LCP", "Coulomb's cone"});
  expectError([] { bindWith(NewtonImpactFrictionNSL(0., 0., 0.5), Relay(), 3); },
              {"'edge'", "Relay", "Coulomb's cone"});
}

TEST(MoreauJeanOSI, RefusesLawsThatAreNoneOfItsByName) {
  expectError([] { bindWith(ComplementarityConditionNSL(1), Relay(), 1); },
              {"'edge'", "MoreauJeanOSI takes", "ComplementarityConditionNSL"});
  expectError([] { bindWith(MixedComplementarityConditionNSL(2, 1), Relay(), 2); },
              {"'edge'", "MixedComplementarityConditionNSL"});
  expectError([] { bindWith(NormalConeNSL(makeMatrix({{1.}}), makeVector({1.})), Relay(), 1); },
              {"'edge'", "NormalConeNSL", "polyhedron"});
}

TEST(MoreauJeanOSI, RefusesFrictionOnACompliantRelation) {
  const auto mass = std::make_shared<LagrangianLinearTIDS>(Vector(2), Vector(2), identityMatrix(2));
  const auto contact =
      std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.5, 2),
                                    LagrangianCompliantR(2, automatic([](const auto& q, const auto& l, auto& y) {
                                                           for (std::size_t i = 0; i < 2; ++i) y(i) = q(i) + l(i);
                                                         })));
  contact->setName("edge");
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  model.link(contact, mass);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(), FrictionContact(2));
  expectError([&] { simulation.initialise(); }, {"'edge'", "compliant", "friction"});
}

TEST(MoreauJeanOptions, MustBeFractions) {
  for (const double bad : {-0.1, 1.1, std::nan("")}) {
    expectError([&] { MoreauJeanOSI(MoreauJeanOptions{bad, 0.5, {}, {}}); }, {"MoreauJeanOSI", "in [0, 1]"});
    expectError([&] { MoreauJeanOSI(MoreauJeanOptions{0.5, bad, {}, {}}); }, {"in [0, 1]"});
    expectError([&] { MoreauJeanOSI(MoreauJeanOptions{0.5, 0.5, bad, {}}); }, {"in [0, 1]", "for the forces"});
    expectError([&] { MoreauJeanOSI(MoreauJeanOptions{0.5, 0.5, {}, bad}); }, {"in [0, 1]", "for the relations"});
  }
}

// A rod of mass 1 and half length 1 whose tip stands on rough ground falls from 0.3 rad: φ at t = 0.3.
double fallenAngle(MoreauJeanOSI integrator, double h, std::size_t* newtonIterations = nullptr,
                   TimeSteppingOptions options = {}, FailureAction onFailure = FailureAction::raise) {
  const double g = 10.;
  const auto rod = std::make_shared<LagrangianLinearTIDS>(makeVector({std::sin(0.3), std::cos(0.3), 0.3}), Vector(3),
                                                          diagonalMatrix({1., 1., 1. / 3.}));
  rod->setExternalForces(makeVector({0., -g, 0.}));
  const auto tip = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 5., 2),
                                                 LagrangianContactR(2, automatic([](const auto& q, auto& y) {
                                                                      using std::cos;
                                                                      y(0) = q(1) - cos(q(2));
                                                                    }),
                                                                    [](double, const Vector& q, Matrix& T) {
                                                                      T(0, 0) = 1.;
                                                                      T(0, 2) = -std::cos(q(2));
                                                                    }));
  NonSmoothDynamicalSystem model(0., 0.3);
  model.insert(rod);
  model.link(tip, rod);
  TimeStepping simulation(model, TimeDiscretisation(0., h), std::move(integrator), FrictionContact(2), options);
  simulation.setFailurePolicy(onFailure);
  simulation.run();
  if (newtonIterations != nullptr) *newtonIterations = simulation.statistics().newtonIterations;
  return rod->q()(2);
}

TEST(MoreauJeanOptions, DecideTheOrderInHoldingContacts) {
  const double exact = fallenAngle(MoreauJeanOSI(), 1e-4);
  const std::vector<double> coarse = {0.02, 0.01, 0.005};
  const std::vector<double> fine = {2e-3, 1e-3, 5e-4};  // where the term of order 2 is small beside that of order 1
  std::vector<double> midpoint, explicitOnes, atTheBegin;
  for (const double h : coarse) midpoint.push_back(std::abs(fallenAngle(MoreauJeanOSI(), h) - exact));
  for (const double h : fine) {
    explicitOnes.push_back(std::abs(fallenAngle(MoreauJeanOSI::semiExplicit(), h) - exact));
    atTheBegin.push_back(std::abs(fallenAngle(MoreauJeanOSI(MoreauJeanOptions{0.5, 0.5, {}, 0.}), h) - exact));
  }
  EXPECT_NEAR(observedOrder("relations at q*", coarse, midpoint), 2., 0.15);
  EXPECT_NEAR(observedOrder("semi-explicit", fine, explicitOnes), 1., 0.15);
  EXPECT_NEAR(observedOrder("relations at q", fine, atTheBegin), 1., 0.15);
}

TEST(MoreauJeanOptions, SemiExplicitStepsAreOnePassEach) {
  std::size_t passes = 0;
  fallenAngle(MoreauJeanOSI::semiExplicit(), 0.01, &passes);
  EXPECT_EQ(passes, 30U);
  fallenAngle(MoreauJeanOSI(), 0.01, &passes);
  EXPECT_GT(passes, 30U);
}

// The rod is linear; only its contact turns.
TEST(TimeSteppingOptions, ByTheResidualAloneOnePassIsEnoughWhereOnlyContactsTurn) {
  const double h = 0.01;
  std::size_t passes = 0;
  TimeSteppingOptions alone;
  alone.newtonTest = NewtonTest::residual;
  const double angle = fallenAngle(MoreauJeanOSI(), h, &passes, alone);
  EXPECT_EQ(passes, 30U);
  TimeSteppingOptions single;
  single.newtonMaxIterations = 1;
  EXPECT_EQ(angle, fallenAngle(MoreauJeanOSI(), h, &passes, single, FailureAction::accept));
  EXPECT_NEAR(angle, fallenAngle(MoreauJeanOSI(), h), 1e-2);
  EXPECT_NE(angle, fallenAngle(MoreauJeanOSI(), h));
}

TEST(TimeSteppingOptions, ByTheResidualAloneForcesAreStillIteratedTo) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto pendulum = std::make_shared<LagrangianDS>(makeVector({2.}), makeVector({3.}), makeMatrix({{1.}}));
  pendulum->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& F) {
    using std::sin;
    F(0) = 40. * sin(q(0));
  }));
  model.insert(pendulum);
  TimeSteppingOptions alone;
  alone.newtonTest = NewtonTest::residual;
  TimeStepping simulation(model, TimeDiscretisation(0., 0.05), MoreauJeanOSI(), FrictionContact(2), alone);
  std::size_t most = 0;
  simulation.run([&] {
    most = std::max(most, simulation.lastStep().newtonIterations);
    EXPECT_LE(simulation.lastStep().newtonResidual, alone.newtonTolerance);
  });
  EXPECT_GT(most, 2U);
}

}  // namespace
