// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/ContactSample.hpp>
#include <fstream>
#include <memory>
#include <numbers>
#include <sstream>
#include <support/ElasticBlock.hpp>
#include <support/Matchers.hpp>

#include "VtkTestScene.hpp"

namespace {

using namespace delassus;
using delassus::test::expectError;
using delassus::test::VtkTestScene;

// Volume inside a surface whose polygons are seen anticlockwise from outside.
double volume(const VtkShape& shape) {
  double sum = 0.;
  for (const VtkShape::Polygon& polygon : shape.polygons()) {
    const Vector3& a = shape.points()[polygon[0]];
    for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
      sum += dot(a, cross(shape.points()[polygon[k]], shape.points()[polygon[k + 1]])) / 6.;
    }
  }
  return sum;
}

TEST(VtkShapeTest, SurfacesAreClosedAndFaceOutwards) {
  constexpr double pi = std::numbers::pi;
  EXPECT_NEAR(volume(VtkShape::box(1., 2., 3.)), 6., 1e-12);
  // Inscribed polyhedra: less by the square of the angle of a segment.
  EXPECT_NEAR(volume(VtkShape::sphere(0.5, 200)), pi / 6., 1e-3);
  EXPECT_NEAR(volume(VtkShape::cylinder(0.5, 2., 200)), 0.5 * pi, 1e-3);
  EXPECT_NEAR(volume(VtkShape::rod({1., 2., 3.}, {1., 4., 3.}, 0.5, 200)), 0.5 * pi, 1e-3);
  EXPECT_NEAR(volume(VtkShape::revolution({{0., 0.}, {1., 1.}}, 200)), pi / 3., 1e-3);
  const VtkShape ring = VtkShape::revolution({{1., 0.}, {2., 0.}, {2., 1.}, {1., 1.}, {1., 0.}}, 200);
  EXPECT_NEAR(volume(ring), 3. * pi, 1e-2);
  const VtkShape two = VtkShape::box(1., 1., 1.).with(VtkShape::box(1., 1., 2.), {{5., 0., 0.}});
  EXPECT_NEAR(volume(two), 3., 1e-12);
  EXPECT_EQ(two.patches().size(), 12u);
}

TEST(VtkShapeTest, PlacesAlongLinesAndOnPlanes) {
  const VtkPlacement along = VtkPlacement::along({1., 0., 0.}, {1., 0., -4.});
  EXPECT_NEAR(norm(along.place({0., 0., 2.}) - Vector3{1., 0., -4.}), 0., 1e-15);
  const VtkPlacement plane = VtkPlacement::onPlane(Plane::through({0., 0., 2.}, {0., 3., 4.}), {1., 0., 2.});
  EXPECT_NEAR(norm(plane.position - Vector3{1., 0., 2.}), 0., 1e-15);
  EXPECT_NEAR(norm(rotations::rotate(plane.rotation, {0., 0., 1.}) - Vector3{0., 0.6, 0.8}), 0., 1e-15);
}

TEST(VtkShapeTest, RefusesWhatIsNoShape) {
  expectError([] { VtkShape::box(1., 0., 1.); }, {"Surface::box", "positive", "got 0"});
  expectError([] { VtkShape::sphere(-1.); }, {"Surface::sphere", "got -1"});
  expectError([] { VtkShape::cylinder(1., 1., 2); }, {"3 to 10000 segments", "got 2"});
  expectError([] { VtkShape::sphere(1., std::size_t{1} << 40); }, {"3 to 10000 segments"});
  expectError([] { VtkShape::mesh({{0., 0., 0.}}, {{0, 0, 1}}); }, {"the point 1", "there are 1"});
  expectError([] { VtkShape::mesh({{0., 0., 0.}}, {{0, 0}}); }, {"at least 3 points", "got 2"});
  expectError([] { VtkShape::rod({1., 1., 1.}, {1., 1., 1.}, 0.1); }, {"apart"});
  expectError([] { VtkShape::ball(1.).with(VtkShape::box(1., 1., 1.)); }, {"a ball has no surface"});
}

// ------------------------------------------------------------------------------------------------------- the writer

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The numbers of an array of a .vtp file.
template <class Number>
std::vector<Number> arrayOf(const std::filesystem::path& path, const std::string& name) {
  const std::string file = content(path);
  const std::size_t at = file.find("Name=\"" + name + "\"");
  const std::size_t begin = file.find("\n_", file.find("<AppendedData")) + 2;
  EXPECT_NE(at, std::string::npos) << name;
  const std::size_t offset = std::stoul(file.substr(file.find("offset=\"", at) + 8));
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, file.data() + begin + offset, sizeof bytes);
  std::vector<Number> numbers(bytes / sizeof(Number));
  if (bytes > 0) std::memcpy(numbers.data(), file.data() + begin + offset + sizeof bytes, bytes);
  return numbers;
}

// The frames of a list: "time file".
std::vector<std::string> frames(const std::filesystem::path& list) {
  const std::string text = content(list);
  EXPECT_NE(text.find("</VTKFile>"), std::string::npos);
  std::vector<std::string> found;
  const auto attribute = [&](const char* name, std::size_t from) {
    const std::size_t begin = text.find(name, from) + std::strlen(name);
    return text.substr(begin, text.find('"', begin) - begin);
  };
  for (std::size_t at = text.find("<DataSet"); at != std::string::npos; at = text.find("<DataSet", at + 1)) {
    found.push_back(attribute("timestep=\"", at) + " " + attribute("file=\"", at));
  }
  return found;
}

class VtkWriterTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("delassus_vtk_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(VtkWriterTest, WritesAFrameEverySoManySteps) {
  VtkTestScene scene(folder_, {.every = 200});
  scene.simulation.run();
  const std::vector<std::string> expected{"0 frames/bodies_000000.vtp", "0.2 frames/bodies_000001.vtp",
                                          "0.4 frames/bodies_000002.vtp", "0.5 frames/bodies_000003.vtp"};
  EXPECT_EQ(frames(folder_ / "bodies.pvd"), expected);
  EXPECT_EQ(frames(folder_ / "contacts.pvd").size(), 4u);
  EXPECT_EQ(frames(folder_ / "obstacles.pvd").size(), 1u);
  EXPECT_EQ(scene.vtk->frames(), 4u);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    EXPECT_NE(entry.path().extension(), ".part");
  }
}

TEST_F(VtkWriterTest, WritesAFrameAtTheFirstStepOfEachInterval) {
  VtkTestScene scene(folder_, {.interval = 0.1005});
  scene.simulation.run();
  std::vector<std::string> times;
  for (const std::string& frame : frames(folder_ / "centres.pvd")) times.push_back(frame.substr(0, frame.find(' ')));
  EXPECT_EQ(times, (std::vector<std::string>{"0", "0.101", "0.201", "0.302", "0.402", "0.5"}));
}

TEST_F(VtkWriterTest, HasStatesAndContactsInItsFrames) {
  VtkTestScene scene(folder_, {.every = 500});
  scene.simulation.run();
  const std::filesystem::path centres = folder_ / "frames/centres_000001.vtp";
  const std::vector<double> points = arrayOf<double>(centres, "Points");
  ASSERT_EQ(points.size(), 9u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(points[3 + k], scene.ball->q()(k));
  EXPECT_EQ(arrayOf<double>(centres, "TimeValue"), std::vector<double>{0.5});
  const std::vector<double> spin = arrayOf<double>(centres, "angular_velocity");
  EXPECT_EQ(spin[5], scene.ball->inertialAngularVelocity()[2]);
  const std::filesystem::path contacts = folder_ / "frames/contacts_000001.vtp";
  const std::vector<std::int32_t> status = arrayOf<std::int32_t>(contacts, "status");
  ASSERT_EQ(status.size(), 10u);
  EXPECT_EQ(status[9], static_cast<int>(ContactStatus::stick));  // the puck has come to rest
  const std::vector<double> impulses = arrayOf<double>(contacts, "impulse");
  EXPECT_NEAR(impulses[3 * 9 + 2], VtkTestScene::mass * VtkTestScene::gravity * 1e-3, 1e-8);
  // The velocity of matter on the surface: the spin of the ball against differences of its frame.
  const std::vector<float> surface = arrayOf<float>(folder_ / "frames/bodies_000001.vtp", "Points");
  const std::vector<float> velocity = arrayOf<float>(folder_ / "frames/bodies_000001.vtp", "velocity");
  const Vector3 omega = scene.ball->inertialAngularVelocity();
  const std::size_t point = 8 + 100;  // one of the ball, after the corners of the box
  Vector3 arm, rate;
  for (std::size_t k = 0; k < 3; ++k) {
    arm[k] = surface[3 * point + k] - scene.ball->q()(k);
    rate[k] = velocity[3 * point + k] - scene.ball->velocity()(k);
  }
  EXPECT_NEAR(norm(arm), VtkTestScene::radius, 1e-6);
  EXPECT_NEAR(norm(rate - cross(omega, arm)), 0., 1e-5);
}

TEST_F(VtkWriterTest, DrawsBallsAsPointsAndLeavesOutWhatIsHiddenOrFarApart) {
  NonSmoothDynamicalSystem model(0., 1e-2);
  const auto ball = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 2.}), Vector(6), 1.,
                                                    NewtonEulerDS::ballInertia(1., 0.1));
  const auto floor =
      std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.3), NewtonEuler3DR(SpherePlane(0.1, Plane{})));
  const auto unseen = std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), makeMatrix({{1.}}));
  model.insert(unseen);
  model.insert(ball);
  model.link(floor, ball);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(3));
  const auto vtk = std::make_shared<VtkWriter>(folder_, VtkOptions{.largestGap = 1.});
  vtk->add(ball, VtkShape::ball(0.1));
  vtk->addObstacle("gate", VtkShape::box(1., 1., 1.));
  vtk->addObstacle("floor", VtkShape::rectangle(1., 1.));
  vtk->addContacts();
  simulation.addObserver(vtk);
  simulation.step();
  vtk->hide("gate");
  simulation.step();
  simulation.step();
  EXPECT_EQ(arrayOf<double>(folder_ / "frames/centres_000000.vtp", "radius"), std::vector<double>{0.1});
  EXPECT_TRUE(arrayOf<float>(folder_ / "frames/bodies_000000.vtp", "Points").empty());
  EXPECT_TRUE(arrayOf<double>(folder_ / "frames/contacts_000002.vtp", "gap").empty());
  EXPECT_EQ(frames(folder_ / "obstacles.pvd").size(), 2u);
  EXPECT_EQ(arrayOf<std::int32_t>(folder_ / "frames/obstacles_000001.vtp", "part"), std::vector<std::int32_t>{2});
  model.remove(ball);
  simulation.step();
  EXPECT_TRUE(arrayOf<double>(folder_ / "frames/centres_000004.vtp", "radius").empty());
  expectError([&] { vtk->hide("door"); }, {"'door'"});
}

// A mesh, whose feet see two coordinates each: their places and gaps are those of these.
TEST_F(VtkWriterTest, DrawsSurfacesThatDeform) {
  test::ElasticBlock block(2, 1, {}, 0., 0.25, 0., 1.);
  block.linkFloor(NewtonImpactFrictionNSL(0., 0., 0.5, 2), ContactOutputs::gapAndTangents);
  TimeStepping simulation(block.model, 1e-2);
  const auto vtk = std::make_shared<VtkWriter>(folder_);
  const auto places = [mesh = block.mesh](double, const Vector& u, std::vector<Vector3>& points) {
    for (std::size_t i = 0; i < mesh.nodes().size(); ++i) {
      points.push_back({mesh.nodes()[i][0] + u(2 * i), mesh.nodes()[i][1] + u(2 * i + 1), 0.});
    }
  };
  vtk->addMesh("block", block.block, places, {{0, 1, 4, 3}, {1, 2, 5, 4}});
  vtk->addContact(block.feet[1], [](double, const Vector& u, std::vector<ContactPoint>& contacts) {
    contacts.push_back({.point = {0.5 + u(0), u(1), 0.}, .normal = {0., 1., 0.}, .tangent = {1., 0., 0.}});
  });
  simulation.addObserver(vtk);
  simulation.step();
  const std::filesystem::path bodies = folder_ / "frames/bodies_000001.vtp";
  const std::vector<float> points = arrayOf<float>(bodies, "Points"), velocities = arrayOf<float>(bodies, "velocity");
  ASSERT_EQ(points.size(), 18u);
  EXPECT_FLOAT_EQ(points[6], static_cast<float>(1. + block.block->q()(4)));
  // Differences of places, whose rounding is 1e-16 m over 2e-6 s.
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(velocities[3 * i], block.block->velocity()(2 * i), 1e-6);
  EXPECT_EQ(arrayOf<std::int32_t>(bodies, "part"), (std::vector<std::int32_t>{0, 0}));
  const std::vector<double> contact = arrayOf<double>(folder_ / "frames/contacts_000001.vtp", "Points");
  ASSERT_EQ(contact.size(), 3u);
  EXPECT_EQ(contact[0], 0.5 + block.block->q()(2));

  const auto wrong = std::make_shared<VtkWriter>(folder_ / "wrong", VtkOptions{.name = "wrong"});
  wrong->addMesh("torn", block.block, places, {{0, 1, 6}});
  simulation.addObserver(wrong);
  expectError([&] { simulation.step(); }, {"'torn'", "6"});
}

TEST_F(VtkWriterTest, GoesOnFromACheckpoint) {
  VtkTestScene whole(folder_ / "whole", {.interval = 0.0495});
  whole.simulation.run();
  VtkTestScene first(folder_ / "resumed", {.interval = 0.0495});
  for (int k = 0; k < 230; ++k) first.simulation.step();
  saveCheckpoint(first.simulation, folder_ / "checkpoint");
  for (int k = 0; k < 150; ++k) first.simulation.step();  // frames that the checkpoint does not know
  EXPECT_EQ(frames(folder_ / "resumed/bodies.pvd").size(), 8u);

  VtkTestScene second(folder_ / "resumed", {.interval = 0.0495});
  restoreCheckpoint(second.simulation, folder_ / "checkpoint");
  second.simulation.step();
  EXPECT_EQ(frames(folder_ / "resumed/bodies.pvd").size(), 5u);
  second.simulation.run();
  for (const char* name : {"bodies", "centres", "contacts", "obstacles"}) {
    const std::string list = std::string(name) + ".pvd";
    EXPECT_EQ(content(folder_ / "resumed" / list), content(folder_ / "whole" / list)) << name;
  }
  EXPECT_EQ(content(folder_ / "resumed/frames/bodies_000011.vtp"), content(folder_ / "whole/frames/bodies_000011.vtp"));
}

TEST_F(VtkWriterTest, LeavesNoListsOfWhatIsNotDrawnWhenItGoesOn) {
  const std::filesystem::path bodiesOnly = folder_ / "bodies only";
  const auto run = [&](bool restores, std::size_t steps) {
    VtkTestScene scene(folder_);
    const auto vtk = std::make_shared<VtkWriter>(bodiesOnly, VtkOptions{.name = "bodies only"});
    vtk->add(scene.ball, VtkShape::sphere(VtkTestScene::radius));
    scene.simulation.addObserver(vtk);
    if (restores) restoreCheckpoint(scene.simulation, folder_ / "checkpoint");
    for (std::size_t k = 0; k < steps; ++k) scene.simulation.step();
    saveCheckpoint(scene.simulation, folder_ / "checkpoint");
  };
  run(false, 3);
  run(true, 2);
  EXPECT_EQ(frames(bodiesOnly / "bodies.pvd").size(), 6u);
  for (const char* const list : {"obstacles.pvd", "contacts.pvd"}) {
    EXPECT_FALSE(std::filesystem::exists(bodiesOnly / list)) << list;
  }
}

TEST_F(VtkWriterTest, HasTheFramesOfAnUninterruptedRunWhereverItIsInterrupted) {
  const VtkOptions options{.every = 50};
  VtkTestScene(folder_ / "whole", options).simulation.run();
  const std::vector<std::string> expected = frames(folder_ / "whole/bodies.pvd");
  ASSERT_EQ(expected.size(), 11u);
  for (const std::size_t step : {0UL, 249UL, 250UL, 251UL}) {
    // By the function of the run, which is called before the writer is told of the step; and after it.
    for (const bool beforeItIsTold : {true, false}) {
      for (const bool inOneProcess : {true, false}) {
        if (step == 0 && beforeItIsTold) continue;
        SCOPED_TRACE("step " + std::to_string(step) + (beforeItIsTold ? " before" : " after") +
                     (inOneProcess ? ", one process" : ", two"));
        std::filesystem::remove_all(folder_ / "run");
        auto scene = std::make_unique<VtkTestScene>(folder_ / "run", options);
        while (scene->simulation.stepIndex() + (beforeItIsTold ? 1 : 0) < step) scene->simulation.step();
        if (beforeItIsTold) {
          scene->simulation.run([&] {
            saveCheckpoint(scene->simulation, folder_ / "checkpoint");
            scene->simulation.stop();
          });
        } else {
          saveCheckpoint(scene->simulation, folder_ / "checkpoint");
        }
        if (!inOneProcess) scene = std::make_unique<VtkTestScene>(folder_ / "run", options);
        restoreCheckpoint(scene->simulation, folder_ / "checkpoint");
        scene->simulation.run();
        EXPECT_EQ(frames(folder_ / "run/bodies.pvd"), expected);
      }
    }
  }
}

TEST_F(VtkWriterTest, DoesNotChangeTheRun) {
  VtkTestScene with(folder_, {.every = 7}), without(folder_ / "never", {.every = 1000});
  for (int k = 0; k < 400; ++k) {
    with.simulation.step();
    without.simulation.step();
  }
  EXPECT_EQ(std::memcmp(data(with.ball->q()), data(without.ball->q()), 7 * sizeof(double)), 0);
  EXPECT_EQ(std::memcmp(data(with.box->q()), data(without.box->q()), 7 * sizeof(double)), 0);
}

TEST_F(VtkWriterTest, NamesMistakes) {
  expectError([] { VtkWriter vtk("x", {.every = 0}); }, {"at least 1"});
  expectError([] { VtkWriter vtk("x", {.interval = -1.}); }, {"not negative", "got -1"});
  VtkWriter vtk(folder_);
  VtkTestScene scene(folder_);
  expectError([&] { vtk.begin(scene.simulation); }, {"nothing to draw"});
  expectError([&] { vtk.add(nullptr, VtkShape::ball(1.)); }, {"null"});
  expectError([&] { scene.vtk->add(scene.box, VtkShape::ball(1.)); }, {"'box'", "added already"});
  expectError([&] { vtk.addContact(scene.underPuck, {}); }, {"function", "empty"});
  // A place too few.
  scene.vtk->addContact(scene.underBox, [](double, const Vector&, std::vector<ContactPoint>&) {});
  expectError([&] { scene.simulation.step(); }, {"'under the box'", "8 places", "got 0"});
}

TEST_F(VtkWriterTest, NamesAFolderThatCannotBeWritten) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "file") << "no folder";
  VtkTestScene scene(folder_ / "file");
  expectError([&] { scene.simulation.step(); }, {"VtkWriter", "cannot create the folder", "file"});
}

}  // namespace
