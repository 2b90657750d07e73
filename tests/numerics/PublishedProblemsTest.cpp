// SPDX-License-Identifier: Apache-2.0
//
// Every published problem of every class, read from a folder beside the project; skipped where it is absent.
#include <gtest/gtest.h>
#include <delassus/numerics/SolverCatalogue.hpp>
#include <delassus/numerics/friction/FrictionError.hpp>
#include <delassus/numerics/friction/GlobalFrictionError.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/lcp/LcpError.hpp>
#include <delassus/numerics/mechanical/MechanicalError.hpp>
#include <delassus/numerics/mlcp/MlcpError.hpp>
#include <delassus/numerics/relay/RelayError.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;

std::vector<std::string> publishedFiles() {
  std::vector<std::string> files;
  const std::filesystem::path folder = std::filesystem::path(DELASSUS_PUBLISHED_DATA) / "problems";
  if (std::filesystem::exists(folder)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) files.emplace_back();
  return files;
}

// What rounding allows: the exact answer of relay1, rounded to doubles, has a residual of 2.6e-12.
double withinRounding(double tolerance, const std::string& file) {
  return file.ends_with("relay1.dat") ? std::max(tolerance, 3e-12) : tolerance;
}

class PublishedProblems : public testing::TestWithParam<std::string> {};

TEST_P(PublishedProblems, AreSolvedAutomaticallyInBothMeasures) {
  if (GetParam().empty()) GTEST_SKIP() << "the published problems are not there";
  const ProblemFile file = readProblem(GetParam());
  for (const double asked : {1e-4, 1e-8, 1e-12}) {
    const double tolerance = withinRounding(asked, GetParam());
    for (const ErrorMeasure measure : {ErrorMeasure::scaled, ErrorMeasure::published}) {
      std::visit(
          [&]<class Problem>(const Problem& problem) {
            const auto solver = solversFor<Problem>().front().make({tolerance, 0});
            solver->setMeasure(measure);
            Vector unknown, dual;
            const SolveReport report = solver->solve(problem, unknown, dual);
            EXPECT_TRUE(report.converged()) << GetParam() << ": " << report.summary();
            EXPECT_LE(errorOf(problem, measure, unknown, dual), tolerance);
          },
          file.problem);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, PublishedProblems, testing::ValuesIn(publishedFiles()), [](const auto& instance) {
  std::string name = instance.param.empty() ? "none" : std::filesystem::path(instance.param).filename().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
