// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <delassus/kernel/contacts/Disk.hpp>
#include <delassus/kernel/contacts/MovingPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/joints/SphericalJointR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <memory>
#include <support/Restart.hpp>
#include <vector>

// Positions of contacts under ContactRule::kept, over many steps: what a certificate of a step does not see.
namespace delassus::test {
namespace {

constexpr double g = 9.81;

/// Masses on a line above a floor, each with a gap to the one below.
struct Column {
  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> bodies;
  std::vector<std::shared_ptr<Interaction>> contacts;

  Column(std::size_t n, double gap, double e, double mass, double weight, double end) : model(0., end) {
    for (std::size_t i = 0; i < n; ++i) {
      const double q = gap * static_cast<double>(i + 1);
      bodies.push_back(std::make_shared<LagrangianLinearTIDS>(makeVector({q}), Vector(1), makeMatrix({{mass}})));
      bodies.back()->setExternalForces(makeVector({-weight}));
      model.insert(bodies.back());
    }
    contacts.push_back(model.link("floor", NewtonImpactNSL(e), LagrangianLinearTIR(makeMatrix({{1.}})), bodies[0]));
    for (std::size_t i = 1; i < n; ++i) {
      contacts.push_back(model.link("contact " + std::to_string(i), NewtonImpactNSL(e),
                                    LagrangianLinearTIR(makeMatrix({{-1., 1.}})), bodies[i - 1], bodies[i]));
    }
  }
  double deepest() const {
    double smallest = 0.;
    for (const auto& contact : contacts) smallest = std::min(smallest, contact->y(0)(0));
    return -smallest;
  }
};

TEST(MoreauJeanPositions, KeepALoadedContactWhoseGapIsRounding) {
  constexpr double load = 1000., mass = 0.2, h = 2e-3;  // in a free step it would fall by F h²/(2m) = 1 cm
  Column press(1, 1e-11, 0., mass, load, 1.);
  TimeStepping simulation(press.model, TimeDiscretisation(0., h), MoreauJeanOSI());
  double leastImpulse = load * h;
  simulation.run([&] { leastImpulse = std::min(leastImpulse, press.contacts[0]->lambda(1)(0)); });
  // The gap is closed in the first steps, which takes 1e-11 m of the fall.
  EXPECT_NEAR(leastImpulse, load * h, 1e-6 * load * h);
  EXPECT_NEAR(press.bodies[0]->q()(0), 0., 1e-14);
  EXPECT_EQ(simulation.statistics().motion.lostLoads, 0u);
}

TEST(MoreauJeanPositions, LoseItByThePureScheme) {
  Column press(1, 1e-11, 0., 0.2, 1000., 0.1);
  TimeStepping simulation(press.model, TimeDiscretisation(0., 2e-3), MoreauJeanOSI::pure());
  simulation.run();
  EXPECT_LT(press.bodies[0]->q()(0), -5e-3);
}

TEST(MoreauJeanPositions, HoldAColumnPlacedFaceOnFace) {
  for (const double gap : {0., 1e-12, -1e-12, 1e-9}) {
    Column column(20, gap, 0., 1., g, 0.5);
    TimeStepping simulation(column.model, TimeDiscretisation(0., 5e-3), MoreauJeanOSI());
    simulation.run();
    EXPECT_NEAR(column.bodies.back()->q()(0), 0., std::abs(gap) * 20. + 1e-12) << gap;
  }
}

// Each body lands on bodies that are still moving: the depth is that of forces in a step, g h², and is taken back.
TEST(MoreauJeanPositions, LetAColumnFallTogetherWithoutKeepingDepth) {
  for (const double h : {1e-2, 5e-3, 1e-3}) {
    Column column(10, 1e-3, 0., 1., g, 1.5);
    TimeStepping simulation(column.model, TimeDiscretisation(0., h), MoreauJeanOSI());
    double deepest = 0.;
    simulation.run([&] { deepest = std::max(deepest, column.deepest()); });
    EXPECT_LE(deepest, 10. * g * h * h) << h;
    EXPECT_LE(column.deepest(), 1e-9) << h;
  }
}

TEST(MoreauJeanPositions, LeaveNoDepthAfterAnImpactAndNeverRaiseTheEnergy) {
  for (const double e : {0., 0.3, 0.5, 0.9, 1.}) {
    for (const double h : {1. / 60., 5e-3, 1e-3}) {
      Column ball(1, 0.5, e, 1., g, 2.);
      TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI());
      double deepest = 0., last = g * 0.5, rise = 0.;
      simulation.run([&] {
        const double v = ball.bodies[0]->velocity()(0);
        const double energy = 0.5 * v * v + g * ball.bodies[0]->q()(0);
        rise = std::max(rise, energy - last);
        last = energy;
        deepest = std::max(deepest, ball.deepest());
      });
      EXPECT_LE(deepest, 1e-14) << e << ' ' << h;
      // Where forces turn a slow ball within a step, by less than they could give it.
      EXPECT_LE(rise, e > 0. && e < 1. ? 0.25 * g * g * h * h : 1e-13) << e << ' ' << h;
      // The motion of a perfect ball is that of the energy with which it began.
      if (e == 1.) {
        EXPECT_NEAR(last, g * 0.5, 1e-11);
      }
    }
  }
}

TEST(MoreauJeanPositions, ReboundToTheSquareOfTheRestitutionWithinTheOrderOfTheStep) {
  for (const double h : {8e-3, 4e-3, 2e-3, 1e-3}) {
    Column ball(1, 0.5, 0.5, 1., g, 0.65);  // past the first rebound
    TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI());
    double peak = 0.;
    simulation.run([&] {
      if (simulation.time() > 0.35) peak = std::max(peak, ball.bodies[0]->q()(0));
    });
    // The instant of the impact is off by up to h, and with it the speed by g h: 2 e² h/0.32 of the height, and a step.
    EXPECT_NEAR(peak / 0.5, 0.25, 4. * h) << h;
  }
}

/// The first of three masses strikes the second, which touches the third but for rounding.
struct ThreeInLine {
  NonSmoothDynamicalSystem model{0., 0.1};
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> masses;

  ThreeInLine() {
    const double places[] = {0., 0.02, 0.02 + 1e-11};
    for (std::size_t i = 0; i < 3; ++i) {
      masses.push_back(std::make_shared<LagrangianLinearTIDS>(makeVector({places[i]}), makeVector({i == 0 ? 3. : 0.}),
                                                              makeMatrix({{1.}})));
      model.insert(masses.back());
    }
    for (std::size_t i = 1; i < 3; ++i) {
      model.link("contact " + std::to_string(i), NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{-1., 1.}})),
                 masses[i - 1], masses[i]);
    }
  }
};

TEST(MoreauJeanPositions, PassAnImpactOnToContactsThatItCloses) {
  ThreeInLine line;
  TimeStepping simulation(line.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI());
  simulation.run();
  for (const auto& mass : line.masses) EXPECT_NEAR(mass->velocity()(0), 1., 1e-12);
  EXPECT_GE(line.masses[2]->q()(0) - line.masses[1]->q()(0), -1e-15);
  EXPECT_EQ(simulation.statistics().repetitions, 1u);
}

// The second attempt expects of the whole row what closed the first contact that was missed.
TEST(MoreauJeanPositions, FindAllContactsThatAnImpactClosesInFewAttempts) {
  constexpr std::size_t n = 40;
  NonSmoothDynamicalSystem model(0., 0.1);
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> masses;
  double place = 0.;
  for (std::size_t i = 0; i < n; ++i) {
    masses.push_back(std::make_shared<LagrangianLinearTIDS>(makeVector({place}), makeVector({i == 0 ? 3. : 0.}),
                                                            makeMatrix({{1.}})));
    place += 0.02 + 1e-9 * static_cast<double>(i % 7);
    model.insert(masses.back());
    if (i == 0) continue;
    model.link("contact " + std::to_string(i), NewtonImpactNSL(0.),
               LagrangianLinearTIR(makeMatrix({{-1., 1.}}), makeVector({-0.02})), masses[i - 1], masses[i]);
  }
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI());
  while (simulation.hasNextStep()) simulation.step();
  const double common = 3. / static_cast<double>(n);
  for (const auto& mass : masses) EXPECT_NEAR(mass->velocity()(0), common, 1e-12);
  for (std::size_t i = 1; i < n; ++i) {
    EXPECT_GE(masses[i]->q()(0) - masses[i - 1]->q()(0) - 0.02, -1e-15 * static_cast<double>(n));
  }
  EXPECT_GE(simulation.statistics().repetitions, 1u);
  EXPECT_LE(simulation.statistics().repetitions, 4u);
}

// A geometry may bring a point within a step (ContactGeometry::absent). How far it has come says nothing of others.
TEST(MoreauJeanPositions, ExpectNothingOfOthersWhereAPointAppears) {
  NonSmoothDynamicalSystem model(0., 0.1);
  const auto fall = std::make_shared<LagrangianLinearTIDS>(makeVector({0.2}), makeVector({-30.}), makeMatrix({{1.}}));
  const auto slow = std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), makeVector({-0.1}), makeMatrix({{1.}}));
  model.insert(fall);
  model.insert(slow);
  const auto appears = [](const auto& q, auto& y) {
    y(0) = q(0);
    if (q(0) > 0.1) y(0) = q(0) + ContactGeometry::absent;
  };
  model.link("appears", NewtonImpactNSL(0.), LagrangianScleronomousR(1, automatic(appears)), fall);
  const auto other = std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1.}})));
  model.link(other, slow);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI());
  simulation.step();
  EXPECT_EQ(simulation.statistics().repetitions, 1u);
  EXPECT_FALSE(other->isActive());
  simulation.step();
  EXPECT_FALSE(other->isActive());
}

/// Where each solve starts, and its answer.
struct Solve {
  Vector start, answer;
};

/// Notes all solves.
class NotingSolver final : public numerics::Solver<numerics::ProblemOverSets> {
 public:
  explicit NotingSolver(std::vector<Solve>& solves) : solves_(solves) {}
  std::string_view name() const override { return "NotingSolver"; }
  double tolerance() const override { return 1e-10; }

 private:
  Outcome compute(const numerics::ProblemOverSets& problem, Vector& unknown) override {
    const Vector start = unknown;
    const numerics::SolveReport report = solver_.solve(problem, unknown, w_);
    solves_.push_back({start, unknown});
    return {report.status, report.iterations, report.reason};
  }

  std::vector<Solve>& solves_;
  numerics::LemkeSolver solver_;
  Vector w_;
};

TEST(MoreauJeanPositions, BeginAStepThatIsMadeAgainWithItsLastAnswer) {
  ThreeInLine line;
  std::vector<Solve> solves;
  TimeStepping simulation(line.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP(NotingSolver(solves)));
  while (simulation.statistics().repetitions == 0 && simulation.hasNextStep()) simulation.step();
  ASSERT_GE(solves.size(), 2u);
  const Vector &first = solves[solves.size() - 2].answer, &again = solves.back().start;
  ASSERT_EQ(first.size(), 1u);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_GT(first(0), 1.);
  EXPECT_EQ(again(0), first(0));
  EXPECT_EQ(again(1), 0.);  // the contact that was missed carried nothing
}

TEST(MoreauJeanPositions, TakeADepthOfTheStartBackSlowly) {
  constexpr double h = 1e-3, depth = 1e-3;
  Column ball(1, -depth, 0., 1., g, 1.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., h), MoreauJeanOSI());
  double fastest = 0., highest = -depth;
  simulation.run([&] {
    fastest = std::max(fastest, ball.bodies[0]->velocity()(0));
    highest = std::max(highest, ball.bodies[0]->q()(0));
  });
  EXPECT_LE(fastest, g * h * (1. + 1e-12));
  EXPECT_LE(highest, 1e-15);
  EXPECT_NEAR(ball.bodies[0]->q()(0), 0., 1e-12);
}

/// A disk that rolls steadily, its centre at rest, on its edge: Ω² = 4 g/(r sin α) for a thin disk whose plane is
/// inclined by α. Returns how far the centre has moved after a second.
double wanderOfDisk(double h) {
  constexpr double r = 0.04, m = 1., alpha = 0.5;
  const double spin = std::sqrt(4. * g / (r * std::sin(alpha))) * std::sin(alpha);
  const double across = 0.25 * m * r * r;
  NonSmoothDynamicalSystem model(0., 1.);
  model.setGravity({0., 0., -g});
  const Vector start = NewtonEulerDS::at({0., 0., r * std::sin(alpha)}, rotations::exponential({alpha, 0., 0.}));
  const auto disk =
      std::make_shared<NewtonEulerDS>(start, makeVector({0., 0., 0., 0., spin, 0.}), m,
                                      makeMatrix({{across, 0., 0.}, {0., across, 0.}, {0., 0., 2. * across}}));
  model.insert("disk", disk);
  model.link("floor", NewtonImpactFrictionNSL(0., 0., 1.), NewtonEuler3DR(DiskPlane(r, Plane{}, {0., 0., 1.})), disk);
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI());
  double wander = 0.;
  simulation.run([&] {
    const Vector3 x = disk->position();
    wander = std::max({wander, std::abs(x[0]), std::abs(x[1]), std::abs(x[2] - r * std::sin(alpha))});
  });
  return wander;
}

TEST(MoreauJeanPositions, KeepASteadilyRollingDiskSteadyToSecondOrder) {
  const double coarse = wanderOfDisk(2e-3), fine = wanderOfDisk(1e-3);
  EXPECT_LE(fine, 5e-6);  // the pure scheme lets it sink by 1.7 cm
  EXPECT_NEAR(coarse / fine, 4., 1.);
}

// Two balls on a rod each, joined by a hinge of space, fall flat, one end first.
struct HingedBalls {
  static constexpr double r = 0.05, l = 0.1;
  NonSmoothDynamicalSystem model{0., 0.32};
  std::shared_ptr<NewtonEulerDS> low, high;
  std::shared_ptr<Interaction> joint;

  explicit HingedBalls(double e) {
    model.setGravity({0., 0., -g});
    low = add("low", 0., 0.4, e);
    high = add("high", 2. * l, 0.4 + 0.3 * l, e);
    joint = model.link("joint", EqualityConditionNSL(3),
                       SphericalJointR::at({l, 0., 0.4 + 0.15 * l}, low->q(), high->q()), low, high);
  }
  std::shared_ptr<NewtonEulerDS> add(const char* name, double x, double z, double e) {
    auto ball = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({x, 0., z}), Vector(6), 1.,
                                                NewtonEulerDS::ballInertia(1., r));
    model.insert(name, ball);
    model.link(std::string("floor of ") + name, NewtonImpactNSL(e), NewtonEuler1DR(SpherePlane(r, Plane{})), ball);
    return ball;
  }
};

// What the joint drifts in a step is of the order of the turn in it, (h ω)³, after an impact, too; half of its rate
// after the impact would be (h ω)².
TEST(MoreauJeanPositions, KeepJointsTogetherAfterImpacts) {
  const auto run = [](double h, double e) {
    HingedBalls balls(e);
    TimeStepping simulation(balls.model, TimeDiscretisation(0., h), MoreauJeanOSI());
    double before = 0., growth = 0., turn = 0.;
    simulation.run([&] {
      const double drift = normInf(balls.joint->y(0));
      growth = std::max(growth, drift - before);
      before = drift;
      for (const auto& ball : {balls.low, balls.high}) turn = std::max(turn, h * std::abs(ball->velocity()(4)));
    });
    EXPECT_GT(turn, 2. * h);
    return growth / (HingedBalls::l * turn * turn * turn);
  };
  // Here up to 1.8; half of the rates after the impact would be 4 to 17, the more the smaller h is.
  for (const double e : {0., 0.6}) {
    for (const double h : {4e-3, 2e-3, 1e-3}) EXPECT_LT(run(h, e), 2.5) << e << " " << h;
  }
}

TEST(MoreauJeanPositions, StartAgainToTheBitAfterImpactsOfJoints) {
  expectSameAfterRestart("balls", [] {
    const auto balls = std::make_shared<HingedBalls>(0.3);
    return restartRun(balls, std::make_shared<TimeStepping>(balls->model, TimeDiscretisation(0., 8e-3)));
  });
}

}  // namespace
}  // namespace delassus::test
