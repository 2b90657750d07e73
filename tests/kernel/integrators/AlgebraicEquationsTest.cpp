// SPDX-License-Identifier: Apache-2.0
//
// First-order systems with a singular M: their algebraic equations in time stepping.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <numbers>
#include <random>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A source V(t) that charges a capacitor through a resistor: x = (v, i), C v̇ = i, 0 = V(t) − R i − v.
struct Charging {
  static constexpr double R = 200., C = 1e-5, omega = 800.;

  std::shared_ptr<FirstOrderLinearDS> system;
  NonSmoothDynamicalSystem model{0., 0.01};

  explicit Charging(double v0 = 0., double i0 = 0., bool isSparse = false) {
    const Matrix A = makeMatrix({{0., 1.}, {-1., -R}}), M = makeMatrix({{C, 0.}, {0., 0.}});
    if (isSparse) {
      system = std::make_shared<FirstOrderLinearDS>(makeVector({v0, i0}), sparseFromDense(A));
      system->setM(sparseFromDense(M));
    } else {
      system = std::make_shared<FirstOrderLinearDS>(makeVector({v0, i0}), A);
      system->setM(M);
    }
    system->setB([](double t, Vector& b) { b(1) = source(t); });
    model.insert("charging", system);
  }

  static double source(double t) { return std::cos(omega * t); }
  // v of C R v̇ = cos ωt − v with v(0) = v0.
  static double exact(double t, double v0 = 0.) {
    const double w = omega * R * C, part = 1. / (1. + w * w);
    return part * (std::cos(omega * t) + w * std::sin(omega * t)) + (v0 - part) * std::exp(-t / (R * C));
  }
};

double errorOf(double theta, std::size_t steps) {
  Charging circuit(0.3);
  const double h = 0.01 / static_cast<double>(steps);
  TimeStepping simulation(circuit.model, TimeDiscretisation(0., h), EulerMoreauOSI(theta), LCP());
  double worst = 0.;
  while (simulation.hasNextStep()) {
    simulation.step();
    const Vector& x = circuit.system->x();
    const double t = simulation.time();
    // The currents are V of volts by R, to rounding.
    EXPECT_NEAR(Charging::R * x(1), Charging::source(t) - x(0), 1e-13) << t;
    worst = std::max(worst, std::abs(x(0) - Charging::exact(t, 0.3)));
  }
  return worst;
}

TEST(AlgebraicEquations, HoldAtTheEndOfEachStepAndCostNoOrder) {
  const double implicit = errorOf(1., 200), midpoint = errorOf(0.5, 200);
  EXPECT_NEAR(implicit / errorOf(1., 400), 2., 0.1);
  EXPECT_NEAR(midpoint / errorOf(0.5, 400), 4., 0.1);
  EXPECT_LT(midpoint, 1e-4);
}

TEST(AlgebraicEquations, AreSatisfiedByTheStartWithTheSameDifferentialPart) {
  for (const bool isSparse : {false, true}) {
    Charging circuit(0.3, 17., isSparse);  // any current
    TimeStepping simulation(circuit.model, TimeDiscretisation(0., 1e-5), EulerMoreauOSI(0.5), LCP());
    simulation.initialise();
    EXPECT_NEAR(circuit.system->x()(0), 0.3, 1e-15);
    EXPECT_NEAR(circuit.system->x()(1), 0.7 / Charging::R, 1e-12);
    EXPECT_EQ(circuit.system->x0()(1), 17.);
  }
}

// A state that the user sets against the equations, and a source that jumps: the current of before is none of F.
TEST(AlgebraicEquations, AreTakenImplicitlyAfterAJump) {
  const auto run = [](std::size_t steps) {
    Charging circuit;
    circuit.system->setZ(makeVector({1.}));
    circuit.system->setB([](double, const Vector& z, Vector& b) { b(1) = z(0); });
    const double h = 0.01 / static_cast<double>(steps);
    TimeStepping simulation(circuit.model, TimeDiscretisation(0., h), EulerMoreauOSI(0.5), LCP());
    while (simulation.hasNextStep()) {
      if (simulation.stepIndex() == steps / 4) circuit.system->setZ(makeVector({-1.}));
      if (simulation.stepIndex() == steps / 2) circuit.system->setState(makeVector({0.5, -1e3}));
      simulation.step();
    }
    // From v = 0.5 on at the half, with −1 as the source.
    return std::abs(circuit.system->x()(0) + 1. - 1.5 * std::exp(-0.005 / (Charging::R * Charging::C)));
  };
  const double coarse = run(200), fine = run(400);
  EXPECT_NEAR(coarse / fine, 4., 0.2);
  EXPECT_LT(coarse, 1e-4);
}

// A node that a capacitor alone ties to another one: its row has no terms, but the sum of both rows is algebraic. What
// rounding leaves of it must not cost the order of another circuit in the model.
TEST(AlgebraicEquations, CostNoOrderByRounding) {
  const auto run = [](std::size_t steps) {
    Charging circuit(0.3);
    const auto loose =
        std::make_shared<FirstOrderLinearTIDS>(makeVector({3., 0.}), makeMatrix({{0., 0.}, {0., -1. / 47.}}));
    loose->setM(makeMatrix({{1e-5, -1e-5}, {-1e-5, 1e-5}}));
    loose->setB([](double t, Vector& b) { b(1) = 0.3 * std::sin(900. * t); });
    circuit.model.insert("loose", loose);
    TimeStepping simulation(circuit.model, TimeDiscretisation(0., 0.01 / static_cast<double>(steps)),
                            EulerMoreauOSI(0.5), LCP());
    simulation.run();
    EXPECT_NEAR(loose->x()(1), 47. * 0.3 * std::sin(9.), 1e-10);
    EXPECT_NEAR(loose->x()(0) - loose->x()(1), 3., 1e-10) << "the charge of the capacitor";
    return std::abs(circuit.system->x()(0) - Charging::exact(0.01, 0.3));
  };
  EXPECT_NEAR(run(200) / run(400), 4., 0.1);
}

// A current into a node without a capacitor that a relation gives, y = λ − e = 0, for x = (v, u): C v̇ = (u − v)/R,
// 0 = (v − u)/R + (V − u)/S − λ. u jumps with e, or as the source comes or goes.
TEST(AlgebraicEquations, AreTakenImplicitlyAfterAChangeOfRelations) {
  constexpr double C = 1e-5, R = 100., S = 50., V = 2.;
  enum class Change { ofParameters, byRemoval, byALink };
  const auto run = [](Change change, std::size_t steps) {
    NonSmoothDynamicalSystem model(0., 0.004);
    const auto circuit = std::make_shared<FirstOrderLinearTIDS>(
        makeVector({0., 0.}), makeMatrix({{-1. / R, 1. / R}, {1. / R, -1. / R - 1. / S}}), makeVector({0., V / S}));
    circuit->setM(diagonalMatrix({C, 0.}));
    model.insert("circuit", circuit);
    const auto source = std::make_shared<FirstOrderLinearTIR>(makeMatrix({{0., 0.}}), makeMatrix({{0.}, {-1.}}));
    source->setD(makeMatrix({{1.}}));
    const auto setCurrent = [&](double current) { source->setE(makeVector({-current})); };
    setCurrent(change == Change::byALink ? 0.01 : 0.03);
    const auto interaction = std::make_shared<Interaction>(EqualityConditionNSL(1), source);
    if (change != Change::byALink) model.link(interaction, circuit);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.004 / static_cast<double>(steps)), EulerMoreauOSI(0.5),
                            MLCP());
    while (simulation.hasNextStep()) {
      if (simulation.stepIndex() == steps / 2) {
        if (change == Change::ofParameters) setCurrent(-0.02);
        if (change == Change::byRemoval) model.remove(interaction);
        if (change == Change::byALink) model.link(interaction, circuit);
      }
      simulation.step();
    }
    // C v̇ = (V − S λ − v)/(R + S)
    const double decay = std::exp(-0.002 / (C * (R + S)));
    const double first = change == Change::byALink ? V : V - S * 0.03;
    const double second = change == Change::ofParameters ? V + S * 0.02
                          : change == Change::byRemoval  ? V
                                                         : V - S * 0.01;
    return std::abs(circuit->x()(0) - second - (first * (1. - decay) - second) * decay);
  };
  for (const Change change : {Change::ofParameters, Change::byRemoval, Change::byALink}) {
    const double coarse = run(change, 100);
    EXPECT_NEAR(coarse / run(change, 200), 4., 0.2) << static_cast<int>(change);
    EXPECT_LT(coarse, 1e-3);
  }
}

// A capacitor between two nodes, a current source I cos ωt into the first, a resistor at each: M = c [1 −1; −1 1], and
// the sum of both equations is algebraic. With u = v1 − v2: 2 R c u̇ = R I cos ωt − u, v1 + v2 = R I cos ωt.
TEST(AlgebraicEquations, MayBeCombinationsOfRows) {
  const double R = 50., c = 2e-5, I = 0.1, omega = 300.;
  const auto run = [&](double theta, std::size_t steps) {
    NonSmoothDynamicalSystem model(0., 0.02);
    const auto circuit =
        std::make_shared<FirstOrderLinearTIDS>(makeVector({0., 0.}), makeMatrix({{-1. / R, 0.}, {0., -1. / R}}));
    circuit->setM(makeMatrix({{c, -c}, {-c, c}}));
    circuit->setB([=](double t, Vector& b) { b(0) = I * std::cos(omega * t); });
    model.insert("circuit", circuit);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.02 / static_cast<double>(steps)), EulerMoreauOSI(theta),
                            LCP());
    simulation.initialise();
    EXPECT_NEAR(circuit->x()(0) - circuit->x()(1), 0., 1e-12);
    EXPECT_NEAR(circuit->x()(0) + circuit->x()(1), R * I, 1e-12) << "the charge of the start is none";
    double worst = 0.;
    while (simulation.hasNextStep()) {
      simulation.step();
      const double t = simulation.time(), w = 2. * omega * R * c, part = R * I / (1. + w * w);
      const double u = part * (std::cos(omega * t) + w * std::sin(omega * t) - std::exp(-t / (2. * R * c)));
      const Vector& x = circuit->x();
      EXPECT_NEAR(x(0) + x(1), R * I * std::cos(omega * t), 1e-11 * R * I);
      worst = std::max(worst, std::abs(x(0) - x(1) - u));
    }
    return worst;
  };
  EXPECT_NEAR(run(0.5, 400) / run(0.5, 800), 4., 0.1);
  EXPECT_NEAR(run(1., 400) / run(1., 800), 2., 0.1);
}

// Random linear systems T (x1, x2)' with x1' = A11 x1 + A12 x2 + b1 and 0 = A21 x1 + A22 x2 + b2, rows and states mixed
// at random, against the same with x2 eliminated: the same differential part to rounding, step by step.
TEST(AlgebraicEquations, AreThoseOfTheEliminatedSystem) {
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  const auto random = [&](std::size_t m, std::size_t n) {
    Matrix A(m, n);
    for (double& entry : A.data()) entry = normal(engine);
    return A;
  };
  const auto solved = [](const Matrix& A, Matrix B) {
    LUFactorization factor;
    factor.factor(A, "A");
    factor.solve(B);
    return B;
  };
  const std::size_t n1 = 3, n2 = 2, n = n1 + n2;
  for (int sample = 0; sample < 30; ++sample) {
    const Matrix A = random(n, n) - 3. * identityMatrix(n);
    const Matrix rows = random(n, n), states = random(n, n);
    Matrix E(n, n), A11(n1, n1), A12(n1, n2), A21(n2, n1), A22(n2, n2);
    setZero(E);
    for (std::size_t i = 0; i < n1; ++i) E(i, i) = 1.;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        (i < n1 ? (j < n1 ? A11(i, j) : A12(i, j - n1)) : (j < n1 ? A21(i - n1, j) : A22(i - n1, j - n1))) = A(i, j);
      }
    }
    const Vector b = makeVector({1., -2., 0.5, 3., -1.});
    const Matrix reduction = solved(A22, A21);
    Vector b2 = makeVector({b(3), b(4)});
    {
      LUFactorization factor;
      factor.factor(A22, "A22");
      factor.solve(b2);
    }
    Vector reducedB = makeVector({b(0), b(1), b(2)});
    multiply(-1., A12, b2, 1., reducedB);
    const Matrix reducedA = A11 - product(A12, reduction);
    for (const double theta : {0.5, 0.7, 1.}) {
      NonSmoothDynamicalSystem whole(0., 1.), reduced(0., 1.);
      Vector start(n1);
      for (double& entry : start) entry = normal(engine);
      // x = (x1, x2) = states · ξ
      Vector xi = makeVector({start(0), start(1), start(2), 5., -7.});
      LUFactorization toStates;
      toStates.factor(states, "states");
      toStates.solve(xi);
      Vector source(n);
      multiply(1., rows, b, 0., source);
      const auto mixed = std::make_shared<FirstOrderLinearTIDS>(xi, product(product(rows, A), states), source);
      mixed->setM(product(product(rows, E), states));
      const auto plain = std::make_shared<FirstOrderLinearTIDS>(start, reducedA, reducedB);
      whole.insert(mixed);
      reduced.insert(plain);
      ASSERT_TRUE(mixed->hasAlgebraicPart());
      TimeStepping first(whole, TimeDiscretisation(0., 0.05), EulerMoreauOSI(theta), LCP());
      TimeStepping second(reduced, TimeDiscretisation(0., 0.05), EulerMoreauOSI(theta), LCP());
      while (first.hasNextStep()) {
        first.step();
        second.step();
        Vector x(n);
        multiply(1., states, mixed->x(), 0., x);
        double size = 1.;
        for (const double entry : x) size = std::max(size, std::abs(entry));
        for (std::size_t i = 0; i < n1; ++i) EXPECT_NEAR(x(i), plain->x()(i), 1e-9 * size) << theta << " " << sample;
        for (std::size_t i = 0; i < n2; ++i) {
          double x2 = -b2(i);
          for (std::size_t j = 0; j < n1; ++j) x2 -= reduction(i, j) * x(j);
          EXPECT_NEAR(x(n1 + i), x2, 1e-9 * size) << theta << " " << sample;
        }
      }
    }
  }
}

// A half-wave rectifier whose diode stands at a node without a capacitor: x = (v, u), C v̇ = −v/RL + λ at the load,
// 0 = (V − u)/Rs − λ at the source, y = v − u, so that 0 ≤ y ⟂ λ ≥ 0. With u eliminated y = v − V + Rs λ.
TEST(AlgebraicEquations, TakeTheInputOfLaws) {
  const double C = 1e-4, RL = 500., Rs = 10., omega = 2. * std::numbers::pi * 50.;
  const auto source = [=](double t) { return 10. * std::sin(omega * t); };
  for (const bool isSparse : {false, true}) {
    NonSmoothDynamicalSystem whole(0., 0.06), reduced(0., 0.06);
    const Matrix A = makeMatrix({{-1. / RL, 0.}, {0., -1. / Rs}}), M = makeMatrix({{C, 0.}, {0., 0.}});
    const Vector start = makeVector({0., 0.});
    const auto circuit = isSparse ? std::make_shared<FirstOrderLinearTIDS>(start, sparseFromDense(A))
                                  : std::make_shared<FirstOrderLinearTIDS>(start, A);
    circuit->setM(M);
    circuit->setB([=](double t, Vector& b) { b(1) = source(t) / Rs; });
    whole.insert("rectifier", circuit);
    const auto diode = whole.link("diode", ComplementarityConditionNSL(),
                                  FirstOrderLinearTIR(makeMatrix({{1., -1.}}), makeMatrix({{1.}, {-1.}})), circuit);
    const auto load = std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-1. / RL}}));
    load->setM(makeMatrix({{C}}));
    reduced.insert("load", load);
    FirstOrderLinearR relation(makeMatrix({{1.}}), makeMatrix({{1.}}));
    relation.setD(makeMatrix({{Rs}})).setE([=](double t, Vector& e) { e(0) = -source(t); });
    const auto other = reduced.link("diode", ComplementarityConditionNSL(), relation, load);
    TimeStepping first(whole, TimeDiscretisation(0., 1e-4), EulerMoreauOSI(1.), LCP());
    TimeStepping second(reduced, TimeDiscretisation(0., 1e-4), EulerMoreauOSI(1.), LCP());
    double conducted = 0.;
    while (first.hasNextStep()) {
      first.step();
      second.step();
      EXPECT_NEAR(circuit->x()(0), load->x()(0), 1e-12);
      EXPECT_NEAR(diode->lambda(0)(0), other->lambda(0)(0), 1e-12);
      EXPECT_NEAR(circuit->x()(1), source(first.time()) - Rs * diode->lambda(0)(0), 1e-11);
      conducted += diode->lambda(0)(0) > 0. ? 1. : 0.;
    }
    EXPECT_GT(conducted, 50.);
    EXPECT_LT(conducted, 300.);
  }
}

// ẋ1 = −x2, 0 = x2³ + x2 − x1: by Newton's method, against ẋ1 = −u with the root u of the cubic by a fine integration.
TEST(AlgebraicEquations, MayBeNonlinear) {
  const auto run = [](double theta, std::size_t steps) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto system =
        std::make_shared<FirstOrderNonLinearDS>(makeVector({2., 0.4}), automatic([](auto, const auto& x, auto& f) {
                                                  f(0) = -x(1);
                                                  f(1) = x(1) * x(1) * x(1) + x(1) - x(0);
                                                }));
    system->setM(makeMatrix({{1., 0.}, {0., 0.}}));
    model.insert("system", system);
    TimeStepping simulation(model, TimeDiscretisation(0., 1. / static_cast<double>(steps)), EulerMoreauOSI(theta),
                            LCP());
    simulation.initialise();
    EXPECT_NEAR(system->x()(0), 2., 1e-14);
    EXPECT_NEAR(system->x()(1), 1., 1e-8);
    simulation.run();
    const double u = system->x()(1);
    EXPECT_NEAR(u * u * u + u, system->x()(0), 1e-9);
    return u;
  };
  // x2' (3 x2² + 1) = −x2, so that 3 x2²/2 + ln x2 = 3/2 − t.
  double exact = 0.7;
  for (int k = 0; k < 50; ++k) exact -= (1.5 * exact * exact + std::log(exact) - 0.5) / (3. * exact + 1. / exact);
  EXPECT_NEAR((run(0.5, 50) - exact) / (run(0.5, 100) - exact), 4., 0.1);
  EXPECT_NEAR((run(1., 50) - exact) / (run(1., 100) - exact), 2., 0.1);
}

// A source across a capacitor says what v is, and its current stands in the derivative of that alone.
TEST(AlgebraicEquations, AreRefusedWhereTheyDoNotDetermineTheRest) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto circuit = std::make_shared<FirstOrderLinearTIDS>(makeVector({0., 0.}), makeMatrix({{-1., -1.}, {1., 0.}}));
  circuit->setM(makeMatrix({{1., 0.}, {0., 0.}}));
  model.insert("loop", circuit);
  expectError([&] { TimeStepping(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP()).step(); },
              {"'loop'", "singular", "algebraic"});
}

TEST(AlgebraicEquations, AreRefusedBySchemesThatDoNotTakeThem) {
  Charging circuit;
  const TimeDiscretisation grid(0., 1e-4);
  expectError([&] { TimeStepping(circuit.model, grid, EulerMoreauOSI(0.5, 0.5), LCP()).step(); },
              {"'charging'", "singular", "gamma = 1", "0.5"});
  expectError([&] { TimeStepping(circuit.model, grid, EulerMoreauOSI::fullThetaGamma(0.5, 0.5), LCP()).step(); },
              {"'charging'", "singular", "gamma = 1"});
  expectError([&] { EventDriven(circuit.model, grid).run(); }, {"'charging'", "M", "singular"});
}

}  // namespace
