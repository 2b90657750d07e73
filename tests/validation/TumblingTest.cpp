// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <delassus/delassus.hpp>
#include <kernel/collision/CollisionModels.hpp>
#include <string>

// Bodies that tumble on a plane, with all defaults, from random starts: every step is to converge. Boxes on a face
// touch at more corners than hold them, so their multipliers are not unique and the solver's tolerance leaves much to
// choose.

namespace delassus {
namespace {

using testing::letFall;
using testing::makeBall;
using testing::makeBox;
using testing::randomRotation;

constexpr double h = 1e-3;
constexpr double seconds = 2.;

// The number of seeds: `usual`, or what the environment says.
unsigned seedsFrom(const char* variable, unsigned usual) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? static_cast<unsigned>(std::stoul(text)) : usual;
}

Vector randomTwist(std::mt19937& random) {
  std::uniform_real_distribution<double> speed(-1., 1.), spin(-10., 10.);
  Vector v(6);
  for (std::size_t i = 0; i < 6; ++i) v(i) = i < 3 ? speed(random) : spin(random);
  return v;
}

Vector3 randomEdges(std::mt19937& random) {
  std::uniform_real_distribution<double> edge(0.1, 0.3);
  return {edge(random), edge(random), edge(random)};
}

void expectRun(NonSmoothDynamicalSystem& model, const std::shared_ptr<InteractionManager>& manager, unsigned seed) {
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(), FrictionContact(3));
  simulation.setInteractionManager(manager);
  try {
    simulation.run();
  } catch (const Error& error) {
    ADD_FAILURE() << "seed " << seed << ": " << error.what();
  }
}

// DELASSUS_TUMBLING_BOXES: how many.
TEST(Tumbling, ABoxComesToRestFromEveryStart) {
  const unsigned seeds = seedsFrom("DELASSUS_TUMBLING_BOXES", 200);
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Vector3 edges = randomEdges(random);
    const auto box = makeBox({0., 0., 0.3}, edges, 1000., randomRotation(random));
    box->setState(box->q(), randomTwist(random));
    letFall(*box);
    NonSmoothDynamicalSystem model(0., seconds);
    model.insert(box);
    const BoxPlane shape(edges[0], edges[1], edges[2], Plane{});
    model.link(std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.5), NewtonEuler3DR(shape)), box);
    expectRun(model, nullptr, seed);
  }
}

// DELASSUS_TUMBLING_SCENES: how many.
TEST(Tumbling, BoxesAndSpheresGoThroughEveryStep) {
  const unsigned seeds = seedsFrom("DELASSUS_TUMBLING_SCENES", 15);
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(-0.25, 0.25);
    NonSmoothDynamicalSystem model(0., seconds);
    const auto manager = std::make_shared<CollisionManager>(5e-3, NewtonImpactFrictionNSL(0., 0., 0.5));
    manager->insertObstacle(Plane{});
    for (int k = 0; k < 8; ++k) {
      const Vector3 x{place(random), place(random), 0.3 + 0.4 * k};
      const Vector3 edges = randomEdges(random);
      const bool isBox = k % 2 == 0;
      const auto body = isBox ? makeBox(x, edges, 1000., randomRotation(random)) : makeBall(x, 0.5 * edges[0]);
      body->setState(body->q(), randomTwist(random));
      letFall(*body);
      model.insert(body);
      manager->insert(
          body, isBox ? shareShape(BoxShape(edges[0], edges[1], edges[2])) : shareShape(SphereShape(0.5 * edges[0])));
    }
    expectRun(model, manager, seed);
  }
}

}  // namespace
}  // namespace delassus
