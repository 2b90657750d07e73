// SPDX-License-Identifier: Apache-2.0
//
// When observers of a simulation are called.
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <support/Matchers.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using delassus::test::expectError;

using Calls = std::vector<std::string>;

class Observer final : public SimulationObserver {
 public:
  Observer(std::string name, Calls& calls, bool last = false) : name_(std::move(name)), calls_(calls), last_(last) {}

  std::string_view name() const override { return name_; }
  bool comesLast() const override { return last_; }
  void wasAdded(Simulation& simulation) override { addedTo = &simulation; }
  void beginRun(Simulation&) override {
    if (tellsRuns) calls_.push_back(name_ + " begins a run");
  }
  void begin(Simulation&) override {
    calls_.push_back(name_ + " begins");
    if (failsToBegin) throw Error(name_, "no begin.");
  }
  void afterStep(Simulation&) override { calls_.push_back(name_ + " sees a step"); }
  void end(Simulation&, RunEnd how) override {
    calls_.push_back(name_ + (how == RunEnd::failed ? " fails" : " ends"));
    if (failsToEnd) throw Error(name_, "no end.");
  }

  const Simulation* addedTo = nullptr;
  bool tellsRuns = false;
  bool failsToBegin = false;
  bool failsToEnd = false;

 private:
  std::string name_;
  Calls& calls_;
  bool last_;
};

class ObserverTest : public testing::Test {
 protected:
  ObserverTest() {
    model.insert(std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({1.}), makeMatrix({{1.}})));
  }

  std::shared_ptr<Observer> add(const std::string& name, bool last = false) {
    auto observer = std::make_shared<Observer>(name, calls, last);
    simulation.addObserver(observer);
    return observer;
  }

  Calls calls;
  NonSmoothDynamicalSystem model{0., 0.2};
  TimeStepping simulation{model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(0.5), LCP()};
};

TEST_F(ObserverTest, AreToldInTheirOrderAndThoseThatComeLastAfterTheOthers) {
  add("c", true);
  add("a");
  add("b");
  simulation.step();
  EXPECT_EQ(calls, (Calls{"a begins", "b begins", "c begins", "a sees a step", "b sees a step", "c sees a step"}));
  calls.clear();
  simulation.run();
  EXPECT_EQ(calls, (Calls{"a sees a step", "b sees a step", "c sees a step", "a ends", "b ends", "c ends"}));
}

TEST_F(ObserverTest, AreToldOfTheBeginOfEachRunAndOfTheirSimulation) {
  const auto a = add("a");
  a->tellsRuns = true;
  EXPECT_EQ(a->addedTo, &simulation);
  simulation.run([&] { simulation.stop(); });
  simulation.run();
  EXPECT_EQ(calls, (Calls{"a begins", "a begins a run", "a sees a step", "a ends", "a begins a run", "a sees a step",
                          "a ends"}));
}

TEST_F(ObserverTest, MayBeginAgain) {
  const auto a = add("a");
  simulation.step();
  simulation.beginAgain(*a);
  simulation.step();
  EXPECT_EQ(calls, (Calls{"a begins", "a sees a step", "a begins", "a sees a step"}));
  Observer other("b", calls);
  expectError([&] { simulation.beginAgain(other); }, {"it does not have the observer 'b'"});
}

TEST_F(ObserverTest, BeginAndEndWhereTheRunStopsAfterACheckpointWasRestoredOrOneWasAdded) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "delassus_observer_test_restored.checkpoint";
  saveCheckpoint(simulation, path);
  add("a");
  simulation.run([&] {
    restoreCheckpoint(simulation, path);
    add("b");
    simulation.stop();
  });
  std::filesystem::remove(path);
  EXPECT_EQ(calls, (Calls{"a begins", "a begins", "b begins", "a ends", "b ends"}));
  EXPECT_EQ(simulation.stepIndex(), 0U);
}

TEST_F(ObserverTest, AreToldOfTheEndWhereTheFunctionOfTheRunThrowsAfterARestore) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "delassus_observer_test_thrown.checkpoint";
  saveCheckpoint(simulation, path);
  add("a");
  const auto restoreAndThrow = [&] {
    restoreCheckpoint(simulation, path);
    throw Error("the user", "no more.");
  };
  expectError([&] { simulation.run(restoreAndThrow); }, {"no more"});
  std::filesystem::remove(path);
  EXPECT_EQ(calls, (Calls{"a begins", "a fails"}));
}

TEST_F(ObserverTest, SeeTheStepInWhichACheckpointIsRefused) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "delassus_observer_test_refused.checkpoint";
  double force = 1.;
  std::static_pointer_cast<LagrangianLinearTIDS>(model.topology().systems()[0])
      ->setExternalForces([&](double, Vector& f) { f(0) = force; });
  saveCheckpoint(simulation, path);
  add("a");
  // A checkpoint of other forces is refused after it was tried.
  force = 2.;
  simulation.run([&] {
    if (simulation.stepIndex() == 1) expectError([&] { restoreCheckpoint(simulation, path); }, {"has changed"});
  });
  std::filesystem::remove(path);
  EXPECT_EQ(calls, (Calls{"a begins", "a sees a step", "a sees a step", "a ends"}));
}

TEST_F(ObserverTest, FindTheModelInitialisedWhereTheyAreAddedWithNewContacts) {
  const auto ceiling =
      std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{-1.}}), makeVector({2.})));
  class GapAtBegin final : public SimulationObserver {
   public:
    explicit GapAtBegin(const Interaction& contact) : contact_(contact) {}
    std::string_view name() const override { return "gap"; }
    void begin(Simulation&) override { gap = contact_.y(0)(0); }
    double gap = 0.;

   private:
    const Interaction& contact_;
  };
  const auto observer = std::make_shared<GapAtBegin>(*ceiling);
  simulation.run([&] {
    if (simulation.stepIndex() != 1) return;
    model.link(ceiling, model.topology().systems()[0]);
    simulation.addObserver(observer);
  });
  EXPECT_NEAR(observer->gap, 1.9, 1e-15);
}

TEST_F(ObserverTest, AllBeginAgainWhereTheBeginOfOneRestoresACheckpoint) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "delassus_observer_test_begin.checkpoint";
  saveCheckpoint(simulation, path);
  class Restarter final : public SimulationObserver {
   public:
    explicit Restarter(std::filesystem::path path) : path_(std::move(path)) {}
    std::string_view name() const override { return "restarter"; }
    void begin(Simulation& simulation) override {
      if (!std::exchange(done_, true)) restoreCheckpoint(simulation, path_);
    }

   private:
    std::filesystem::path path_;
    bool done_ = false;
  };
  add("a");
  simulation.addObserver(std::make_shared<Restarter>(path));
  add("b");
  simulation.step();
  std::filesystem::remove(path);
  EXPECT_EQ(calls, (Calls{"a begins", "b begins", "a begins", "a sees a step", "b sees a step"}));
}

TEST_F(ObserverTest, CannotAddOthersWhileTheyAreCalled) {
  class Adder final : public SimulationObserver {
   public:
    explicit Adder(Calls& calls) : calls_(calls) {}
    std::string_view name() const override { return "adder"; }
    void begin(Simulation& simulation) override { simulation.addObserver(std::make_shared<Observer>("b", calls_)); }

   private:
    Calls& calls_;
  };
  simulation.addObserver(std::make_shared<Adder>(calls));
  expectError([&] { simulation.step(); }, {"'b' was added by an observer"});
}

TEST_F(ObserverTest, ThatFailToBeginAreBegunAgainAndTheOthersAreToldOfTheEnd) {
  add("a");
  const auto b = add("b");
  b->failsToBegin = true;
  expectError([&] { simulation.run(); }, {"no begin"});
  EXPECT_EQ(calls, (Calls{"a begins", "b begins", "a fails"}));
  EXPECT_EQ(simulation.stepIndex(), 0U);
  calls.clear();
  expectError([&] { simulation.step(); }, {"no begin"});
  b->failsToBegin = false;
  simulation.step();
  EXPECT_EQ(calls, (Calls{"b begins", "b begins", "a sees a step", "b sees a step"}));
}

TEST_F(ObserverTest, AreAllToldOfTheEndWhateverOneThrows) {
  add("a")->failsToEnd = true;
  add("b");
  expectError([&] { simulation.run(); }, {"no end"});
  EXPECT_EQ(calls.back(), "b ends");
}

TEST_F(ObserverTest, MayComeWhileARunPauses) {
  simulation.step();
  add("a");
  simulation.run();
  EXPECT_EQ(calls, (Calls{"a begins", "a sees a step", "a ends"}));
}

TEST_F(ObserverTest, MayComeInTheMiddleOfARun) {
  simulation.run([&] {
    if (simulation.stepIndex() == 1) add("a");
  });
  EXPECT_EQ(calls, (Calls{"a begins", "a sees a step", "a ends"}));
}

TEST_F(ObserverTest, BeginAgainWithWhatIsRestored) {
  const std::filesystem::path checkpoint = std::filesystem::temp_directory_path() / "delassus_observers.checkpoint";
  add("a");
  simulation.step();
  saveCheckpoint(simulation, checkpoint);
  simulation.step();
  calls.clear();
  restoreCheckpoint(simulation, checkpoint);
  EXPECT_TRUE(calls.empty());
  simulation.run();
  EXPECT_EQ(calls, (Calls{"a begins", "a sees a step", "a ends"}));
  std::filesystem::remove(checkpoint);
}

}  // namespace
