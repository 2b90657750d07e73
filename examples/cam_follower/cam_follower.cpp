// SPDX-License-Identifier: Apache-2.0
//
// A follower under a spring that bounces on a turning cam ([Siconos 2017], chapter 14). See README.md for the
// equations.
//
//     cam_follower --rpm 358 --output results/cam_358
//     cam_follower --rpm 358 --method event-driven --output results/cam_358_events
//     cam_follower --rpm 660 --end 5 --formulation rheonomous --output results/cam_660
//     cam_follower --rpm 700 --step 1e-5 --every 10 --restitution 0.5 --output results/cam_700

#include <delassus/delassus.hpp>
#include <memory>

#include "../support/ExampleRun.hpp"
#include "CamOptions.hpp"
#include "CamRun.hpp"

namespace {

struct Options {
  CamOptions cam;
  std::size_t every = 1;
  RunOptions run{.output = "cam_follower"};
};

void addOptions(CommandLine& line, Options& options) {
  line.add("--rpm", options.cam.parameters.rpm, "Speed of the cam, turns a minute");
  line.add("--end", options.cam.parameters.end, "Final time, s");
  options.cam.addMethod(line);
  options.cam.addFollower(line);
  line.add("--every", options.every, "A row of trajectory.csv every so many steps").positive();
}

void simulate(const Options& options) {
  // 1. The model and its simulation by one of the methods, with output every so many steps: see CamRun.cpp.
  const CamRunOptions runOptions = options.cam.run();
  const double interval = static_cast<double>(options.every) * runOptions.step;
  const std::unique_ptr<CamRun> run = makeCamRun(options.cam.parameters, runOptions, interval);

  // 2. The trajectory, a row at the start and one for each output, and the log of events.
  delassus::TableWriter trajectory(
      options.run.file("trajectory.csv"),
      {"t [s]", "u [m]", "v [m/s]", "c [m]", "c_dot [m/s]", "c_ddot [m/s^2]", "lambda [N s]"});
  delassus::TableWriter events(options.run.file("events.csv"),
                               {"t [s]", "kind", "u [m]", "v_before [m/s]", "v_after [m/s]"});
  const auto record = [&] {
    const CamMotion c = run->cam().at(run->time());
    trajectory.writeRow({run->time(), run->u(), run->v(), c.position, c.velocity, c.acceleration, run->impulse()});
    for (const CamEvent& event : run->events()) {
      events.writeRow({event.t, event.kind, event.u, event.vBefore, event.vAfter});
    }
  };

  // 3. The run.
  ExampleRun whole(options.run, run->simulation());
  whole.keep(trajectory).keep(events).keep("output", [&](delassus::StateArchive& archive) {
    run->serializeState(archive);
  });
  whole.begin(record);
  run->run(record);
  whole.finish();
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  return runExample(
      argc, argv, "A follower that bounces on a turning cam, by time stepping or event-driven", o.run,
      [&](CommandLine& line) { addOptions(line, o); }, [&] { simulate(o); });
}
