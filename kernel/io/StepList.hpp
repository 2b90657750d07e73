// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

namespace delassus {

/// A recording of which each step is an HDF5 file of its own, and the file that joins them: "run.h5", with a link
/// /steps/000120 to what "run.steps/000120.h5" holds. Who opens it finds all steps in it; the two are moved together.
///
/// A step is listed when its file is complete, and the list is written beside and renamed: at any moment, even after a
/// kill, the list and all that it names can be read. Each further step costs a list of all, some 100 bytes a step.
class StepList {
 public:
  /// Nothing is written yet.
  explicit StepList(std::filesystem::path list) : list_(std::move(list)) {}

  /// The steps of a list, in their order; none if there is no such file. Throws Error if it is not such a list.
  static std::vector<std::size_t> stepsIn(const std::filesystem::path& list);

  /// Throws Error if there is a file of this name that is not such a list: it would be lost.
  void requireReplaceable() const;
  /// Takes the steps up to `last` from the file, if there is one. Throws Error if it is not such a list.
  void goOnAfter(std::size_t last);
  /// The file for a step. Its folder is not created.
  std::filesystem::path fileOf(std::size_t step) const;
  /// Writes the list with this step in it. Throws Error if the disk does not take it, or the build is without HDF5.
  void add(std::size_t step);

 private:
  std::filesystem::path list_;
  std::vector<std::size_t> steps_;
};

}  // namespace delassus
