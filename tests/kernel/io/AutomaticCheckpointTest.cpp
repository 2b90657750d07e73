// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <delassus/kernel/io/AutomaticCheckpoint.hpp>
#include <delassus/kernel/io/Interruption.hpp>

#include "CheckpointFixture.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

using AutomaticCheckpointTest = CheckpointFixture;

TEST_F(AutomaticCheckpointTest, IsWrittenAtBeginAndEndOfARun) {
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

TEST_F(AutomaticCheckpointTest, OfAnEarlierRunStaysUntilThereIsWorkInTheNext) {
  Ball ball;
  ball.go(20);
  saveCheckpoint(*ball.simulation, path());
  Ball forgetful;
  forgetful.simulation->addObserver(std::make_shared<AutomaticCheckpoint>(path()));
  forgetful.go(1);
  EXPECT_EQ(checkpointInfo(path()).stepIndex, 20u);
}

TEST_F(AutomaticCheckpointTest, IsRefusedAtTheBeginWhereItCannotBeWritten) {
  Ball ball;
  std::filesystem::create_directories(path());  // a folder of this name
  ball.simulation->addObserver(std::make_shared<AutomaticCheckpoint>(path() / "x" / ".." / ".." / "ball.checkpoint"));
  EXPECT_THROW(ball.simulation->run(), Error);
}

TEST_F(AutomaticCheckpointTest, IsWrittenEveryNowAndThen) {
  Ball ball;
  const auto checkpoint = std::make_shared<AutomaticCheckpoint>(path(), AutomaticCheckpointOptions{.minutes = 1e-12});
  ball.simulation->addObserver(checkpoint);
  ball.simulation->run();
  EXPECT_EQ(checkpoint->count(), 51u);
  EXPECT_THROW(AutomaticCheckpoint(path(), {.minutes = 0.}), Error);
}

TEST_F(AutomaticCheckpointTest, StopsTheRunAtASignalAndSaysHowToGoOn) {
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

TEST_F(AutomaticCheckpointTest, ListensToSignalsFromTheBeginOfASecondRun) {
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

TEST_F(AutomaticCheckpointTest, DoesNotSpeakOfAFileThatItCouldNotWrite) {
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

TEST_F(AutomaticCheckpointTest, EndsTheProcessAtASecondSignal) {
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

TEST_F(AutomaticCheckpointTest, ListensAnewAfterAnInterruptionOfStepsOutsideOfRuns) {
  Ball ball;
  const auto checkpoint = std::make_shared<AutomaticCheckpoint>(path());
  ball.simulation->addObserver(checkpoint);
  ::testing::internal::CaptureStderr();
  ball.go(1);
  ::raise(SIGINT);
  ball.go(1);
  EXPECT_EQ(checkpointInfo(path()).stepIndex, 2u);
  ball.simulation->run([&] {
    if (ball.simulation->stepIndex() == 20) ::raise(SIGINT);
  });
  expectIn(::testing::internal::GetCapturedStderr(), {"after 2 steps", "after 20 steps"});
  EXPECT_EQ(ball.simulation->stepIndex(), 20u);
}

}  // namespace
