// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics of runs that go on from a checkpoint: they report what those of an uninterrupted run do, to the bit.
#include <gtest/gtest.h>

#include <delassus/kernel/diagnostics/DriftMonitor.hpp>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/CheckpointArchive.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <functional>
#include <support/Matchers.hpp>
#include <support/Mechanisms.hpp>
#include <support/Models.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A model that is owned by somebody, a simulation of it, and both observers.
struct Watched {
  template <class Model, class MakeSimulation>
  Watched(std::shared_ptr<Model> owned, MakeSimulation make) : owner(owned), simulation(make(*owned)) {
    watch();
  }
  void watch() {
    simulation->addObserver(energy);
    simulation->addObserver(drift);
  }

  std::shared_ptr<void> owner;
  std::shared_ptr<Simulation> simulation;
  std::shared_ptr<EnergyBalance> energy = std::make_shared<EnergyBalance>();
  std::shared_ptr<DriftMonitor> drift = std::make_shared<DriftMonitor>();
};

std::vector<double> reportOf(const Watched& run) {
  const EnergyBalance& e = *run.energy;
  std::vector<double> all{e.kinetic(),
                          e.initialKinetic(),
                          e.forceWork(),
                          e.interactionWork(),
                          e.largestResidual(),
                          e.largestResidualAt(),
                          e.turnover(),
                          e.residual(),
                          run.drift->largestEquality(),
                          run.drift->largestPenetration()};
  for (const EnergyBalance::InteractionWork& part : e.byInteraction()) all.push_back(part.work);
  for (const EnergyBalance::Momentum& part : e.momentum()) {
    for (const Vector* const v : {&part.change, &part.forces, &part.interactions, &part.residual}) {
      all.insert(all.end(), v->begin(), v->end());
    }
  }
  for (const DriftMonitor::Drift& part : run.drift->drifts()) {
    for (const double x : {part.largest, part.at, part.largestRate, part.present}) all.push_back(x);
  }
  return all;
}

void expectSameReports(const Watched& run, const Watched& whole) {
  EXPECT_EQ(firstDifference(reportOf(run), reportOf(whole)), "");
  EXPECT_EQ(run.energy->text(), whole.energy->text());
  EXPECT_EQ(run.drift->text(), whole.drift->text());
}

class DiagnosticsRestart : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(restartFolder()); }
  void TearDown() override { std::filesystem::remove_all(restartFolder()); }
  std::filesystem::path path() const { return restartFolder() / "watched.checkpoint"; }

  void expectSame(const std::function<Watched()>& make, std::initializer_list<std::size_t> steps) {
    const Watched whole = make();
    whole.simulation->run();
    EXPECT_NE(whole.energy->turnover(), 0.);
    for (const std::size_t step : steps) {
      SCOPED_TRACE(step);
      const Watched first = make();
      for (std::size_t k = 0; k < step; ++k) first.simulation->step();
      saveCheckpoint(*first.simulation, path());
      const Watched second = make();
      restoreCheckpoint(*second.simulation, path());
      expectSameReports(second, first);
      const std::filesystem::path again = path().string() + ".again";
      saveCheckpoint(*second.simulation, again);
      EXPECT_TRUE(bytesOf(again) == bytesOf(path()));
      second.simulation->run();
      expectSameReports(second, whole);
      if (step > 0) expectSameFromTheFunctionOfARun(make, step, whole);
    }
  }

 private:
  // The checkpoint has the step, of which observers are told after the function.
  void expectSameFromTheFunctionOfARun(const std::function<Watched()>& make, std::size_t step, const Watched& whole) {
    const Watched first = make();
    first.simulation->run([&] {
      if (first.simulation->stepIndex() == step) saveCheckpoint(*first.simulation, path());
    });
    const Watched second = make();
    restoreCheckpoint(*second.simulation, path());
    second.simulation->run();
    expectSameReports(second, whole);
  }
};

template <class Model>
std::shared_ptr<Simulation> stepping(Model& model, double h) {
  return std::make_shared<TimeStepping>(model.model, TimeDiscretisation(0., h), MoreauJeanOSI::pure(),
                                        GenericMechanical());
}

TEST_F(DiagnosticsRestart, OfATimeSteppingRunIsTheSame) {
  const auto make = [] {
    return Watched(std::make_shared<ColumnOfBeads>(4, 0.12, 0.21, 0.6, 0.5),
                   [](ColumnOfBeads& column) { return stepping(column, 0.01); });
  };
  expectSame(make, {0, 1, 17, 49, 50});
}

TEST_F(DiagnosticsRestart, OfARigidBodyOnAJointIsTheSame) {
  const auto make = [] {
    return Watched(std::make_shared<SpinningPendulum>(0.5),
                   [](SpinningPendulum& pendulum) { return stepping(pendulum, 5e-3); });
  };
  expectSame(make, {1, 50});
}

TEST_F(DiagnosticsRestart, OfAnEventDrivenRunIsTheSame) {
  const auto make = [] {
    return Watched(std::make_shared<BouncingBall>(1., 0., 0.5, 1.5), [](BouncingBall& ball) {
      return std::make_shared<EventDriven>(ball.model, TimeDiscretisation(0., 0.05), LCP());
    });
  };
  expectSame(make, {0, 1, 9, 10, 20, 29});
}

// Every few steps the contact with the floor is another one.
class ChangingFloor final : public InteractionManager {
 public:
  explicit ChangingFloor(std::shared_ptr<LagrangianLinearTIDS> ball) : ball_(std::move(ball)) {}

  void updateInteractions(NonSmoothDynamicalSystem& model, double, double) override {
    if (updates_++ % 7 == 0) change(model);
  }
  std::vector<const Interaction*> managed() const override {
    return floor_ ? std::vector<const Interaction*>{floor_.get()} : std::vector<const Interaction*>{};
  }
  void serializeState(StateArchive& archive, NonSmoothDynamicalSystem& model) override {
    bool linked = floor_ != nullptr;
    archive.value("updates", updates_);
    archive.value("linked", linked);
    if (archive.restores() && linked) change(model);
  }

 private:
  void change(NonSmoothDynamicalSystem& model) {
    if (floor_) model.remove(floor_);
    floor_ = std::make_shared<Interaction>(NewtonImpactNSL(0.7), LagrangianLinearTIR(makeMatrix({{1.}})));
    floor_->setName("floor for a while");
    model.link(floor_, ball_);
  }

  std::shared_ptr<LagrangianLinearTIDS> ball_;
  std::shared_ptr<Interaction> floor_;
  std::size_t updates_ = 0;
};

TEST_F(DiagnosticsRestart, WithContactsThatComeAndGoIsTheSame) {
  // The serial numbers of contacts are other ones in the restored run.
  const auto make = [] {
    return Watched(std::make_shared<BouncingBall>(0.1, -1., 0.5, 0.5), [](BouncingBall& ball) {
      ball.model.remove(ball.floor);
      const auto simulation =
          std::make_shared<TimeStepping>(ball.model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(), LCP());
      simulation->setInteractionManager(std::make_shared<ChangingFloor>(ball.ball));
      return simulation;
    });
  };
  expectSame(make, {1, 6, 7, 8, 20, 35, 48});
}

TEST_F(DiagnosticsRestart, KnowsWhatWasRemovedSinceTheLastStep) {
  const auto make = [](bool removed) {
    return Watched(std::make_shared<ColumnOfBeads>(3, 0.1, 0.2, 0.6, 0.5), [removed](ColumnOfBeads& column) {
      if (removed) column.model.remove(column.contacts[1]);
      return stepping(column, 0.01);
    });
  };
  const auto removeSecond = [](const Watched& run) {
    const auto contact = run.simulation->model().topology().interactions()[1];
    run.simulation->model().remove(contact);
  };
  const Watched whole = make(false);
  for (int k = 0; k < 20; ++k) whole.simulation->step();
  ASSERT_NE(whole.energy->byInteraction()[1].work, 0.);
  removeSecond(whole);
  whole.simulation->initialise();
  saveCheckpoint(*whole.simulation, path());
  const Watched second = make(true);
  restoreCheckpoint(*second.simulation, path());
  expectSameReports(second, whole);
  whole.simulation->run();
  second.simulation->run();
  EXPECT_EQ(whole.energy->byInteraction().back().name, "removed");
  expectSameReports(second, whole);
}

TEST_F(DiagnosticsRestart, LeavesOutAResetSinceTheLastStep) {
  const auto make = [] {
    return Watched(std::make_shared<BouncingBall>(1., 0., 0.5, 0.5),
                   [](BouncingBall& ball) { return stepping(ball, 0.01); });
  };
  const Watched whole = make();
  for (int k = 0; k < 10; ++k) whole.simulation->step();
  SecondOrderDS& ball = *whole.simulation->model().topology().systems()[0]->secondOrder();
  ball.setState(makeVector({1.}), makeVector({7.}));
  saveCheckpoint(*whole.simulation, path());
  const Watched second = make();
  restoreCheckpoint(*second.simulation, path());
  whole.simulation->run();
  second.simulation->run();
  EXPECT_NEAR(second.energy->largestResidual(), 0., 1e-12 * second.energy->turnover());
  expectSameReports(second, whole);
}

TEST_F(DiagnosticsRestart, MayBeginWithOrEndAtACheckpoint) {
  const auto make = [](BouncingBall& ball) {
    return std::make_shared<TimeStepping>(ball.model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(), LCP());
  };
  const Watched watched(std::make_shared<BouncingBall>(1., 0., 0.5, 0.5), make);
  for (int k = 0; k < 10; ++k) watched.simulation->step();
  saveCheckpoint(*watched.simulation, path());
  BouncingBall alone(1., 0., 0.5, 0.5);
  const auto simulation = make(alone);
  restoreCheckpoint(*simulation, path());
  EXPECT_EQ(simulation->stepIndex(), 10U);
  simulation->step();
  saveCheckpoint(*simulation, path());
  const Watched late(std::make_shared<BouncingBall>(1., 0., 0.5, 0.5), make);
  restoreCheckpoint(*late.simulation, path());
  late.simulation->step();
  EXPECT_NEAR(late.energy->initialKinetic(), 0.5 * std::pow(9.81 * 0.11, 2), 1e-12);
  EXPECT_NEAR(late.energy->residual(), 0., 1e-12);
}

TEST_F(DiagnosticsRestart, BeginsAgainWhereTheCheckpointHasNothingOfIt) {
  const auto make = [] {
    return Watched(std::make_shared<BouncingBall>(0.2, 0., 0.5, 0.5),
                   [](BouncingBall& ball) { return stepping(ball, 0.01); });
  };
  const Watched whole = make();
  whole.simulation->run();
  // Of the initial state, when no observer has begun; then back to it in the same process.
  const Watched back = make();
  saveCheckpoint(*back.simulation, path());
  for (int k = 0; k < 30; ++k) back.simulation->step();
  ASSERT_GT(back.drift->largestPenetration(), 0.);
  restoreCheckpoint(*back.simulation, path());
  EXPECT_EQ(back.drift->largestPenetration(), 0.);
  EXPECT_EQ(back.energy->turnover(), 0.);
  back.simulation->run();
  expectSameReports(back, whole);
}

TEST_F(DiagnosticsRestart, IsAsItWasWhereACheckpointIsRefused) {
  // Other forces are noticed when all is restored.
  const auto ball = [](double gravity) {
    return Watched(std::make_shared<BouncingBall>(0.2, 0., 0.5, 0.5), [gravity](BouncingBall& model) {
      model.ball->setExternalForces([gravity](double, Vector& F) { F(0) = -gravity; });
      return stepping(model, 0.01);
    });
  };
  const Watched other = ball(1.62);
  saveCheckpoint(*other.simulation, path());
  const Watched whole = ball(9.81), run = ball(9.81);
  whole.simulation->run();
  for (int k = 0; k < 30; ++k) run.simulation->step();
  const std::vector<double> before = reportOf(run);
  expectError([&] { restoreCheckpoint(*run.simulation, path()); }, {"the force on", "has changed"});
  EXPECT_EQ(firstDifference(reportOf(run), before), "");
  run.simulation->run();
  expectSameReports(run, whole);
}

template <class Observer>
std::string archiveOf(Observer& observer) {
  detail::SavingArchive archive;
  observer.serializeState(archive);
  return std::move(archive).bytes();
}

template <class Observer>
void expectRefusal(Observer& observer, const std::string& bytes, std::initializer_list<std::string> parts) {
  expectError(
      [&] {
        detail::RestoringArchive archive(bytes, "Archive");
        observer.serializeState(archive);
      },
      parts);
}

TEST_F(DiagnosticsRestart, IsRefusedForAnotherModel) {
  const auto column = [](std::size_t beads) {
    return Watched(std::make_shared<ColumnOfBeads>(beads, 0.1, 0.2, 0.5, 0.1),
                   [](ColumnOfBeads& model) { return stepping(model, 0.01); });
  };
  const auto ball = [](std::size_t dof) {
    return Watched(std::make_shared<BouncingBall>(1., 0., 0.5, 0.1, dof),
                   [](BouncingBall& model) { return stepping(model, 0.01); });
  };
  const Watched two = column(2), three = column(3), narrow = ball(1), wide = ball(3);
  const Watched body(std::make_shared<SpinningPendulum>(0.1),
                     [](SpinningPendulum& model) { return stepping(model, 0.01); });
  for (const Watched* const run : {&two, &three, &narrow, &wide, &body}) run->simulation->step();
  expectRefusal(*three.energy, archiveOf(*two.energy), {"2 systems", "this one has 3"});
  expectRefusal(*three.drift, archiveOf(*two.drift), {"2 systems or interactions", "this one has 3"});
  expectRefusal(*narrow.energy, archiveOf(*wide.energy), {"with 3 velocities"});
  expectRefusal(*narrow.drift, archiveOf(*body.drift), {"drift of row 1 of '"});
  EnergyBalance nowhere;
  expectRefusal(nowhere, archiveOf(*two.energy), {"added to no simulation"});
}

}  // namespace
