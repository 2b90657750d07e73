// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/io/VtkPolyData.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace delassus {

/// A series of frames in time: "NAME.pvd", the list that ParaView opens, and "frames/NAME_000000.vtp", … beside it.
///
/// A frame is complete before the list names it, and the list is renamed into place: at any moment, even after a kill,
/// the list and all its frames are complete. It is rewritten with each frame up to the thousandth, then whenever the
/// number of frames has grown by a thousandth, so that long series do not spend most of their time on lists.
class VtkSeries {
 public:
  /// Nothing is written before the first frame.
  VtkSeries(std::filesystem::path folder, std::string name);

  /// Adds a frame. Throws Error if writing fails.
  void write(double time, const VtkPolyData& frame);
  /// Updates the list on the disk.
  void writeList();

  /// Number of frames, including those from before a restore.
  std::size_t frames() const { return times_.size(); }
  /// After a restore, frames that are not in the archive are no longer in the list.
  void serializeState(StateArchive& archive);

 private:
  std::filesystem::path folder_;
  std::string name_;
  std::vector<double> times_;
  std::size_t listed_ = 0;  // frames of the list on the disk
};

}  // namespace delassus
