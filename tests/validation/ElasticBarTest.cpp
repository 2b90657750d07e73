// SPDX-License-Identifier: Apache-2.0
//
// Sparse systems: an elastic bar that hits a wall, against d'Alembert's solution and against the same bar with dense
// matrices.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <delassus/Config.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <limits>
#include <support/ElasticBar.hpp>
#include <support/Matchers.hpp>
#include <support/Restart.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

// The velocities in the end.
template <class Scheme>
Vector endOf(bool isSparse, const Scheme& scheme) {
  ElasticBar model(20, isSparse, 0.01, 2.5);
  TimeStepping simulation(model.model, TimeDiscretisation(0., 0.02), scheme);
  simulation.run();
  return model.bar->velocity();
}

TEST(ElasticBar, IsTheSameWithSparseAndDenseMatricesByEachScheme) {
  // Rounding of 125 steps; velocities are of order 1.
  expectNear(endOf(true, MoreauJeanOSI()), endOf(false, MoreauJeanOSI()), 1e-11);
  expectNear(endOf(true, MoreauJeanOSI(1.)), endOf(false, MoreauJeanOSI(1.)), 1e-11);
  expectNear(endOf(true, SchatzmanPaoliOSI()), endOf(false, SchatzmanPaoliOSI()), 1e-11);
  // Explicit in the stiffness: with theta = 1 it is the symplectic scheme, stable up to h omega = 2.
  expectNear(endOf(true, MoreauJeanOSI::semiExplicit(1.)), endOf(false, MoreauJeanOSI::semiExplicit(1.)), 1e-11);
}

TEST(ElasticBar, IsTheSameEventDriven) {
  if constexpr (!withSundials) GTEST_SKIP() << "built without SUNDIALS";
  Vector ends[2];
  for (const bool isSparse : {false, true}) {
    ElasticBar model(6, isSparse, 0.01, 0.5);
    EventDriven simulation(model.model, TimeDiscretisation(0., 0.1));
    simulation.run();
    ends[isSparse ? 1 : 0] = model.bar->velocity();
  }
  expectNear(ends[1], ends[0], 1e-10);
}

struct Impact {
  double leaves = 0.;    // s, the last step with an impulse
  double force = 0.;     // N, mean over the middle of the contact
  double momentum = 0.;  // N s, in the end
};

Impact impactOf(std::size_t n) {
  ElasticBar model(n, true, 0., 2.5);
  const double h = 1. / static_cast<double>(n);
  TimeStepping simulation(model.model, TimeDiscretisation(0., h), MoreauJeanOSI());
  Impact impact;
  std::size_t count = 0;
  simulation.run([&] {
    const double t = simulation.time(), impulse = model.wall->lambda(1)(0);
    if (impulse > 0.) impact.leaves = t;
    if (t < 0.5 || t > 1.5) return;
    impact.force += impulse / h;
    ++count;
  });
  impact.force /= static_cast<double>(count);
  impact.momentum = model.momentum();
  return impact;
}

TEST(ElasticBar, ReboundsAsDAlembertsWaveDoes) {
  double before = 0.;
  for (const std::size_t n : {50U, 100U, 200U, 400U}) {
    const Impact impact = impactOf(n);
    const double lost = 1. - impact.momentum;
    std::printf("%4zu elements: leaves at %.4f s (2), force %.5f N (1), leaves with %.5f (1)\n", n, impact.leaves,
                impact.force, impact.momentum);
    // In a chain of n elements the front of a wave that has run its length is some cube root of n elements wide (Airy's
    // function), each 1/n long.
    EXPECT_NEAR(impact.leaves, 2., 4. / std::pow(static_cast<double>(n), 2. / 3.));
    // In the middle of the contact only the oscillations of that front are left of an error, 3e-5 with 50 elements.
    EXPECT_NEAR(impact.force, 1., 1e-4);
    EXPECT_GT(lost, 0.);
    // What the front holds goes with its width, n to the power −2/3; the first pair is 3 % off.
    if (before > 0.) {
      EXPECT_NEAR(before / lost, std::cbrt(4.), 0.06);
    }
    before = lost;
  }
}

// d'Alembert's solution for a bar that touches the wall at t = 0: a front goes out from the wall and leaves the bar at
// rest, −1 m/m short, and comes back from the free end, behind which the bar moves away undeformed.
struct Wave {
  double u, v;
};
Wave dAlembert(double x, double t) {
  if (t > 2. - x) return {t - 2., 1.};
  return t > x ? Wave{-x, 0.} : Wave{-t, -1.};
}

struct WaveErrors {
  double u = 0.;       // m, the largest
  double v = 0.;       // m/s, in the mean
  double energy = 0.;  // J, that is gone
};

WaveErrors waveErrorsAt(std::size_t n, double t) {
  ElasticBar model(n, true, 0., t);
  const double energy = model.energy();
  TimeStepping(model.model, TimeDiscretisation(0., 1. / static_cast<double>(n)), MoreauJeanOSI()).run();
  WaveErrors errors;
  for (std::size_t i = 0; i <= n; ++i) {
    const Wave exact = dAlembert(static_cast<double>(i) / static_cast<double>(n), t);
    errors.u = std::max(errors.u, std::abs(model.bar->q()(i) - exact.u));
    errors.v += std::abs(model.bar->velocity()(i) - exact.v) / static_cast<double>(n + 1);
  }
  errors.energy = energy - model.energy();
  return errors;
}

TEST(ElasticBar, HasDAlembertsWaveBeforeAndAfterItLeavesTheWall) {
  for (const double t : {0.5, 1.5, 2.5}) {
    WaveErrors before;
    for (const std::size_t n : {50U, 100U, 200U, 400U}) {
      const WaveErrors errors = waveErrorsAt(n, t);
      std::printf("t = %.1f s, %4zu elements: displacement %.2e m, velocity %.2e m/s in the mean\n", t, n, errors.u,
                  errors.v);
      // As wide as the front, which grows with the way that it has run; after the bar has left, the front's rear leaves
      // the wall at other times.
      EXPECT_LE(errors.u, (t > 2. ? 0.7 : 0.25) / std::pow(static_cast<double>(n), 2. / 3.)) << t;
      if (before.u > 0.) {
        EXPECT_NEAR(before.u / errors.u, std::cbrt(4.), 0.06) << t;
        EXPECT_LT(errors.v, 0.85 * before.v) << "oscillations behind a front do not fall as fast";
      }
      before = errors;
    }
  }
}

// The first step stops node 0, and with it by s_i = r^i its neighbours, r = 3 − 2 √2 where h is the length l of an
// element: (M + h²K/4) s = 0 but for node 0. It ends on the wall, u = h v⁺, so that ½ v⁺ᵀ(M + h²K) v⁺ is left of ½ J:
// l/(8 √2) is gone. What follows, the bar leaving included, costs nothing.
TEST(ElasticBar, LosesTheEnergyOfItsFirstStepAndNoMore) {
  for (const double t : {0.5, 1.5, 2.5}) {
    for (const std::size_t n : {50U, 200U}) {
      const double lost = 1. / (8. * std::sqrt(2.) * static_cast<double>(n));
      // Rounding of stiffnesses times displacements, 1e2 N, of 500 steps.
      EXPECT_NEAR(waveErrorsAt(n, t).energy, lost, 1e-11) << n << " elements, t = " << t;
    }
  }
}

TEST(ElasticBar, IsOfOrderInTheStepWithAFixedNumberOfElements) {
  constexpr std::size_t n = 20;
  const double pi = std::acos(-1.);
  // While it touches, node 0 is held: u_i = Σ a_j sin(θ_j i) sin(ω_j t)/ω_j, θ_j = (2j − 1)π/(2n), ω_j = 2n sin(θ_j/2).
  const auto exact = [&](std::size_t i, double t) {
    double u = 0.;
    for (std::size_t j = 1; j <= n; ++j) {
      const double theta = (2. * static_cast<double>(j) - 1.) * pi / (2. * n), omega = 2. * n * std::sin(0.5 * theta);
      double projection = 0., square = 0.;
      for (std::size_t k = 1; k <= n; ++k) {
        const double m = k == n ? 0.5 : 1., s = std::sin(theta * static_cast<double>(k));
        projection -= m * s;
        square += m * s * s;
      }
      u += projection / square * std::sin(theta * static_cast<double>(i)) * std::sin(omega * t) / omega;
    }
    return u;
  };
  double before = 0.;
  for (const double h : {1e-2, 5e-3, 2.5e-3, 1.25e-3}) {
    ElasticBar model(n, true, 0., 0.5);
    TimeStepping(model.model, TimeDiscretisation(0., h), MoreauJeanOSI()).run();
    double error = 0.;
    for (std::size_t i = 0; i <= n; ++i) error = std::max(error, std::abs(model.bar->q()(i) - exact(i, 0.5)));
    std::printf("h = %.2e s: displacement %.3e m\n", h, error);
    // The first step ends on the wall: the impact costs no order.
    if (before > 0.) {
      EXPECT_NEAR(std::log2(before / error), 2., 0.03) << h;
    }
    before = error;
  }
}

TEST(ElasticBar, KeepsEnergyAndMomentumToRoundingWhileItIsFree) {
  constexpr double gap = 3.;  // no contact in 2 s
  ElasticBar model(1000, true, gap, 2.);
  // A wave along it, as its initial state.
  Vector v(1001);
  for (std::size_t i = 0; i < v.size(); ++i) v(i) = std::cos(3.14159 * static_cast<double>(i) / 1000.);
  model.bar->setState(Vector(1001, gap), v);
  TimeStepping simulation(model.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI());
  const double energy = model.energy(), momentum = model.momentum();
  simulation.run();
  // θ = ½ keeps the energy; rounding of positions, 4e-16 m, makes 4e-13 N at stiffnesses of 1e3 N/m, and noise of 1e-12
  // m/s in a step at masses of 1e-3 kg, in 2000 steps of 1000 nodes.
  EXPECT_NEAR(model.energy(), energy, 1e-9);
  EXPECT_NEAR(model.momentum(), momentum, 1e-10);
}

TEST(ElasticBar, GoesOnFromACheckpointToTheSameBits) {
  expectSameAfterRestart("sparse bar", [] {
    auto model = std::make_shared<ElasticBar>(30, true, 0.01, 1.);
    auto simulation = std::make_shared<TimeStepping>(model->model, TimeDiscretisation(0., 0.02), MoreauJeanOSI());
    return restartRun(std::move(model), std::move(simulation));
  });
}

// Nodes 0 and n of the bar on rough ground, in one problem in global form: nothing is reduced.
TEST(ElasticBar, SlidesTheSameInLocalAndGlobalForm) {
  Vector ends[2];
  for (const bool isGlobal : {false, true}) {
    // The bar stands in the plane: node i has x in 2i and y in 2i + 1.
    const std::size_t n = 10;
    const ElasticBar line(n, true, 0., 1.);
    std::vector<Triplet> masses, stiffnesses;
    for (std::size_t i = 0; i <= n; ++i) {
      for (const std::size_t d : {0U, 1U}) {
        masses.push_back({2 * i + d, 2 * i + d, line.bar->M().diagonal(i)});
        for (std::size_t j = 0; j <= n; ++j) {
          if (line.bar->K()(i, j) != 0.) stiffnesses.push_back({2 * i + d, 2 * j + d, line.bar->K()(i, j)});
        }
      }
    }
    NonSmoothDynamicalSystem model(0., 0.5);
    Vector v(2 * n + 2), weight(2 * n + 2);
    for (std::size_t i = 0; i <= n; ++i) {
      v(2 * i) = 1.;
      weight(2 * i + 1) = -line.bar->M().diagonal(i) * 9.81;
    }
    const auto sheet = model.insert(
        "sheet", std::make_shared<LagrangianLinearTIDS>(
                     Vector(2 * n + 2), v,
                     LagrangianLinearTIDS::Matrices{.M = sparseFromTriplets(2 * n + 2, 2 * n + 2, masses),
                                                    .K = sparseFromTriplets(2 * n + 2, 2 * n + 2, stiffnesses)}));
    sheet->setExternalForces(weight);
    for (std::size_t i = 0; i <= n; ++i) {
      Matrix H(2, 2 * n + 2);
      H(0, 2 * i + 1) = 1.;
      H(1, 2 * i) = 1.;
      model.link("foot " + std::to_string(i), NewtonImpactFrictionNSL(0., 0., 0.3, 2), LagrangianLinearTIR(H), sheet);
    }
    const auto run = [&](auto problem) {
      TimeStepping simulation(model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI(), std::move(problem));
      simulation.run();
    };
    if (isGlobal) {
      run(GlobalFrictionContact(2));
    } else {
      run(FrictionContact(2));
    }
    ends[isGlobal ? 1 : 0] = sheet->velocity();
  }
  // Both are certified to 1e-8 in each of 100 steps.
  expectNear(ends[1], ends[0], 1e-5);
  EXPECT_LT(ends[0](0), 0.9);  // friction has slowed it
}

TEST(ElasticBar, RefusesWhatIsNoMassOrDoesNotFit) {
  const ElasticBar line(4, true, 0., 1.);
  const Vector q(5), v(5);
  std::vector<Triplet> hole;
  for (std::size_t i = 0; i < 4; ++i) hole.push_back({i, i, 1.});
  expectError([&] { LagrangianLinearTIDS(q, v, sparseFromTriplets(5, 5, hole)); },
              {"LagrangianLinearTIDS: mass M", "positive definite"});
  expectError([&] { LagrangianLinearTIDS(q, v, sparseFromTriplets(5, 4, hole)); }, {"mass M", "5 x 5"});
  LagrangianLinearTIDS bar(q, v, line.M);
  expectError([&] { bar.setStiffness(sparseFromTriplets(4, 4, hole)); }, {"stiffness K", "5 x 5"});
  expectError(
      [&] {
        bar.setDamping(sparseFromTriplets(5, 5, {{0, 0, std::numeric_limits<double>::infinity()}}));
      },
      {"damping C", "finite"});
  // Dense beside a sparse mass is stored as the mass is.
  bar.setStiffness(toDense(line.K));
  EXPECT_TRUE(bar.K().isSparse());
}

}  // namespace
