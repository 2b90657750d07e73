// SPDX-License-Identifier: Apache-2.0
//
// Event-driven runs that are saved and restored: events of the user, errors, settings.
#include <gtest/gtest.h>

#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <stdexcept>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <support/Restarts.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::shared_ptr<LagrangianLinearTIDS> makeMass(double q, double v) {
  return std::make_shared<LagrangianLinearTIDS>(makeVector({q}), makeVector({v}), makeMatrix({{1.}}));
}

EventDrivenOptions optionsOf(OdeMethod method) {
  EventDrivenOptions options;
  options.integration.method = method;
  options.integration.relativeTolerance = 1e-7;
  options.integration.absoluteTolerance = 1e-9;
  options.integration.restartAfter = 30;
  return options;
}

// A controller that holds its force between samplings and integrates what it sees; its own state is added. Forces of
// the replay must be the held ones.
struct ControlledMass {
  explicit ControlledMass(OdeMethod method)
      : model(0., 1.), simulation(model, TimeDiscretisation(0., 0.04), LCP(), optionsOf(method)) {
    mass->setExternalForces([this](double, Vector& f) { f(0) = force; });
    model.insert(mass);
    simulation.addSampling("controller", TimeDiscretisation(0., 0.1), [this] {
      integral += mass->q()(0);
      force = -4. * mass->q()(0) - 2. * mass->velocity()(0) - 0.1 * integral;
    });
    simulation.addTimeEvents("junction", {0.16, 0.333});
    simulation.addState("controller", [this](StateArchive& archive) {
      archive.value("integral", integral);
      archive.value("force", force);
    });
  }

  double integral = 0., force = 0.;
  std::shared_ptr<LagrangianLinearTIDS> mass = makeMass(1., 0.);
  NonSmoothDynamicalSystem model;
  EventDriven simulation;
};

TEST(EventDrivenRestart, OfAControllerWithAStateOfItsOwn) {
  for (const OdeMethod method : {OdeMethod::automatic, OdeMethod::rungeKutta, OdeMethod::bdf}) {
    const auto make = [=] {
      const auto controlled = std::make_shared<ControlledMass>(method);
      return RestartableRun{controlled, std::shared_ptr<Simulation>(controlled, &controlled->simulation)};
    };
    expectRestarts(make, 1);
  }
}

// A wall of the user resets the state, a function becomes zero for good, others come at the same instants.
TEST(EventDrivenRestart, OfStateEventsWithActions) {
  for (const OdeMethod method : {OdeMethod::automatic, OdeMethod::rungeKutta, OdeMethod::bdf}) {
    SCOPED_TRACE(static_cast<int>(method));
    const auto make = [=] {
      const auto ball = std::make_shared<BouncingBall>(1., 0., 0.5, 3.);
      const auto other = makeMass(1., 0.);
      other->setExternalForces(makeVector({-1.}));
      ball->model.insert(other);
      const auto simulation =
          std::make_shared<EventDriven>(ball->model, TimeDiscretisation(0., 0.1), LCP(), optionsOf(method));
      simulation->addStateEvent(
          "wall", other, [](double, const Vector& q, const Vector&) { return q(0); }, Crossing::falling,
          [=] { other->setState(other->q(), -0.9 * other->velocity()); });
      simulation->addStateEvent(
          "apex", ball->ball, [](double, const Vector&, const Vector& v) { return v(0); }, Crossing::falling);
      return RestartableRun{ball, simulation};
    };
    expectRestarts(make, 2);
  }
}

// The floor goes and comes back lower, with another body.
struct ChangingModel {
  ChangingModel() : ball(1., 0., 0.8, 2.), simulation(ball.model, TimeDiscretisation(0., 0.1), LCP()) {
    simulation.addTimeEvents("the floor goes", {0.6}, [this] { goes(); });
    simulation.addTimeEvents("the floor comes", {1.}, [this] { comes(); });
    simulation.addStateEvent(
        "passes", ball.ball, [](double, const Vector& q, const Vector&) { return q(0) - 0.1; }, Crossing::both);
  }
  void goes() { ball.model.remove(ball.floor); }
  void comes() {
    const LagrangianLinearTIR relation(makeMatrix({{1.}}), makeVector({5.}));
    lower = std::make_shared<Interaction>(NewtonImpactNSL(0.7), relation);
    lower->setName("lower floor");
    second->setName("second");
    ball.model.insert(second);
    ball.model.link(lower, ball.ball);
  }

  BouncingBall ball;
  std::shared_ptr<LagrangianLinearTIDS> second = makeMass(2., 1.);
  std::shared_ptr<Interaction> lower;
  EventDriven simulation;
};

TEST(EventDrivenRestart, OfModelsThatActionsChange) {
  const auto make = [] {
    const auto changing = std::make_shared<ChangingModel>();
    RestartableRun run{changing, std::shared_ptr<Simulation>(changing, &changing->simulation)};
    run.prepare = [m = changing.get()](std::size_t k) {
      if (k >= 6) m->goes();
      if (k >= 10) m->comes();
    };
    return run;
  };
  expectRestarts(make, 1);
}

// Three actions are due at an instant, of which the second throws: the third is done when the run goes on.
struct ThrowingActions {
  explicit ThrowingActions(bool tired) : throws(tired) {
    simulation.addTimeEvents("first", {0.5}, [this] { ball.ball->setState(ball.ball->q(), makeVector({3.})); });
    simulation.addTimeEvents("second", {0.5}, [this] {
      if (throws) throw std::runtime_error("tired");
    });
    simulation.addTimeEvents("third", {0.5}, [this] { ++third; });
    simulation.addState("third", [this](StateArchive& archive) { archive.value("third", third); });
  }
  bool throws;
  int third = 0;
  BouncingBall ball{1., 0., 0.8, 1.5};
  EventDriven simulation{ball.model, TimeDiscretisation(0., 0.2), LCP()};
};

TEST(EventDrivenRestart, AfterAnActionHasThrown) {
  ThrowingActions whole(true);
  for (int k = 0; k < 2; ++k) whole.simulation.step();
  EXPECT_THROW(whole.simulation.step(), std::runtime_error);
  EXPECT_EQ(whole.simulation.time(), 0.5);
  const Saved saved = save(whole.simulation);
  whole.simulation.run();
  EXPECT_EQ(whole.third, 1);

  ThrowingActions again(false);
  restore(again.simulation, saved);
  EXPECT_TRUE(save(again.simulation) == saved);
  EXPECT_EQ(again.simulation.time(), 0.5);
  again.simulation.run();
  EXPECT_EQ(again.third, 1);
  EXPECT_TRUE(save(again.simulation) == save(whole.simulation));
  EXPECT_EQ(whole.simulation.events().size(), again.simulation.events().size());
}

// What the user changes between outputs is seen by the next step.
TEST(EventDrivenRestart, AfterAResetBetweenOutputs) {
  BouncingBall whole(1., 0., 0.8, 1.5);
  EventDriven first(whole.model, TimeDiscretisation(0., 0.2), LCP());
  for (int k = 0; k < 3; ++k) first.step();
  whole.ball->setState(makeVector({2.}), makeVector({1.}));
  const Saved saved = save(first);
  first.run();

  BouncingBall again(1., 0., 0.8, 1.5);
  EventDriven second(again.model, TimeDiscretisation(0., 0.2), LCP());
  restore(second, saved);
  second.run();
  EXPECT_TRUE(save(second) == save(first));
}

struct Named {
  Named(const char* series, double instant, const char* function, Crossing crossing, bool floor = true) {
    if (!floor) ball.model.remove(ball.floor);
    simulation.addTimeEvents(series, {0.2, instant});
    simulation.addStateEvent(
        function, ball.ball, [](double, const Vector& q, const Vector&) { return q(0) - 0.4; }, crossing);
  }
  BouncingBall ball{1., 0., 0.8, 1.};
  EventDriven simulation{ball.model, TimeDiscretisation(0., 0.1), LCP()};
};

TEST(EventDrivenRestart, NamesEventsThatDiffer) {
  Named whole("times", 0.7, "mark", Crossing::both);
  for (int k = 0; k < 4; ++k) whole.simulation.step();
  const Saved saved = save(whole.simulation);
  const auto refusal = [&](Named&& other, std::initializer_list<std::string> parts) {
    expectError([&] { restore(other.simulation, saved); }, parts);
  };
  refusal({"instants", 0.7, "mark", Crossing::both}, {"'times'", "'instants'"});
  refusal({"times", 0.8, "mark", Crossing::both}, {"'times'", "0.7", "0.8"});
  refusal({"times", 0.7, "sign", Crossing::both}, {"'mark'", "'sign'"});
  refusal({"times", 0.7, "mark", Crossing::rising}, {"'mark'", "crossing"});
  Named more("times", 0.7, "mark", Crossing::both);
  more.simulation.addSampling("sensor", TimeDiscretisation(0., 0.1), [] {});
  expectError([&] { restore(more.simulation, saved); }, {"1", "2", "samplings"});
  BouncingBall ball(1., 0., 0.8, 1.);
  EventDriven none(ball.model, TimeDiscretisation(0., 0.1), LCP());
  none.addTimeEvents("times", {0.2, 0.7});
  expectError([&] { restore(none, saved); }, {"1 state events", "has 0"});
}

// With backward differentiation the steps are done again; other functions lead elsewhere.
TEST(EventDrivenRestart, FindsThatFunctionsDiffer) {
  const auto run = [](double force, auto&& use) {
    const auto mass = makeMass(0., 1.);
    mass->setExternalForces([=](double t, Vector& f) { f(0) = force * t; });
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(mass);
    EventDrivenOptions options = optionsOf(OdeMethod::bdf);
    options.integration.restartAfter = 1000;
    EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP(), options);
    use(simulation);
  };
  Saved saved;
  run(1., [&](EventDriven& simulation) {
    for (int k = 0; k < 5; ++k) simulation.step();
    saved = save(simulation);
  });
  run(1.1, [&](EventDriven& simulation) {
    restore(simulation, saved);
    for (int k = 0; k < 2; ++k) expectError([&] { simulation.step(); }, {"t = 0.5", "functions", "saved"});
  });
  run(1., [&](EventDriven& simulation) {
    restore(simulation, saved);
    EXPECT_NO_THROW(simulation.run());
  });
}

TEST(EventDrivenRestart, SettingsSayWhatARunIsMadeOf) {
  BouncingBall ball(1., 0., 0.8, 1.);
  EventDrivenOptions options = optionsOf(OdeMethod::bdf);
  options.contacts.minimalFlight = 1e-7;
  const Settings settings = EventDriven(ball.model, TimeDiscretisation(0., 0.1), LCP(), options).settings();
  const auto valueOf = [&](const std::string& name) {
    for (const Setting& setting : settings.list()) {
      if (setting.name == name) return setting.value;
    }
    return std::string("none");
  };
  EXPECT_EQ(valueOf("integration.method"), "bdf");
  EXPECT_EQ(valueOf("integration.relativeTolerance"), toText(1e-7));
  EXPECT_EQ(valueOf("integration.restartAfter"), "30");
  EXPECT_EQ(valueOf("contacts.minimalFlight"), toText(1e-7));
  EXPECT_EQ(valueOf("impactProblem"), "LCP");
  EXPECT_EQ(valueOf("outputs"), "10");
  EXPECT_FALSE(settings == EventDriven(ball.model, TimeDiscretisation(0., 0.1), LCP()).settings());
}

}  // namespace
