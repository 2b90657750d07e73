// SPDX-License-Identifier: Apache-2.0
//
// What a projection on constraints does to joints and contacts: drift and penetration against h with and without it,
// and energy. The tables are those of docs/projection.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <functional>
#include <support/Mechanisms.hpp>
#include <support/Models.hpp>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

const std::vector<double> steps{4e-3, 2e-3, 1e-3, 5e-4};

struct Outcome {
  double drift = 0.;       // largest over all steps
  double energy = 0.;      // largest |E − E₀|
  double iterations = 0.;  // of projections, a step
};

/// Runs a mechanism to its end; `drift` and `energy` are asked after each step.
Outcome follow(TimeStepping& simulation, const std::function<double()>& drift, const std::function<double()>& energy) {
  Outcome outcome;
  const double begin = energy();
  simulation.run([&] {
    outcome.drift = std::max(outcome.drift, drift());
    outcome.energy = std::max(outcome.energy, std::abs(energy() - begin));
  });
  outcome.iterations = static_cast<double>(simulation.statistics().projectionIterations) /
                       static_cast<double>(simulation.statistics().steps);
  return outcome;
}

/// With and without projection over all steps h.
struct Study {
  std::vector<double> drift, energy, projectedDrift, projectedEnergy;
};

template <class Mechanism>
Study study(const char* title, double end, const std::function<double(const Mechanism&)>& drift,
            const ProjectionOptions& options) {
  Study result;
  std::printf("%s\n      h      drift without   with     energy without   with     iterations\n", title);
  for (const double h : steps) {
    Mechanism free(end), held(end);
    TimeStepping plain(free.model, TimeDiscretisation(0., h), MoreauJeanOSI(), MLCP());
    TimeStepping projected(held.model, TimeDiscretisation(0., h), MoreauJeanOSI(), MLCP(), {.projection = options});
    const Outcome without = follow(
        plain, [&] { return drift(free); }, [&] { return free.energy(); });
    const Outcome with = follow(
        projected, [&] { return drift(held); }, [&] { return held.energy(); });
    std::printf("  %.1e   %.3e   %.3e   %.3e   %.3e   %.2f\n", h, without.drift, with.drift, without.energy,
                with.energy, with.iterations);
    result.drift.push_back(without.drift);
    result.energy.push_back(without.energy);
    result.projectedDrift.push_back(with.drift);
    result.projectedEnergy.push_back(with.energy);
  }
  return result;
}

double largest(const Vector& y) {
  double worst = 0.;
  for (const double entry : y.data()) worst = std::max(worst, std::abs(entry));
  return worst;
}

TEST(JointDrift, OfASpinningPendulumIsOfOrderTwoAndBelowToleranceWithProjection) {
  const ProjectionOptions options{.kind = Projection::direct, .tolerance = 1e-10};
  const Study result = study<SpinningPendulum>(
      "spinning pendulum, 2 s", 2., [](const SpinningPendulum& m) { return largest(m.joint->y(0)); }, options);
  EXPECT_NEAR(observedOrder("drift without projection", steps, result.drift), 2., 0.2);
  for (const double drift : result.projectedDrift) EXPECT_LE(drift, options.tolerance);
  EXPECT_GT(observedOrder("energy error with projection", steps, result.projectedEnergy), 1.8);
}

TEST(JointDrift, OfAClosedLoopWithSuperfluousConstraintsIsBelowToleranceWithProjection) {
  const ProjectionOptions options{.kind = Projection::direct, .tolerance = 1e-10};
  const Study result = study<FourBar>(
      "four-bar loop, 1 s", 1., [](const FourBar& m) { return m.drift(); }, options);
  EXPECT_NEAR(observedOrder("drift without projection", steps, result.drift), 2., 0.2);
  for (const double drift : result.projectedDrift) EXPECT_LE(drift, options.tolerance);
  EXPECT_GT(observedOrder("energy error with projection", steps, result.projectedEnergy), 1.8);
}

TEST(JointDrift, OfAPendulumInCartesianCoordinatesIsBelowToleranceWithProjection) {
  const ProjectionOptions options{.kind = Projection::direct, .tolerance = 1e-12};
  const Study result = study<PlanarPendulum>(
      "pendulum in x and y, 5 s", 5., [](const PlanarPendulum& m) { return largest(m.rod->y(0)); }, options);
  EXPECT_NEAR(observedOrder("drift without projection", steps, result.drift), 2., 0.2);
  for (const double drift : result.projectedDrift) EXPECT_LE(drift, options.tolerance);
}

/// Largest penetration of any contact after a step, how often one was deeper than 1e-8 m, and the energy.
struct Penetration {
  double deepest = 0.;
  std::size_t steps = 0;
  double energy = 0.;
  StepStatistics statistics;
};

Penetration drop(ColumnOfBeads& column, TimeStepping& simulation) {
  Penetration result;
  simulation.run([&] {
    double deepest = 0.;
    for (const auto& contact : column.contacts) deepest = std::max(deepest, -contact->y(0)(0));
    result.deepest = std::max(result.deepest, deepest);
    if (deepest > 1e-8) ++result.steps;
  });
  for (const auto& bead : column.beads) {
    result.energy += 0.5 * bead->velocity()(0) * bead->velocity()(0) + ColumnOfBeads::gravity * bead->q()(0);
  }
  result.statistics = simulation.statistics();
  return result;
}

void print(const char* name, const Penetration& p) {
  std::printf("  %-10s deepest %.3e m, deeper than 1e-8 m after %5zu steps, energy at the end %.4f J; %s\n", name,
              p.deepest, p.steps, p.energy, p.statistics.summary().c_str());
}

TEST(Penetration, OfAColumnOfBeadsIsReducedByDirectAndEndedByCombinedProjection) {
  const double h = 5e-4;
  const double end = 2.;
  const auto column = [=] { return ColumnOfBeads(10, 1., 0.25, 0.9, end); };
  auto plainColumn = column(), directColumn = column(), combinedColumn = column();
  TimeStepping plain(plainColumn.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), LCP());
  TimeStepping direct(directColumn.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), LCP(),
                      {.projection = {.kind = Projection::direct}});
  TimeStepping combined(combinedColumn.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), LCP(),
                        {.projection = {.kind = Projection::combined}});
  const Penetration without = drop(plainColumn, plain);
  const Penetration withDirect = drop(directColumn, direct);
  const Penetration withCombined = drop(combinedColumn, combined);
  std::printf("column of 10 beads, h = %g s, %g s\n", h, end);
  print("without", without);
  print("direct", withDirect);
  print("combined", withCombined);
  EXPECT_GT(without.deepest, 1e-4);
  EXPECT_GT(withDirect.deepest, 1e-4);
  EXPECT_LE(withCombined.deepest, 1e-8);
  EXPECT_LE(withCombined.statistics.worstViolation, 1e-8);
}

/// Elastic balls from some heights: deepest penetration, and the most of energy that one has gained.
struct Bounces {
  double deepest = 0.;
  double gained = 0.;
  double lost = 0.;
};

Bounces bounce(double h, Projection kind) {
  Bounces result;
  for (const double height : {0.9, 0.93, 0.95, 0.97, 0.98, 1., 1.02, 1.05}) {
    BouncingBall ball(height, 0., 1., 10.);
    TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(), LCP(),
                            {.projection = {.kind = kind}});
    simulation.run([&] { result.deepest = std::max(result.deepest, -ball.floor->y(0)(0)); });
    const double v = ball.ball->velocity()(0);
    const double gain = 0.5 * v * v + BouncingBall::gravity * (ball.ball->q()(0) - height);
    result.gained = std::max(result.gained, gain);
    result.lost = std::max(result.lost, -gain);
  }
  return result;
}

// What the lift of a projection does to energy: without it, E is kept to rounding.
TEST(Penetration, OfElasticBallsAndTheirEnergy) {
  std::printf(
      "8 elastic balls from about 1 m, 10 s\n      h      deepest: without   direct   combined;  energy gained: "
      "without   direct   combined\n");
  for (const double h : steps) {
    const Bounces without = bounce(h, Projection::none);
    const Bounces direct = bounce(h, Projection::direct);
    const Bounces combined = bounce(h, Projection::combined);
    std::printf("  %.1e   %.2e  %.2e  %.2e   %+.2e  %+.2e  %+.2e\n", h, without.deepest, direct.deepest,
                combined.deepest, without.gained, direct.gained, combined.gained);
    EXPECT_LE(direct.deepest, std::sqrt(2. * BouncingBall::gravity) * 1.2 * h);  // one step of free fall
    EXPECT_LE(combined.deepest, 1e-8);
    // Rounding of some 10⁴ steps; and a lift never takes energy.
    EXPECT_LT(without.gained, 1e-9);
    for (const Bounces& bounces : {without, direct, combined}) EXPECT_LT(bounces.lost, 1e-9);
  }
}

}  // namespace
