// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/Recorder.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <support/Models.hpp>

namespace delassus::test {

/// A folder of each test for its recordings.
class RecorderFixture : public testing::Test {
 protected:
  RecorderFixture() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("delassus_" + std::string(test.test_suite_name()) + "_" + test.name());
  }
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const char* name = "run.h5") const { return folder_ / name; }

  static TimeStepping simulationOf(NonSmoothDynamicalSystem& model, double h) {
    return TimeStepping(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), LCP());
  }

  static std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path folder_;
};

/// A ball that bounces twice, in 200 steps.
struct BallRun {
  BouncingBall bouncing{1., 0., 0.9, 1.};
  TimeStepping simulation{bouncing.model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI(0.5), LCP()};

  BallRun() {
    bouncing.ball->setName("ball");
    bouncing.floor->setName("floor");
  }
  double potential() const { return BouncingBall::gravity * bouncing.ball->q()(0); }
};

}  // namespace delassus::test
