// SPDX-License-Identifier: Apache-2.0
//
// One-step problems of first-order models: how they are assembled, which laws they take, and that what they give is
// what the laws say.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/NormalConeNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();

// The example of [Siconos 2017], 1.1.2: interaction μ (3 rows) on systems 1 and 3, interaction θ (1 row) on systems 2
// and 3.
TEST(FirstOrderProblems, AreAssembledFromTheBlocksOfTheNotes) {
  Generator generator(1);
  const std::size_t n[3] = {2, 3, 2};
  const double h = 0.1;
  NonSmoothDynamicalSystem model(0., 1.);
  std::vector<std::shared_ptr<FirstOrderLinearTIDS>> systems;
  for (const double rate : {1., 2., 3.}) {
    // W = (1 + h rate) 1 each, so that the products below are plain.
    const std::size_t size = n[systems.size()];
    systems.push_back(
        std::make_shared<FirstOrderLinearTIDS>(randomVector(generator, size), -rate * identityMatrix(size)));
    model.insert(systems.back());
  }
  const Matrix C1 = randomMatrix(generator, 3, 4), B1 = randomMatrix(generator, 4, 3), D1 = identityMatrix(3);
  const Matrix C2 = randomMatrix(generator, 1, 5), B2 = randomMatrix(generator, 5, 1), D2 = identityMatrix(1);
  const auto mu = std::make_shared<Interaction>(EqualityConditionNSL(3), FirstOrderLinearTIR(C1, D1, B1));
  const auto theta = std::make_shared<Interaction>(EqualityConditionNSL(1), FirstOrderLinearTIR(C2, D2, B2));
  model.link(mu, systems[0], systems[2]);
  model.link(theta, systems[1], systems[2]);
  ASSERT_EQ(model.topology().linkedInteractions(*mu).size(), 1U);
  EXPECT_EQ(model.topology().linkedInteractions(*mu).front(), theta);

  EulerMoreauOSI integrator(1.);
  integrator.bind(model, 0.);
  integrator.beginStep({0., h, h});
  integrator.computeFreeState();
  Relay problem;
  problem.bind(model, integrator.equations());
  EXPECT_TRUE(problem.solve(integrator.equations()).converged());
  Matrix M;
  problem.problem().M().toDense(M);
  const double w[3] = {1.1, 1.2, 1.3};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      double expected = i == j ? 1. : 0.;
      if (i < 3 && j < 3) {
        for (std::size_t k = 0; k < 4; ++k) expected += h / (k < 2 ? w[0] : w[2]) * C1(i, k) * B1(k, j);
      } else if (i == 3 && j == 3) {
        for (std::size_t k = 0; k < 5; ++k) expected += h / (k < 3 ? w[1] : w[2]) * C2(0, k) * B2(k, 0);
      } else {
        // Only system 3 is shared.
        for (std::size_t k = 0; k < 2; ++k) {
          expected += h / w[2] * (i < 3 ? C1(i, 2 + k) * B2(3 + k, 0) : C2(0, 3 + k) * B1(2 + k, j));
        }
      }
      EXPECT_NEAR(M(i, j), expected, 1e-14) << i << ' ' << j;
    }
  }
}

// ẋ = −x + λ with y = x + D λ in the plane.
struct Plane {
  Plane(std::shared_ptr<NonSmoothLaw> law, const Matrix& D, double end = 2.)
      : model(0., end),
        system(std::make_shared<FirstOrderLinearTIDS>(makeVector({1., -0.6}), makeMatrix({{-1., 2.}, {-2., -1.}}))) {
    FirstOrderLinearTIR relation(identityMatrix(2), identityMatrix(2));
    relation.setD(D);
    interaction = std::make_shared<Interaction>(law, std::make_shared<FirstOrderLinearTIR>(relation));
    interaction->setName("gate");
    model.insert(system);
    model.link(interaction, system);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> system;
  std::shared_ptr<Interaction> interaction;
};

const Matrix feedthrough = makeMatrix({{0.3, 0.1}, {-0.1, 0.2}});

TEST(FirstOrderProblems, GiveTheSameForABoxAndForItsPolyhedron) {
  Plane box(std::make_shared<RelayNSL>(makeVector({-0.5, -0.2}), makeVector({0.5, 0.3})), feedthrough);
  const Matrix H = makeMatrix({{1., 0.}, {-1., 0.}, {0., 1.}, {0., -1.}});
  Plane polyhedron(std::make_shared<NormalConeNSL>(H, makeVector({0.5, 0.5, 0.3, 0.2})), feedthrough);
  Plane dense(std::make_shared<NormalConeNSL>(H, makeVector({0.5, 0.5, 0.3, 0.2})), feedthrough);
  TimeStepping first(box.model, TimeDiscretisation(0., 0.01), EulerMoreauOSI(1.), Relay());
  TimeStepping second(polyhedron.model, TimeDiscretisation(0., 0.01), EulerMoreauOSI(1.), Relay());
  TimeStepping third(dense.model, TimeDiscretisation(0., 0.01), EulerMoreauOSI(1.), MLCP());
  while (first.hasNextStep()) {
    first.step();
    second.step();
    third.step();
    // The certificate of 1e-8, should a solver have stopped there; exact methods are at rounding.
    expectNear(polyhedron.system->x(), box.system->x(), 1e-8);
    expectNear(polyhedron.interaction->lambda(0), box.interaction->lambda(0), 1e-7);
    expectNear(dense.system->x(), box.system->x(), 1e-8);
  }
}

// −y ∈ N_P(λ) says y·(v − λ) ≥ 0 for all v in P; for a triangle it is enough to try the corners.
TEST(FirstOrderProblems, GiveNormalConesOfATriangle) {
  const Matrix H = makeMatrix({{-1., 0.}, {0., -1.}, {1., 1.}});
  const Vector corners[3] = {makeVector({-0.3, -0.3}), makeVector({0.8, -0.3}), makeVector({-0.3, 0.8})};
  Plane plane(std::make_shared<NormalConeNSL>(H, makeVector({0.3, 0.3, 0.5})), 0. * identityMatrix(2), 4.);
  TimeStepping simulation(plane.model, TimeDiscretisation(0., 0.01), EulerMoreauOSI(0.5), MLCP());
  bool inside = false, atCorner = false;
  simulation.run([&] {
    const Vector& lambda = plane.interaction->lambda(0);
    const Vector& y = plane.interaction->y(0);
    for (const Vector& corner : corners) {
      const double product = y(0) * (corner(0) - lambda(0)) + y(1) * (corner(1) - lambda(1));
      EXPECT_GE(product, -1e-9);
      atCorner = atCorner || norm_inf(corner - lambda) < 1e-9;
    }
    EXPECT_GE(lambda(0), -0.3 - 1e-9);
    EXPECT_GE(lambda(1), -0.3 - 1e-9);
    EXPECT_LE(lambda(0) + lambda(1), 0.5 + 1e-9);
    inside = inside || (norm_inf(y) < 1e-12 && lambda(0) > -0.29 && lambda(1) > -0.29 && lambda(0) + lambda(1) < 0.49);
  });
  EXPECT_TRUE(atCorner);
  EXPECT_TRUE(inside);
}

TEST(FirstOrderProblems, GiveTheSameForMixedRowsInOneLawAsRelayWithInfiniteBounds) {
  Plane mixed(std::make_shared<MixedComplementarityConditionNSL>(2, 1), feedthrough);
  Plane box(std::make_shared<RelayNSL>(makeVector({-infinity, 0.}), makeVector({infinity, infinity})), feedthrough);
  TimeStepping first(mixed.model, TimeDiscretisation(0., 0.02), EulerMoreauOSI::fullThetaGamma(0.5, 0.5), MLCP());
  TimeStepping second(box.model, TimeDiscretisation(0., 0.02), EulerMoreauOSI::fullThetaGamma(0.5, 0.5), Relay());
  bool acted = false;
  while (first.hasNextStep()) {
    first.step();
    second.step();
    expectNear(mixed.system->x(), box.system->x(), 1e-8);
    EXPECT_NEAR(mixed.interaction->y(0)(0), 0., 1e-12);
    EXPECT_GE(mixed.interaction->lambda(0)(1), 0.);
    acted = acted || mixed.interaction->lambda(0)(1) > 0.01;
  }
  EXPECT_TRUE(acted);
}

TEST(FirstOrderProblems, RefuseLawsThatTheyDoNotTakeByNameBeforeTheFirstStep) {
  const auto initialise = [](auto law, auto problem) {
    Plane plane(std::make_shared<decltype(law)>(law), feedthrough);
    TimeStepping(plane.model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(), std::move(problem)).initialise();
  };
  expectError([&] { initialise(RelayNSL(2), LCP()); }, {"'gate'", "LCP", "RelayNSL", "box"});
  expectError([&] { initialise(EqualityConditionNSL(2), LCP()); }, {"'gate'", "LCP", "EqualityConditionNSL"});
  expectError([&] { initialise(RelayNSL(2), MLCP()); }, {"'gate'", "MLCP", "RelayNSL"});
  EXPECT_NO_THROW(initialise(EqualityConditionNSL(2), MLCP()));
  EXPECT_NO_THROW(initialise(ComplementarityConditionNSL(2), Relay()));
}

TEST(FirstOrderProblems, NameTimeAndInteractionOfAStepWithoutSolution) {
  // y = x with x̄ = −1 + λ/… cannot be kept at y ≥ 0 by λ that pushes down: B = −1.
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.25}), makeMatrix({{0.}}), makeVector({-1.}));
  const auto valve = std::make_shared<Interaction>(ComplementarityConditionNSL(),
                                                   FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{-1.}})));
  valve->setName("valve");
  model.insert(system);
  model.link(valve, system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  expectError([&] { simulation.run(); }, {"t = 0.2 to 0.3", "'valve'", "LCP", "failed"});
  EXPECT_NEAR(system->x()(0), 0.05, 1e-15);
}

TEST(FirstOrderProblems, HaveTheBoundsThatARelayWasGivenBetweenTwoSteps) {
  // ẋ = λ with −x ∈ N_[l,u](λ) and x far above 0: λ = l.
  NonSmoothDynamicalSystem model(0., 4.);
  const auto x = model.insert("x", std::make_shared<FirstOrderLinearTIDS>(Vector{100.}, Matrix(1, 1)));
  const auto law = std::make_shared<RelayNSL>(1, -1., 1.);
  model.link("switch", law, FirstOrderLinearTIR(identityMatrix(1), identityMatrix(1)), x);
  TimeStepping simulation(model, 1., EulerMoreauOSI(1.), Relay());
  simulation.step();
  EXPECT_DOUBLE_EQ(x->x()(0), 99.);
  law->setBounds(Vector{-5.}, Vector{5.});
  simulation.step();
  EXPECT_DOUBLE_EQ(x->x()(0), 94.);
  law->setBounds(Vector{0.}, Vector{0.});
  simulation.step();
  EXPECT_DOUBLE_EQ(x->x()(0), 94.);
}

}  // namespace
