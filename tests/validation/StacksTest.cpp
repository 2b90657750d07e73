// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "BodiesWorld.hpp"

// Stacks, pyramids and houses of cards over thousands of steps, with all defaults (docs/stacks.md).

namespace delassus {
namespace {

using testing::creepAllowed;
using testing::Places;
using testing::RiseOfEnergy;
using testing::World;

constexpr double cube = 0.1;           // edge, m; with water's density 1 kg
constexpr double endOfStacks = 1000.;  // s, longer than any run
// Of heights, m: contacts hold them, so that only the last step counts. Its error is 1e-8 g h² √80 at most, for 80
// points, which comes to 4e-10 over twenty faces at h = 10 ms. At the top of the tower 4e-11 is seen.
constexpr double gapsOfFaces = 1e-9;

std::unique_ptr<TimeStepping> stepsOf(World& world, double h, bool isSemiExplicit) {
  auto simulation = isSemiExplicit ? std::make_unique<TimeStepping>(world.model, TimeDiscretisation(0., h),
                                                                    MoreauJeanOSI::semiExplicit())
                                   : std::make_unique<TimeStepping>(world.model, TimeDiscretisation(0., h));
  simulation->setInteractionManager(world.manager);
  return simulation;
}

struct TowerOfCubes : World {
  static constexpr std::size_t count = 20;

  TowerOfCubes(double gap, double massOnTop) : World(endOfStacks, NewtonImpactFrictionNSL(0., 0., 0.5)) {
    standOnFloor();
    for (std::size_t k = 0; k < count; ++k) {
      const double place = static_cast<double>(k);
      const double density = k + 1 == count ? 1000. * massOnTop : 1000.;
      add(shareShape(BoxShape(cube, cube, cube)), {0., 0., cube * (place + 0.5) + gap * (place + 1.)}, {1., 0., 0., 0.},
          density);
    }
  }
  // Farthest of a cube from where it belongs, face on face.
  double misplacement() const {
    double most = 0.;
    for (std::size_t k = 0; k < count; ++k) {
      most = std::max(most, norm(bodies[k]->position() - Vector3{0., 0., cube * (static_cast<double>(k) + 0.5)}));
    }
    return most;
  }
};

struct StepOfStacks {
  double h;
  bool isSemiExplicit;
};

class Stacks : public ::testing::TestWithParam<StepOfStacks> {};

// What the solver leaves adds up, and turns bodies whose points are half a `length` from their centres. `look` is
// called after each step.
void expectNoMoreThanCreep(World& world, const StepOfStacks& step, std::size_t steps, double length,
                           const std::function<void()>& look) {
  const Places places(world.bodies);
  const auto simulation = stepsOf(world, step.h, step.isSemiExplicit);
  for (std::size_t k = 0; k < steps; ++k) {
    simulation->step();
    look();
  }
  const double allowed = creepAllowed(steps, step.h, simulation->problem().size() / 3);
  EXPECT_LT(places.shift(), allowed);
  EXPECT_LT(places.turn(), allowed / (0.5 * length));
  EXPECT_EQ(simulation->statistics().relaxed + simulation->statistics().held, 0u);
}

// Of cubes, face on face: they creep sideways only.
void expectRest(World& world, const StepOfStacks& step, std::size_t steps) {
  const double begin = world.energy(), top = world.bodies.back()->q()(2);
  RiseOfEnergy rise(begin);
  expectNoMoreThanCreep(world, step, steps, cube, [&] { rise.look(world.energy()); });
  EXPECT_NEAR(world.bodies.back()->q()(2), top, gapsOfFaces);
  EXPECT_LT(rise.largest(), 1e-9 * begin);  // the weight times the depths that the solver leaves
}

TEST_P(Stacks, ATowerOfTwentyCubesFaceOnFaceStaysAtRest) {
  TowerOfCubes tower(0., 1.);
  expectRest(tower, GetParam(), 2000);
}

TEST_P(Stacks, ATowerWithAHundredTimesTheMassOnTopStaysAtRest) {
  TowerOfCubes tower(0., 100.);
  expectRest(tower, GetParam(), 1000);
}

// Bodies land on bodies that are still moving: for some steps they are 7 to 8 g h² deep (docs/stacks.md), where 10 are
// allowed.
TEST_P(Stacks, ATowerWithGapsFallsTogetherFaceOnFace) {
  const double h = GetParam().h;
  TowerOfCubes tower(1e-3, 1.);
  const double begin = tower.energy();
  const auto simulation = stepsOf(tower, h, GetParam().isSemiExplicit);
  double most = begin;
  for (std::size_t k = 0; k < 1000; ++k) {
    simulation->step();
    most = std::max(most, tower.energy());
  }
  EXPECT_LE(most, begin * (1. + 1e-12));
  EXPECT_LT(tower.misplacement(), creepAllowed(1000, h, 80) + gapsOfFaces);
  EXPECT_LT(simulation->statistics().motion.depth.value, 10. * testing::gravity * h * h);
}

INSTANTIATE_TEST_SUITE_P(Steps, Stacks,
                         ::testing::Values(StepOfStacks{5e-3, false}, StepOfStacks{5e-3, true},
                                           StepOfStacks{1e-2, false}, StepOfStacks{1e-2, true}),
                         [](const auto& step) {
                           const std::string h = step.param.h == 5e-3 ? "FiveMilliseconds" : "TenMilliseconds";
                           return h + (step.param.isSemiExplicit ? "SemiExplicit" : "");
                         });

TEST(Pyramids, FiftyFiveCubesStayAtRest) {
  World pyramid(endOfStacks, NewtonImpactFrictionNSL(0., 0., 0.5));
  pyramid.standOnFloor();
  for (std::size_t row = 0; row < 10; ++row) {
    for (std::size_t k = 0; k < 10 - row; ++k) {
      const double height = static_cast<double>(row), place = static_cast<double>(k) + 0.5 * height;
      pyramid.add(shareShape(BoxShape(cube, cube, cube)), {1.1 * cube * place, 0., cube * (height + 0.5)});
    }
  }
  expectRest(pyramid, {5e-3, false}, 1000);
}

// Frames of two cards that lean on each other by their upper inner edges, level on level, with cards across them.
class CardHouse : public World {
 public:
  static constexpr double length = 0.1, thickness = 0.003, width = 0.07;  // m

  CardHouse(std::size_t levels, double lean, double friction)
      : World(endOfStacks, NewtonImpactFrictionNSL(0., 0., friction), 5e-4), lean_(lean) {
    standOnFloor();
    double height = 0.;
    for (std::size_t frames = levels; frames > 0; --frames) {
      const double begin = 0.5 * pitch() * static_cast<double>(levels - frames);
      for (std::size_t k = 0; k < frames; ++k) addFrame(begin + pitch() * static_cast<double>(k), height);
      height += length * std::cos(lean) + thickness * std::sin(lean);
      for (std::size_t k = 1; k < frames; ++k)
        addAcross(begin + pitch() * static_cast<double>(k - 1), height, k, frames);
      height += thickness;
    }
  }
  // Moments of a lower card about its foot: H L cos α = ½ m g (L sin α − t cos α) with the thrust H at the top, which
  // friction of the weight m g takes up at the foot.
  static double leastFriction(double lean) { return 0.5 * (std::tan(lean) - thickness / length); }

 private:
  double pitch() const { return 2. * (length * std::sin(lean_) + thickness * std::cos(lean_)) + 2e-3; }
  void addFrame(double x, double z) {
    const auto card = shareShape(BoxShape(thickness, width, length));
    for (const double side : {1., -1.}) {
      const Quaternion p = rotations::exponential({0., side * lean_, 0.});
      const Vector3 top = rotations::rotate(p, {side * 0.5 * thickness, 0., 0.5 * length});
      const Vector3 foot = rotations::rotate(p, {side * 0.5 * thickness, 0., -0.5 * length});
      add(card, {x - top[0], 0., z - foot[2]}, p);
    }
  }
  // From top to top, and beyond the last ones.
  void addAcross(double x, double z, std::size_t number, std::size_t frames) {
    const double beyond = 1.5 * thickness, apart = 5e-4;
    const double left = x + (number == 1 ? -beyond : apart);
    const double right = x + pitch() - (number + 1 == frames ? -beyond : apart);
    add(shareShape(BoxShape(right - left, width, thickness)), {0.5 * (left + right), 0., z + 0.5 * thickness});
  }

  double lean_;
};

TEST(CardHouses, ThreeLevelsStandForTenThousandSteps) {
  CardHouse house(3, 0.3, 0.6);
  expectNoMoreThanCreep(house, {5e-3, false}, 10000, CardHouse::length, [] {});
}

TEST(CardHouses, TwoCardsFallBelowTheLeastFriction) {
  constexpr double h = 5e-3;
  for (const double lean : {0.2, 0.3, 0.4}) {
    for (const double part : {1.02, 0.98}) {
      CardHouse house(1, lean, part * CardHouse::leastFriction(lean));
      const Places places(house.bodies);
      const auto simulation = stepsOf(house, h, false);
      for (std::size_t k = 0; k < 400; ++k) simulation->step();
      const double height = house.bodies[0]->q()(2);
      if (part > 1.) {
        EXPECT_LT(places.shift(), creepAllowed(400, h, 6)) << lean;
      } else {
        EXPECT_NEAR(height, 0.5 * CardHouse::thickness, gapsOfFaces) << lean;  // flat on the floor
      }
    }
  }
}

}  // namespace
}  // namespace delassus
