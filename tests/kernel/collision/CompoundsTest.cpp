// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/collision/VtkColliders.hpp>
#include <filesystem>
#include <set>

#include "CollisionModels.hpp"

// Bodies and obstacles of several parts, as a CollisionManager has them.

namespace delassus {
namespace {

using testing::gravity;

// Two balls on a rod, along x.
const CompoundShape dumbbell =
    CompoundShape()
        .with(CapsuleShape(0.02, 0.3), Placement::at({}, rotations::exponential({0., std::acos(0.), 0.})))
        .with(SphereShape(0.1), Placement::at({-0.2, 0., 0.}))
        .with(SphereShape(0.1), Placement::at({0.2, 0., 0.}));

struct Scene {
  NonSmoothDynamicalSystem model{0., 0.5};
  std::shared_ptr<CollisionManager> manager =
      std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;

  explicit Scene(const std::vector<Vector3>& places) {
    model.setGravity({0., 0., -gravity});
    manager->insertObstacle(Plane{});
    for (const Vector3& place : places) {
      bodies.push_back(NewtonEulerDS::ofShape(dumbbell, 1000., place));
      model.insert("dumbbell " + std::to_string(bodies.size() - 1), bodies.back());
      manager->insert(bodies.back(), dumbbell, placementInBody(dumbbell));
    }
  }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& contact : manager->contacts()) all.insert(contact.interaction->name());
    return all;
  }
};

TEST(Compounds, TouchWithTheirPartsAndNotThemselves) {
  Scene scene({{0., 0., 0.1}, {0., 0., 0.3}});
  scene.manager->updateInteractions(scene.model, 0., 1e-3);
  const std::set<std::string> expected{"dumbbell 0 part 1 - obstacle 0", "dumbbell 0 part 2 - obstacle 0",
                                       "dumbbell 0 part 1 - dumbbell 1 part 1",
                                       "dumbbell 0 part 2 - dumbbell 1 part 2"};
  EXPECT_EQ(scene.names(), expected);
  for (const auto& contact : scene.manager->contacts()) EXPECT_EQ(contact.first, scene.bodies[0]);
}

TEST(Compounds, RestOnTheirPartsWithoutTurning) {
  Scene scene({{0., 0., 0.1}, {0., 0., 0.3}});
  TimeStepping simulation(scene.model, 1e-3);
  simulation.setInteractionManager(scene.manager);
  simulation.run();
  // One ball on top of another is at rest, if nothing pushes it aside.
  EXPECT_NEAR(norm(scene.bodies[0]->position() - Vector3{0., 0., 0.1}), 0., 1e-9);
  EXPECT_NEAR(norm(scene.bodies[1]->position() - Vector3{0., 0., 0.3}), 0., 1e-9);
}

TEST(Compounds, LeaveWithAllTheirParts) {
  Scene scene({{0., 0., 0.1}, {0., 0., 0.3}, {1., 0., 0.1}});
  CollisionManager& manager = *scene.manager;
  manager.updateInteractions(scene.model, 0., 1e-3);
  EXPECT_EQ(manager.contactCount(), 6u);
  manager.remove(scene.bodies[0]);
  scene.model.remove(scene.bodies[0]);
  manager.updateInteractions(scene.model, 0., 1e-3);
  EXPECT_EQ(manager.contactCount(), 2u);
  EXPECT_THROW(manager.remove(scene.bodies[0]), Error);
  manager.forgetRemoved();
  EXPECT_EQ(manager.colliders().size(), 7u);
  manager.updateInteractions(scene.model, 0., 1e-3);
  EXPECT_EQ(manager.contactCount(), 2u);
  manager.remove(scene.bodies[2]);
  scene.model.remove(scene.bodies[2]);
  manager.updateInteractions(scene.model, 0., 1e-3);
  EXPECT_EQ(manager.contactCount(), 0u);
}

TEST(Compounds, MayBeObstaclesOfOneNumber) {
  NonSmoothDynamicalSystem model(0., 1.);
  CollisionManager manager(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  manager.insertObstacle(Plane{});
  const std::size_t number = manager.insertObstacle(dumbbell, {0., 0., 1.});
  const auto ball = NewtonEulerDS::ofShape(SphereShape(0.1), 1000., {0.2, 0., 1.2});
  model.insert(ball);
  manager.insert(ball, SphereShape(0.1));
  manager.updateInteractions(model, 0., 1e-3);
  ASSERT_EQ(manager.contactCount(), 1u);
  EXPECT_EQ(manager.contacts()[0].obstacle, number);
  EXPECT_EQ(manager.contacts()[0].second, nullptr);
  EXPECT_THROW(manager.removeObstacle(number + 1), Error);  // a part
  manager.removeObstacle(number);
  manager.updateInteractions(model, 0., 1e-3);
  EXPECT_EQ(manager.contactCount(), 0u);
  EXPECT_THROW(manager.removeObstacle(number), Error);
}

// A run that is saved and goes on in another program.
TEST(Compounds, GoOnFromACheckpoint) {
  const auto file = std::filesystem::temp_directory_path() / "delassus_compounds.checkpoint";
  const std::vector<Vector3> places{{0., 0., 0.3}, {0.15, 0.05, 0.7}};
  const auto finish = [&](bool isRestarted) {
    Scene scene(places);
    TimeStepping simulation(scene.model, 1e-3);
    simulation.setInteractionManager(scene.manager);
    if (isRestarted) {
      restoreCheckpoint(simulation, file);
    }
    while (simulation.hasNextStep()) {
      simulation.step();
      if (!isRestarted && simulation.stepIndex() == 250) saveCheckpoint(simulation, file);
    }
    return scene.bodies[1]->q();
  };
  const Vector through = finish(false), again = finish(true);
  for (std::size_t k = 0; k < 7; ++k) EXPECT_EQ(through(k), again(k));
  std::filesystem::remove(file);
}

TEST(Compounds, AreDrawnWhole) {
  const Scene scene({{0., 0., 1.}});
  const std::size_t capsule = CapsuleShape(0.02, 0.3).surface(24).polygons.size();
  const std::size_t ball = SphereShape(0.1).surface(24).polygons.size();
  EXPECT_EQ(vtkShapeOf(dumbbell).polygons().size(), capsule + 2 * ball);
}

// Forgotten, the shape would lie beside its mass.
TEST(Compounds, WithTheirMassElsewhereNeedAPlacement) {
  const CompoundShape hammer =
      CompoundShape().with(BoxShape(0.1, 0.1, 0.4)).with(BoxShape(0.3, 0.1, 0.1), Placement::at({0., 0., 0.25}));
  CollisionManager manager(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  const auto body = NewtonEulerDS::ofShape(hammer, 1000.), other = NewtonEulerDS::ofShape(hammer, 1000.);
  EXPECT_THROW(manager.insert(body, hammer), Error);
  EXPECT_THROW(manager.insert(body, hammer, Placement{{std::nan(""), 0., 0.}, Placement{}.rotation}), Error);
  EXPECT_EQ(manager.colliders().size(), 0u);
  manager.insert(body, hammer, placementInBody(hammer));
  manager.insert(other, hammer, Placement{});  // said, it is taken
  EXPECT_EQ(manager.colliders().size(), 4u);
  manager.remove(body);
  manager.remove(other);
}

TEST(Compounds, WithoutPartsAndHalfSpacesAreRefusedAsBodies) {
  CollisionManager manager(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
  const auto body = NewtonEulerDS::ofShape(SphereShape(0.1), 1000.);
  EXPECT_THROW(manager.insert(body, CompoundShape()), Error);
  EXPECT_THROW(manager.insert(body, HalfSpace(Plane{})), Error);
  EXPECT_THROW(manager.insert(body, std::shared_ptr<const Shape>()), Error);
  EXPECT_THROW(manager.insertObstacle(CompoundShape()), Error);
  EXPECT_THROW(manager.insertObstacle(std::shared_ptr<const Shape>()), Error);
  EXPECT_EQ(manager.colliders().size(), 0u);
  manager.insert(body, SphereShape(0.1));
  EXPECT_THROW(manager.insert(body, SphereShape(0.1)), Error);
  manager.remove(body);
}

}  // namespace
}  // namespace delassus
