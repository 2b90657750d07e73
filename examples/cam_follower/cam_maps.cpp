// SPDX-License-Identifier: Apache-2.0
//
// The impact map and the stroboscopic map of the cam follower over thousands of turns, and statistics of its impacts.
//
//     cam_maps --rpm 660 --turns 5000 --output results/maps
//     cam_maps --rpm 660 --turns 5000 --method event-driven --output results/maps_events

#include <cstdio>
#include <delassus/delassus.hpp>
#include <filesystem>

#include "../support/ExampleRun.hpp"
#include "CamMaps.hpp"
#include "CamOptions.hpp"
#include "CamStatistics.hpp"

namespace {

struct Options {
  CamOptions cam;
  std::size_t transient = 200;
  std::size_t turns = 2000;
  std::size_t block = 50;
  double bin = 2.;
  RunOptions run{.output = "cam_maps"};
};

void addOptions(CommandLine& line, Options& options) {
  options.cam.parameters.rpm = 660.;
  line.add("--rpm", options.cam.parameters.rpm, "Speed of the cam, turns a minute");
  line.add("--transient", options.transient, "Turns of the cam that are left out");
  line.add("--turns", options.turns, "Turns that are recorded after these").positive();
  line.add("--block", options.block, "Turns in a block, for sampling errors").positive();
  line.add("--bin", options.bin, "Width of the histogram's bins, m/s").positive();
  options.cam.addMethod(line);
  options.cam.addFollower(line);
}

void writeHistogram(const CamBlocks& blocks, double width, const std::filesystem::path& path) {
  delassus::TableWriter table(path, {"approach [m/s]", "density [s/m]", "standard error [s/m]"});
  double centre = 0.5 * width;
  for (const Estimate& density : histogramOf(blocks, width)) {
    table.writeRow({centre, density.value, density.standardError});
    centre += width;
  }
  table.close();
}

void simulate(const Options& options) {
  CamMapsRun run(options.cam.parameters, options.cam.run(), options.transient, options.turns);
  ExampleRun whole(options.run, run.simulation());
  whole.keep("maps", [&](delassus::StateArchive& archive) { run.serializeState(archive); });
  whole.begin([] {});
  run.toTheEnd();
  whole.finish();
  const CamMaps& maps = run.maps();
  writeMaps(maps, options.run.output);
  std::printf("%zu impacts in %zu turns after a transient of %zu.\n", maps.impacts.size(), maps.turns, maps.firstTurn);

  const CamBlocks blocks = approachesByBlocks(maps, options.block);
  if (blocks.size() < 2 || maps.impacts.empty()) {
    std::printf("No statistics: these need impacts, and two blocks of %zu turns.\n", options.block);
    return;
  }
  const Estimate mean = meanOf(blocks);
  const Estimate count = countOf(blocks);
  const auto turns = static_cast<double>(options.block);
  std::printf("Mean approach velocity at impacts: %.3f m/s, standard error %.3f (blocks of %zu turns)\n", mean.value,
              mean.standardError, options.block);
  std::printf("Impacts a turn: %.4f, standard error %.4f\n", count.value / turns, count.standardError / turns);
  writeHistogram(blocks, options.bin, std::filesystem::path(options.run.output) / "histogram.csv");
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  return runExample(
      argc, argv, "Impact map and stroboscopic map of the cam follower, with statistics", o.run,
      [&](CommandLine& line) { addOptions(line, o); }, [&] { simulate(o); });
}
