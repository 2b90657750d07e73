// SPDX-License-Identifier: Apache-2.0
//
// Reading and writing of the problems of tests/data, and of the published ones where they are.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <delassus/Config.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <support/TestData.hpp>
#include <vector>

#include "SampleProblems.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

TEST(ProblemFiles, AreRecognisedAsWhatTheirFoldersSay) {
  // The published folder of friction in 3D holds problems in 2D, and FCLIB's global ones, too.
  const std::map<std::string, std::vector<std::string>> expected{
      {"lcp", {"lcp"}},
      {"mlcp", {"mlcp"}},
      {"relay", {"relay"}},
      {"friction2d", {"friction_2d"}},
      {"friction3d", {"friction_2d", "friction_3d", "global_friction_3d"}},
      {"global", {"global_friction_2d", "global_friction_3d"}},
      {"mechanical", {"mechanical"}},
      {"other", {"mlcp", "friction_2d", "mechanical", "global_mechanical"}}};
  for (const std::filesystem::path& path : allProblems()) {
    SCOPED_TRACE(path);
    const auto names = expected.find(path.parent_path().filename().string());
    ASSERT_NE(names, expected.end()) << "a folder of no class";
    const std::string name(classNameOf(readProblem(path).problem));
    EXPECT_EQ(std::count(names->second.begin(), names->second.end(), name), 1) << name;
  }
}

class EveryFile : public testing::TestWithParam<std::filesystem::path> {};

INSTANTIATE_TEST_SUITE_P(Files, EveryFile, testing::ValuesIn(allProblems()),
                         [](const auto& instance) { return testNameOf(instance.param); });

TEST_P(EveryFile, SurvivesWritingAndReadingInEveryFormat) {
  const ProblemFile file = readProblem(GetParam());
  const auto problemClass = static_cast<ProblemClass>(file.problem.index());
  const std::filesystem::path copy =
      std::filesystem::temp_directory_path() / ("delassus_" + testNameOf(GetParam()) + '_' + std::to_string(getpid()));
  for (const TextStorage storage :
       {TextStorage::natural, TextStorage::dense, TextStorage::blocks, TextStorage::sparse}) {
    // Large problems are copied in their own storage alone: the other copies take long.
    if (storage != TextStorage::natural && sizeOf(file.problem) > 1000) continue;
    writeProblem(copy, file.problem, FileFormat::text, storage);
    EXPECT_TRUE(same(readProblem(copy, problemClass).problem, file.problem)) << static_cast<int>(storage);
  }
  if (contactsOf(file.problem) > 0 && problemClass != ProblemClass::mechanical && withHdf5) {
    writeProblem(copy, file.problem, FileFormat::fclib);
    EXPECT_TRUE(same(readProblem(copy).problem, file.problem));
  }
  std::filesystem::remove(copy);
}

struct Expected {
  const char* file;
  const char* name;
  std::size_t size;
  std::size_t contacts;
};

void expectSizes(const Expected& expected, const std::filesystem::path& path) {
  SCOPED_TRACE(path);
  const AnyProblem problem = readProblem(path).problem;
  EXPECT_EQ(classNameOf(problem), expected.name);
  EXPECT_EQ(sizeOf(problem), expected.size);
  EXPECT_EQ(contactsOf(problem), expected.contacts);
}

TEST(OwnFiles, HaveTheSizesOfTheirModels) {
  for (const Expected& expected :
       {Expected{"lcp/column_at_rest.dat", "lcp", 12, 0}, Expected{"mlcp/four_bar_loop.dat", "mlcp", 20, 0},
        Expected{"relay/filippov_slides.dat", "relay", 2, 0},
        Expected{"friction2d/disks_at_rest.dat", "friction_2d", 32, 16},
        Expected{"friction3d/block_rests.dat", "friction_3d", 12, 4},
        Expected{"global/tower_at_rest.dat", "global_friction_3d", 90, 20},
        Expected{"mechanical/four_bar_in_contact.dat", "mechanical", 18, 1}}) {
    expectSizes(expected, ownProblem(expected.file));
  }
}

TEST(PublishedFiles, HaveTheSizesTheyDeclare) {
  if (publishedProblems().empty()) GTEST_SKIP() << noTestData();
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
        Expected{"global/gfc2d_granularflowonwall_00000_00117.dat", "global_friction_2d", 900, 0},
        Expected{"other/Chute-ndof-768-nc-4-3.hdf5", "global_mechanical", 788, 4},
        Expected{"other/GMP4_siconos.dat", "mechanical", 3, 1}, Expected{"other/Rectangular_mlcp.dat", "mlcp", 2, 0},
        Expected{"other/plasticity_2d_footing_10.dat", "mechanical", 30, 10}}) {
    const std::filesystem::path path = publishedFile("problems") / expected.file;
    // A folder may have some of them only.
    if (std::filesystem::exists(path) && (withHdf5 || path.extension() == ".dat")) expectSizes(expected, path);
  }
}

TEST(PublishedFiles, OfFclibBringTheAnswersThatAreWrittenAsStarts) {
  const std::filesystem::path path = publishedFile("problems/friction3d/Capsules-i125-1213.hdf5");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << noTestData();
  const ProblemFile file = readProblem(path);
  EXPECT_EQ(file.format, FileFormat::fclib);
  EXPECT_FALSE(file.title.empty());
  // The file declares a solution, of which it holds no numbers, and a guess.
  ASSERT_EQ(file.answers.size(), 1U);
  EXPECT_EQ(file.answers[0].name, "guesses/1");
  EXPECT_EQ(file.answers[0].unknown.size(), sizeOf(file.problem));
}

}  // namespace
