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
/// A frame is in its place before the list names it, and the list is written beside its place and renamed: at any
/// moment, also after a kill, the list is whole and all its frames are. It is renewed with each frame up to the
/// thousandth, then once for every thousandth part more, so that long series do not write lists most of the time.
class VtkSeries {
 public:
  /// Nothing is written before the first frame.
  VtkSeries(std::filesystem::path folder, std::string name);

  /// Adds a frame. Throws Error if the disk does not take it.
  void write(double time, const VtkPolyData& frame);
  /// Brings the list on the disk up to date.
  void writeList();

  /// Frames of the series, those from before a restore included.
  std::size_t frames() const { return times_.size(); }
  /// After a restore, frames that the archive does not know are no longer in the list.
  void serializeState(StateArchive& archive);

 private:
  std::filesystem::path folder_;
  std::string name_;
  std::vector<double> times_;
  std::size_t listed_ = 0;  // frames of the list on the disk
};

}  // namespace delassus
