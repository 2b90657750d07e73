// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "CamMaps.hpp"

/// Options of a bifurcation diagram over the speed of the cam. All runs start from the same state.
struct CamDiagramOptions {
  CamFollowerParameters parameters;  ///< rpm and end are not used
  CamRunOptions run;
  std::size_t transient = 200;  ///< turns that are left out, a speed
  std::size_t turns = 100;      ///< turns that are recorded
  std::size_t threads = 0;      ///< runs at a time; 0: as many as there are cores
};

/// The speeds from … to at distances `step`, rounded to 1e-9. Throws Error unless 0 < from ≤ to and 0 < step.
std::vector<double> speedsOf(double from, double to, double step);

/// A folder with the maps of runs over a range of speeds, one folder a speed ("rpm_660"). Each gets its final name when
/// it is complete, and existing ones are not run again: an interrupted diagram continues where it was, losing only the
/// runs in progress, and more speeds can be added later.
class CamBifurcation {
 public:
  /// Opens the folder, or creates it. Throws Error if it holds runs of other parameters (parameters.txt says which).
  CamBifurcation(std::filesystem::path folder, const CamDiagramOptions& options);

  /// The speeds that have no folder yet.
  std::vector<double> missing(const std::vector<double>& speeds) const;

  /// Does the runs at these speeds, spread over threads. `afterRun` is called with the number of runs done, one call at
  /// a time. A run that fails does not affect the others; at the end throws Error naming the first one.
  void run(const std::vector<double>& speeds, const std::function<void(std::size_t)>& afterRun = {}) const;

  /// Writes the tables impacts.csv and stroboscope.csv of all these speeds, with a column for the speed. All must be
  /// there.
  void collect(const std::vector<double>& speeds) const;

 private:
  std::filesystem::path folderOf(double rpm) const;
  void runOne(double rpm) const;
  void collect(const std::vector<double>& speeds, const std::string& name) const;

  std::filesystem::path folder_;
  CamDiagramOptions options_;
};
