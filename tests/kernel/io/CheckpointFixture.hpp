// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <string>
#include <support/Matchers.hpp>
#include <support/Restart.hpp>
#include <vector>

namespace delassus::test {

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

class CheckpointFixture : public ::testing::Test {
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

inline void expectIn(const std::string& text, std::initializer_list<std::string> parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
}

}  // namespace delassus::test
