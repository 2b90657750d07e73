// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/hybrid/HybridFlow.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/NormalConeNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/FirstOrderType1R.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <support/Circuits.hpp>
#include <support/HybridLoop.hpp>
#include <support/Matchers.hpp>
#include <support/OneLawFlow.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

using Linear = OneLawFlow;

Matrix scalar(double a) {
  return makeMatrix({{a}});
}

TEST(HybridFlow, HoldsAnOutputWithTheEquivalentControl) {
  // ẋ = 0.5 + λ, y = x: at rest at 0 with λ = −0.5.
  Linear m(makeVector({0.}), scalar(0.), RelayNSL(), FirstOrderLinearTIR(scalar(1.), scalar(1.)));
  m.system->setB(makeVector({0.5}));
  m.begin();
  ASSERT_EQ(m.flow.mode(), FlowMode::Branches{FlowBranch::held});
  EXPECT_TRUE(m.events.empty());
  double rate = 1.;
  m.flow.rates(0., m.z.data(), &rate);
  EXPECT_EQ(rate, 0.);
  double g[2], slopes[2];
  m.flow.computeGuards(0., m.z.data(), g, slopes);
  EXPECT_NEAR(g[0], 0.5, 1e-12);  // λ + 1
  EXPECT_NEAR(g[1], 1., 1e-12);   // 1 − λ, of its scale
  m.flow.accept(1., m.z.data());
  EXPECT_EQ(m.interaction->lambda(0)(0), -0.5);
  EXPECT_EQ(m.system->r()(0), -0.5);
  EXPECT_EQ(m.system->history().at(1).time, 0.);
}

TEST(HybridFlow, HasTwoGuardsARow) {
  Linear m(makeVector({1.}), scalar(-1.), RelayNSL(), FirstOrderLinearTIR(scalar(1.), scalar(1.)));
  m.begin();
  EXPECT_EQ(m.flow.guards(), 2U);
  double g[2], slopes[2];
  m.flow.computeGuards(0., m.z.data(), g, slopes);
  EXPECT_NEAR(g[0], 1., 1e-5);        // x, of its scale
  EXPECT_NEAR(slopes[0], -2., 1e-5);  // ẋ = −x − 1
  EXPECT_EQ(g[1], 1.);                // not used
  EXPECT_EQ(slopes[1], 1.);
  EXPECT_NE(m.flow.guardName(0).find("'law', row 0"), std::string::npos);
}

TEST(HybridFlow, ReportsWhatARowDoes) {
  // A diode with a resistor opens and closes with a source.
  Linear diode(makeVector({0., 1.}), makeMatrix({{0., 1.}, {-1., 0.}}), ComplementarityConditionNSL(),
               FirstOrderLinearTIR(makeMatrix({{1., 0.}}), scalar(1.), Matrix(2, 1)));
  HybridLoop loop(diode.flow, diode.model, 1e-2);
  loop.advanceTo(10.);
  ASSERT_EQ(loop.events().size(), 3U);  // x₁ = sin t
  for (std::size_t k = 0; k < 3; ++k) {
    const Event& event = loop.events()[k];
    EXPECT_NEAR(event.t, static_cast<double>(k + 1) * M_PI, 1e-9);
    EXPECT_EQ(event.kind, EventKind::modeSwitch);
    EXPECT_EQ(event.source, "law");
    EXPECT_EQ(event.before.size(), 2U);
    EXPECT_EQ(event.after.size(), 2U);
    EXPECT_EQ(event.q.size(), 0U);
  }
}

TEST(HybridFlow, CrossesASurfaceThatDoesNotHold) {
  // ẋ = 3 + λ, from below: the relay turns, and x goes on.
  Linear m(makeVector({-1.}), scalar(0.), RelayNSL(), FirstOrderLinearTIR(scalar(1.), scalar(1.)));
  m.system->setB(makeVector({3.}));
  HybridLoop loop(m.flow, m.model, 0.1);
  loop.advanceTo(1.);
  ASSERT_EQ(loop.events().size(), 1U);
  EXPECT_EQ(loop.events()[0].kind, EventKind::modeSwitch);
  EXPECT_NEAR(loop.events()[0].t, 0.25, 1e-12);
  EXPECT_NEAR(loop.state()[0], 0.75 * 2., 1e-11);
}

TEST(HybridFlow, TouchesASurfaceWithoutSwitching) {
  // x = 1 + cos t touches 0 at π: a guard may fall by rounding, but no mode changes.
  Linear m(makeVector({0., 0.}), makeMatrix({{0., 1.}, {-1., 0.}}), ComplementarityConditionNSL(),
           FirstOrderLinearTIR(makeMatrix({{1., 0.}}), makeMatrix({{0.}, {0.}})).setE(makeVector({1.})));
  m.system->setState(makeVector({1., 0.}));
  HybridLoop loop(m.flow, m.model, 1e-2);
  loop.advanceTo(8.);
  EXPECT_TRUE(loop.events().empty());
}

TEST(HybridFlow, HoldsEqualitiesOfEitherDegreeWithDiodes) {
  // Kirchhoff's law at a node without a state: i_R + i_D = i(t) with the node's voltage as multiplier 0, the diode's
  // current as multiplier 1; G v + λ₁ = x, 0 ≤ −v ⟂ … here v ≥ 0 ⟂ λ₁ ≥ 0.
  Linear m(makeVector({1., 0.}), makeMatrix({{0., 1.}, {-1., 0.}}), MixedComplementarityConditionNSL(2, 1),
           FirstOrderLinearTIR(makeMatrix({{-1., 0.}, {0., 0.}}), makeMatrix({{2., -1.}, {1., 0.}}), Matrix(2, 2)));
  HybridLoop loop(m.flow, m.model, 1e-2);
  loop.advanceTo(1.);
  loop.accept();
  EXPECT_NEAR(m.interaction->lambda(0)(0), 0.5 * std::cos(1.), 1e-9);
  EXPECT_EQ(m.interaction->lambda(0)(1), 0.);
  loop.advanceTo(2.);
  loop.accept();
  EXPECT_NEAR(m.interaction->lambda(0)(0), 0., 1e-15);
  EXPECT_NEAR(m.interaction->lambda(0)(1), -std::cos(2.), 1e-9);
  EXPECT_NEAR(loop.events().front().t, M_PI / 2., 1e-9);
}

TEST(HybridFlow, KeepsAnEqualityOfDegreeOneWithoutDrift) {
  // A nonlinear constraint: x stays on the unit circle though ẋ = (x₂ + 1, −x₁) does not.
  const auto h = automatic([](auto, const auto& x, auto& y) { y(0) = x(0) * x(0) + x(1) * x(1) - 1.; });
  const auto g = automatic([](auto, const auto& lambda, auto& r) {
    r(0) = lambda(0);
    r(1) = 0.5 * lambda(0);
  });
  Linear m(makeVector({1., 0.}), makeMatrix({{0., 1.}, {-1., 0.}}), EqualityConditionNSL(), FirstOrderType1R(1, h, g));
  m.system->setB(makeVector({0.1, 0.}));
  HybridLoop loop(m.flow, m.model, 1e-2);
  double worst = 0.;
  loop.advanceTo(0.8, [&] {  // later the multiplier would act along the circle
    loop.accept();
    const Vector& x = m.system->x();
    worst = std::max(worst, std::abs(x(0) * x(0) + x(1) * x(1) - 1.));
  });
  EXPECT_LE(worst, 1e-14);
}

TEST(HybridFlow, IsAFunctionOfTimeAndState) {
  DiodeBridge bridge(1e-3);
  HybridFlow flow;
  flow.bind(bridge.model, 0.);
  std::vector<double> z(2), events(2), first(2), again(2), elsewhere = {3., 0.2};
  std::vector<Event> log;
  flow.start(0., true, z.data());
  flow.enter(0., z.data(), log);
  const std::vector<double> place = {8., 0.01};
  flow.rates(1e-5, place.data(), first.data());
  flow.rates(2e-5, elsewhere.data(), again.data());
  flow.rates(1e-5, place.data(), again.data());
  EXPECT_EQ(first, again);
}

TEST(HybridFlow, SeesChangesOfTheModel) {
  Linear m(makeVector({2.}), scalar(0.), RelayNSL(), FirstOrderLinearTIR(scalar(1.), scalar(1.)));
  m.begin();
  double rate = 0.;
  m.flow.rates(0., m.z.data(), &rate);
  EXPECT_EQ(rate, -1.);
  m.system->setA(scalar(-3.));
  m.system->setM(scalar(2.));
  m.flow.enter(1., m.z.data(), m.events);
  m.flow.rates(1., m.z.data(), &rate);
  EXPECT_EQ(rate, -3.5);
}

TEST(HybridFlow, TakesControlsThatDependOnTheRate) {
  // ẋ = −x + u(ẋ) + λ, u = −ẋ/2 : ẋ = (−x + λ)/1.5
  Linear m(makeVector({3.}), scalar(-1.), RelayNSL(), FirstOrderLinearTIR(scalar(1.), scalar(1.)));
  m.system->setControl(scalar(1.),
                       automatic([](auto, const auto&, const auto& xDot, auto& u) { u(0) = -0.5 * xDot(0); }));
  m.begin();
  double rate = 0.;
  m.flow.rates(0., m.z.data(), &rate);
  EXPECT_NEAR(rate, -4. / 1.5, 1e-14);
}

TEST(HybridFlow, RefusesALawWithoutMultipliers) {
  // 0 ≤ −1 − λ: no λ ≥ 0.
  Linear m(makeVector({1.}), scalar(0.), ComplementarityConditionNSL(),
           FirstOrderLinearTIR(scalar(-1.), scalar(-1.), scalar(0.)));
  expectError([&] { m.begin(); }, {"no mode goes on", "'law'"});
}

TEST(HybridFlow, RefusesToHoldOutputsOfDegreeTwo) {
  // ẍ = −1 + λ, 0 ≤ x ⟂ λ ≥ 0: a ball without an impact law.
  Linear m(makeVector({0.5, 0.}), makeMatrix({{0., 1.}, {0., 0.}}), ComplementarityConditionNSL(),
           FirstOrderLinearTIR(makeMatrix({{1., 0.}}), makeMatrix({{0.}, {1.}})));
  m.system->setB(makeVector({0., -1.}));
  HybridLoop loop(m.flow, m.model, 1e-2);
  expectError([&] { loop.advanceTo(2.); }, {"t = 1.0", "'law', row 0", "relative degree 2"});
  // An equality is held from the start.
  Linear equality(makeVector({0., 0.}), makeMatrix({{0., 1.}, {0., 0.}}), EqualityConditionNSL(),
                  FirstOrderLinearTIR(makeMatrix({{1., 0.}}), makeMatrix({{0.}, {1.}})));
  expectError([&] { equality.begin(); }, {"'law', row 0", "relative degree 2"});
}

TEST(HybridFlow, RefusesLawsWithoutBoundsOnEachMultiplier) {
  Linear m(makeVector({0.5, 0.}), Matrix(2, 2), NormalConeNSL(makeMatrix({{1., 1.}}), makeVector({1.})),
           FirstOrderLinearTIR(identityMatrix(2), identityMatrix(2)));
  expectError([&] { m.flow.bind(m.model, 0.); }, {"'law'", "NormalConeNSL"});
  Linear impact(makeVector({0.5}), scalar(0.), NewtonImpactNSL(0.5), FirstOrderLinearTIR(scalar(1.), scalar(1.)));
  expectError([&] { impact.flow.bind(impact.model, 0.); }, {"'law'", "NewtonImpactNSL"});
}

TEST(HybridFlow, NamesFunctionsThatAreNotFinite) {
  Linear m(
      makeVector({0.5}), scalar(0.), RelayNSL(),
      FirstOrderLinearR(scalar(1.), scalar(1.)).setE([](double t, Vector& e) { e(0) = t > 1. ? std::nan("") : 0.; }));
  m.begin();
  double rate = 0.;
  expectError(
      [&] {
        double g[2], s[2];
        m.flow.computeGuards(2., m.z.data(), g, s);
      },
      {"'law'", "output h", "t = 2"});
  m.system->setB([](double t, Vector& b) { b(0) = t > 2. ? std::nan("") : 0.; });
  expectError([&] { m.flow.rates(3., m.z.data(), &rate); }, {"'law'"});
  expectError([] { HybridFlow({.minimalDwell = 0.}); }, {"minimal dwell"});
}

TEST(HybridFlow, LooksAtFunctionsOfTimeWithinThePieceOnly) {
  // The surface jumps at t = 1; sliding until there uses one-sided differences.
  Linear m(makeVector({0.}), scalar(0.), RelayNSL(),
           FirstOrderLinearR(scalar(1.), scalar(4.)).setE([](double t, Vector& e) {
             EXPECT_GE(t, 0.);
             e(0) = t < 1. ? -std::sin(t) : 5.;
           }));
  m.flow.bind(m.model, 0.);
  m.flow.setPiece(TimePiece::between(0., 1. - 1e-15, 0.));
  m.z.resize(1);
  m.flow.start(0., true, m.z.data());
  m.flow.enter(0., m.z.data(), m.events);
  double rate = 0.;
  for (const double t : {0., 1e-9, 1e-3, 0.5, 0.999999, 1. - 1e-15}) {
    m.flow.rates(t, m.z.data(), &rate);
    EXPECT_NEAR(rate, std::cos(t), 1e-10) << t;
  }
}

// ẋ = λ with x held at cos ωt: λ = −ω sin ωt.
TEST(HybridFlow, FindsTheRateOfAnOutputAtAnyFrequencyInAnyPiece) {
  for (const double frequency : {5., 20., 50., 60., 400., 1e3, 2e4}) {
    const double omega = 2. * std::numbers::pi * frequency;
    for (const double end : {0.01, 0.1, 0.29, 1.}) {
      Linear m(
          makeVector({1.}), scalar(0.), EqualityConditionNSL(1),
          FirstOrderLinearR(scalar(1.), scalar(1.)).setE([=](double t, Vector& e) { e(0) = -std::cos(omega * t); }));
      m.flow.bind(m.model, 0.);
      m.flow.setPiece(TimePiece::between(0., end, 0.));
      m.z.resize(1);
      m.flow.start(0., true, m.z.data());
      m.flow.enter(0., m.z.data(), m.events);
      double rate = 0.;
      for (int k = 0; k <= 20; ++k) {
        const double t = end * k / 20.;
        m.flow.rates(t, m.z.data(), &rate);
        // Differences of two orders agree to nine digits.
        EXPECT_NEAR(rate, -omega * std::sin(omega * t), 1e-9 * omega) << frequency << ' ' << end << ' ' << t;
      }
    }
  }
}

TEST(HybridFlow, TakesTheRateOfAnOutputThatIsGiven) {
  const auto value = [](double t, Vector& e) { e(0) = -std::cos(1e9 * t); };
  FirstOrderLinearR given(scalar(1.), scalar(1.));
  given.setE(withJacobians(value, [](double t, Vector& rate) { rate(0) = 1e9 * std::sin(1e9 * t); }));
  FirstOrderLinearR automatically(scalar(1.), scalar(1.));
  automatically.setE(automatic([](const auto& t, auto& e) {
    using std::cos;
    e(0) = -cos(1e9 * t);
  }));
  const double t = 0.3;
  for (const FirstOrderLinearR& relation : {given, automatically}) {
    Linear m(makeVector({1.}), scalar(0.), EqualityConditionNSL(1), relation);
    m.begin();
    double rate = 0.;
    m.flow.rates(t, m.z.data(), &rate);
    EXPECT_EQ(rate, -1e9 * std::sin(1e9 * t));
  }
  // C(t) x + F(t) z, held at zero.
  FirstOrderLinearR scaled(1);
  scaled.setB(scalar(1.));
  scaled.setC(
      withJacobians([](double at, Matrix& C) { C(0, 0) = 1. + at; }, [](double, Matrix& rate) { rate(0, 0) = 1.; }));
  scaled.setF(
      withJacobians([](double at, Matrix& F) { F = scalar(-at); }, [](double, Matrix& rate) { rate(0, 0) = -1.; }));
  scaled.setZ(makeVector({2.}));
  Linear m(makeVector({0.}), scalar(0.), EqualityConditionNSL(1), scaled);
  m.begin();
  double rate = 0.;
  const double x = 2. * t / (1. + t);
  m.flow.rates(t, &x, &rate);
  EXPECT_NEAR(rate, 2. / ((1. + t) * (1. + t)), 1e-14);
}

TEST(HybridFlow, TakesTheRateOfANonlinearOutputThatIsGiven) {
  FirstOrderType1R relation(1,
                            differenced([](double t, const Vector& x, Vector& y) { y(0) = x(0) - std::cos(1e9 * t); }),
                            differenced([](double, const Vector& lambda, Vector& r) { r(0) = lambda(0); }));
  relation.setOutputRate(
      [](double t, const Vector&, const Vector&, Vector& rate) { rate(0) = 1e9 * std::sin(1e9 * t); });
  Linear m(makeVector({1.}), scalar(0.), EqualityConditionNSL(1), relation);
  m.begin();
  double rate = 0.;
  m.flow.rates(0.3, m.z.data(), &rate);
  EXPECT_NEAR(rate, -1e9 * std::sin(1e9 * 0.3), 1.);  // nine digits of B by differences
}

TEST(HybridFlow, NamesAnOutputWhoseRateIsNotFound) {
  Linear m(makeVector({0.}), scalar(0.), EqualityConditionNSL(1),
           FirstOrderLinearR(scalar(1.), scalar(1.)).setE([](double t, Vector& e) { e(0) = t < 5. ? 0. : 1.; }));
  m.begin();
  double rate = 0.;
  expectError([&] { m.flow.rates(5., m.z.data(), &rate); }, {"'law'", "t = 5"});
}

TEST(HybridFlow, IsEmptyForAModelWithoutFirstOrderSystems) {
  NonSmoothDynamicalSystem model(0., 1.);
  HybridFlow flow;
  flow.bind(model, 0.);
  EXPECT_EQ(flow.size(), 0U);
  EXPECT_EQ(flow.guards(), 0U);
}

TEST(HybridFlow, TakesSystemsWithoutInteractions) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), scalar(-1.));
  model.insert(system);
  HybridFlow flow;
  HybridLoop loop(flow, model, 1e-2);
  loop.advanceTo(1.);
  loop.accept();
  EXPECT_NEAR(system->x()(0), std::exp(-1.), 1e-10);
}

}  // namespace
