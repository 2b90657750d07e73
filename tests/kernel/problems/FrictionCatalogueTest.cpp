// SPDX-License-Identifier: Apache-2.0
//
// FrictionContact with each solver of the catalogue of the numerics library.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/contacts/Disk.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <support/Matchers.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;
using numerics::FrictionContactProblem;
using numerics::SolverEntry;
using numerics::SolverOverSets;

constexpr double radius = 0.1;
constexpr double g = 9.81;
constexpr double mu = 0.3;

// A ball, or a disk about z, thrown with spin into the corner of a floor and a wall: it bounces, slides, hits the wall
// while it slides and rolls in the end. Up is y.
struct Corner {
  explicit Corner(std::size_t dimension) {
    const bool planar = dimension == 2;
    const Matrix inertia =
        planar ? NewtonEulerDS::cylinderInertia(1., radius, 0.02) : NewtonEulerDS::ballInertia(1., radius);
    const Vector twist = planar ? makeVector({3., -1., 0., 0., 0., 40.}) : makeVector({3., -1., 0.4, 3., -2., 40.});
    body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0.12, 0.}), twist, 1., inertia);
    body->setExternalForces(makeVector({0., -g, 0.}));
    model.insert(body);
    for (const Plane& plane : {Plane::through({}, {0., 1., 0.}), Plane::through({0.9, 0., 0.}, {-1., 0., 0.})}) {
      const NewtonImpactFrictionNSL law(0.5, 0., mu, dimension);
      contacts.push_back(planar ? std::make_shared<Interaction>(law, NewtonEuler2DR(DiskPlane(radius, plane)))
                                : std::make_shared<Interaction>(law, NewtonEuler3DR(SpherePlane(radius, plane))));
      model.link(contacts.back(), body);
    }
  }

  NonSmoothDynamicalSystem model{0., 1.};
  std::shared_ptr<NewtonEulerDS> body;
  std::vector<std::shared_ptr<Interaction>> contacts;
};

struct Course {
  std::vector<Vector> velocities;  // after each step
  std::vector<bool> slides;        // an impulse on the boundary of its cone
  std::vector<bool> sticks;        // one within
  std::size_t contactsAtOnce = 0;
};

double tangentialNorm(const Vector& p) {
  return p.size() == 2 ? std::abs(p(1)) : std::hypot(p(1), p(2));
}

// Nothing if the solver does not take problems of this kind.
template <class Problem>
std::optional<Course> courseOf(std::size_t dimension, Problem problem) {
  Corner corner(dimension);
  TimeStepping simulation(corner.model, TimeDiscretisation(0., 4e-3), MoreauJeanOSI(), std::move(problem));
  bool unsupported = false;
  simulation.setFailurePolicy([&](const StepReport& report, const TimeStepping&) {
    unsupported = report.solve.status == SolveStatus::unsupported;
    return unsupported ? FailureAction::accept : FailureAction::raise;
  });
  Course course;
  while (simulation.hasNextStep()) {
    simulation.step();
    if (unsupported) return {};
    course.velocities.push_back(corner.body->velocity());
    std::size_t acting = 0;
    bool slides = false, sticks = false;
    for (const auto& contact : corner.contacts) {
      const Vector& p = contact->lambda(1);
      if (p(0) < 1e-6) continue;
      ++acting;
      const bool onBoundary = tangentialNorm(p) > 0.999 * mu * p(0);
      slides = slides || onBoundary;
      sticks = sticks || !onBoundary;
    }
    course.slides.push_back(slides);
    course.sticks.push_back(sticks);
    course.contactsAtOnce = std::max(course.contactsAtOnce, acting);
  }
  return course;
}

FrictionContact problemWith(std::size_t dimension, const SolverEntry<numerics::RootOf<FrictionContactProblem>>& entry) {
  // Local projections are slow; all others are far from this many iterations.
  std::vector<std::unique_ptr<SolverOverSets>> chosen;
  chosen.push_back(entry.make({1e-8, 100000}));
  return FrictionContact(dimension, std::move(chosen));
}

class FrictionCatalogue : public testing::TestWithParam<std::size_t> {};

TEST_P(FrictionCatalogue, EverySolverGivesTheMotionOfTheDefault) {
  const std::size_t dimension = GetParam();
  const Course expected = courseOf(dimension, FrictionContact(dimension)).value();
  EXPECT_EQ(expected.contactsAtOnce, 2U);
  EXPECT_GT(std::count(expected.slides.begin(), expected.slides.end(), true), 10);
  EXPECT_GT(std::count(expected.sticks.begin(), expected.sticks.end(), true), 10);
  std::set<std::string> skipped;
  for (const auto& entry : numerics::solversFor<FrictionContactProblem>()) {
    SCOPED_TRACE(entry.name);
    // That is for problems in which friction does not act or that have no solution.
    if (entry.name == "frictionless") continue;
    std::optional<Course> course;
    EXPECT_NO_THROW(course = courseOf(dimension, problemWith(dimension, entry)));
    if (!course) {
      skipped.insert(std::string(entry.name));
      continue;
    }
    ASSERT_EQ(course->velocities.size(), expected.velocities.size());
    // Both are certified to 1e-8 of some m/s in each of 250 steps, and a spin is ten times the speed of the rim.
    for (std::size_t k = 0; k < expected.velocities.size() && !HasFailure(); ++k) {
      expectNear(course->velocities[k], expected.velocities[k], 1e-5);
    }
  }
  const std::set<std::string> planarOnly{"lemke_2d"};
  EXPECT_EQ(skipped, dimension == 2 ? std::set<std::string>{} : planarOnly);
}

INSTANTIATE_TEST_SUITE_P(TwoAndThree, FrictionCatalogue, testing::Values(2, 3));

// Newton's loop is to end with methods that come close to an answer but not to rounding.
TEST(GlobalFrictionContact, TakesAlternatingDirectionsWithinNewtonsLoop) {
  const Course local = courseOf(3, FrictionContact(3)).value();
  const Course global = courseOf(3, GlobalFrictionContact(3, numerics::AdmmSolver())).value();
  ASSERT_EQ(global.velocities.size(), local.velocities.size());
  for (std::size_t k = 0; k < local.velocities.size() && !HasFailure(); ++k) {
    expectNear(global.velocities[k], local.velocities[k], 1e-6);
  }
}

TEST(FrictionContact, TriesTheSolversOfAVectorInTurn) {
  // The first does not take three dimensions, and the second does.
  std::vector<std::unique_ptr<SolverOverSets>> chosen;
  for (const auto& entry : numerics::solversFor<FrictionContactProblem>()) {
    if (entry.name == "nsgs" || entry.name == "lemke_2d") chosen.push_back(entry.make({}));
  }
  ASSERT_EQ(chosen.size(), 2U);
  std::swap(chosen[0], chosen[1]);
  EXPECT_TRUE(courseOf(3, FrictionContact(3, std::move(chosen))));
}

TEST(FrictionContact, RefusesAVectorWithoutSolvers) {
  using Solvers = std::vector<std::unique_ptr<SolverOverSets>>;
  expectError([] { FrictionContact(3, Solvers()); }, {"FrictionContact", "solvers is empty"});
  expectError([] { FrictionContact(3, Solvers(1)); }, {"FrictionContact", "solver 0", "null"});
  expectError([] { FrictionContact(4, numerics::AdmmSolver()); }, {"FrictionContact", "2 or 3", "4"});
}

}  // namespace
