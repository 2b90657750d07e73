// SPDX-License-Identifier: Apache-2.0
//
// Writes the series of VtkTestScene, with a table of what the frames must show, for CheckVtk.py.

#include <cstdio>
#include <delassus/kernel/io/TableWriter.hpp>
#include <exception>

#include "VtkTestScene.hpp"

int main(int argc, char** argv) {
  using namespace delassus;
  if (argc != 2) return 2;
  try {
    const std::filesystem::path folder = argv[1];
    test::VtkTestScene scene(folder);
    TableWriter table(
        folder / "trajectory.csv",
        {"t",      "box x",  "box y",     "box z",      "box p0",        "box p1",       "box p2",  "box p3",
         "ball x", "ball y", "ball z",    "ball p0",    "ball p1",       "ball p2",      "ball p3", "puck x",
         "puck y", "puck z", "box force", "ball force", "ball friction", "puck friction"});
    const auto record = [&] {
      std::vector<double> row{scene.simulation.time()};
      for (const Vector* q : {&scene.box->q(), &scene.ball->q(), &scene.puck->q()}) {
        row.insert(row.end(), q->begin(), q->end());
      }
      double force = 0.;
      for (std::size_t k = 0; k < 8; ++k) force += scene.underBox->lambda(0)(3 * k);
      const auto friction = [](const Interaction& contact) {
        return std::hypot(contact.lambda(0)(1), contact.lambda(0)(2));
      };
      row.insert(row.end(),
                 {force, scene.underBall->lambda(0)(0), friction(*scene.underBall), friction(*scene.underPuck)});
      table.writeRow(row);
    };
    scene.simulation.initialise();
    record();
    scene.simulation.run([&] {
      if (scene.simulation.stepIndex() % 10 == 0) record();
    });
    table.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
