// SPDX-License-Identifier: Apache-2.0
//
// What is recorded, and when.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/io/RecordReader.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/InteractionManager.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <memory>
#include <support/Matchers.hpp>

#include "RecorderFixture.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

using RecorderTest = RecorderFixture;

// Two bodies that fall, one of them thrown: the sum of kinetic energy and the potential of gravity stays.
TEST_F(RecorderTest, RecordsThePotentialOfTheModelsGravity) {
  NonSmoothDynamicalSystem model(0., 0.1);
  model.setGravity({1., 0., -9.81});
  const auto insert = [&model](const char* name, double mass, const Vector3& at, double speed) {
    Vector v(6);
    v(1) = v(2) = speed;
    model.insert(
        name, std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(at), v, mass, NewtonEulerDS::ballInertia(mass, 0.1)));
  };
  insert("stone", 2., {0., 0., 3.}, 0.);
  insert("ball", 0.5, {4., 0., 1.}, 5.);
  TimeStepping simulation(model, 1e-2);
  const auto recorder = std::make_shared<Recorder>(file());
  recorder->recordEnergy();
  simulation.addObserver(recorder);
  simulation.run();
  const RecordReader reader(file());
  const Vector potential = reader.column("energy/potential"), total = reader.column("energy/total");
  const double start = 2. * 9.81 * 3. + 0.5 * (9.81 * 1. - 1. * 4.);
  EXPECT_DOUBLE_EQ(potential(0), start);
  EXPECT_NEAR(potential(10), start + 1.24, 0.01);  // the ball still rises
  for (std::size_t k = 0; k < reader.rows(); ++k) EXPECT_NEAR(total(k), start + 0.5 * 0.5 * 50., 1e-12) << k;
}

TEST_F(RecorderTest, RecordsWhatWasChosenInEveryStepWithUnitsAndNames) {
  BallRun run;
  const auto recorder = std::make_shared<Recorder>(file());
  recorder->record(run.bouncing.ball, {{"q", "m", {"height"}}, {"velocity", "m/s"}, "p"});
  recorder->record("floor");
  recorder->recordEnergy([&] { return run.potential(); });
  recorder->recordSolver();
  recorder->record("twice", "m", [&] { return 2. * run.bouncing.ball->q()(0); });
  recorder->record("pair", "", 2, [&](double* out) {
    out[0] = 1.;
    out[1] = run.simulation.time();
  });
  run.simulation.addObserver(recorder);
  std::vector<double> t{0.}, q{run.bouncing.ball->q()(0)}, lambda{0.}, active{0.};
  run.simulation.run([&] {
    t.push_back(run.simulation.time());
    q.push_back(run.bouncing.ball->q()(0));
    lambda.push_back(run.bouncing.floor->lambda(1)(0));
    active.push_back(run.bouncing.floor->isActive() ? 1. : 0.);
  });

  const RecordReader reader(file());
  EXPECT_EQ(reader.status(), RecordStatus::completed);
  ASSERT_EQ(reader.rows(), 201U);
  const Vector times = reader.times(), heights = reader.column("systems/ball/q");
  const Vector impulses = reader.column("interactions/floor/lambda1");
  const Vector actives = reader.column("interactions/floor/active");
  const Vector kinetic = reader.column("energy/kinetic"), total = reader.column("energy/total");
  const Vector rates = reader.column("systems/ball/velocity"), twice = reader.column("user/twice");
  double largest = 0.;
  for (std::size_t k = 0; k < 201; ++k) {
    EXPECT_EQ(times(k), t[k]);
    EXPECT_EQ(heights(k), q[k]);
    EXPECT_EQ(impulses(k), lambda[k]);
    EXPECT_EQ(actives(k), active[k]);
    EXPECT_EQ(twice(k), 2. * q[k]);
    EXPECT_DOUBLE_EQ(kinetic(k), 0.5 * rates(k) * rates(k));
    EXPECT_DOUBLE_EQ(total(k), kinetic(k) + BouncingBall::gravity * q[k]);
    EXPECT_EQ(reader.matrix("user/pair", k, 1)(0, 1), t[k]);
    EXPECT_EQ(reader.matrix("step", k, 1)(0, 0), static_cast<double>(k));
    largest = std::max(largest, impulses(k));
  }
  EXPECT_GT(largest, 1.) << "no impact was recorded";
  const Vector depths = reader.column("solver/depth");
  EXPECT_EQ(*std::max_element(depths.begin(), depths.end()), run.simulation.statistics().motion.depth.value);
  EXPECT_EQ(reader.unit("solver/depth"), "m");
  EXPECT_EQ(reader.unit("systems/ball/q"), "m");
  EXPECT_EQ(reader.unit("systems/ball/velocity"), "m/s");
  EXPECT_EQ(reader.unit("time"), "s");
  EXPECT_EQ(reader.unit("energy/total"), "J");
  EXPECT_EQ(reader.quantity("systems/ball/q").columns, std::vector<std::string>{"height"});
  EXPECT_EQ(reader.quantity("solver/problem_size").kind, RecordKind::integer);
  EXPECT_EQ(reader.quantities().front().path, "time");
  EXPECT_TRUE(reader.has("interactions/floor/y1"));
  EXPECT_FALSE(reader.has("interactions/floor/y2"));
  EXPECT_EQ(reader.settings(), run.simulation.settings());
  EXPECT_EQ(reader.simulation(), "TimeStepping");
  EXPECT_FALSE(reader.library().empty());
  EXPECT_EQ(reader.created().size(), 20U);
  EXPECT_NE(reader.model().find("system 'ball': LagrangianLinearTIDS"), std::string::npos) << reader.model();
  EXPECT_FALSE(std::filesystem::exists(file("run.h5.part")));
}

TEST_F(RecorderTest, RecordsEveryNthStepAndAtInstants) {
  BallRun run;
  const auto coarse = std::make_shared<Recorder>(file("coarse.h5"));
  coarse->record("ball");
  coarse->every(30);
  const auto instants = std::make_shared<Recorder>(file("instants.h5"));
  instants->record("ball");
  instants->at({0.0, 0.1, 0.1501, 0.8, 7.});
  run.simulation.addObserver(coarse);
  run.simulation.addObserver(instants);
  run.simulation.run();
  const RecordReader coarseReader(file("coarse.h5")), instantsReader(file("instants.h5"));
  expectNear(coarseReader.times(), makeVector({0., 0.15, 0.3, 0.45, 0.6, 0.75, 0.9}), 1e-14);
  expectNear(instantsReader.times(), makeVector({0., 0.1, 0.155, 0.8}), 1e-14);
}

TEST_F(RecorderTest, RecordsStepsInWhichContactsChange) {
  BallRun run;
  const auto recorder = std::make_shared<Recorder>(file());
  recorder->record("floor", {"active"});
  recorder->atEvents();
  run.simulation.addObserver(recorder);
  std::size_t changes = 0;
  bool before = false;
  run.simulation.run([&] {
    changes += run.bouncing.floor->isActive() != before ? 1 : 0;
    before = run.bouncing.floor->isActive();
  });
  const RecordReader reader(file());
  ASSERT_GT(changes, 1U);
  EXPECT_EQ(reader.rows(), changes + 1);
  EXPECT_EQ(reader.words("event").front(), "start");
  EXPECT_EQ(reader.words("event").back(), "contacts");
}

TEST_F(RecorderTest, RecordsEventsOfEventDrivenSimulations) {
  BouncingBall bouncing{1., 0., 0.9, 1.};
  bouncing.ball->setName("ball");
  bouncing.floor->setName("floor");
  EventDriven simulation(bouncing.model, TimeDiscretisation(0., 0.1), LCP());
  const auto recorder = std::make_shared<Recorder>(file());
  recorder->record("ball");
  recorder->record("floor", {"lambda1"});
  recorder->recordSolver();
  recorder->atEvents();
  simulation.addObserver(recorder);
  simulation.run();
  const RecordReader reader(file());
  ASSERT_EQ(reader.rows(), simulation.events().size() + 1);
  ASSERT_GE(reader.rows(), 2U);
  EXPECT_EQ(reader.words("event")[1], "impact");
  EXPECT_EQ(reader.words("event_source")[1], "floor");
  EXPECT_EQ(reader.times()(1), simulation.events()[0].t);
  EXPECT_EQ(reader.column("systems/ball/velocity")(1), simulation.events()[0].after(0));
  EXPECT_EQ(reader.column("interactions/floor/lambda1")(1), simulation.events()[0].impulse(0));
}

TEST_F(RecorderTest, RecordsContactsThatComeAndGoAsARaggedTable) {
  ColumnOfBeads column(4, 0.15, 0.3, 0.5, 1.);
  TimeStepping simulation = simulationOf(column.model, 2e-3);
  const auto recorder = std::make_shared<Recorder>(file(), RecordFileOptions{.chunkBytes = 1024});
  recorder->recordContacts({.rows = 2});
  recorder->recordTogether("beads", column.beads, {{"q", "m"}, "velocity"});
  simulation.addObserver(recorder);
  std::vector<std::vector<std::string>> names(1);
  std::vector<double> impulses;
  simulation.run([&] {
    names.emplace_back();
    for (const auto& contact : column.contacts) {
      if (!contact->isActive()) continue;
      names.back().push_back(contact->name());
      impulses.push_back(contact->lambda(1)(0));
    }
  });
  const RecordReader reader(file());
  ASSERT_GT(impulses.size(), 20U);
  ASSERT_EQ(reader.length("contacts/impulse"), impulses.size());
  const std::vector<std::string> recorded = reader.words("contacts/interaction");
  for (std::size_t row = 0; row < names.size(); ++row) {
    const RecordReader::Range range = reader.range("contacts", row);
    ASSERT_EQ(range.count, names[row].size()) << "row " << row;
    for (std::size_t k = 0; k < range.count; ++k) EXPECT_EQ(recorded[range.first + k], names[row][k]);
  }
  const Matrix recordedImpulses = reader.matrix("contacts/impulse");
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    EXPECT_EQ(recordedImpulses(k, 0), impulses[k]);
    EXPECT_TRUE(std::isnan(recordedImpulses(k, 1)));
  }
  EXPECT_EQ(reader.quantity("groups/beads/q").shape, (std::vector<std::size_t>{4, column.beads[0]->q().size()}));
  EXPECT_EQ(reader.quantity("groups/beads/q").members[2], column.beads[2]->name());
  EXPECT_EQ(reader.column("groups/beads/q", 2 * column.beads[0]->q().size())(500), column.beads[2]->q()(0));
}

TEST_F(RecorderTest, NamesWhatCannotBeRecorded) {
  const auto mistake = [&](auto&& choose, std::initializer_list<std::string> parts) {
    BallRun run;
    const auto recorder = std::make_shared<Recorder>(file());
    expectError(
        [&] {
          choose(run, *recorder);
          run.simulation.addObserver(recorder);
          run.simulation.run();
        },
        parts);
    EXPECT_FALSE(std::filesystem::exists(file()));
  };
  mistake([](BallRun&, Recorder& r) { r.record("bal"); }, {"no system or interaction 'bal'", "'ball'", "'floor'"});
  mistake([](BallRun&, Recorder& r) { r.record("ball", {"x"}); }, {"system 'ball' has no quantity 'x'", "'q'", "'p'"});
  mistake([](BallRun&, Recorder& r) { r.record("floor", {"lambda2"}); }, {"interaction 'floor'", "'lambda1'"});
  mistake([](BallRun&, Recorder& r) { r.record("ball", {{"q", "m", {"a", "b"}}}); }, {"1 columns", "2 names"});
  mistake(
      [](BallRun&, Recorder& r) {
        r.record("ball");
        r.record("ball", {"q"});
      },
      {"'systems/ball/q' was chosen twice"});
  mistake([](BallRun&, Recorder&) {}, {"nothing was chosen"});
  mistake([](BallRun&, Recorder& r) { r.record(std::shared_ptr<Interaction>()); }, {"null"});
  mistake([](BallRun&, Recorder& r) { r.every(0); }, {"at least 1"});
  mistake([](BallRun&, Recorder& r) { r.at({1., 1.}); }, {"ascend"});
  mistake([](BallRun&, Recorder& r) { r.setFlushSeconds(-1.); }, {"0 s or more"});
  mistake([](BallRun&, Recorder& r) { r.record("f", "", std::function<double()>()); }, {"'f' is empty"});
  expectError([&] { Recorder(file(), {.compression = 10}); }, {"run.h5", "0 (none) to 9", "10"});
  BallRun run;
  const auto late = std::make_shared<Recorder>(file());
  late->record("ball");
  run.simulation.addObserver(late);
  run.simulation.step();
  expectError([&] { late->recordSolver(); }, {"has begun"});
}

// Has linked an interaction, and removes it after a while, as a collision manager does.
class PassingContact final : public InteractionManager {
 public:
  explicit PassingContact(std::shared_ptr<Interaction> interaction) : interaction_(std::move(interaction)) {}

  void updateInteractions(NonSmoothDynamicalSystem& model, double t, double) override {
    if (t < 0.5 || !interaction_) return;
    model.remove(interaction_);
    interaction_.reset();
  }
  std::vector<const Interaction*> managed() const override {
    return interaction_ ? std::vector<const Interaction*>{interaction_.get()} : std::vector<const Interaction*>{};
  }

 private:
  std::shared_ptr<Interaction> interaction_;
};

TEST_F(RecorderTest, RecordsAllButInteractionsThatComeAndGo) {
  BallRun run;
  const auto passing = std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1.}})));
  passing->setName("passing");
  run.bouncing.model.link(passing, run.bouncing.ball);
  run.simulation.setInteractionManager(std::make_shared<PassingContact>(passing));
  const auto recorder = std::make_shared<Recorder>(file());
  recorder->recordAll();
  run.simulation.addObserver(recorder);
  run.simulation.run();
  EXPECT_FALSE(run.bouncing.model.topology().contains(*passing)) << "it did not go";
  const RecordReader reader(file());
  EXPECT_EQ(reader.rows(), 201U);
  EXPECT_TRUE(reader.has("systems/ball/q"));
  EXPECT_TRUE(reader.has("interactions/floor/lambda1"));
  for (const RecordQuantity& quantity : reader.quantities()) {
    EXPECT_EQ(quantity.path.find("passing"), std::string::npos) << quantity.path;
  }
}

TEST_F(RecorderTest, KeepsWhatItRecordsWhenThatLeavesTheModel) {
  BallRun run;
  auto leaves = std::make_shared<LagrangianLinearTIDS>(makeVector({3.}), makeVector({2.}), makeMatrix({{5.}}));
  auto wall = std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1.}})));
  leaves->setName("leaves");
  wall->setName("wall");
  run.bouncing.model.insert(leaves);
  run.bouncing.model.link(wall, leaves);
  const std::weak_ptr<DynamicalSystem> system = leaves;
  const std::weak_ptr<Interaction> interaction = wall;
  const auto recorder = std::make_shared<Recorder>(file());
  recorder->record("leaves", {"q", "kinetic_energy"});
  recorder->record("wall", {"y0", "active"});
  recorder->recordEnergy();
  run.simulation.addObserver(recorder);
  for (int k = 0; k < 10; ++k) run.simulation.step();
  run.bouncing.model.remove(leaves);
  const double last = leaves->q()(0);
  leaves.reset();
  wall.reset();
  for (int k = 0; k < 10; ++k) run.simulation.step();
  ASSERT_FALSE(system.expired() || interaction.expired()) << "it is recorded, but gone";
  recorder->close();
  const RecordReader reader(file());
  EXPECT_EQ(reader.column("systems/leaves/q")(20), last);
  EXPECT_EQ(reader.column("systems/leaves/kinetic_energy")(20), 0.5 * 5. * 2. * 2.);
  EXPECT_EQ(reader.column("interactions/wall/y0")(20), last);
  // The energy is that of what is in the model.
  const double v = run.bouncing.ball->velocity()(0);
  EXPECT_EQ(reader.column("energy/kinetic")(20), 0.5 * v * v);
  EXPECT_GT(reader.column("energy/kinetic")(10), 10.);
}

}  // namespace
