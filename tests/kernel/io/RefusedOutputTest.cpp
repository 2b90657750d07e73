// SPDX-License-Identifier: Apache-2.0
//
// What cannot be written is told with the system's reason. Folders stand where files are to be made, which stops also
// a superuser, whom permissions do not.
#include <gtest/gtest.h>
#include <unistd.h>

#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/kernel/io/VtkWriter.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <functional>
#include <map>
#include <support/Matchers.hpp>

#include "RecorderFixture.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;
namespace fs = std::filesystem;

class RefusedOutput : public RecorderFixture {
 protected:
  // Ways to write a file of the name.
  using Write = std::function<void(const fs::path&)>;

  static void observe(std::shared_ptr<SimulationObserver> observer) {
    BallRun run;
    run.simulation.addObserver(std::move(observer));
    run.simulation.run();
  }
  static void record(std::shared_ptr<Recorder> recorder) {
    recorder->recordAll();
    observe(std::move(recorder));
  }
  static void writeProblem(const fs::path& path) {
    numerics::writeProblem(path, numerics::FrictionContactProblem(2, identityMatrix(2), Vector(2), Vector(1)),
                           numerics::FileFormat::fclib);
  }

  const std::map<std::string, Write> writers_{
      {"run.h5", [](const fs::path& path) { record(std::make_shared<Recorder>(path)); }},
      {"run.csv", [](const fs::path& path) { record(std::make_shared<CsvRecorder>(path)); }},
      {"table.csv", [](const fs::path& path) { TableWriter(path, {"t"}).close(); }},
      {"run.checkpoint",
       [](const fs::path& path) {
         BallRun run;
         saveCheckpoint(run.simulation, path);
       }},
      {"problem.hdf5", [](const fs::path& path) { writeProblem(path); }},
      {"answer.json", [](const fs::path& path) { numerics::writeContent(path, "{}"); }},
  };
};

TEST_F(RefusedOutput, BelowAFileSaysThatItIsNoFolder) {
  std::ofstream(file("plain")) << "a file";
  for (const auto& [name, write] : writers_) {
    // Named: Clang 14 does not capture structured bindings.
    expectError([&, &name = name, &write = write] { write(file("plain") / name); }, {"plain", "Not a directory"});
  }
}

TEST_F(RefusedOutput, WhereAFolderStandsSaysSo) {
  for (const char* const name : {"run.h5", "table.csv", "run.checkpoint"}) {
    fs::create_directories(file((std::string(name) + ".part").c_str()));
    expectError([&] { writers_.at(name)(file(name)); }, {name, "Is a directory"});
  }
}

TEST_F(RefusedOutput, OnAFullDeviceSaysThatThereIsNoSpace) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "There is no /dev/full.";
  expectError([&] { numerics::writeContent("/dev/full", "{}"); }, {"/dev/full", "No space left on device"});
}

TEST_F(RefusedOutput, InAFolderThatIsReadOnlySaysSo) {
  if (geteuid() == 0) GTEST_SKIP() << "A superuser may write everywhere.";
  const fs::path folder = file("read only");
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  for (const auto& [name, write] : writers_) {
    // Named: Clang 14 does not capture structured bindings.
    expectError([&, &name = name, &write = write] { write(folder / name); }, {name, "Permission denied"});
  }
  fs::permissions(folder, fs::perms::owner_all);
}

}  // namespace
