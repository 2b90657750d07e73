// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Where tests and benchmarks find problem files and trajectories; docs/test-data.md says what is in the folders.
namespace delassus::test {

/// A file of the published test data by its path there, "problems/lcp/lcp_mmc.dat", whether it is there or not. The
/// folder is DELASSUS_TEST_DATA: the environment variable, or else the option that the build was configured with.
std::filesystem::path publishedFile(const std::string& name);

/// The message of a test that is skipped because published files are missing: the folder, the option and the page.
std::string noTestData();

/// A problem of the project's own making by its path in tests/data/problems, "lcp/diode_bridge.dat".
std::filesystem::path ownProblem(const std::string& name);

/// Those in a folder of tests/data/problems, "lcp", or in all of them (""), ascending.
/// Like the following, those that this build can read.
std::vector<std::filesystem::path> ownProblems(const std::string& folder = {});

/// The same for the published problems; none where the folder is absent.
std::vector<std::filesystem::path> publishedProblems(const std::string& folder = {});

/// Own problems, then published ones.
std::vector<std::filesystem::path> allProblems(const std::string& folder = {});

/// The folder and name of such a file in letters, digits and underscores, for parametrised tests:
/// "lcp_diode_bridge_dat", "published_lcp_lcp_mmc_dat".
std::string testNameOf(const std::filesystem::path& file);

}  // namespace delassus::test
