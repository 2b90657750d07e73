// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>

#include <boost/crc.hpp>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/AutomaticCheckpoint.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <support/Matchers.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// What may be different about a bouncing ball.
struct Choice {
  double mass = 1., e = 0.8, gravity = 9.81, h = 0.01, theta = 0.5, T = 0.5, height = 0.2, tolerance = 1e-8;
  std::string ball = "ball", floor = "floor";
  bool secondBall = false, otherProblem = false, unlinked = false, springs = false;
};

struct Ball {
  explicit Ball(const Choice& choice = {}) : model(0., choice.T) {
    ball = std::make_shared<LagrangianLinearTIDS>(makeVector({choice.height}), makeVector({0.}),
                                                  makeMatrix({{choice.mass}}));
    ball->setName(choice.ball);
    const double g = choice.gravity;
    ball->setExternalForces([g](double, Vector& F) { F(0) = -g; });
    floor = std::make_shared<Interaction>(NewtonImpactNSL(choice.e), LagrangianLinearTIR(makeMatrix({{1.}})));
    floor->setName(choice.floor);
    model.insert(ball);
    if (!choice.unlinked) model.link(floor, ball);
    if (choice.secondBall) {
      model.insert(std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}})));
    }
    const TimeDiscretisation steps(0., choice.h);
    LemkeOptions options;
    options.tolerance = choice.tolerance;
    if (choice.otherProblem) {
      simulation = std::make_unique<TimeStepping>(model, steps, MoreauJeanOSI(choice.theta), MLCP());
    } else {
      simulation = std::make_unique<TimeStepping>(model, steps, MoreauJeanOSI(choice.theta), LCP(LemkeSolver(options)));
    }
  }
  using LemkeOptions = numerics::LemkeOptions;
  void go(std::size_t steps) {
    for (std::size_t k = 0; k < steps; ++k) simulation->step();
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> ball;
  std::shared_ptr<Interaction> floor;
  std::unique_ptr<TimeStepping> simulation;
};

class Checkpoint : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(restartFolder()); }
  void TearDown() override { std::filesystem::remove_all(restartFolder()); }

  std::filesystem::path path() const { return restartFolder() / "ball.checkpoint"; }
  void write(const std::string& bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }
  // The message that restoring gives; the ball must be as it was.
  std::string refusal(Ball& ball) const {
    const std::vector<double> before = imageOf(*ball.simulation);
    try {
      restoreCheckpoint(*ball.simulation, path());
    } catch (const Error& error) {
      EXPECT_EQ(firstDifference(imageOf(*ball.simulation), before), "");
      return error.what();
    }
    return "no refusal";
  }
  std::string refusal(const Choice& choice) const {
    Ball ball(choice);
    ball.simulation->initialise();
    return refusal(ball);
  }
};

void expectIn(const std::string& text, std::initializer_list<std::string> parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

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
  expectIn(refusal(Choice{.T = 0.3}), {"step 50", "no instant of this simulation", "T = 0.3"});
}

TEST_F(Checkpoint, RefusesFilesThatAreNone) {
  expectIn(refusal(Choice{}), {"cannot be opened"});
  write("");
  expectIn(refusal(Choice{}), {"no checkpoint"});
  write("t [s],q [m]\n0,1\n");
  expectIn(refusal(Choice{}), {"no checkpoint"});
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

// ----------------------------------------------------------------------------------------- states and observers

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
  expectIn(refusal(other), {"states that this simulation has not: 'controller'"});
  other.simulation->addState("controller", serialize);
  restoreCheckpoint(*other.simulation, path());
  EXPECT_EQ(otherIntegral, 3.25);
  EXPECT_EQ(otherRandom(), next);

  other.simulation->addState("more", [&](StateArchive& archive) { archive.value("integral", otherIntegral); });
  expectIn(refusal(other), {"'more' were not saved"});
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
  expectIn(refusal(other), {"observers that this simulation has not: 'recorder'"});
  other.simulation->addObserver(otherRecorder);
  restoreCheckpoint(*other.simulation, path());
  EXPECT_EQ(otherRecorder->rows, 20);
}

// ------------------------------------------------------------------------------------------ automatic checkpoints

TEST_F(Checkpoint, IsWrittenAtBeginAndEndOfARun) {
  Ball ball;
  const auto checkpoint = std::make_shared<AutomaticCheckpoint>(path());
  ball.simulation->addObserver(checkpoint);
  ball.simulation->run([&] {
    if (ball.simulation->stepIndex() > 1) return;
    EXPECT_EQ(checkpointInfo(path()).stepIndex, 0u);
  });
  EXPECT_EQ(checkpoint->count(), 2u);
  EXPECT_EQ(checkpointInfo(path()).stepIndex, 50u);
  EXPECT_FALSE(checkpoint->wasInterrupted());
}

TEST_F(Checkpoint, OfAnEarlierRunStaysUntilThereIsWorkInTheNext) {
  Ball ball;
  ball.go(20);
  saveCheckpoint(*ball.simulation, path());
  Ball forgetful;
  forgetful.simulation->addObserver(std::make_shared<AutomaticCheckpoint>(path()));
  forgetful.go(1);
  EXPECT_EQ(checkpointInfo(path()).stepIndex, 20u);
}

TEST_F(Checkpoint, IsRefusedAtTheBeginWhereItCannotBeWritten) {
  Ball ball;
  std::filesystem::create_directories(path());  // a folder of this name
  ball.simulation->addObserver(std::make_shared<AutomaticCheckpoint>(path() / "x" / ".." / ".." / "ball.checkpoint"));
  EXPECT_THROW(ball.simulation->run(), Error);
}

TEST_F(Checkpoint, IsWrittenEveryNowAndThen) {
  Ball ball;
  const auto checkpoint = std::make_shared<AutomaticCheckpoint>(path(), AutomaticCheckpointOptions{.minutes = 1e-12});
  ball.simulation->addObserver(checkpoint);
  ball.simulation->run();
  EXPECT_EQ(checkpoint->count(), 51u);
  EXPECT_THROW(AutomaticCheckpoint(path(), {.minutes = 0.}), Error);
}

TEST_F(Checkpoint, StopsTheRunAtASignalAndSaysHowToGoOn) {
  Ball whole;
  whole.simulation->run();
  struct sigaction before {};
  ::sigaction(SIGINT, nullptr, &before);
  Ball ball;
  const auto checkpoint = std::make_shared<AutomaticCheckpoint>(
      path(), AutomaticCheckpointOptions{.resumeHint = "run again with --resume"});
  ball.simulation->addObserver(checkpoint);
  ::testing::internal::CaptureStderr();
  ball.simulation->run([&] {
    if (ball.simulation->stepIndex() == 17) ::raise(SIGINT);
  });
  expectIn(::testing::internal::GetCapturedStderr(),
           {"Interrupted at t = 0.17 after 17 steps", path().string(), "to go on, run again with --resume."});
  EXPECT_TRUE(checkpoint->wasInterrupted());
  EXPECT_EQ(ball.simulation->stepIndex(), 17u);
  struct sigaction after {};
  ::sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);

  Ball resumed;
  restoreCheckpoint(*resumed.simulation, path());
  resumed.simulation->run();
  EXPECT_EQ(firstDifference(imageOf(*resumed.simulation), imageOf(*whole.simulation)), "");

  // And once more in the same process.
  ::testing::internal::CaptureStderr();
  ball.simulation->run([&] {
    if (ball.simulation->stepIndex() == 30) ::raise(SIGTERM);
  });
  ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(ball.simulation->stepIndex(), 30u);
}

TEST_F(Checkpoint, ListensToSignalsFromTheBeginOfASecondRun) {
  Ball ball;
  const auto checkpoint = std::make_shared<AutomaticCheckpoint>(path());
  ball.simulation->addObserver(checkpoint);
  struct sigaction outside {};
  ::sigaction(SIGTERM, nullptr, &outside);
  ball.simulation->run([&] {
    if (ball.simulation->stepIndex() == 5) ball.simulation->stop();
  });
  ::testing::internal::CaptureStderr();
  bool listens = false;
  ball.simulation->run([&] {
    struct sigaction inside {};
    ::sigaction(SIGTERM, nullptr, &inside);
    listens = inside.sa_handler != outside.sa_handler;
    // It would end the process otherwise.
    if (listens && ball.simulation->stepIndex() == 6) ::raise(SIGTERM);
  });
  ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(listens);
  EXPECT_EQ(ball.simulation->stepIndex(), 6u);
  EXPECT_TRUE(checkpoint->wasInterrupted());
  EXPECT_EQ(checkpointInfo(path()).stepIndex, 6u);
}

TEST_F(Checkpoint, DoesNotSpeakOfAFileThatItCouldNotWrite) {
  const std::filesystem::path folder = path().string() + ".folder";
  std::filesystem::create_directories(folder);
  struct sigaction before {};
  ::sigaction(SIGINT, nullptr, &before);
  ::testing::internal::CaptureStderr();
  {
    Ball ball;
    ball.simulation->addObserver(std::make_shared<AutomaticCheckpoint>(folder / "ball.checkpoint"));
    EXPECT_THROW(ball.simulation->run([&] {
      if (ball.simulation->stepIndex() != 17) return;
      std::filesystem::remove_all(folder);
      std::ofstream(folder) << "no folder any more";
      ::raise(SIGINT);
    }),
                 Error);
  }
  std::filesystem::remove_all(folder);
  EXPECT_EQ(::testing::internal::GetCapturedStderr().find("was written"), std::string::npos);
  struct sigaction after {};
  ::sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
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

TEST_F(Checkpoint, EndsTheProcessAtASecondSignal) {
  EXPECT_EXIT(
      {
        Interruption interruption;
        ::raise(SIGINT);
        if (!Interruption::wasRequested()) ::_exit(3);
        ::raise(SIGINT);
        ::_exit(4);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

}  // namespace
