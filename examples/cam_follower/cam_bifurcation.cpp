// SPDX-License-Identifier: Apache-2.0
//
// A bifurcation diagram of the cam follower over the speed of the cam. Its runs are spread over the cores, or over the
// ranks of mpirun in a build with MPI; interrupted, it goes on where it was.
//
//     cam_bifurcation --from 300 --to 800 --rpm-step 2 --output results/bifurcation
//     cam_bifurcation --from 600 --to 700 --rpm-step 0.2 --method event-driven --output results/bifurcation_events
//     mpirun -n 8 cam_bifurcation --from 300 --to 800 --rpm-step 0.1 --output results/bifurcation_fine

#include <cstdio>
#include <delassus/delassus.hpp>
#include <string>
#include <vector>

#include "../support/StudyProgram.hpp"
#include "CamBifurcation.hpp"
#include "CamOptions.hpp"

namespace {

struct Options {
  CamOptions cam;
  CamDiagramOptions diagram;
  double from = 300.;
  double to = 800.;
  double rpmStep = 2.;
  std::string output = "cam_bifurcation";
};

void addOptions(CommandLine& line, Options& options) {
  line.add("--from", options.from, "Lowest speed, turns a minute");
  line.add("--to", options.to, "Highest speed, turns a minute");
  line.add("--rpm-step", options.rpmStep, "Distance of speeds, turns a minute");
  line.add("--transient", options.diagram.transient, "Turns of the cam that are left out, a speed");
  line.add("--turns", options.diagram.turns, "Turns that are recorded, a speed").positive();
  line.add("--threads", options.diagram.threads, "Runs at a time; 0: one a core").between(0, 1024);
  options.cam.addMethod(line);
  options.cam.addFollower(line);
  line.add("--output", options.output, "Folder for impacts.csv, stroboscope.csv and a folder a speed");
}

void simulate(Options& options, const StudyTeam& team) {
  options.diagram.parameters = options.cam.parameters;
  options.diagram.run = options.cam.run();
  const CamBifurcation diagram(options.output, options.diagram, team.workers);
  const std::vector<double> speeds = speedsOf(options.from, options.to, options.rpmStep);
  const std::vector<double> missing = diagram.missing(speeds);
  if (team.tells) std::printf("%zu of %zu speeds were there already.\n", speeds.size() - missing.size(), speeds.size());
  std::fflush(stdout);

  delassus::ProgressBar progress("cam bifurcation", missing.size());
  diagram.run(missing, [&](std::size_t done) { progress.update(done); });
  progress.clear();
  diagram.collect(speeds);
  if (team.tells) std::printf("Diagram: %s/impacts.csv and stroboscope.csv\n", options.output.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  return runStudyProgram(
      argc, argv, "Bifurcation diagram of the cam follower over the speed of the cam; may be interrupted and continued",
      [&](CommandLine& line) { addOptions(line, o); }, [&](const StudyTeam& team) { simulate(o, team); });
}
