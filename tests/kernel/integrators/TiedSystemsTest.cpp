// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/ElasticBar.hpp>
#include <support/Matchers.hpp>
#include <support/SpringChain.hpp>

namespace delassus {
namespace {

using test::ElasticBar;
using test::SpringChain;

double difference(const Vector& a, const Vector& b) {
  return normInf(Vector(a - b)) / std::max(1., normInf(b));
}

// A chain as bodies tied by springs, and as one system: a wall below the first mass, with e; a rigid stop between two
// masses; a rope of constant length where `isJoined`.
struct Pair {
  SpringChain tied, whole;
  Pair(std::size_t n, double c, double end, double clearance = 0.)
      : tied(n, 400., c, true, end, 0.1), whole(n, 400., c, false, end, 0.1) {
    for (SpringChain* const chain : {&tied, &whole}) {
      chain->link("wall", NewtonImpactNSL(0.5), 0, 1.);
      chain->link("stop", NewtonImpactNSL(0.), 1, -1., n - 1, 1., clearance)->setName("stop");
    }
  }
};

TEST(TiedSystems, AreOneSystemForEachTimeSteppingScheme) {
  const auto run = [](const auto& scheme, std::size_t n, double clearance = 0.) {
    Pair pair(n, 2., 1., clearance);
    TimeStepping tied(pair.tied.model, TimeDiscretisation(0., 1e-3), scheme, LCP());
    TimeStepping whole(pair.whole.model, TimeDiscretisation(0., 1e-3), scheme, LCP());
    double largest = 0.;
    bool hasPressed = false;
    for (int step = 0; step < 1000; ++step) {
      tied.step();
      whole.step();
      largest = std::max(largest, difference(pair.tied.state(), pair.whole.state()));
      hasPressed = hasPressed || pair.whole.model.interactions()[1]->lambda(1)(0) > 0.;
    }
    EXPECT_TRUE(hasPressed) << "the stop, between two systems of one node, never acts";
    return largest;
  };
  // Rounding, which factors of another order make different, grows over the steps and is multiplied by impacts.
  EXPECT_LE(run(MoreauJeanOSI(), 5), 1e-11);
  EXPECT_LE(run(MoreauJeanOSI(1.), 5), 1e-11);
  for (const std::size_t n : {5U, 60U}) {
    // The forecast of contacts that are kept goes by what forces may do to the body alone, here one mass, there all.
    // With a stop that is closed from the start, rounding would decide in which step it is closed again.
    EXPECT_LE(run(MoreauJeanOSI::pure(), n, 1e-3), 1e-11) << n;
    EXPECT_LE(run(MoreauJeanOSI::semiExplicit(), n), 1e-11) << n;
    EXPECT_LE(run(SchatzmanPaoliOSI(), n), 1e-11) << n;
  }
}

TEST(TiedSystems, AreOneSystemForEventDrivenMotion) {
  Pair pair(5, 2., 0.5);
  EventDriven tied(pair.tied.model, TimeDiscretisation(0., 0.01));
  EventDriven whole(pair.whole.model, TimeDiscretisation(0., 0.01));
  int crossings = 0;
  tied.addStateEvent(
      "turn", pair.tied.masses[3], [](double, const Vector&, const Vector& v) { return v(0); }, Crossing::rising,
      [&] { ++crossings; });
  int expected = 0;
  whole.addStateEvent(
      "turn", pair.whole.masses[0], [](double, const Vector&, const Vector& v) { return v(3); }, Crossing::rising,
      [&] { ++expected; });
  tied.run();
  whole.run();
  EXPECT_LE(difference(pair.tied.state(), pair.whole.state()), 1e-8);  // of the tolerance of integration
  EXPECT_GT(expected, 0);
  EXPECT_EQ(crossings, expected);
  EXPECT_NEAR(pair.tied.masses[2]->acceleration()(0), pair.whole.masses[0]->acceleration()(2), 1e-6);
}

// x_i = cos(jπ (i + ½)/n) cos ωt, ω = 2 √(k/m) sin(jπ/(2n)), of a chain that is free at both ends.
TEST(TiedSystems, OscillateInTheExactModesOfAChainToSecondOrder) {
  constexpr std::size_t n = 100;
  const auto errorOf = [](std::size_t mode, double h) {
    SpringChain chain(n, 100., 0., true, 1., 0., true);
    const double pi = std::acos(-1.), wave = static_cast<double>(mode) * pi / n;
    const double omega = 2. * std::sqrt(100.) * std::sin(0.5 * wave);
    const auto shape = [&](std::size_t i) { return std::cos(wave * (static_cast<double>(i) + 0.5)); };
    for (std::size_t i = 0; i < n; ++i) chain.masses[i]->setState(Vector(1, shape(i)), Vector(1));
    TimeStepping(chain.model, h).run();
    double error = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      error = std::max(error, std::abs(chain.masses[i]->q()(0) - shape(i) * std::cos(omega)));
    }
    return error;
  };
  for (const std::size_t mode : {1U, 7U, 40U, 99U}) {
    const double coarse = errorOf(mode, 2e-3), fine = errorOf(mode, 1e-3);
    EXPECT_LE(coarse, 1e-2) << mode;
    EXPECT_NEAR(std::log2(coarse / fine), 2., 0.02) << mode;  // higher terms of the error
  }
}

// The state at T of ẋ = A x, by Taylor's series over short steps.
Vector exactFlow(const Matrix& A, Vector x, double T) {
  constexpr int steps = 1000, terms = 30;
  for (int step = 0; step < steps; ++step) {
    Vector term = x;
    for (int k = 1; k <= terms; ++k) {
      Vector next(x.size());
      multiply(T / steps / k, A, term, 0., next);
      term = next;
      x += term;
    }
  }
  return x;
}

// A quarter of a car on a washboard z = a sin ωt: strut and tyre are force elements, the tyre's on an output that
// depends on time. Its linear system has z and ż as two more states.
TEST(TiedSystems, AreAQuarterCarOfSecondOrder) {
  constexpr double mb = 250., mw = 35., ks = 16e3, cs = 1.1e3, kt = 160e3, ct = 100., a = 0.02, omega = 30., T = 1.;
  const auto body = [](double m, double q, double v) {
    return std::make_shared<LagrangianLinearTIDS>(Vector(1, q), Vector(1, v), Matrix(1, 1, m));
  };
  const Vector start = makeVector({0.03, -0.01, 0.2, -0.3, 0., a * omega});
  const Matrix A = makeMatrix({{0., 0., 1., 0., 0., 0.},
                               {0., 0., 0., 1., 0., 0.},
                               {-ks / mb, ks / mb, -cs / mb, cs / mb, 0., 0.},
                               {ks / mw, -(ks + kt) / mw, cs / mw, -(cs + ct) / mw, kt / mw, ct / mw},
                               {0., 0., 0., 0., 0., 1.},
                               {0., 0., 0., 0., -omega * omega, 0.}});
  const Vector exact = exactFlow(A, start, T);
  EXPECT_NEAR(exact(4), a * std::sin(omega * T), 1e-13) << "the exact flow";
  const auto errorOf = [&](double h) {
    NonSmoothDynamicalSystem model(0., T);
    const auto chassis = model.insert("body", body(mb, start(0), start(2)));
    const auto wheel = model.insert("wheel", body(mw, start(1), start(3)));
    model.link("strut", SpringDamperLaw(ks, cs), LagrangianLinearTIR(makeMatrix({{1., -1.}})), chassis, wheel);
    model.link("tyre", SpringDamperLaw(kt, ct),
               LagrangianRheonomousR(1, automatic([](const auto& t, const auto& q, auto& y) {
                                       using std::sin;
                                       y(0) = q(0) - a * sin(omega * t);
                                     })),
               wheel);
    TimeStepping(model, h).run();
    const Vector end = makeVector({chassis->q()(0), wheel->q()(0), chassis->velocity()(0), wheel->velocity()(0)});
    double error = 0.;
    for (std::size_t i = 0; i < 4; ++i) error = std::max(error, std::abs(end(i) - exact(i)));
    return error;
  };
  const double coarse = errorOf(2e-3), middle = errorOf(1e-3), fine = errorOf(5e-4);
  EXPECT_LE(fine, 1e-3);
  // The wheel's hop, of 71 rad/s, has (ω h)² of 0.02 in the longest step: so much are the terms of higher order.
  EXPECT_NEAR(std::log2(coarse / middle), 2., 0.05);
  EXPECT_NEAR(std::log2(middle / fine), 2., 0.02);
}

// A hundred bodies and 99 springs are one system of a hundred coordinates, to rounding.
TEST(TiedSystems, AreTheSystemOfAWholeChainToRounding) {
  constexpr std::size_t n = 100;
  SpringChain tied(n, 400., 0.3, true, 1., 0.), whole(n, 400., 0.3, false, 1., 0.);
  Vector q(n), v(n);
  for (std::size_t i = 0; i < n; ++i) {
    q(i) = std::sin(1.7 * static_cast<double>(i * i));
    v(i) = 3. * std::cos(2.3 * static_cast<double>(i * i));
    tied.masses[i]->setState(Vector(1, q(i)), Vector(1, v(i)));
  }
  whole.masses[0]->setState(q, v);
  TimeStepping one(tied.model, 2e-3), other(whole.model, 2e-3);
  while (one.hasNextStep()) {
    one.step();
    other.step();
    // Sums of another order in the factors of 500 steps, whose errors oscillate as the chain does.
    ASSERT_LE(difference(tied.state(), whole.state()), 1e-12) << one.time();
  }
  Vector first = q;
  append(v, first);
  EXPECT_GT(difference(whole.state(), first), 0.1) << "nothing moves";
}

// Two masses and a damped spring: u'' + 2 δ u' + ω² u = 0 for the elongation, and a centre that moves on.
TEST(TiedSystems, AreOfSecondOrderWithDampers) {
  const auto errorOf = [](double h) {
    const double k = 30., c = 1.5, m1 = SpringChain::massOf(0), m2 = SpringChain::massOf(1);
    SpringChain pair(2, k, c, true, 1., 0.);
    pair.masses[1]->setState(Vector(1, 0.1), Vector(1, -1.));
    TimeStepping(pair.model, h).run();
    const double delta = 0.5 * c * (1. / m1 + 1. / m2), omega = std::sqrt(k * (1. / m1 + 1. / m2) - delta * delta);
    const double u = 0.1 * std::exp(-delta) * (std::cos(omega) + delta / omega * std::sin(omega));
    const double centre = (m1 * pair.masses[0]->q()(0) + m2 * pair.masses[1]->q()(0)) / (m1 + m2);
    EXPECT_NEAR(centre, m2 * 0.1 / (m1 + m2) - 1., 1e-12);
    return std::abs(pair.masses[1]->q()(0) - pair.masses[0]->q()(0) - u);
  };
  EXPECT_NEAR(std::log2(errorOf(2e-3) / errorOf(1e-3)), 2., 0.02);
}

TEST(TiedSystems, KeepMomentumAndEnergyToRounding) {
  for (const std::size_t n : {3U, 50U}) {
    SpringChain chain(n, 1e4, 0., true, 20., 0.);
    chain.masses[0]->setState(Vector(1), Vector(1, 3.));
    TimeStepping simulation(chain.model, 1e-2);  // k h² / m = 1
    const auto balance = std::make_shared<EnergyBalance>();
    simulation.addObserver(balance);
    const auto momentum = [&] {
      double sum = 0.;
      for (std::size_t i = 0; i < n; ++i) sum += SpringChain::massOf(i) * chain.masses[i]->velocity()(0);
      return sum;
    };
    const double before = momentum();
    simulation.run();
    EXPECT_NEAR(momentum(), before, 1e-13 * static_cast<double>(n) * 2000.) << "rounding of 2,000 steps";
    double stored = 0., work = 0.;
    for (const ElementWorks::Work& element : balance->byElement()) {
      stored += element.stored;
      work += element.work;
      EXPECT_NEAR(element.dissipated(), 0., 1e-9) << element.name;
    }
    EXPECT_GT(stored, 1e-3) << "nothing oscillates";
    EXPECT_NEAR(balance->kinetic() + stored, balance->initialKinetic(), 1e-10 * balance->initialKinetic());
    EXPECT_NEAR(work, balance->forceWork(), 1e-10);
    EXPECT_LE(balance->largestResidual(), 1e-10 * balance->turnover());
  }
}

TEST(TiedSystems, TakeTheEnergyOfTheirDampers) {
  SpringChain chain(4, 1e2, 2., true, 5., 0.);
  chain.masses[0]->setState(Vector(1), Vector(1, 3.));
  TimeStepping simulation(chain.model, 1e-3);
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  simulation.run();
  double stored = 0., dissipated = 0.;
  for (const ElementWorks::Work& element : balance->byElement()) {
    EXPECT_GT(element.dissipated(), 0.) << element.name;
    stored += element.stored;
    dissipated += element.dissipated();
  }
  EXPECT_NEAR(balance->initialKinetic() - balance->kinetic() - stored, dissipated, 1e-10);
}

// What a reset by the user changes is neither work nor dissipation.
TEST(TiedSystems, LeaveResetsOutOfTheirBalances) {
  SpringChain chain(3, 1e2, 0., true, 2., 0.);
  TimeStepping simulation(chain.model, 1e-2);
  const auto balance = std::make_shared<EnergyBalance>();
  simulation.addObserver(balance);
  simulation.run([&] {
    if (simulation.stepIndex() % 50 == 10)
      chain.masses[1]->setState(Vector(1, chain.masses[1]->q()(0) + 0.3), Vector(1));
  });
  for (const ElementWorks::Work& element : balance->byElement()) {
    EXPECT_GT(std::abs(element.work), 0.1) << element.name;
    EXPECT_NEAR(element.dissipated(), 0., 1e-10) << element.name;
  }
}

TEST(TiedSystems, StayStableWhereSpringsAreStiffBesideTheStep) {
  for (const double theta : {0.5, 1.}) {
    SpringChain chain(30, 1e10, 0., true, 10., 0.);
    chain.masses[0]->setState(Vector(1), Vector(1, 3.));
    TimeStepping simulation(chain.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(theta), LCP());  // k h²/m = 1e6
    const auto kinetic = [&] {
      double sum = 0.;
      for (const auto& mass : chain.masses) sum += mass->kineticEnergy();
      return sum;
    };
    const double before = kinetic();
    double largest = 0.;
    simulation.run([&] { largest = std::max(largest, kinetic()); });
    EXPECT_LE(largest, before * (1. + 1e-9)) << theta;
  }
}

TEST(TiedSystems, FollowResetsParametersAndChangesOfTheModel) {
  SpringChain tied(3, 50., 1., true, 4., 0.), whole(3, 50., 1., false, 4., 0.);
  TimeStepping one(tied.model, 1e-2), other(whole.model, 1e-2);
  const auto steps = [&](int count) {
    for (int k = 0; k < count; ++k) {
      one.step();
      other.step();
    }
    EXPECT_LE(difference(tied.state(), whole.state()), 1e-12);
  };
  steps(20);
  tied.masses[1]->setState(Vector(1, 0.3), Vector(1, 2.));
  Vector q = whole.masses[0]->q(), v = whole.masses[0]->velocity();
  q(1) = 0.3;
  v(1) = 2.;
  whole.masses[0]->setState(q, v);
  steps(20);
  tied.masses[2]->setExternalForces(Vector(1, 5.));
  Vector force(3);
  force(2) = 5.;
  whole.masses[0]->setExternalForces(force);
  steps(20);
  tied.model.remove(tied.springs[1]);
  SpringChain rest(2, 50., 1., false, 4., 0.);
  Vector state = tied.state();  // three positions, three velocities
  const auto two = [](double a, double b) {
    Vector both(2, a);
    both(1) = b;
    return both;
  };
  rest.masses[0]->setState(two(state(0), state(1)), two(state(3), state(4)));
  TimeStepping ofRest(rest.model, 1e-2);
  for (int k = 0; k < 20; ++k) {
    one.step();
    ofRest.step();
  }
  state = tied.state();
  Vector ofPair = two(state(0), state(1));
  append(two(state(3), state(4)), ofPair);
  EXPECT_LE(difference(rest.state(), ofPair), 1e-12);
  EXPECT_NEAR(tied.masses[2]->velocity()(0), whole.masses[0]->velocity()(2) + 0.2 * 5. / SpringChain::massOf(2), 1e-12)
      << "a mass that is free again feels a spring";
  tied.model.remove(tied.masses[2]);
  EXPECT_EQ(tied.model.elements().size(), 1U);
  one.step();
  const std::vector<IterationMatrix> matrices = one.scheme().iterationMatrices();
  ASSERT_EQ(matrices.size(), 1U);
  EXPECT_EQ(matrices[0].systems.size(), 2U);
  EXPECT_EQ(matrices[0].W.size1(), 2U);
  tied.model.remove(tied.masses[1]);
  EXPECT_TRUE(tied.model.elements().empty());
  const double speed = tied.masses[0]->velocity()(0);
  one.step();
  EXPECT_EQ(tied.masses[0]->velocity()(0), speed) << "a mass that is free again feels a force";
}

// A mesh, given as sparse matrices, with a mass on a spring at its end: the parts of one sparse node.
TEST(TiedSystems, MayBeSparseThemselves) {
  constexpr std::size_t n = 60;
  const auto run = [](bool isTied) {
    ElasticBar bar(n, true, 0.01, 1.);
    Vector all;
    if (isTied) {
      const auto mass = bar.model.insert(
          "mass", std::make_shared<LagrangianLinearTIDS>(Vector(1, 0.01), Vector(1, -1.), Matrix(1, 1, 0.2)));
      Matrix H(1, n + 2);
      H(0, n) = -1.;
      H(0, n + 1) = 1.;
      bar.model.link("spring", SpringDamperLaw(50., 0.1), LagrangianLinearTIR(H), bar.bar, mass);
      TimeStepping simulation(bar.model, 2e-3);
      for (int step = 0; step < 400; ++step) {
        if (step == 100) mass->setExternalForces(Vector(1, 0.5));
        simulation.step();
      }
      append(bar.bar->q(), all);
      append(mass->q(), all);
      return all;
    }
    Matrix M(n + 2, n + 2), K(n + 2, n + 2), C(n + 2, n + 2);
    for (std::size_t j = 0; j <= n; ++j) {
      for (std::size_t i = 0; i <= n; ++i) {
        M(i, j) = bar.bar->M()(i, j);
        K(i, j) = bar.bar->K()(i, j);
      }
    }
    M(n + 1, n + 1) = 0.2;
    for (auto [matrix, value] : {std::pair(&K, 50.), std::pair(&C, 0.1)}) {
      (*matrix)(n, n) += value;
      (*matrix)(n + 1, n + 1) += value;
      (*matrix)(n, n + 1) -= value;
      (*matrix)(n + 1, n) -= value;
    }
    NonSmoothDynamicalSystem model(0., 1.);
    const auto whole = model.insert(
        "whole", std::make_shared<LagrangianLinearTIDS>(Vector(n + 2, 0.01), Vector(n + 2, -1.),
                                                        LagrangianLinearTIDS::Matrices{.M = M, .C = C, .K = K}));
    Matrix H(1, n + 2);
    H(0, 0) = 1.;
    model.link("wall", NewtonImpactNSL(0.), LagrangianLinearTIR(H), whole);
    TimeStepping simulation(model, 2e-3);
    for (int step = 0; step < 400; ++step) {
      if (step == 100) {
        Vector force(n + 2);
        force(n + 1) = 0.5;
        whole->setExternalForces(force);
      }
      simulation.step();
    }
    append(whole->q(), all);
    return all;
  };
  EXPECT_LE(difference(run(true), run(false)), 1e-11);
}

}  // namespace
}  // namespace delassus
