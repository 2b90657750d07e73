// SPDX-License-Identifier: Apache-2.0
//
// All published problems in a folder beside the project; skipped where it is absent.
#include <gtest/gtest.h>

#include <delassus/numerics/io/ProblemFile.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "SampleProblems.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;

std::filesystem::path problems() {
  return std::filesystem::path(DELASSUS_PUBLISHED_DATA) / "problems";
}

std::vector<std::filesystem::path> filesOf(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(problems() / folder)) files.push_back(entry.path());
  return files;
}

TEST(PublishedFiles, AreRecognisedAsWhatTheirFoldersSay) {
  if (!std::filesystem::exists(problems())) GTEST_SKIP() << "the published problems are not there";
  // The folder of friction in 3D holds problems in 2D, and FCLIB's global ones, too.
  const std::map<std::string, std::vector<std::string>> expected{
      {"lcp", {"lcp"}},
      {"mlcp", {"mlcp"}},
      {"relay", {"relay"}},
      {"friction2d", {"friction_2d"}},
      {"friction3d", {"friction_2d", "friction_3d", "global_friction_3d"}},
      {"global", {"global_friction_2d", "global_friction_3d"}}};
  for (const auto& [folder, names] : expected) {
    for (const std::filesystem::path& path : filesOf(folder)) {
      SCOPED_TRACE(path);
      const std::string name(classNameOf(readProblem(path).problem));
      EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    }
  }
}

struct Expected {
  const char* file;
  const char* name;
  std::size_t size;
  std::size_t contacts;
};

TEST(PublishedFiles, HaveTheSizesTheyDeclare) {
  if (!std::filesystem::exists(problems())) GTEST_SKIP() << "the published problems are not there";
  for (const Expected& expected :
       {Expected{"lcp/lcp_mmc.dat", "lcp", 26, 0}, Expected{"mlcp/BuckConverter_mlcp.dat", "mlcp", 32, 0},
        Expected{"relay/relay1.dat", "relay", 15, 0},
        Expected{"friction2d/fc2d_granularflowonwall_00667_00000.dat", "friction_2d", 1334, 667},
        Expected{"friction3d/FrictionContactProblem00237.dat", "friction_2d", 752, 376},
        Expected{"friction3d/KaplasTower-i1061-4.hdf5.dat", "friction_3d", 1710, 570},
        Expected{"friction3d/Capsules-i125-1213.hdf5", "friction_3d", 858, 286},
        Expected{"friction3d/Box_Stacks-i0122-82-5.hdf5", "global_friction_3d", 696, 82},
        Expected{"friction3d/Spheres-i099-356-679.hdf5", "global_friction_3d", 13068, 356},
        Expected{"global/GFC3D_TwoRods1.dat", "global_friction_3d", 63, 3},
        Expected{"global/gfc2d_granularflowonwall_00000_00117.dat", "global_friction_2d", 900, 0}}) {
    SCOPED_TRACE(expected.file);
    const AnyProblem problem = readProblem(problems() / expected.file).problem;
    EXPECT_EQ(classNameOf(problem), expected.name);
    EXPECT_EQ(sizeOf(problem), expected.size);
    EXPECT_EQ(contactsOf(problem), expected.contacts);
  }
}

TEST(PublishedFiles, OfFclibBringTheAnswersThatAreWrittenAsStarts) {
  const std::filesystem::path path = problems() / "friction3d" / "Capsules-i125-1213.hdf5";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the published problems are not there";
  const ProblemFile file = readProblem(path);
  EXPECT_EQ(file.format, FileFormat::fclib);
  EXPECT_FALSE(file.title.empty());
  // The file declares a solution, of which it holds no numbers, and a guess.
  ASSERT_EQ(file.answers.size(), 1U);
  EXPECT_EQ(file.answers[0].name, "guesses/1");
  EXPECT_EQ(file.answers[0].unknown.size(), sizeOf(file.problem));
}

TEST(PublishedFiles, SurviveWritingAndReading) {
  if (!std::filesystem::exists(problems())) GTEST_SKIP() << "the published problems are not there";
  const std::filesystem::path copy = testing::TempDir() + "delassus_published_copy";
  for (const char* folder : {"lcp", "mlcp", "relay", "friction2d", "global"}) {
    for (const std::filesystem::path& path : filesOf(folder)) {
      SCOPED_TRACE(path);
      const AnyProblem problem = readProblem(path).problem;
      // Dense copies of the largest are compared elsewhere: this is to be fast.
      if (sizeOf(problem) > 1000) continue;
      writeProblem(copy, problem, FileFormat::text);
      EXPECT_TRUE(test::same(readProblem(copy).problem, problem));
      if (contactsOf(problem) == 0) continue;
      writeProblem(copy, problem, FileFormat::fclib);
      EXPECT_TRUE(test::same(readProblem(copy).problem, problem));
    }
  }
  std::filesystem::remove(copy);
}

}  // namespace
