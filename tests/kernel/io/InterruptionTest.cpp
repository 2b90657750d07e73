// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and SIGTERM in the middle of a step that would go on for hours.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/io/Interruption.hpp>
#include <delassus/numerics/StopRequest.hpp>
#include <filesystem>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

class InterruptionTest : public ::testing::Test {
 protected:
  InterruptionTest() { StopRequest::setPatience(0.01); }
  ~InterruptionTest() override {
    StopRequest::setPatience(5.);
    StopRequest::withdraw();
    std::filesystem::remove(path_);
  }

  // Runs until the signal that a function of the model sends; says at which step the checkpoint is.
  void expectStopped(Simulation& simulation, std::size_t stepIndex) {
    const auto checkpoint = std::make_shared<AutomaticCheckpoint>(path_);
    simulation.addObserver(checkpoint);
    ::testing::internal::CaptureStderr();
    simulation.run();
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_TRUE(checkpoint->wasInterrupted());
    EXPECT_EQ(simulation.stepIndex(), stepIndex);
    EXPECT_EQ(checkpointInfo(path_).stepIndex, stepIndex);
    EXPECT_NE(said.find("Interrupted at t = "), std::string::npos) << said;
  }

  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("interruption_test." + std::to_string(::getpid()) + ".checkpoint");
};

TEST_F(InterruptionTest, StopsAnIntegrationThatHardlyGetsOn) {
  if constexpr (!withSundials) GTEST_SKIP() << "built without SUNDIALS";
  auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{1.}}));
  std::size_t evaluations = 0;
  mass->setExternalForces([&](double t, Vector&) {
    if (t > 0. && ++evaluations == 1000) ::raise(SIGTERM);
  });
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  EventDrivenOptions options;
  options.integration.maximalStep = 1e-12;
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), LCP(), options);
  expectStopped(simulation, 0);
}

// The checkpoint finds the mode of its state again, for which it solves a problem.
TEST_F(InterruptionTest, SavesAnIntegrationOfAFlowWithALaw) {
  if constexpr (!withSundials) GTEST_SKIP() << "built without SUNDIALS";
  auto tank = std::make_shared<FirstOrderLinearDS>(makeVector({1.}), makeMatrix({{0.}}));
  std::size_t evaluations = 0;
  tank->setB([&](double t, Vector& b) {
    b(0) = 0.;
    if (t > 0. && ++evaluations == 1000) ::raise(SIGTERM);
  });
  auto valve = std::make_shared<Interaction>(RelayNSL(), FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}})));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(tank);
  model.link(valve, tank);
  EventDrivenOptions options;
  options.integration.maximalStep = 1e-12;
  EventDriven simulation(model, TimeDiscretisation(0., 0.1), Relay(), options);
  expectStopped(simulation, 0);
}

TEST_F(InterruptionTest, StopsANewtonLoopThatDoesNotConverge) {
  auto mass = std::make_shared<LagrangianDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{1.}}));
  std::size_t evaluations = 0;
  // Another force each time.
  mass->setInternalForces(withJacobians(
      [&](double t, const Vector&, const Vector&, Vector& f) {
        if (t > 0.25 && ++evaluations == 1000) ::raise(SIGTERM);
        f(0) = t > 0.25 ? static_cast<double>(evaluations % 7) : 0.;
      },
      [](double, const Vector&, const Vector&, Matrix&) {}, [](double, const Vector&, const Vector&, Matrix&) {}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  TimeSteppingOptions options;
  options.newtonMaxIterations = 1'000'000'000;
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(0.5), LCP(), options);
  expectStopped(simulation, 2);
}

// w = M z + q ≥ 0 has no solution z ≥ 0; Gauss–Seidel has z grow by one a sweep.
TEST_F(InterruptionTest, StopsASolverThatDoesNotConverge) {
  const numerics::LinearComplementarityProblem problem(makeMatrix({{1., -1.}, {-1., 1.}}), makeVector({-1., -1.}));
  const auto endless = [] {
    auto solver = std::make_unique<numerics::ProjectedGaussSeidelSolver>(
        numerics::ProjectedGaussSeidelOptions{.maxIterations = 4'000'000'000});
    solver->setObserver([](std::size_t sweep, double) {
      if (sweep == 10) StopRequest::make();
    });
    return solver;
  };
  Vector z, w;
  EXPECT_THROW(endless()->solve(problem, z, w), Interrupted);
}

TEST_F(InterruptionTest, LetsAStepThatIsShortComeToItsEnd) {
  StopRequest::setPatience(60.);
  auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{1.}}));
  bool sent = false;
  mass->setExternalForces([&](double t, Vector&) {
    if (t > 0.25 && !std::exchange(sent, true)) ::raise(SIGTERM);
  });
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(0.5), LCP());
  expectStopped(simulation, 3);
}

TEST_F(InterruptionTest, AStepOutsideOfARunThrowsWhatIsNoError) {
  auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({1.}), makeMatrix({{1.}}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(0.5), LCP());
  simulation.step();
  StopRequest::setPatience(0.);
  StopRequest::make();
  EXPECT_THROW(simulation.step(), Interrupted);
  EXPECT_EQ(simulation.stepIndex(), 1u);
  EXPECT_NEAR(mass->q()(0), 0.1, 1e-15);
  StopRequest::withdraw();
  simulation.run();
  EXPECT_NEAR(mass->q()(0), 1., 1e-14);
}

TEST_F(InterruptionTest, ARequestIsMadeOnceAndWithdrawnWithTheListener) {
  {
    const Interruption interruption;
    EXPECT_FALSE(Interruption::wasRequested());
    EXPECT_TRUE(StopRequest::make());
    EXPECT_FALSE(StopRequest::make());
    EXPECT_TRUE(Interruption::wasRequested());
  }
  EXPECT_FALSE(StopRequest::isMade());
  EXPECT_FALSE(StopRequest::isOverdue());
  expectError([] { StopRequest::setPatience(-1.); }, {"StopRequest", "patience", "-1"});
  expectError([] { StopRequest::setPatience(std::nan("")); }, {"StopRequest", "patience"});
}

}  // namespace
