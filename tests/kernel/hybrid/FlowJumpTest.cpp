// SPDX-License-Identifier: Apache-2.0
//
// Jumps of the state that the laws of first-order systems ask for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/HybridFlow.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/FirstOrderType1R.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <limits>
#include <memory>
#include <support/Matchers.hpp>
#include <support/OneLawFlow.hpp>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

Matrix number(double a) {
  return makeMatrix({{a}});
}

// A system with a law whose initial state may jump.
struct Jumping : OneLawFlow {
  template <class Law, class R>
  Jumping(const Vector& x0, const Matrix& A, Law law, R relation, bool mayJump = true)
      : OneLawFlow(x0, A, law, relation, {.requireConsistentStart = !mayJump}) {}
};

TEST(FlowJump, TakesAStateToTheBoundaryOfItsLaw) {
  // 2 ẋ = λ, 0 ≤ x ⟂ λ ≥ 0.
  Jumping m(makeVector({-0.3}), number(0.), ComplementarityConditionNSL(),
            FirstOrderLinearTIR(number(1.), number(0.5)));
  m.begin();
  EXPECT_EQ(m.z[0], 0.);
  ASSERT_EQ(m.events.size(), 1U);
  EXPECT_EQ(m.events[0].kind, EventKind::stateJump);
  EXPECT_EQ(toString(m.events[0].kind), "jump");
  EXPECT_EQ(m.events[0].source, "law");
  EXPECT_EQ(m.events[0].before(0), -0.3);
  EXPECT_EQ(m.events[0].after(0), 0.);
  EXPECT_NEAR(m.events[0].impulse(0), 0.6, 1e-15);
}

TEST(FlowJump, IsRefusedAtTheStartUnlessAskedFor) {
  Jumping m(makeVector({-0.3}), number(0.), ComplementarityConditionNSL(), FirstOrderLinearTIR(number(1.), number(1.)),
            false);
  m.system->setB(makeVector({-1.}));
  expectError([&] { m.begin(); }, {"'law', row 0", "the output is -0.3", "requireConsistentStart"});
  // A state that is set later jumps.
  m.system->setState(makeVector({0.5}));
  m.begin();
  EXPECT_TRUE(m.events.empty());
  m.z[0] = -0.1;
  m.flow.enter(1., m.z.data(), m.events);
  EXPECT_EQ(m.z[0], 0.);
  ASSERT_EQ(m.events.size(), 2U);  // the jump, and the row that holds its output from then on
  EXPECT_EQ(m.events[0].kind, EventKind::stateJump);
  EXPECT_EQ(m.events[1].kind, EventKind::sliding);
  EXPECT_EQ(m.events[1].before(0), -0.1);
}

TEST(FlowJump, LeavesTheRowsAloneThatItDoesNotNeed) {
  // p₁ takes x₂ along, which asks for nothing.
  Jumping m(makeVector({-1., 2.}), Matrix(2, 2), ComplementarityConditionNSL(2),
            FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{1., 0.5}, {0.5, 1.}})));
  m.begin();
  EXPECT_EQ(m.z[0], 0.);
  EXPECT_NEAR(m.z[1], 2.5, 1e-15);
  EXPECT_EQ(m.events[0].impulse(1), 0.);
}

TEST(FlowJump, IsASolutionOfTheComplementarityProblemOfAllRows) {
  const auto jumped = [](double x1, double x2) {
    Jumping m(makeVector({x1, x2}), Matrix(2, 2), ComplementarityConditionNSL(2),
              FirstOrderLinearTIR(identityMatrix(2), makeMatrix({{1., 0.5}, {0.5, 1.}})));
    m.begin();
    return m.events.at(0);
  };
  // p₂ = 2 takes x₁ above zero.
  EXPECT_NEAR(jumped(-0.5, -2.).after(0), 0.5, 1e-15);
  EXPECT_EQ(jumped(-0.5, -2.).impulse(0), 0.);
  EXPECT_NEAR(jumped(-0.5, -2.).impulse(1), 2., 1e-15);
  // Both are needed.
  EXPECT_NEAR(norm2(jumped(-1., -1.).after), 0., 1e-15);
  EXPECT_NEAR(jumped(-1., -1.).impulse(0), 2. / 3., 1e-15);
}

TEST(FlowJump, IsOneOfAnEqualityWithEitherSign) {
  for (const double off : {-3., 3.}) {
    // C₁ = 2 and C₂ = 1 are joined: 2 x₁ + x₂ is conserved.
    Jumping m(makeVector({off, 0.}), Matrix(2, 2), EqualityConditionNSL(),
              FirstOrderLinearTIR(makeMatrix({{1., -1.}}), makeMatrix({{-0.5}, {1.}})));
    m.begin();
    EXPECT_NEAR(m.z[0], 2. * off / 3., 1e-15);
    EXPECT_NEAR(m.z[1], 2. * off / 3., 1e-15);
    EXPECT_NEAR(m.events[0].impulse(0), 2. * off / 3., 1e-15);
  }
}

TEST(FlowJump, MayActOnTheOutputOfAnotherRow) {
  // D = (0 −1; 1 0): an impulse p₁ is one of y₂ too, which is positive and asks for nothing.
  Jumping m(makeVector({-1.}), number(0.), ComplementarityConditionNSL(2),
            FirstOrderLinearTIR(makeMatrix({{1.}, {0.}}), makeMatrix({{0., -1.}, {1., 0.}}), makeMatrix({{1., 0.}})));
  m.begin();
  EXPECT_EQ(m.z[0], 0.);
  EXPECT_NEAR(m.events[0].impulse(0), 1., 1e-15);
  EXPECT_EQ(m.events[0].impulse(1), 0.);
  // With the other sign p₁ would make y₂ an impulse below zero, which λ₂ would have to stop: there is no jump.
  Jumping none(
      makeVector({-1.}), number(0.), ComplementarityConditionNSL(2),
      FirstOrderLinearTIR(makeMatrix({{1.}, {0.}}), makeMatrix({{0., 0.}, {-1., 0.}}), makeMatrix({{1., 0.}})));
  expectError([&] { none.begin(); }, {"no mode goes on", "'law', row"});
}

// Passive: C = Bᵀ, D + Dᵀ semidefinite of rank 0 to 4, A skew and damped. One row is an equality in half of them.
struct RandomPassive {
  explicit RandomPassive(unsigned seed) : hasEquality(seed % 2 == 1) {
    Generator generator(seed);
    const std::size_t n = 6, m = 4, rank = seed % (m + 1);
    A = randomMatrix(generator, n, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) A(i, j) = -A(j, i);
      A(i, i) = -0.1;
    }
    C = randomMatrix(generator, m, n);
    D = Matrix(m, m, 0.);
    for (std::size_t k = 0; k < rank; ++k) {
      const Vector g = randomVector(generator, m);
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < m; ++j) D(i, j) += g(i) * g(j);
      }
    }
    if (seed % 3 == 0) {  // a gyrator between two rows
      D(1, 2) += 1.;
      D(2, 1) -= 1.;
    }
    x0 = randomVector(generator, n);
  }
  MixedComplementarityConditionNSL law() const { return MixedComplementarityConditionNSL(4, hasEquality ? 1 : 0); }
  FirstOrderLinearTIR relation() const { return FirstOrderLinearTIR(C, D, Matrix(trans(C))); }

  bool hasEquality;
  Matrix A, C, D;
  Vector x0;
};

TEST(FlowJump, IsTheOneThatPassivityAllows) {
  std::size_t jumps = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const RandomPassive random(seed);
    Jumping m(random.x0, random.A, random.law(), random.relation());
    m.begin();
    const auto found = std::find_if(m.events.begin(), m.events.end(),
                                    [](const Event& event) { return event.kind == EventKind::stateJump; });
    if (found == m.events.end()) continue;
    ++jumps;
    const Vector& p = found->impulse;
    const Vector& after = found->after;
    const Vector Dp = prod(random.D, p), output = prod(random.C, after);
    EXPECT_LE(norm2(Vector(random.x0 + prod(trans(random.C), p) - after)), 1e-12) << seed;
    EXPECT_NEAR(dot(p, Dp), 0., 1e-12) << seed;
    EXPECT_NEAR(dot(p, output), 0., 1e-11) << seed;
    for (std::size_t i = random.hasEquality ? 1 : 0; i < p.size(); ++i) {
      EXPECT_GE(p(i), -1e-12) << seed;
      EXPECT_GE(Dp(i), -1e-12) << seed;
    }
    EXPECT_LT(norm2(after), norm2(random.x0)) << seed;
    // A step of Euler's implicit scheme ends there, but for its length.
    Jumping stepped(random.x0, random.A, random.law(), random.relation());
    TimeSteppingOptions options;
    options.requireConsistentStart = false;
    TimeStepping simulation(stepped.model, 1e-7, EulerMoreauOSI(1.), options);
    simulation.step();
    EXPECT_LE(norm2(Vector(stepped.system->x() - after)), 1e-4) << seed;
  }
  EXPECT_GE(jumps, 20U);
}

TEST(FlowJump, NeedsAMultiplierWithoutABoundOnItsSide) {
  // λ drives x down.
  Jumping down(makeVector({-0.3}), number(0.), ComplementarityConditionNSL(),
               FirstOrderLinearTIR(number(1.), number(-1.)));
  expectError([&] { down.begin(); }, {"no mode goes on", "'law', row 0"});
  // −y in the cone of [−∞, 1]: impulses are negative.
  Jumping upper(makeVector({0.7}), number(0.),
                RelayNSL(makeVector({-std::numeric_limits<double>::infinity()}), makeVector({1.})),
                FirstOrderLinearTIR(number(1.), number(1.)));
  upper.begin();
  EXPECT_EQ(upper.z[0], 0.);
  EXPECT_NEAR(upper.events[0].impulse(0), -0.7, 1e-15);
}

TEST(FlowJump, IsNotMadeByRelationsThatAreNotLinear) {
  const auto h = automatic([](auto, const auto& x, auto& y) { y(0) = x(0) * x(0) - 1.; });
  const auto g = automatic([](auto, const auto& lambda, auto& r) { r(0) = lambda(0); });
  Jumping m(makeVector({2.}), number(0.), EqualityConditionNSL(), FirstOrderType1R(1, h, g));
  expectError([&] { m.begin(); }, {"'law', row 0", "jump"});
}

}  // namespace
