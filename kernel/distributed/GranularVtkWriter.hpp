// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/distributed/GranularSimulation.hpp>
#include <filesystem>
#include <string>

namespace delassus::distributed {

/// Writes a GranularSimulation as a series of VTK files that ParaView opens, each rank its own piece: "grains.pvd", the
/// list; "frames/grains_000120.pvtp", the pieces of a step; and "frames/grains_000120_3.vtp", that of the fourth rank.
/// A point for each grain, with its number, radius (half the diagonal of a box), velocity, orientation, and rank.
///
/// Pieces are complete before the list names them. A run that goes on from a checkpoint keeps the frames up to it,
/// another one those of no other run.
class GranularVtkWriter {
 public:
  /// Folders are created with the first frame.
  explicit GranularVtkWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Collective. Writes the present state. Throws AgreedError if the disk does not take it.
  void write(const GranularSimulation& simulation);

 private:
  void takeList(const GranularSimulation& simulation);

  std::filesystem::path folder_;
  std::string list_;  // the entries of grains.pvd, on the first rank
  bool hasList_ = false;
};

}  // namespace delassus::distributed
