// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <delassus/Config.hpp>
#include <support/TestData.hpp>

namespace delassus::test {
namespace {

std::filesystem::path testDataFolder() {
  const char* const named = std::getenv("DELASSUS_TEST_DATA");
  return named != nullptr ? named : DELASSUS_TEST_DATA;
}

std::vector<std::filesystem::path> filesUnder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto ending = entry.path().extension();
    const bool isReadable = ending == ".dat" || (ending == ".hdf5" && withHdf5);
    if (entry.is_regular_file() && isReadable) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::filesystem::path publishedFile(const std::string& name) {
  return testDataFolder() / name;
}

std::string noTestData() {
  return "the published file is not in '" + testDataFolder().string() +
         "'; DELASSUS_TEST_DATA names the folder, docs/test-data.md says what belongs into it";
}

std::filesystem::path ownProblem(const std::string& name) {
  return std::filesystem::path(DELASSUS_OWN_PROBLEMS) / name;
}

std::vector<std::filesystem::path> ownProblems(const std::string& folder) {
  return filesUnder(ownProblem(folder));
}

std::vector<std::filesystem::path> publishedProblems(const std::string& folder) {
  return filesUnder(publishedFile("problems") / folder);
}

std::vector<std::filesystem::path> allProblems(const std::string& folder) {
  std::vector<std::filesystem::path> files = ownProblems(folder);
  for (std::filesystem::path& file : publishedProblems(folder)) files.push_back(std::move(file));
  return files;
}

std::string testNameOf(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  const bool isOwn = folder.parent_path() == std::filesystem::path(DELASSUS_OWN_PROBLEMS);
  std::string name = (isOwn ? "" : "published_") + folder.filename().string() + '_' + file.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

}  // namespace delassus::test
