// SPDX-License-Identifier: Apache-2.0
//
// A run with recordings and checkpoints, for tests that kill it: beads that bounce on each other.
//
//     recording_run folder [milliseconds to wait in every 100 steps]
//
// Run again in the same folder, it goes on from the last checkpoint. "promised.txt" says how many rows of "run.h5" are
// there whatever comes. Prints "complete" at the end.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/AutomaticCheckpoint.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/Recorder.hpp>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <fstream>
#include <limits>
#include <support/Models.hpp>
#include <thread>

namespace {

using namespace delassus;

// Says, in a file that is whole at any time, how many rows the recording has for good.
void promise(const std::filesystem::path& folder, std::uint64_t rows) {
  const std::filesystem::path part = folder / "promised.txt.part";
  std::ofstream(part) << rows << '\n';
  std::filesystem::rename(part, folder / "promised.txt");
}

void run(const std::filesystem::path& folder, std::chrono::milliseconds pause) {
  test::ColumnOfBeads column(5, 0.15, 0.3, 0.8, 20.);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP());
  TableWriter table(folder / "table.csv", {"t [s]", "q [m]"});
  simulation.addState("table", [&](StateArchive& archive) { table.serializeState(archive); });
  simulation.addObserver(std::make_shared<AutomaticCheckpoint>(
      folder / "run.checkpoint",
      AutomaticCheckpointOptions{.minutes = std::numeric_limits<double>::infinity(), .steps = 500}));
  // Small chunks and many flushes, so that there is much to be killed in.
  const auto recorder = std::make_shared<Recorder>(folder / "run.h5", RecordFileOptions{.chunkBytes = 4096});
  recorder->record(column.beads[0], {{"q", "m", {"y", "x", "angle"}}, {"velocity", "m/s"}});
  recorder->recordTogether("beads", column.beads, {{"q", "m"}});
  recorder->recordContacts({.rows = 1});
  recorder->recordEnergy();
  recorder->recordSolver();
  recorder->setting("beads", "5");
  recorder->setFlushSeconds(2e-3);
  simulation.addObserver(recorder);
  const auto events = std::make_shared<CsvRecorder>(folder / "events.csv");
  events->record(column.contacts[0]);
  events->atEvents();
  simulation.addObserver(events);
  if (std::filesystem::exists(folder / "run.checkpoint")) restoreCheckpoint(simulation, folder / "run.checkpoint");
  promise(folder, recorder->rows());  // later rows are left out, and come again
  simulation.run([&] {
    table.writeRow({simulation.time(), column.beads[4]->q()(0)});
    if (simulation.stepIndex() % 25 == 0) {
      recorder->flush();
      promise(folder, recorder->rows());
    }
    if (simulation.stepIndex() % 100 == 0) std::this_thread::sleep_for(pause);
  });
  table.close();
  std::puts("complete");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 2) throw Error("recording_run", "a folder is needed.");
    std::filesystem::create_directories(argv[1]);
    run(argv[1], std::chrono::milliseconds(argc > 2 ? std::atoi(argv[2]) : 0));
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "recording_run: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
