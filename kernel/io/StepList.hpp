// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <utility>

namespace delassus {

/// A recording of which each step is an HDF5 file of its own, and the file that joins them: "run.h5", with a link
/// /steps/000120 to what "run.h5.steps/000120.h5" holds. Who opens it finds all steps in it; the two are moved together
/// and keep their names.
///
/// A step is listed when its file is complete, and the list is written beside and renamed: whenever the program is
/// killed, the list and all that it names can be read. A failure of power may still take what the system had not yet
/// written. Each further step costs a list of all, some 100 bytes a step.
class StepList {
 public:
  /// Nothing is written yet. One list is for one run.
  explicit StepList(std::filesystem::path list) : list_(std::move(list)) {}

  /// The steps of a list; none if there is no such file. Throws Error if it is not such a list, or cannot be read.
  static std::set<std::size_t> stepsIn(const std::filesystem::path& list);

  /// Begins a run: a list of none takes the place of one that is there. Throws Error if there is another file of this
  /// name, or a folder of steps without its list, which would be lost.
  void begin();
  /// Goes on with a run: the list of before, up to the step `last`. Throws Error if there is another file of this name,
  /// or a step that is kept has no file.
  void goOnAfter(std::size_t last);
  /// The file for a step.
  std::filesystem::path fileOf(std::size_t step) const;
  /// Lists this step, too. Throws Error if the disk does not take the list.
  void add(std::size_t step);

 private:
  std::filesystem::path folder() const;
  void requirePlainName() const;
  void write() const;

  std::filesystem::path list_;
  std::set<std::size_t> steps_;
};

}  // namespace delassus
