// SPDX-License-Identifier: Apache-2.0
//
// A simulation from outside the library: the class of docs/how-to/own-simulation.md, line by line, and what that page
// says of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <delassus/delassus.hpp>
#include <memory>
#include <numbers>
#include <string>
#include <string_view>
#include <support/Restart.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;

/// Reaches each instant t0 + k H by steps of H, H/2, H/4, …: one step is compared with two of half its size, and where
/// configurations differ by more than a tolerance, each half is treated alike.
class StepDoubling final : public Simulation {
 public:
  struct Options {
    double tolerance = 1e-5;         ///< on configurations, of a step
    double smallest = 1e-5;          ///< no step is made smaller, whatever the difference: impacts
    double newtonTolerance = 1e-10;  ///< see StepResidual
  };

  template <std::derived_from<OneStepIntegrator> Scheme>
  StepDoubling(NonSmoothDynamicalSystem& model, double H, Scheme scheme, Options options)
      : Simulation(model), H_(H), options_(options), scheme_(std::make_unique<Scheme>(std::move(scheme))) {
    if (!(options.tolerance > 0. && options.smallest > 0. && H > 0. && std::isfinite(H))) {
      throw Error("StepDoubling", "H, the tolerance and the smallest step must be positive.");
    }
    steps_ = TimeDiscretisation(model.t0(), H).stepsUntil(model.T());
    problem_.setClock(&clock());
  }

  std::string_view className() const override { return "StepDoubling"; }
  void initialise() override;
  std::string method() const override;
  std::string summary() const override;
  RunCounts counts() const override { return counts_; }
  Settings settings() const override;
  void stepNumbers(std::vector<StepNumber>& numbers) const override;
  bool hasInstant(std::size_t index, double time) const override;

  std::size_t accepted() const { return accepted_; }  ///< steps that are part of the motion
  std::size_t made() const { return made_; }          ///< all, those of comparisons too
  double shortest() const { return shortest_; }       ///< step of the motion between the last two instants

 private:
  void computeStep() override;
  void serializeLinks(StateArchive& archive) override;
  void serializeOwnState(StateArchive& archive) override;

  /// t_k, the last of them T.
  double instant(std::size_t k) const { return k < steps_ ? model_.t0() + static_cast<double>(k) * H_ : model_.T(); }
  void cover(double begin, double end);
  bool tryStep(double begin, double end);
  bool tryHalves(double begin, double end);
  Vector configurations() const;
  double penetration() const;
  MemoryArchive::Bytes save();
  void goBack(const MemoryArchive::Bytes& bytes);

  double H_;
  Options options_;
  std::unique_ptr<OneStepIntegrator> scheme_;
  ProblemByLaws problem_;
  MadeFrom<std::uint64_t> boundTo_;  // Topology::version
  std::size_t accepted_ = 0, made_ = 0;
  double shortest_ = 0.;
  RunCounts counts_;
};

void StepDoubling::initialise() {
  const std::uint64_t version = model_.topology().version();
  if (boundTo_.isCurrent(version)) return;
  if (scheme_->needsInitialMultipliers()) throw Error("StepDoubling", "it takes schemes for mechanical systems.");
  scheme_->bind(model_, time_);
  problem_.bind(model_, scheme_->equations());
  boundTo_.take(version);
}

void StepDoubling::computeStep() {
  if (!hasNextStep()) throw Error("StepDoubling", "there is no step after T = " + toText(model_.T()) + '.');
  initialise();
  const MemoryArchive::Bytes before = save();
  shortest_ = H_;
  try {
    cover(time_, instant(stepIndex_ + 1));
  } catch (...) {
    goBack(before);
    throw;
  }
  ++stepIndex_;
}

void StepDoubling::cover(double begin, double end) {
  const double half = 0.5 * (end - begin);
  const bool mayHalve = half >= options_.smallest;
  if (!mayHalve) {
    if (!tryStep(begin, end)) throw Error("StepDoubling", "the smallest step, at t = " + toText(begin) + ", fails.");
    ++accepted_;
    shortest_ = std::min(shortest_, end - begin);
    return;
  }
  const MemoryArchive::Bytes before = save();
  const double deepest = penetration();
  if (tryStep(begin, end)) {
    const Vector whole = configurations();
    goBack(before);
    if (tryHalves(begin, end)) {
      double difference = 0.;
      const Vector halves = configurations();
      for (std::size_t i = 0; i < whole.size(); ++i) difference = std::max(difference, std::abs(halves(i) - whole(i)));
      // Both may have missed a contact.
      difference = std::max(difference, penetration() - deepest);
      if (difference <= options_.tolerance) {
        accepted_ += 2;
        shortest_ = std::min(shortest_, half);
        return;
      }
    }
  }
  goBack(before);
  cover(begin, begin + half);
  cover(begin + half, end);
}

bool StepDoubling::tryHalves(double begin, double end) {
  const double middle = begin + 0.5 * (end - begin);
  return tryStep(begin, middle) && tryStep(middle, end);
}

// False, with the model as it was, if Newton's method or the solver of the one-step problem do not get there.
bool StepDoubling::tryStep(double begin, double end) {
  constexpr int passes = 20;
  ++made_;
  clock().enter(Phase::freeState);
  scheme_->beginStep({begin, end, end - begin});
  for (int pass = 1;; ++pass) {
    ++counts_.newtonIterations;
    scheme_->computeFreeState();
    clock().enter(Phase::solve);
    const numerics::SolveReport report = problem_.solve(scheme_->equations());
    clock().enter(Phase::update);
    if (problem_.size() > 0) ++counts_.solves;
    counts_.solverIterations += report.iterations;
    if (!report.converged()) return false;
    scheme_->updateState();
    if (scheme_->isLinear()) break;
    // Multipliers are known to the error of the problem only.
    if (scheme_->residual().largest() <= std::max(options_.newtonTolerance, 10. * report.error)) break;
    if (pass == passes) return false;
    clock().enter(Phase::freeState);
  }
  scheme_->prepareAccept();
  scheme_->accept();
  time_ = end;
  return true;
}

Vector StepDoubling::configurations() const {
  Vector all;
  for (const auto& system : model_.topology().systems()) append(system->secondOrder()->q(), all);
  return all;
}

// The largest of all contacts; 0 if none is closed.
double StepDoubling::penetration() const {
  double deepest = 0.;
  for (const auto& interaction : model_.topology().interactions()) {
    if (!interaction->law().actsOnVelocities()) continue;
    // The first row of a law of contact is the gap.
    const std::size_t rows = interaction->law().size();
    for (std::size_t i = 0; i < interaction->size(); i += rows) deepest = std::max(deepest, -interaction->y(0)(i));
  }
  return deepest;
}

MemoryArchive::Bytes StepDoubling::save() {
  MemoryArchive archive;
  serializeState(archive);
  return archive.bytes();
}

// The work that was done remains counted.
void StepDoubling::goBack(const MemoryArchive::Bytes& bytes) {
  const std::size_t made = made_;
  const RunCounts counts = counts_;
  MemoryArchive archive(bytes);
  serializeState(archive);
  made_ = made;
  counts_ = counts;
}

void StepDoubling::serializeLinks(StateArchive& archive) {
  if (archive.restores()) initialise();
}

void StepDoubling::serializeOwnState(StateArchive& archive) {
  archive.value("accepted", accepted_);
  archive.value("made", made_);
  archive.value("shortest", shortest_);
  archive.value("newtonIterations", counts_.newtonIterations);
  archive.value("solves", counts_.solves);
  archive.value("solverIterations", counts_.solverIterations);
  scheme_->serializeState(archive);
  problem_.serializeState(archive);
  problem_.serializeCounts(archive);
}

std::string StepDoubling::method() const {
  return std::string(scheme_->name()) + " and " + std::string(problem_.name());
}

std::string StepDoubling::summary() const {
  return method() + ": " + std::to_string(accepted_) + " steps between " + std::to_string(stepIndex_) +
         " instants, of " + std::to_string(made_) + " that were made.";
}

Settings StepDoubling::settings() const {
  Settings settings;
  settings.add("H", H_);
  settings.add("tolerance", options_.tolerance);
  settings.add("smallest", options_.smallest);
  settings.add("newtonTolerance", options_.newtonTolerance);
  settings.add("integrator", scheme_->name());
  settings.add("integrator", scheme_->settings());
  settings.add("problem", problem_.className());
  settings.add("problem", problem_.settings());
  return settings;
}

void StepDoubling::stepNumbers(std::vector<StepNumber>& numbers) const {
  numbers.push_back({"shortest", "s", "shortest step since the last instant", false, shortest_});
}

bool StepDoubling::hasInstant(std::size_t index, double time) const {
  return index <= steps_ && std::abs(time - instant(index)) <= 1e-9 * H_;
}

constexpr double g = 9.81;

// A comet about a sun at the origin: from aphelion, at a distance of 1 with the speed v, on an ellipse.
struct Comet {
  std::shared_ptr<LagrangianDS> comet;
  NonSmoothDynamicalSystem model;
  double a, period;

  explicit Comet(double v, double periods = 1.)
      : comet(std::make_shared<LagrangianDS>(makeVector({1., 0.}), makeVector({0., v}), diagonalMatrix({1., 1.}))),
        model(0., periods * periodOf(v)),
        a(1. / (2. - v * v)),
        period(periodOf(v)) {
    comet->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& force) {
      const auto r2 = q(0) * q(0) + q(1) * q(1);
      const auto r3 = r2 * sqrt(r2);
      force(0) = q(0) / r3;
      force(1) = q(1) / r3;
    }));
    model.insert("comet", comet);
  }
  static double periodOf(double v) { return 2. * std::numbers::pi * std::pow(1. / (2. - v * v), 1.5); }
};

TEST(OwnSimulation, MakesSmallStepsWhereTheMotionTurnsFast) {
  Comet comet(0.3);
  StepDoubling simulation(comet.model, comet.period / 64., MoreauJeanOSI(), {.tolerance = 1e-6, .smallest = 1e-9});
  std::vector<double> sizes;
  simulation.run([&] { sizes.push_back(simulation.shortest()); });
  ASSERT_EQ(sizes.size(), 64U);
  // Half a period from the aphelion.
  EXPECT_GE(sizes.front(), 32. * sizes[31]);
  EXPECT_GE(sizes.back(), 32. * sizes[31]);
  EXPECT_EQ(simulation.time(), comet.model.T());
}

TEST(OwnSimulation, TheErrorFollowsTheTolerance) {
  double before = 1.;
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    Comet comet(0.3);
    StepDoubling simulation(comet.model, comet.period / 16., MoreauJeanOSI(),
                            {.tolerance = tolerance, .smallest = 1e-12});
    simulation.run();
    const double error = std::hypot(comet.comet->q()(0) - 1., comet.comet->q()(1));
    // The order 2 of the scheme leaves tolerance^(2/3).
    EXPECT_LE(error, 0.1 * before) << "tolerance " << tolerance;
    before = error;
    // Steps of one size, as many as were made, are worse.
    Comet uniform(0.3);
    TimeStepping reference(uniform.model, uniform.period / static_cast<double>(simulation.made()), MoreauJeanOSI());
    reference.run();
    EXPECT_LE(2. * error, std::hypot(uniform.comet->q()(0) - 1., uniform.comet->q()(1))) << "tolerance " << tolerance;
  }
}

struct Ball {
  std::shared_ptr<LagrangianLinearTIDS> ball;
  std::shared_ptr<Interaction> floor;
  NonSmoothDynamicalSystem model;

  Ball(double height, double restitution, double T)
      : ball(std::make_shared<LagrangianLinearTIDS>(makeVector({height}), makeVector({0.}), makeMatrix({{1.}}))),
        floor(std::make_shared<Interaction>(NewtonImpactNSL(restitution), LagrangianLinearTIR(makeMatrix({{1.}})))),
        model(0., T) {
    ball->setExternalForces(makeVector({-g}));
    model.insert("ball", ball);
    model.link(floor, ball);
  }
};

TEST(OwnSimulation, FindsImpactsToItsTolerance) {
  const double e = 0.8, T = 0.7, fall = std::sqrt(2. / g), up = e * g * fall;
  const double exact = up * (T - fall) - 0.5 * g * (T - fall) * (T - fall);
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    Ball ball(1., e, T);
    StepDoubling simulation(ball.model, 0.05, MoreauJeanOSI(), {.tolerance = tolerance, .smallest = 1e-10});
    double lowest = 0.;
    simulation.run([&] { lowest = std::min(lowest, ball.ball->q()(0)); });
    EXPECT_LE(std::abs(ball.ball->q()(0) - exact), 10. * tolerance) << "tolerance " << tolerance;
    EXPECT_GE(lowest, -3. * tolerance) << "tolerance " << tolerance;
    // Flight is exact: what is small is small about the impact alone.
    EXPECT_LE(simulation.made(), 400U) << "tolerance " << tolerance;
  }
}

TEST(OwnSimulation, MakesNoStepSmallerThanTheSmallest) {
  Ball ball(0.1, 0.5, 2.);
  StepDoubling simulation(ball.model, 0.064, MoreauJeanOSI(), {.tolerance = 1e-15, .smallest = 0.001});
  simulation.run([&] { EXPECT_GE(simulation.shortest(), 0.0009999); });
  // At rest.
  EXPECT_NEAR(ball.ball->velocity()(0), 0., 1e-10);
  EXPECT_LE(std::abs(ball.ball->q()(0)), 0.002);
}

TEST(OwnSimulation, HasInstantsObserversAndASummary) {
  Ball ball(1., 0.5, 1.03);
  StepDoubling simulation(ball.model, 0.1, MoreauJeanOSI(), {});
  std::vector<double> times;
  simulation.run([&] { times.push_back(simulation.time()); });
  ASSERT_EQ(times.size(), 11U);
  EXPECT_NEAR(times[2], 0.3, 1e-15);
  EXPECT_EQ(times.back(), 1.03);
  EXPECT_FALSE(simulation.hasNextStep());
  EXPECT_THROW(simulation.step(), Error);
  EXPECT_NE(simulation.summary().find("MoreauJeanOSI"), std::string::npos) << simulation.summary();
  EXPECT_GT(simulation.made(), simulation.accepted());
}

TEST(OwnSimulation, AFailureLeavesTheStateOfTheLastInstant) {
  auto mass = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({1.}), makeMatrix({{1.}}));
  mass->setExternalForces([](double t, Vector& force) { force(0) = t > 0.52 ? std::nan("") : 0.; });
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert("mass", mass);
  StepDoubling simulation(model, 0.1, MoreauJeanOSI(), {});
  EXPECT_THROW(simulation.run(), Error);
  EXPECT_EQ(simulation.stepIndex(), 5U);
  EXPECT_NEAR(simulation.time(), 0.5, 1e-15);
  EXPECT_NEAR(mass->q()(0), 0.5, 1e-14);
}

TEST(OwnSimulation, RestartsToTheBit) {
  test::expectSameAfterRestart("ball", [] {
    auto model = std::make_shared<Ball>(0.3, 0.5, 1.5);
    auto simulation = std::make_shared<StepDoubling>(model->model, 0.05, MoreauJeanOSI(), StepDoubling::Options{});
    return test::restartRun(model, simulation);
  });
  test::expectSameAfterRestart("comet", [] {
    auto model = std::make_shared<Comet>(0.6);
    auto simulation =
        std::make_shared<StepDoubling>(model->model, model->period / 16., MoreauJeanOSI(), StepDoubling::Options{});
    return test::restartRun(model, simulation);
  });
}

}  // namespace
