// SPDX-License-Identifier: Apache-2.0
//
// A chain of light links that carries a load, let go from the horizontal: its links turn by radians in a step once it
// is taut. Steps whose loop does not settle are made in pieces; without, the chain comes apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <support/Matchers.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

struct HeavyChain {
  static constexpr double linkLength = 0.2, linkMass = 0.1, radius = 0.15;

  HeavyChain(std::size_t links, double load, double seconds) : model(0., seconds) {
    model.setGravity({0., 0., -9.81});
    for (std::size_t k = 0; k < links; ++k) {
      const double begin = static_cast<double>(k) * linkLength;
      add(begin, begin + 0.5 * linkLength, linkMass, NewtonEulerDS::boxInertia(linkMass, linkLength, 0.02, 0.02));
    }
    const double end = static_cast<double>(links) * linkLength;
    add(end, end + radius, load, NewtonEulerDS::ballInertia(load, radius));
  }
  void add(double joint, double centre, double mass, const Matrix& inertia) {
    const auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({centre, 0., 0.}), Vector(6), mass, inertia);
    const std::string number = std::to_string(bodies.size());
    model.insert("link " + number, body);
    const EqualityConditionNSL law(3);
    if (bodies.empty()) {
      model.link("joint " + number, law, SphericalJointR::at({joint, 0., 0.}, body->q()), body);
    } else {
      const auto& last = bodies.back();
      model.link("joint " + number, law, SphericalJointR::at({joint, 0., 0.}, body->q(), last->q()), body, last);
    }
    bodies.push_back(body);
  }
  double kineticEnergy() const {
    double sum = 0.;
    for (const auto& body : bodies) sum += body->kineticEnergy();
    return sum;
  }
  double energy() const {
    double sum = kineticEnergy();
    for (const auto& body : bodies) sum += body->gravityPotential();
    return sum;
  }
  Vector3 load() const { return bodies.back()->position(); }

  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;
};

struct Swing {
  Vector3 load{};
  double worstEnergy = 0.;  // of the largest kinetic energy
  double drift = 0.;        // m
  StepStatistics statistics;
};

Swing swing(std::size_t links, double load, double h, double seconds, std::size_t mostHalvings = 6) {
  HeavyChain chain(links, load, seconds);
  TimeStepping simulation(chain.model, h, {.mostHalvings = mostHalvings});
  const double before = chain.energy();
  double off = 0., largest = 0.;
  simulation.run([&] {
    off = std::max(off, std::abs(chain.energy() - before));
    largest = std::max(largest, chain.kineticEnergy());
  });
  return {chain.load(), off / largest, simulation.statistics().motion.drift.value, simulation.statistics()};
}

TEST(HeavyChain, HoldsAndKeepsItsEnergyAtStepsInWhichItsLinksTurnFar) {
  // Links of a hundredth of the load in all have that part of its motion; errors of order two in pieces are below it.
  const Vector3 fine = swing(10, 100., 5e-4, 1., 0).load;
  for (const double h : {5e-3, 1e-2}) {
    const Swing run = swing(10, 100., h, 1.);
    EXPECT_GT(run.statistics.divided, 0U) << h;
    EXPECT_EQ(run.statistics.held, 0U) << h;
    EXPECT_LE(norm(run.load - fine), 2e-3) << h;  // of 2.3 m
    EXPECT_LE(run.worstEnergy, 1e-3) << h;
    EXPECT_LE(run.drift, 1e-4) << h;
  }
  EXPECT_GE(norm(swing(10, 100., 1e-2, 1., 0).load - fine), 0.1);
}

TEST(HeavyChain, GoesOnAlikeFromACheckpointWithinItsDividedSteps) {
  const std::string path = (std::filesystem::path(testing::TempDir()) / "heavy_chain.checkpoint").string();
  constexpr double h = 1e-2, seconds = 0.6;
  HeavyChain chain(5, 100., seconds), other(5, 100., seconds);
  TimeStepping simulation(chain.model, h), second(other.model, h);
  std::size_t steps = 0;
  while (simulation.hasNextStep()) {
    simulation.step();
    if (++steps == 45) saveCheckpoint(simulation, path);
  }
  restoreCheckpoint(second, path);
  const std::size_t before = second.statistics().divided;
  EXPECT_GT(before, 0U);
  second.run();
  EXPECT_EQ(second.statistics().divided, simulation.statistics().divided);
  EXPECT_GT(second.statistics().divided, before);
  for (std::size_t k = 0; k < chain.bodies.size(); ++k) {
    for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(chain.bodies[k]->q()(i), other.bodies[k]->q()(i));
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(chain.bodies[k]->velocity()(i), other.bodies[k]->velocity()(i));
  }
}

TEST(HeavyChain, GoesOnAlikeAfterAnErrorInAPieceThatWasHalved) {
  constexpr double h = 1e-2, seconds = 0.6;
  const auto run = [&](bool fails) {
    HeavyChain chain(5, 100., seconds);
    bool hasFailed = false;
    chain.bodies.back()->setExternalForces([&](double t, Vector& force) {
      force = Vector(3);
      const double steps = t / h;
      if (!fails || hasFailed || std::abs(steps - std::round(steps)) < 0.1) return;
      hasFailed = true;
      throw std::runtime_error("once, within a step");
    });
    TimeStepping simulation(chain.model, h);
    std::size_t errors = 0;
    while (simulation.hasNextStep()) {
      try {
        simulation.step();
      } catch (const std::exception&) {
        ++errors;
      }
    }
    EXPECT_EQ(errors, fails ? 1U : 0U);
    return std::pair(chain.load(), simulation.statistics().divided);
  };
  const auto [load, divided] = run(false);
  const auto [loadAfter, dividedAfter] = run(true);
  EXPECT_GT(divided, 0U);
  EXPECT_EQ(dividedAfter, divided);
  EXPECT_LE(norm(loadAfter - load), 1e-9);  // the tolerance of loops, whose solvers begin with other answers
}

TEST(HeavyChain, ObserversAndSamplingsSeeTheirInstantsAlone) {
  constexpr double h = 1e-2;
  HeavyChain chain(5, 100., 0.6);
  TimeStepping simulation(chain.model, h);
  std::vector<double> samples;
  simulation.addSampling("sensor", TimeDiscretisation(0., 0.0125), [&] { samples.push_back(simulation.time()); });
  std::size_t steps = 0;
  while (simulation.hasNextStep()) {
    simulation.step();
    EXPECT_NEAR(simulation.time(), static_cast<double>(++steps) * h, 1e-14);
  }
  EXPECT_EQ(steps, 60U);
  EXPECT_GT(simulation.statistics().divided, 0U);
  ASSERT_EQ(samples.size(), 49U);
  for (std::size_t k = 0; k < samples.size(); ++k) EXPECT_NEAR(samples[k], 0.0125 * static_cast<double>(k), 1e-14);
}

}  // namespace
