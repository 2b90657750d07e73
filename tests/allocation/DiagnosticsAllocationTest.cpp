// SPDX-License-Identifier: Apache-2.0
//
// After warm-up the diagnostics that look on in every step allocate nothing.
#include <gtest/gtest.h>

#include <delassus/kernel/diagnostics/DriftMonitor.hpp>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <support/Mechanisms.hpp>
#include <support/Models.hpp>

#include "CountAllocations.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(DiagnosticsAllocations, AreNoneForABallThatBounces) {
  BouncingBall ball(1., 0., 0.9, 10., 3);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP());
  const auto energy = std::make_shared<EnergyBalance>();
  simulation.addObserver(energy);
  simulation.addObserver(std::make_shared<DriftMonitor>());
  allocationsOf(simulation, 3000);
  const double work = energy->interactionWork();
  EXPECT_EQ(allocationsOf(simulation, 4000), 0U);
  EXPECT_NE(energy->interactionWork(), work) << "no impact was among the counted steps";
}

TEST(DiagnosticsAllocations, AreNoneForARigidBodyOnAJoint) {
  SpinningPendulum pendulum(1.);
  TimeStepping simulation(pendulum.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), GenericMechanical());
  const auto energy = std::make_shared<EnergyBalance>();
  const auto drift = std::make_shared<DriftMonitor>();
  simulation.addObserver(energy);
  simulation.addObserver(drift);
  allocationsOf(simulation, 100);
  EXPECT_EQ(allocationsOf(simulation, 800), 0U);
  EXPECT_EQ(drift->drifts().size(), 2U) << "the quaternion was not watched";
}

// Calls an observer and counts what it allocates: steps of event-driven simulations allocate themselves at events.
class Counting final : public SimulationObserver {
 public:
  explicit Counting(std::shared_ptr<SimulationObserver> observer) : observer_(std::move(observer)) {}

  std::string_view name() const override { return "counting"; }
  void wasAdded(Simulation& simulation) override { observer_->wasAdded(simulation); }
  void begin(Simulation& simulation) override { observer_->begin(simulation); }
  void afterStep(Simulation& simulation) override {
    const std::size_t before = allocationCount();
    observer_->afterStep(simulation);
    allocations += allocationCount() - before;
  }
  void onEvent(Simulation& simulation, const Event& event) override {
    const std::size_t before = allocationCount();
    observer_->onEvent(simulation, event);
    allocations += allocationCount() - before;
    ++events;
  }

  std::size_t allocations = 0;
  std::size_t events = 0;

 private:
  std::shared_ptr<SimulationObserver> observer_;
};

TEST(DiagnosticsAllocations, AreNoneAtEvents) {
  BouncingBall ball(1., 0., 0.9, 10., 3);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 0.1), LCP());
  const auto counting = std::make_shared<Counting>(std::make_shared<EnergyBalance>());
  simulation.addObserver(counting);
  while (counting->events < 2) simulation.step();
  counting->allocations = 0;
  for (int k = 0; k < 30; ++k) simulation.step();
  EXPECT_EQ(counting->allocations, 0U);
  EXPECT_GT(counting->events, 3U) << "no event was among the counted ones";
}

}  // namespace
