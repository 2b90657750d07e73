// SPDX-License-Identifier: Apache-2.0
//
// Published friction contact problems, read from a folder beside the project; skipped where it is absent.
#include <gtest/gtest.h>
#include <delassus/numerics/friction/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/friction/FrictionError.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;

std::vector<std::string> publishedFiles() {
  std::vector<std::string> files;
  for (const char* folder : {"friction2d", "friction3d"}) {
    const std::filesystem::path path = std::filesystem::path(DELASSUS_PUBLISHED_DATA) / "problems" / folder;
    if (!std::filesystem::exists(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) files.emplace_back();
  return files;
}

class PublishedFriction : public testing::TestWithParam<std::string> {};

TEST_P(PublishedFriction, IsSolvedAutomaticallyInBothMeasures) {
  if (GetParam().empty()) GTEST_SKIP() << "the published problems are not there";
  const ProblemFile file = readProblem(GetParam());
  const auto* const problem = std::get_if<FrictionContactProblem>(&file.problem);
  if (problem == nullptr) GTEST_SKIP() << "in global form: " << GetParam();
  for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
    for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
      AutomaticFrictionSolver solver(tolerance);
      solver.setMeasure(measure);
      Vector r, u;
      const SolveReport report = solver.solve(*problem, r, u);
      EXPECT_TRUE(report.converged()) << GetParam() << ": " << report.summary();
      EXPECT_LE(errorOf(*problem, measure, r, u), tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, PublishedFriction, testing::ValuesIn(publishedFiles()), [](const auto& instance) {
  std::string name = instance.param.empty() ? "none" : std::filesystem::path(instance.param).filename().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
