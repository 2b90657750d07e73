// SPDX-License-Identifier: Apache-2.0
//
// Bifurcation diagrams of the cam follower: interrupted, continued, refused.
#include <gtest/gtest.h>

#include <CamBifurcation.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <support/Matchers.hpp>

namespace {

using delassus::test::expectError;
namespace fs = std::filesystem;

class CamBifurcationTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    options_.transient = 20;
    options_.turns = 10;
    options_.run.step = 1e-3;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  std::string diagramOf(const fs::path& folder, const std::vector<double>& speeds) const {
    const CamBifurcation diagram(folder, options_);
    diagram.run(diagram.missing(speeds));
    diagram.collect(speeds);
    return content(folder / "impacts.csv") + content(folder / "stroboscope.csv");
  }

  CamDiagramOptions options_;
  const fs::path folder_ =
      fs::temp_directory_path() /
      ("delassus_cam_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(CamBifurcationTest, GoesOnWhereItWasInterrupted) {
  const std::vector<double> speeds = speedsOf(600., 700., 10.);
  ASSERT_EQ(speeds.size(), 11U);
  const std::string whole = diagramOf(folder_ / "whole", speeds);

  const CamBifurcation diagram(folder_ / "pieces", options_);
  diagram.run({620., 640., 660.});
  // What a killed run leaves.
  fs::create_directories(folder_ / "pieces" / "rpm_630.part");
  std::ofstream(folder_ / "pieces" / "rpm_630.part" / "impacts.csv.part") << "turn,pha";
  EXPECT_EQ(diagram.missing(speeds).size(), 8U);
  EXPECT_EQ(diagramOf(folder_ / "pieces", speeds), whole);
  EXPECT_FALSE(fs::exists(folder_ / "pieces" / "rpm_630.part"));
  EXPECT_TRUE(diagram.missing(speeds).empty());
}

TEST_F(CamBifurcationTest, IsTheSameOnAnyNumberOfThreads) {
  const std::vector<double> speeds = speedsOf(300., 800., 50.);
  options_.threads = 1;
  const std::string one = diagramOf(folder_ / "one", speeds);
  options_.threads = 4;
  EXPECT_EQ(diagramOf(folder_ / "four", speeds), one);

  options_.run.method = CamMethod::eventDriven;
  options_.threads = 1;
  const std::string events = diagramOf(folder_ / "one, event-driven", speeds);
  options_.threads = 4;
  EXPECT_EQ(diagramOf(folder_ / "four, event-driven", speeds), events);
}

TEST_F(CamBifurcationTest, TakesMoreSpeedsLater) {
  diagramOf(folder_, speedsOf(600., 700., 50.));
  const CamBifurcation diagram(folder_, options_);
  EXPECT_EQ(diagram.missing(speedsOf(600., 700., 25.)), (std::vector<double>{625., 675.}));
}

TEST_F(CamBifurcationTest, RefusesRunsOfOtherParameters) {
  const CamBifurcation first(folder_, options_);
  options_.parameters.restitution = 0.7;
  expectError([&] { CamBifurcation(folder_, options_); },
              {"holds runs of other parameters", "'restitution = 0.7' is asked for, but there 'restitution = 0.8'"});
  options_.parameters.restitution = 0.8;
  options_.turns = 20;
  expectError([&] { CamBifurcation(folder_, options_); }, {"'turns = 20'", "'turns = 10'"});
  options_.turns = 10;
  // Tolerances do not concern time stepping, nor does the range of speeds concern a single run.
  options_.run.tolerance = 1e-6;
  options_.parameters.rpm = 1.;
  EXPECT_NO_THROW(CamBifurcation(folder_, options_));
}

TEST_F(CamBifurcationTest, NamesTheRunThatFailedAndKeepsTheOthers) {
  const CamBifurcation diagram(folder_, options_);
  expectError([&] { diagram.run({650., 0., 700.}); }, {"rpm = 0", "a cam that stands"});
  EXPECT_EQ(diagram.missing({650., 0., 700.}), std::vector<double>{0.});
}

TEST_F(CamBifurcationTest, RefusesSpeedsThatAreNone) {
  expectError([] { speedsOf(500., 400., 1.); }, {"0 < from <= to"});
  expectError([] { speedsOf(500., 600., 0.); }, {"step > 0"});
  EXPECT_EQ(speedsOf(300., 300.3, 0.1), (std::vector<double>{300., 300.1, 300.2, 300.3}));
}

}  // namespace
