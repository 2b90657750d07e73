// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

// Published problems, in a folder beside the project.
namespace delassus::test {

/// The file `name` of `folder` under the published problems; nothing where it is absent.
inline std::optional<std::filesystem::path> publishedProblem(const std::string& folder, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(DELASSUS_PUBLISHED_DATA) / "problems" / folder / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

}  // namespace delassus::test
