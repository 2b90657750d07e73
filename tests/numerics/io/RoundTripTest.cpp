// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <delassus/Config.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>

#include "../../support/Matchers.hpp"
#include "SampleProblems.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;
using delassus::test::same;
using delassus::test::SampleProblem;

class ProblemWriting : public testing::Test {
 protected:
  void SetUp() override {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::temp_directory_path() / ("delassus_io_" + test + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(ProblemWriting, ReadsBackToTheBitInEveryTextStorage) {
  for (const SampleProblem& sample : test::sampleProblems()) {
    for (const TextStorage storage :
         {TextStorage::natural, TextStorage::dense, TextStorage::blocks, TextStorage::sparse}) {
      SCOPED_TRACE(sample.name + ", storage " + std::to_string(static_cast<int>(storage)));
      const std::filesystem::path path = folder_ / (sample.name + ".dat");
      writeProblem(path, sample.problem, FileFormat::text, storage);
      const auto problemClass = static_cast<ProblemClass>(sample.problem.index());
      const ProblemFile first = readProblem(path, problemClass);
      EXPECT_EQ(first.format, FileFormat::text);
      // −0 is a zero that sparse forms may leave out; all other bits are the same.
      if (storage == TextStorage::natural) {
        EXPECT_TRUE(same(first.problem, sample.problem));
      }
      writeProblem(path, first.problem, FileFormat::text, storage);
      const std::string once = readContent(path);
      const ProblemFile second = readProblem(path, problemClass);
      EXPECT_TRUE(same(second.problem, first.problem));
      writeProblem(path, second.problem, FileFormat::text, storage);
      EXPECT_EQ(readContent(path), once);
    }
  }
}

TEST_F(ProblemWriting, TextIsRecognisedAsTheClassThatWasWritten) {
  for (const SampleProblem& sample : test::sampleProblems()) {
    SCOPED_TRACE(sample.name);
    const std::filesystem::path path = folder_ / "problem";
    writeProblem(path, sample.problem, FileFormat::text);
    EXPECT_EQ(classNameOf(readProblem(path).problem), classNameOf(sample.problem));
  }
}

TEST_F(ProblemWriting, ReadsBackToTheBitFromFclib) {
  if (!withHdf5) GTEST_SKIP() << "This build has no HDF5.";
  int written = 0;
  for (const SampleProblem& sample : test::sampleProblems()) {
    const auto problemClass = static_cast<ProblemClass>(sample.problem.index());
    const bool isContacts = problemClass == ProblemClass::friction || problemClass == ProblemClass::globalFriction;
    if (!isContacts && sample.name != "globalRolling") continue;
    SCOPED_TRACE(sample.name);
    const std::filesystem::path path = folder_ / (sample.name + ".hdf5");
    writeProblem(path, sample.problem, FileFormat::fclib);
    const ProblemFile file = readProblem(path);
    EXPECT_EQ(file.format, FileFormat::fclib);
    EXPECT_TRUE(same(file.problem, sample.problem));
    ++written;
  }
  EXPECT_EQ(written, 7);
}

TEST_F(ProblemWriting, FclibRefusesWhatItCannotHold) {
  const AnyProblem lcp = LinearComplementarityProblem(makeMatrix({{1.}}), makeVector({-1.}));
  try {
    writeProblem(folder_ / "lcp.hdf5", lcp, FileFormat::fclib);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("expected a friction contact problem for the format FCLIB"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(ProblemWriting, FclibRefusesGlobalProblemsUnlessAllPartsAreRollingContactsInSpace) {
  if (!withHdf5) GTEST_SKIP() << "This build has no HDF5.";
  const auto withPart = [](Part part) {
    const std::size_t rows = 5 + part.rows;
    return GlobalMechanicalProblem(sparseFromDense(identityMatrix(rows)), sparseFromDense(identityMatrix(rows)),
                                   Vector(rows), Vector(rows), {Part::rollingContact(3, 0.5, 0.1), std::move(part)});
  };
  // One in the plane has three rows.
  for (const Part& part : {Part::coulomb(3, 0.5), Part::rollingContact(2, 0.5, 0.1), Part::equality(5)}) {
    test::expectError([&] { writeProblem(folder_ / "global.hdf5", withPart(part), FileFormat::fclib); },
                      {"global.hdf5", "part 1", std::string(part.set->name()), std::to_string(part.rows)});
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

std::ptrdiff_t filesIn(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

TEST_F(ProblemWriting, LeavesNoPartFileAndCreatesFolders) {
  const AnyProblem lcp = LinearComplementarityProblem(makeMatrix({{1.}}), makeVector({-1.}));
  writeProblem(folder_ / "new" / "lcp.dat", lcp, FileFormat::text);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "new" / "lcp.dat"));
  EXPECT_EQ(filesIn(folder_ / "new"), 1);
  EXPECT_THROW(replaceFile(folder_ / "new" / "other.dat",
                           [](const std::filesystem::path& part) {
                             EXPECT_TRUE(std::filesystem::exists(part));
                             throw Error("write", "fails.");
                           }),
               Error);
  EXPECT_EQ(filesIn(folder_ / "new"), 1);
  // The folder takes the name after the check.
  EXPECT_THROW(
      replaceFile(folder_ / "new" / "late",
                  [&](const std::filesystem::path&) { std::filesystem::create_directory(folder_ / "new" / "late"); }),
      Error);
  EXPECT_EQ(filesIn(folder_ / "new"), 2);
}

TEST_F(ProblemWriting, LeavesOtherPartFilesAlone) {
  writeContent(folder_ / "answer.part", "mine");
  writeContent(folder_ / "answer", "1");
  EXPECT_EQ(readContent(folder_ / "answer.part"), "mine");
}

TEST_F(ProblemWriting, FollowsSymbolicLinks) {
  writeContent(folder_ / "store" / "real", "old");
  std::filesystem::create_symlink("store/real", folder_ / "link");
  std::filesystem::create_symlink("link", folder_ / "second");
  writeContent(folder_ / "second", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "second"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_EQ(readContent(folder_ / "store" / "real"), "new");
  std::filesystem::create_symlink("store/absent", folder_ / "dangling");
  writeContent(folder_ / "dangling", "there");
  EXPECT_EQ(readContent(folder_ / "store" / "absent"), "there");
  std::filesystem::create_symlink("circle", folder_ / "circle");
  EXPECT_THROW(writeContent(folder_ / "circle", "1"), Error);
}

TEST_F(ProblemWriting, KeepsThePermissionsOfAFile) {
  writeContent(folder_ / "file", "1");
  std::filesystem::permissions(folder_ / "file", std::filesystem::perms::owner_all);
  writeContent(folder_ / "file", "2");
  EXPECT_EQ(std::filesystem::status(folder_ / "file").permissions(), std::filesystem::perms::owner_all);
}

TEST_F(ProblemWriting, WritesToDevicesAndPipesAsTheyAre) {
  writeContent("/dev/null", "1");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = readContent(pipe); });
  writeContent(pipe, "through");
  reader.join();
  EXPECT_EQ(read, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(ProblemWriting, RefusesFolders) {
  EXPECT_THROW(writeContent(folder_, "1"), Error);
  EXPECT_THROW(requireNoFolder(folder_), Error);
  requireNoFolder(folder_ / "absent");
}

TEST_F(ProblemWriting, SaysWhenAFileCannotBeWrittenOrRead) {
  const AnyProblem lcp = LinearComplementarityProblem(makeMatrix({{1.}}), makeVector({-1.}));
  writeContent(folder_ / "file", "1");
  EXPECT_THROW(writeProblem(folder_ / "file" / "lcp.dat", lcp, FileFormat::text), Error);
  EXPECT_THROW(readProblem(folder_ / "absent.dat"), Error);
  EXPECT_THROW(readProblem(folder_), Error);
}

TEST_F(ProblemWriting, WrittenTextIsWhatOtherProgramsRead) {
  const std::filesystem::path path = folder_ / "lcp.dat";
  writeProblem(path, LinearComplementarityProblem(makeMatrix({{1., 2.}, {3., 4.}}), makeVector({-1., 0.5})),
               FileFormat::text);
  EXPECT_EQ(readContent(path), "2\n0\n2\n2\n2 2\n1 3\n2 4\n-1 0.5 \n");
}

}  // namespace
