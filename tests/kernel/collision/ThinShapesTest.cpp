// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/collision/PairGeometry.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/numerics/Log.hpp>

#include "CollisionModels.hpp"

// Boards and plates, of which what may be penetrated is much less than the size of the body.

namespace delassus {
namespace {

using testing::collider;
using testing::makeBox;
using testing::obstacle;

double thicknessOf(const Collider& first, const Collider& second) {
  const std::shared_ptr<PairGeometry> geometry = makePairGeometry(kindOf(first, second));
  geometry->beginPair(first, second);
  return NewtonEuler3DR(geometry).thickness();
}

TEST(ThinShapes, TheThinnerOfTwoShapesIsWhatMayBePenetrated) {
  const Collider board = collider(makeBox({0., 0., 0.}, {2., 0.2, 0.02}), BoxShape(2., 0.2, 0.02));
  const Collider ball = collider(testing::makeBall({0., 0., 0.}, 0.1), SphereShape(0.1));
  EXPECT_DOUBLE_EQ(thicknessOf(board, obstacle(BoxShape(1., 1., 1.), Placement{}, "block")), 0.01);
  EXPECT_DOUBLE_EQ(thicknessOf(ball, obstacle(BoxShape(1., 1., 0.03), Placement{}, "plate")), 0.015);
  EXPECT_DOUBLE_EQ(thicknessOf(ball, board), 0.01);
  EXPECT_DOUBLE_EQ(thicknessOf(ball, obstacle(Plane{}, Placement{}, "ground")), 0.1);
  // A triangle is no plate, however narrow it is.
  const TriangleMesh mesh({{0., 0., 0.}, {1., 0., 0.}, {0., 0.001, 0.}}, {{0, 1, 2}});
  EXPECT_DOUBLE_EQ(thicknessOf(ball, Collider(mesh.parts()[0].shape, Placement{}, ObstacleMotion(), 0, "ground")), 0.1);
}

// A board of 28 kg with a radius of gyration of 0.58 m lies in a shelf, deeper and deeper.
TEST(ThinShapes, TheAuditWarnsOfABoardThatIsAQuarterOfItsHalfThicknessInAShelf) {
  for (const double depth : {0.5e-4, 2.5e-3}) {
    const BoxShape shape(2., 0.2, 0.02);
    NonSmoothDynamicalSystem model(0., 0.02);
    model.setGravity({0., 0., -testing::gravity});
    const auto board = NewtonEulerDS::ofShape(shape, 700., {0., 0., 0.02 - depth});
    model.insert("board", board);
    const auto contacts = std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
    contacts->insert(board, shape);
    contacts->insertObstacle(BoxShape(1., 0.4, 0.02));
    const std::size_t warnings = Log::count(LogLevel::warning);
    Log::setTerminal(LogLevel::none);
    TimeStepping simulation(model, 1e-3);
    simulation.setInteractionManager(contacts);
    simulation.run();
    Log::setTerminal(LogLevel::warning);
    const MotionExtreme& deepest = simulation.statistics().motion.depth;
    EXPECT_NEAR(deepest.relative, deepest.value / 0.01, 1e-9);
    // Of the start, and of the motion.
    EXPECT_EQ(Log::count(LogLevel::warning) - warnings, depth > 1e-3 ? 2U : 0U) << "depth " << depth;
    EXPECT_EQ(deepest.relative > 0.1, depth > 1e-3);
  }
}

}  // namespace
}  // namespace delassus
