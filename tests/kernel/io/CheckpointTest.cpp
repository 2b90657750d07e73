// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/crc.hpp>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/io/AutomaticCheckpoint.hpp>
#include <random>

#include "CheckpointFixture.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

using Checkpoint = CheckpointFixture;

TEST_F(Checkpoint, GoesOnToTheSameBits) {
  Ball whole;
  whole.simulation->run();
  Ball first;
  first.go(23);
  saveCheckpoint(*first.simulation, path());
  Ball second;
  restoreCheckpoint(*second.simulation, path());
  EXPECT_EQ(second.simulation->stepIndex(), 23u);
  EXPECT_EQ(second.simulation->time(), first.simulation->time());
  EXPECT_EQ(second.ball->q()(0), first.ball->q()(0));
  EXPECT_EQ(second.floor->lambda(1)(0), first.floor->lambda(1)(0));
  second.simulation->run();
  EXPECT_EQ(firstDifference(imageOf(*second.simulation), imageOf(*whole.simulation)), "");
}

TEST_F(Checkpoint, TellsWhatItIsOf) {
  Ball ball;
  ball.go(5);
  saveCheckpoint(*ball.simulation, path());
  const CheckpointInfo info = checkpointInfo(path());
  EXPECT_EQ(info.stepIndex, 5u);
  EXPECT_EQ(info.time, ball.simulation->time());
  EXPECT_FALSE(info.library.empty());
}

TEST_F(Checkpoint, NamesWhatIsAnotherModel) {
  Ball ball;
  ball.go(10);
  saveCheckpoint(*ball.simulation, path());
  expectIn(refusal(Choice{.mass = 2.}), {"another model", "system 0 'ball': M is (2) here, (1) in the checkpoint"});
  expectIn(refusal(Choice{.e = 0.5}), {"interaction 0 'floor', law: e is 0.5 here, 0.8 in the checkpoint"});
  expectIn(refusal(Choice{.h = 0.02}), {"h is 0.02 here, 0.01 in the checkpoint"});
  expectIn(refusal(Choice{.theta = 1.}), {"integrator.theta is 1 here, 0.5 in the checkpoint"});
  expectIn(refusal(Choice{.height = 0.3}), {"q0 is (0.3) here, (0.2) in the checkpoint"});
  expectIn(refusal(Choice{.tolerance = 1e-6}), {"problem.solver.tolerance is 1e-06 here, 1e-08 in the checkpoint"});
  expectIn(refusal(Choice{.ball = "bullet"}), {"system 0 is 'bullet'", "'ball'"});
  expectIn(refusal(Choice{.floor = "ground"}), {"interaction 0 is 'ground'", "'floor'"});
  expectIn(refusal(Choice{.secondBall = true}), {"number of systems is 2 here, 1 in the checkpoint"});
  expectIn(refusal(Choice{.unlinked = true}), {"interaction 0 is missing here, 'floor'"});
  expectIn(refusal(Choice{.otherProblem = true}), {"problem is MLCP here, LCP in the checkpoint"});
  EXPECT_EQ(refusal(Choice{}), "no refusal");
}

TEST_F(Checkpoint, NoticesOtherForces) {
  Ball ball;
  ball.go(10);
  saveCheckpoint(*ball.simulation, path());
  expectIn(refusal(Choice{.gravity = 9.8}),
           {"a function or a parameter of the model has changed",
            "the force on 'ball' at t = 0.1 is (-9.8) here, (-9.81) in the checkpoint"});
}

TEST_F(Checkpoint, LetsAStudyGoOnToALaterTime) {
  Ball whole(Choice{.T = 1.});
  whole.simulation->run();
  Ball first;
  first.simulation->run();
  saveCheckpoint(*first.simulation, path());
  Ball longer(Choice{.T = 1.});
  restoreCheckpoint(*longer.simulation, path());
  longer.simulation->run();
  EXPECT_EQ(longer.ball->q()(0), whole.ball->q()(0));
  expectIn(refusal(Choice{.T = 0.3}), {"step 50", "not an instant of this simulation", "T = 0.3"});
}

TEST_F(Checkpoint, RefusesFilesThatAreNone) {
  expectIn(refusal(Choice{}), {"cannot be opened"});
  write("");
  expectIn(refusal(Choice{}), {"not a checkpoint"});
  write("t [s],q [m]\n0,1\n");
  expectIn(refusal(Choice{}), {"not a checkpoint"});
}

std::string messageOf(const std::filesystem::path& path) {
  try {
    checkpointInfo(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no refusal";
}

TEST_F(Checkpoint, RefusesATruncatedFileOfAnyLength) {
  Ball ball;
  ball.go(3);
  saveCheckpoint(*ball.simulation, path());
  const std::string bytes = bytesOf(path());
  for (std::size_t length = bytes.size(); length-- > 1;) {
    std::filesystem::resize_file(path(), length);
    const std::string message = messageOf(path());
    ASSERT_NE(message.find("truncated"), std::string::npos) << length << ": " << message;
    if (length % 1000 != 0) continue;
    expectIn(refusal(Choice{}), {"truncated"});
  }
  write(bytes + "x");
  expectIn(refusal(Choice{}), {"damaged"});
}

TEST_F(Checkpoint, RefusesEveryFlippedBit) {
  Ball ball;
  ball.go(3);
  saveCheckpoint(*ball.simulation, path());
  const std::string bytes = bytesOf(path());
  std::mt19937 random(1);
  for (std::size_t k = 0; k < bytes.size(); k += k < 64 ? 1 : 5) {
    std::string damaged = bytes;
    damaged[k] = static_cast<char>(damaged[k] ^ (1 << (random() % 8)));
    write(damaged);
    ASSERT_NE(messageOf(path()), "no refusal") << "byte " << k;
    if (k % 1000 != 0) continue;
    EXPECT_NE(refusal(Choice{}), "no refusal");
  }
  write(bytes);
  EXPECT_EQ(refusal(Choice{}), "no refusal");
}

TEST_F(Checkpoint, RefusesANewerFormat) {
  Ball ball;
  saveCheckpoint(*ball.simulation, path());
  std::string bytes = bytesOf(path());
  bytes[16] = static_cast<char>(checkpointFormat + 1);
  boost::crc_32_type sum;
  sum.process_bytes(bytes.data(), 36);
  for (int i = 0; i < 4; ++i) bytes[36 + static_cast<std::size_t>(i)] = static_cast<char>(sum.checksum() >> (8 * i));
  write(bytes);
  expectIn(refusal(Choice{}), {"format " + std::to_string(checkpointFormat + 1), "newer version"});
}

TEST_F(Checkpoint, KeepsTheOneBeforeWhereItCannotWrite) {
  Ball ball;
  saveCheckpoint(*ball.simulation, path());
  const std::string before = bytesOf(path());
  ball.go(2);
  std::filesystem::create_directories(path().string() + ".part");  // in the way
  EXPECT_THROW(saveCheckpoint(*ball.simulation, path()), Error);
  EXPECT_EQ(bytesOf(path()) == before, true);
}

TEST_F(Checkpoint, RestoresStatesOfTheUserAndAsksForThem) {
  Ball ball;
  double integral = 3.25;
  std::mt19937 random(5);
  ball.simulation->addState("controller", [&](StateArchive& archive) {
    archive.value("integral", integral);
    archive.stream("random", random);
  });
  ball.go(2);
  random.discard(10);
  saveCheckpoint(*ball.simulation, path());
  const auto next = random();

  Ball other;
  double otherIntegral = 0.;
  std::mt19937 otherRandom;
  const auto serialize = [&](StateArchive& archive) {
    archive.value("integral", otherIntegral);
    archive.stream("random", otherRandom);
  };
  other.simulation->initialise();
  expectIn(refusal(other), {"states that this simulation does not have: 'controller'"});
  other.simulation->addState("controller", serialize);
  restoreCheckpoint(*other.simulation, path());
  EXPECT_EQ(otherIntegral, 3.25);
  EXPECT_EQ(otherRandom(), next);

  other.simulation->addState("more", [&](StateArchive& archive) { archive.value("integral", otherIntegral); });
  expectIn(refusal(other), {"it lacks", "'more'"});
}

TEST_F(Checkpoint, SaysWhereAStateOfTheUserIsAnotherOne) {
  Ball ball;
  std::vector<double> samples{1., 2.};
  ball.simulation->addState("samples", [&](StateArchive& archive) { archive.value("list", samples); });
  saveCheckpoint(*ball.simulation, path());
  Ball other;
  other.simulation->initialise();
  double number = 0.;
  other.simulation->addState("samples", [&](StateArchive& archive) { archive.value("number", number); });
  expectIn(refusal(other), {"state 'samples'", "something else where 'number' is wanted"});
  EXPECT_EQ(number, 0.);
}

TEST_F(Checkpoint, DoesNotMoveStatesThatForcesDrawOn) {
  // A force that counts its calls, and says so: checkpoints call it, and put the count back.
  int calls = 0;
  Ball ball;
  ball.ball->setExternalForces([&](double, Vector& F) { F(0) = -9.81 + 1e-3 * ++calls; });
  ball.simulation->addState("calls", [&](StateArchive& archive) { archive.value("calls", calls); });
  ball.go(3);
  const int before = calls;
  saveCheckpoint(*ball.simulation, path());
  EXPECT_EQ(calls, before);
  calls = 77;
  restoreCheckpoint(*ball.simulation, path());
  EXPECT_EQ(calls, before);
}

class Recorder final : public SimulationObserver {
 public:
  std::string_view name() const override { return "recorder"; }
  void afterStep(Simulation&) override { ++rows; }
  void serializeState(StateArchive& archive) override {
    archive.value("rows", rows);
    if (!archive.restores()) flushed = rows;
  }
  int rows = 0;
  int flushed = 0;
};

TEST_F(Checkpoint, RestoresObserversAndIsTakenAfterThem) {
  Ball ball;
  const auto checkpoint = std::make_shared<AutomaticCheckpoint>(
      path(), AutomaticCheckpointOptions{.minutes = 1e9, .steps = 10, .onInterruption = false});
  const auto recorder = std::make_shared<Recorder>();
  ball.simulation->addObserver(checkpoint);
  ball.simulation->addObserver(recorder);
  ball.go(25);
  EXPECT_EQ(checkpointInfo(path()).stepIndex, 20u);
  EXPECT_EQ(recorder->flushed, 20);
  Ball other;
  const auto otherRecorder = std::make_shared<Recorder>();
  other.simulation->initialise();
  expectIn(refusal(other), {"observers that this simulation does not have: 'recorder'"});
  other.simulation->addObserver(otherRecorder);
  restoreCheckpoint(*other.simulation, path());
  EXPECT_EQ(otherRecorder->rows, 20);
}

TEST_F(Checkpoint, OfTheLastStepIsGoneOnWithToALaterTimeWhereTheGridIsTheSameButForRounding) {
  const auto run = [&](double T, bool restored) {
    NonSmoothDynamicalSystem model(0., T);
    const auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({1.}), makeMatrix({{1.}}));
    model.insert(mass);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(0.5), LCP());
    if (restored) restoreCheckpoint(simulation, path());
    simulation.run();
    if (!restored) saveCheckpoint(simulation, path());
    return mass->q()(0);
  };
  run(0.3, false);  // 3 · 0.1 is not 0.3
  EXPECT_NEAR(run(1., true), 1., 1e-14);
}

}  // namespace
