// SPDX-License-Identifier: Apache-2.0
//
// Restarted runs of bodies whose contacts come and go, against uninterrupted ones, to the last bit.
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <random>
#include <support/Matchers.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// Balls and boxes that fall into a heap on a plane between two walls.
struct Heap {
  Heap(unsigned seed, bool friction, bool boxes) : model(0., 0.6) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> entry(-1., 1.);
    if (friction) {
      manager = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0.1, 0., 0.5));
    } else {
      manager = std::make_shared<CollisionManager>(1e-3, NewtonImpactNSL(0.3));
    }
    manager->insertObstacle(Plane::through({0., 0., 0.}, {0., 0., 1.}));
    manager->insertObstacle(BoxShape(0.1, 2., 1.), {-0.35, 0., 0.5});
    manager->insertObstacle(SphereShape(0.2), {0.3, 0., 0.1});
    for (int k = 0; k < 10; ++k) {
      const double mass = 1.;
      Vector v(6);
      for (double& x : v.data()) x = entry(random);
      const Vector3 x{0.1 * entry(random), 0.1 * entry(random), 0.15 + 0.13 * k};
      const bool isBox = boxes && k % 3 == 1;
      const auto body = std::make_shared<NewtonEulerDS>(
          NewtonEulerDS::at(x), v, mass,
          isBox ? NewtonEulerDS::boxInertia(mass, 0.12, 0.1, 0.08) : NewtonEulerDS::ballInertia(mass, 0.06));
      body->setExternalForces(makeVector({0., 0., -9.81 * mass}));
      model.insert(body);
      if (isBox) {
        manager->insert(body, BoxShape(0.12, 0.1, 0.08));
      } else {
        manager->insert(body, SphereShape(0.06));
      }
      bodies.push_back(body);
    }
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> manager;
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;
};

template <class Problem>
void expectSameHeap(const std::string& name, unsigned seed, bool friction, bool boxes, Problem problem) {
  expectSameAfterRestart(
      name,
      [=] {
        auto heap = std::make_shared<Heap>(seed, friction, boxes);
        auto simulation =
            std::make_shared<TimeStepping>(heap->model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(), problem());
        simulation->setInteractionManager(heap->manager);
        return restartRun(std::move(heap), std::move(simulation));
      },
      false);  // it contains times, and at the beginning pairs that have not been reported yet
}

TEST(CollisionRestart, OfAHeapOfBallsIsTheSame) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    expectSameHeap("balls", seed, false, false, [] { return LCP(); });
    expectSameHeap("balls with friction", seed, true, false, [] { return FrictionContact(3); });
    expectSameHeap("balls, by the laws", seed, true, false, [] { return ProblemByLaws(); });
  }
}

TEST(CollisionRestart, OfAHeapOfBallsAndBoxesIsTheSame) {
  expectSameHeap("boxes", 3, false, true, [] { return LCP(); });
  expectSameHeap("boxes with friction", 4, true, true, [] { return FrictionContact(3); });
  expectSameHeap("boxes, generic", 5, true, true, [] { return GenericMechanical(); });
}

TEST(CollisionRestart, RefusesOtherShapesObstaclesAndLaws) {
  const auto path = restartFolder() / "heap.checkpoint";
  const auto simulate = [](Heap& heap) {
    auto simulation =
        std::make_unique<TimeStepping>(heap.model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(), FrictionContact(3));
    simulation->setInteractionManager(heap.manager);
    return simulation;
  };
  Heap heap(1, true, true);
  const auto simulation = simulate(heap);
  for (int k = 0; k < 30; ++k) simulation->step();
  saveCheckpoint(*simulation, path);
  Heap other(1, true, true);
  other.manager->setLaw(0, 0, NewtonImpactFrictionNSL(0., 0., 0.1));
  const auto otherSimulation = simulate(other);
  try {
    restoreCheckpoint(*otherSimulation, path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("interactionManager.law 1"), std::string::npos) << error.what();
  }
  EXPECT_EQ(other.manager->contactCount(), 0u);
  std::filesystem::remove_all(restartFolder());
}

// Energies and drifts of contacts that come and go, whose serial numbers are other ones in the restored run.
TEST(CollisionRestart, OfDiagnosticsOfAHeapIsTheSame) {
  struct Run {
    Run() : heap(4, true, true) {
      simulation.setInteractionManager(heap.manager);
      simulation.addObserver(energy);
      simulation.addObserver(drift);
    }
    std::vector<double> report() const {
      std::vector<double> all{energy->forceWork(), energy->interactionWork(),   energy->residual(),
                              energy->turnover(),  energy->largestResidualAt(), drift->largestPenetration()};
      for (const auto& part : energy->byInteraction()) all.push_back(part.work);
      for (const auto& part : drift->drifts()) {
        for (const double x : {part.largest, part.at, part.present}) all.push_back(x);
      }
      return all;
    }
    Heap heap;
    TimeStepping simulation{heap.model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(), FrictionContact(3)};
    std::shared_ptr<EnergyBalance> energy = std::make_shared<EnergyBalance>();
    std::shared_ptr<DriftMonitor> drift = std::make_shared<DriftMonitor>();
  };
  Run whole;
  whole.simulation.run();
  ASSERT_EQ(whole.energy->byInteraction().back().name, "removed") << "no contact has gone";
  for (const std::size_t steps : {15U, 30U, 45U}) {
    SCOPED_TRACE(steps);
    const auto path = restartFolder() / "heap.checkpoint";
    Run first;
    for (std::size_t k = 0; k < steps; ++k) first.simulation.step();
    saveCheckpoint(first.simulation, path);
    Run second;
    restoreCheckpoint(second.simulation, path);
    EXPECT_EQ(firstDifference(second.report(), first.report()), "");
    second.simulation.run();
    EXPECT_EQ(firstDifference(second.report(), whole.report()), "");
    EXPECT_EQ(second.energy->text(), whole.energy->text());
    EXPECT_EQ(second.drift->text(), whole.drift->text());
  }
  std::filesystem::remove_all(restartFolder());
}

}  // namespace
