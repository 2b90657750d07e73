// SPDX-License-Identifier: Apache-2.0
//
// The log, the progress of a run, its summary and the times of its phases.
#include <gtest/gtest.h>

#include <chrono>
#include <delassus/Config.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/ProgressObserver.hpp>
#include <delassus/kernel/simulation/RunSummary.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/numerics/Log.hpp>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <support/Restart.hpp>
#include <thread>

namespace {

using namespace delassus;
using namespace delassus::test;

// Collects lines while it lives.
class Collected {
 public:
  explicit Collected(LogLevel level)
      : sink_(std::make_shared<FunctionSink>([this](LogLevel, std::string_view line) { lines.emplace_back(line); })) {
    Log::add(sink_, level);
  }
  ~Collected() { Log::remove(sink_); }
  Collected(const Collected&) = delete;
  Collected& operator=(const Collected&) = delete;

  std::vector<std::string> lines;

 private:
  std::shared_ptr<LogSink> sink_;
};

std::size_t linesWith(const std::vector<std::string>& lines, const std::string& part) {
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(), [&](const std::string& line) { return line.find(part) != std::string::npos; }));
}

TEST(Log, SinksTakeMessagesOfTheirLevelAndAbove) {
  Collected warnings(LogLevel::warning), all(LogLevel::debug);
  Log::error("one");
  Log::warning("two");
  Log::info("three");
  Log::debug("four");
  EXPECT_EQ(warnings.lines, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(all.lines, (std::vector<std::string>{"one", "two", "three", "four"}));
  EXPECT_TRUE(Log::wants(LogLevel::debug));
}

TEST(Log, WritesWarningsIntoAPipeButNotMoreUnlessAskedAndCounts) {
  testing::internal::CaptureStderr();
  Log::reset();
  const std::size_t before = Log::count(LogLevel::info);
  Log::warning("seen");
  Log::setTerminal(LogLevel::info);
  Log::info("not seen");
  EXPECT_EQ(Log::count(LogLevel::info), before + 1);
  Log::setTerminal(LogLevel::info, TerminalUse::always);
  Log::info("seen too");
  Log::debug("not seen either");
  Log::setTerminal(LogLevel::none);
  Log::error("nor this");
  Log::reset();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: seen\nseen too\n");
}

TEST(Log, FilesHaveALineWithTimeAndLevelForEachLineAndAreFlushed) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "delassus_log_test.log";
  const auto sink = std::make_shared<FileSink>(path, FileSink::Open::replace);
  Log::add(sink, LogLevel::info);
  Log::info("first\nsecond");
  Log::warning("third");
  // Read while it is open.
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  Log::remove(sink);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].substr(23), " info     first");
  EXPECT_EQ(lines[1].substr(23), " info     second");
  EXPECT_EQ(lines[2].substr(23), " warning  third");
  EXPECT_EQ(lines[0].substr(0, 2), "20");
  std::filesystem::remove(path);
  expectError([] { FileSink("/nowhere/at/all.log"); }, {"/nowhere/at/all.log", "cannot be written"});
}

TEST(Log, KeepsLinesWholeWhenThreadsWrite) {
  Collected all(LogLevel::info);
  {
    std::vector<std::jthread> threads;
    for (int k = 0; k < 4; ++k) {
      threads.emplace_back([] {
        for (int i = 0; i < 200; ++i) Log::info("a line that is long enough");
      });
    }
  }
  EXPECT_EQ(all.lines, std::vector<std::string>(800, "a line that is long enough"));
}

TEST(Log, SurvivesSinksThatThrow) {
  const auto broken = std::make_shared<FunctionSink>([](LogLevel, std::string_view) { throw Error("sink", "full."); });
  Log::add(broken, LogLevel::info);
  EXPECT_NO_THROW(Log::info("a message"));
  Log::remove(broken);
  expectError([] { Log::add(nullptr); }, {"null"});
}

TEST(Log, LevelsHaveNames) {
  EXPECT_EQ(logLevelNamed("debug"), LogLevel::debug);
  EXPECT_EQ(toString(LogLevel::warning), "warning");
  expectError([] { logLevelNamed("loud"); }, {"'loud'", "info"});
}

TEST(Progress, WritesALineForEachTenthOfTheRun) {
  Collected log(LogLevel::info);
  BouncingBall ball(1., 0., 0.9, 1.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-5), MoreauJeanOSI(), LCP());
  simulation.addObserver(std::make_shared<ProgressObserver>("ball"));
  simulation.run();
  EXPECT_EQ(linesWith(log.lines, "ball: begins at t = 0 with TimeStepping, 100000 steps to T = 1"), 1U);
  for (const char* part : {"ball: 10 %", "ball: 50 %", "ball: 90 %"}) EXPECT_EQ(linesWith(log.lines, part), 1U) << part;
  EXPECT_EQ(linesWith(log.lines, "so far"), 9U);
  EXPECT_EQ(linesWith(log.lines, "ball: completed at t = 1, step 100000 of 100000"), 1U);
  EXPECT_EQ(linesWith(log.lines, "100000 Newton iterations"), 1U);
}

TEST(Progress, DrawsABarOnlyIfItIsToAndTakesItAway) {
  const auto run = [](ProgressOptions::Bar bar, std::size_t columns = 160) {
    BouncingBall ball(1., 0., 0.9, 0.2);
    TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
    ProgressOptions options;
    options.bar = bar;
    options.columns = columns;
    options.firstAfter = 0.;
    options.updatesPerSecond = 1e3;
    simulation.addObserver(std::make_shared<ProgressObserver>("ball", options));
    testing::internal::CaptureStderr();
    simulation.run([] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
    return testing::internal::GetCapturedStderr();
  };
  // Standard error is no terminal here.
  EXPECT_EQ(run(ProgressOptions::Bar::interactive), "");
  const std::string drawn = run(ProgressOptions::Bar::always);
  EXPECT_NE(drawn.find("\r\033[Kball [#"), std::string::npos) << drawn;
  EXPECT_NE(drawn.find(" left; "), std::string::npos) << drawn;
  // On a narrow terminal the bar gives way to the statistics, and nothing wraps.
  const std::string narrow = run(ProgressOptions::Bar::always, 75);
  EXPECT_EQ(narrow.find('#'), std::string::npos) << narrow;
  EXPECT_NE(narrow.find(" left; 0 rows, Newton 1, solver 0, error 0"), std::string::npos) << narrow;
  const std::string line = narrow.substr(0, narrow.find("\r", 1));
  EXPECT_LE(line.size(), 74U + std::string("\r\033[K").size()) << line;
  // The summary stands where the bar was.
  EXPECT_NE(drawn.find("\r\033[Kball: completed"), std::string::npos) << drawn;
}

TEST(Progress, MovesWithinALongStepOfAnEventDrivenRun) {
  if constexpr (!withSundials) GTEST_SKIP() << "built without SUNDIALS";
  // A hundred oscillations from one output to the next.
  NonSmoothDynamicalSystem model(0., 200. * 3.14159);
  const auto mass = model.insert(
      "mass", std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({0.}), identityMatrix(1)));
  mass->setStiffness(identityMatrix(1));
  EventDriven simulation(model, TimeDiscretisation(0., 200. * 3.14159));
  ProgressOptions options;
  options.bar = ProgressOptions::Bar::always;
  options.columns = 160;
  options.firstAfter = 0.;
  options.updatesPerSecond = 1e6;
  simulation.addObserver(std::make_shared<ProgressObserver>("mass", options));
  testing::internal::CaptureStderr();
  simulation.run();
  const std::string drawn = testing::internal::GetCapturedStderr();
  for (const char* part : {" 25 %, t = 1", " 50 %, t = 3", " 75 %, t = 4"}) {
    EXPECT_NE(drawn.find(part), std::string::npos) << part << '\n' << drawn;
  }
}

TEST(Progress, EstimatesTheRateOfSteps) {
  BouncingBall ball(1., 0., 0.9, 0.1);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  const auto progress = std::make_shared<ProgressObserver>("ball");
  simulation.addObserver(progress);
  EXPECT_EQ(progress->rate(), 0.);
  simulation.run([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  // A loaded machine may sleep longer, never shorter.
  EXPECT_GT(progress->rate(), 0.);
  EXPECT_LE(progress->rate(), 501.);
  EXPECT_NE(progress->line(simulation).find("100 %, t = 0.1"), std::string::npos);
  ProgressOptions wrong;
  wrong.logEverySeconds = 0.;
  expectError([&] { ProgressObserver("ball", wrong); }, {"positive"});
}

TEST(Progress, EstimatesTheRateOfEachRunAnew) {
  BouncingBall ball(1., 0., 0.9, 0.1);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  const auto progress = std::make_shared<ProgressObserver>("ball");
  simulation.addObserver(progress);
  simulation.run([&] {
    // Longer than between two looks at the clock.
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    if (simulation.stepIndex() == 3) simulation.stop();
  });
  ASSERT_GT(progress->rate(), 0.);
  simulation.run([&] {
    if (simulation.stepIndex() > 4) return;
    EXPECT_EQ(progress->rate(), 0.);
  });
  EXPECT_FALSE(simulation.hasNextStep());
}

TEST(RunSummary, CountsWhatTheRunDidAndSharesItsTime) {
  BouncingBall ball(1., 0., 0.9, 2.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-4), MoreauJeanOSI(), LCP());
  simulation.run();
  const RunSummary run = RunSummary::of(simulation);
  EXPECT_EQ(run.steps, 20000U);
  EXPECT_EQ(run.counts.newtonIterations, 20000U);
  EXPECT_EQ(run.counts.solves, simulation.statistics().solves);
  EXPECT_GT(run.counts.solves, 0U);
  EXPECT_EQ(run.time, 2.);
  double sum = 0.;
  for (const RunSummary::PhaseTime& part : run.phaseTimes) sum += part.seconds;
  EXPECT_GT(run.wallTime, 0.);
  EXPECT_NEAR(sum, run.wallTime, 1e-9 * run.wallTime);
  EXPECT_GT(run.measuredSteps, 2U);
  const std::string text = run.text();
  for (const char* part : {"TimeStepping from t = 0 to 2\n", "20000 of 20000", "free state", "solver", "a step"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  EXPECT_EQ(text.find("failures"), std::string::npos);
  EXPECT_EQ(run.asSettings().list().front(), (Setting{"simulation", "TimeStepping"}));
}

TEST(RunSummary, DividesTheTimeByTheStepsOfThisProcess) {
  const auto make = [](BouncingBall& ball) {
    return std::make_unique<TimeStepping>(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  };
  const auto path = restartFolder() / "summary.checkpoint";
  BouncingBall first(1., 0., 0.9, 1.);
  const auto before = make(first);
  for (int k = 0; k < 90; ++k) before->step();
  saveCheckpoint(*before, path);
  BouncingBall second(1., 0., 0.9, 1.);
  const auto after = make(second);
  restoreCheckpoint(*after, path);
  EXPECT_EQ(RunSummary::of(*after).timedSteps, 0U);
  after->run([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  const RunSummary run = RunSummary::of(*after);
  EXPECT_EQ(run.steps, 100U);
  EXPECT_EQ(run.timedSteps, 10U);
  EXPECT_EQ(run.counts.newtonIterations, 100U);
  std::ostringstream expected;
  expected << std::setprecision(4) << run.wallTime << " s, " << run.wallTime / 10.
           << " s a step, of 10 steps in this process\n";
  EXPECT_NE(run.text().find(expected.str()), std::string::npos) << expected.str() << "in\n" << run.text();
  EXPECT_NE(RunSummary::of(*before).text().find(" s a step\n"), std::string::npos);
  std::filesystem::remove_all(restartFolder());
}

TEST(RunSummary, GivesTimeToThePhaseThatTakesIt) {
  BouncingBall ball(1., 0., 0.9, 0.1);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  simulation.run([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
  const PhaseClock& clock = simulation.phaseClock();
  // Steps of milliseconds are all measured.
  EXPECT_EQ(clock.measuredSteps(), 10U);
  EXPECT_GE(clock.wallTime(), 0.02);
  EXPECT_GT(clock.seconds(Phase::output), 0.5 * clock.wallTime());
  EXPECT_EQ(clock.seconds(Phase::projection), 0.);
}

TEST(RunSummary, MeasuresStepsOutsideOfRunsAndAfterExceptions) {
  BouncingBall ball(1., 0., 0.9, 1.);
  bool fails = false;
  ball.ball->setExternalForces([&](double, Vector& f) {
    if (fails) throw Error("force", "fails.");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    f(0) = -9.81;
  });
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), LCP());
  for (int k = 0; k < 5; ++k) simulation.step();
  fails = true;
  EXPECT_THROW(simulation.step(), Error);
  fails = false;
  for (int k = 0; k < 5; ++k) simulation.step();
  const PhaseClock& clock = simulation.phaseClock();
  EXPECT_EQ(clock.measuredSteps(), 10U);
  EXPECT_GE(clock.wallTime(), 0.009);
  EXPECT_GT(clock.seconds(Phase::freeState), 0.5 * clock.wallTime());
}

TEST(RunSummary, TellsRejectedStepsAndFailures) {
  // Three beads at rest: one sweep of Gauss–Seidel does not solve them, Lemke's method does.
  ColumnOfBeads column(3, ColumnOfBeads::radius, 2. * ColumnOfBeads::radius - 1e-10, 0., 1.);
  numerics::ProjectedGaussSeidelOptions lazy;
  lazy.maxIterations = 1;
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(),
                          LCP(ProjectedGaussSeidelSolver(lazy), LemkeSolver()));
  simulation.run();
  const RunSummary run = RunSummary::of(simulation);
  EXPECT_GE(run.counts.fallbacks, 1U);
  EXPECT_NE(run.text().find("solves recovered by a further solver"), std::string::npos) << run.text();

  ColumnOfBeads other(3, ColumnOfBeads::radius, 2. * ColumnOfBeads::radius - 1e-10, 0., 1.);
  TimeStepping failing(other.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(),
                       LCP(ProjectedGaussSeidelSolver(lazy)));
  EXPECT_THROW(failing.run(), Error);
  EXPECT_EQ(RunSummary::of(failing).counts.rejectedSteps, 1U);
  EXPECT_NE(RunSummary::of(failing).text().find("1 steps rejected"), std::string::npos);
}

TEST(RunSummary, OfAnEventDrivenRunHasEventsAndImpacts) {
  BouncingBall ball(1., 0., 0.5, 1.);
  EventDriven simulation(ball.model, TimeDiscretisation(0., 1e-2), LCP());
  simulation.run();
  const RunSummary run = RunSummary::of(simulation);
  EXPECT_GT(run.counts.impacts, 1U);
  EXPECT_EQ(run.counts.events, simulation.statistics().events);
  EXPECT_NE(run.text().find("impacts"), std::string::npos);
  EXPECT_EQ(run.counts.solves, run.counts.impacts);
  EXPECT_GE(run.counts.solverIterations, run.counts.impacts);
  EXPECT_NE(run.text().find("problems solved"), std::string::npos);
  EXPECT_GT(simulation.phaseClock().seconds(Phase::integration), 0.);
  EXPECT_NE(simulation.statusLine().find("events"), std::string::npos);
}

}  // namespace
