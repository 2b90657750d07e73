// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <support/TestData.hpp>
#include <vector>

// Published trajectories; docs/test-data.md says where they are.
namespace delassus::test {

/// The rows of a published trajectory, one a step with its columns; nothing where the file is absent.
inline std::optional<std::vector<std::vector<double>>> publishedTrajectory(const std::string& name) {
  std::ifstream file(publishedFile("trajectories/" + name));
  if (!file) return std::nullopt;
  std::vector<std::vector<double>> rows;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream numbers(line);
    std::vector<double> row;
    for (double x = 0.; numbers >> x;) row.push_back(x);
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace delassus::test
