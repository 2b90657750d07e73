// SPDX-License-Identifier: Apache-2.0
//
// A follower under a spring that bounces on a turning cam: the notes' chapter 14. See README.md for the equations.
//
//     cam_follower --rpm 358 --output results/cam_358
//     cam_follower --rpm 660 --end 5 --formulation rheonomous --output results/cam_660
//     cam_follower --rpm 700 --step 1e-5 --restitution 0.5 --output results/cam_700

#include <CLI/CLI.hpp>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "CamFollower.hpp"

namespace {

struct Options {
  CamFollowerParameters parameters;
  std::string formulation = "translated";
  double step = 1e-4;
  double theta = 0.5;
  std::string output = "cam_follower";
};

void addOptions(CLI::App& app, Options& options) {
  CamFollowerParameters& p = options.parameters;
  app.add_option("--rpm", p.rpm, "Speed of the cam, turns a minute");
  app.add_option("--angle", p.initialAngle, "Initial angle of the cam, rad");
  app.add_option("--formulation", options.formulation, "Coordinate: u - c (translated) or u (rheonomous)")
      ->check(CLI::IsMember({"translated", "rheonomous"}));
  app.add_option("--step", options.step, "Step h, s");
  app.add_option("--end", p.end, "Final time, s");
  app.add_option("--position", p.position, "Initial position above the cam, u - c, m");
  app.add_option("--velocity", p.velocity, "Initial velocity relative to the cam, v - dc/dt, m/s");
  app.add_option("--restitution", p.restitution, "Coefficient of restitution");
  app.add_option("--mass", p.mass, "Mass of the follower, kg");
  app.add_option("--stiffness", p.stiffness, "Stiffness of the spring, N/m");
  app.add_option("--damping", p.damping, "Viscous damping, N s/m");
  app.add_option("--force", p.force, "Constant force on the follower, N");
  app.add_option("--theta", options.theta, "Theta of the Moreau-Jean scheme");
  app.add_option("--output", options.output, "Folder for trajectory.csv");
}

std::unique_ptr<CamFollower> makeFollower(const Options& options) {
  if (options.formulation == "translated") return std::make_unique<TranslatedCamFollower>(options.parameters);
  return std::make_unique<RheonomousCamFollower>(options.parameters);
}

void simulate(const Options& options) {
  // 1. The model: a follower and its contact with the cam.
  const std::unique_ptr<CamFollower> follower = makeFollower(options);

  // 2. The simulation: Moreau-Jean on a uniform grid, a one-step LCP of size 1 while there is contact.
  delassus::TimeStepping simulation(follower->model(), delassus::TimeDiscretisation(0., options.step),
                                    delassus::MoreauJeanOSI(options.theta), delassus::LCP());

  // 3. The trajectory: a row at the start and one after each step.
  const std::filesystem::path path = std::filesystem::path(options.output) / "trajectory.csv";
  delassus::TableWriter table(path,
                              {"t [s]", "u [m]", "v [m/s]", "c [m]", "c_dot [m/s]", "c_ddot [m/s^2]", "lambda [N s]"});
  const auto record = [&] {
    const double t = simulation.time();
    const CamMotion c = follower->cam().at(t);
    table.writeRow({t, follower->u(t), follower->v(t), c.position, c.velocity, c.acceleration, follower->lambda()});
  };
  record();

  // 4. The run.
  delassus::ProgressBar progress("cam follower", simulation.steps());
  simulation.run([&] {
    record();
    progress.update(simulation.stepIndex());
  });
  table.close();
  std::printf("%s\nTrajectory: %s (%zu rows)\n", simulation.statistics().summary().c_str(), path.c_str(), table.rows());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A follower that bounces on a turning cam (Moreau-Jean time stepping)");
  app.option_defaults()->always_capture_default();
  Options options;
  addOptions(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    simulate(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cam_follower: %s\n", error.what());
    return 1;
  }
  return 0;
}
